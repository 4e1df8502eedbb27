#version 450
// A picture on the screen: colours are bytes, and two texture units have places of their own.
layout(location=0) in vec3 point;
layout(location=1) in vec2 first;
layout(location=2) in vec2 second;
layout(location=3) in vec4 bytes;
layout(location=1) out vec4 color;
layout(location=2) out vec2 texcoord0;
layout(location=4) out vec2 texcoord1;
layout(location=0) uniform mat4 world;
layout(location=1) uniform mat4 projection;

void main() {
  vec4 placed = world * vec4(point, 1.0);
  gl_Position = projection * placed;
  color = bytes / 255.0;
  texcoord0 = first;
  texcoord1 = second;
}
