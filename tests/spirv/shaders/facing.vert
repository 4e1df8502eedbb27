#version 450
// The quaternion that turns the z axis to the normal, for lights of each pixel.
layout(location=0) in vec3 point;
layout(location=1) in vec3 normal;
layout(location=0) out vec4 normalquat;
layout(location=1) out vec4 color;
layout(location=6) out vec4 view;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat4 world;

void main() {
  vec4 placed = world * vec4(point, 1.0);
  vec3 up = normalize(mat3(world) * normal);
  float square = 0.5 + 0.5 * up.z;
  vec4 turn = vec4(1.0, 0.0, 0.0, 0.0);
  if (square > 0.0) {
    float inverse = inversesqrt(square);
    turn = vec4(up.xy * (0.5 * inverse), 1.0 / inverse, 0.0);
  }
  normalquat = turn;
  color = vec4(1.0);
  view = -placed;
  gl_Position = projection * placed;
}
