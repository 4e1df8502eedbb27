#version 450
// What is precise is computed in the order of the source.
layout(location=0) in vec3 point;
layout(location=1) in vec3 normal;
precise layout(location=1) out vec4 color;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat4 world;

void main() {
  gl_Position = projection * world * vec4(point, 1.0);
  color = projection * world * vec4(normal, 0.0);
}
