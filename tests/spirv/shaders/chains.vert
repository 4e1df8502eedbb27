#version 450
// Products of matrices that a vector is multiplied by: in one expression, through a variable, a part of one, transposed.
layout(location=0) in vec3 point;
layout(location=1) in vec3 normal;
layout(location=0) out vec4 normalquat;
layout(location=1) out vec4 color;
layout(location=2) out vec2 texcoord0;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat4 camera;
layout(location=2) uniform mat4 world;
layout(location=3) uniform mat3 turn;
layout(location=4) uniform mat3 shear;

void main() {
  mat4 seen = camera * world;
  gl_Position = projection * seen * vec4(point, 1.0);
  normalquat = vec4(mat3(seen) * normal, 1.0);
  color = vec4(transpose(turn * shear) * normal, 1.0);
  texcoord0 = (normal * (shear * turn)).xy;
}
