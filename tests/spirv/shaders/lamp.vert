#version 450
// One lamp far away, with ambient, diffuse and specular light of a material.
layout(location=0) in vec3 point;
layout(location=1) in vec2 place;
layout(location=2) in vec3 normal;
layout(location=1) out vec4 color;
layout(location=2) out vec2 texcoord0;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat4 world;
layout(location=2) uniform vec3 lamp;
layout(location=3) uniform vec3 halfway;
layout(location=4) uniform vec4 light;
layout(location=5) uniform vec4 ambient;
layout(location=6) uniform vec4 diffuse;
layout(location=7) uniform vec4 specular;
layout(location=8) uniform vec4 emission;

void main() {
  gl_Position = projection * (world * vec4(point, 1.0));
  vec3 up = normalize((world * vec4(normal, 0.0)).xyz);
  float lit = max(-dot(up, lamp), 0.0);
  float shine = max(-dot(up, halfway), 0.0);
  vec4 sum = emission + light * ambient + lit * light * diffuse + shine * shine * light * specular;
  color = min(sum, vec4(1.0));
  texcoord0 = place;
}
