#version 450
// A vertex and its colour.
layout(location=0) in vec3 point;
layout(location=1) in vec4 tint;
layout(location=1) out vec4 color;
layout(location=0) uniform mat4 projection;

void main() {
  color = tint;
  gl_Position = projection * vec4(point, 1.0);
}
