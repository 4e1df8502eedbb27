#version 450
// The quaternion of normal, tangent and bitangent, by whichever of its parts is greatest.
layout(location=0) in vec3 point;
layout(location=1) in vec2 place;
layout(location=2) in vec3 normal;
layout(location=3) in vec3 tangent;
layout(location=0) out vec4 normalquat;
layout(location=1) out vec4 color;
layout(location=2) out vec2 texcoord0;
layout(location=4) out vec2 texcoord1;
layout(location=6) out vec4 view;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat4 world;

vec4 quaternion(vec3 t, vec3 b, vec3 n) {
  if (n.z > 0.0) {
    if (t.x + b.y > 0.0) return vec4(b.z - n.y, n.x - t.z, t.y - b.x, 1.0 + t.x + b.y + n.z);
    return vec4(t.z + n.x, b.z + n.y, 1.0 - t.x - b.y + n.z, t.y - b.x);
  }
  if (t.x < b.y) return vec4(t.y + b.x, 1.0 - t.x + b.y - n.z, b.z + n.y, n.x - t.z);
  return vec4(1.0 + t.x - b.y - n.z, t.y + b.x, t.z + n.x, b.z - n.y);
}

void main() {
  vec4 placed = world * vec4(point, 1.0);
  mat3 turned = mat3(world);
  vec3 n = turned * normal;
  float size = inversesqrt(dot(n, n));
  n *= size;
  vec3 t = turned * tangent * size;
  vec3 b = cross(n, t);
  t = cross(b, n);
  normalquat = normalize(quaternion(t, b, n));
  color = vec4(1.0);
  texcoord0 = place;
  texcoord1 = place;
  view = -placed;
  gl_Position = projection * placed;
}
