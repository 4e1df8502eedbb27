#version 450
// Two bones a vertex, of three rows each.
layout(location=0) in vec3 point;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 weight;
layout(location=3) in vec2 bone;
layout(location=1) out vec4 color;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform vec4 rows[60];
layout(location=70) uniform vec3 lamp;

vec3 moved(int first, vec4 v) {
  return vec3(dot(rows[first], v), dot(rows[first + 1], v), dot(rows[first + 2], v));
}

void main() {
  vec3 place = vec3(0.0), up = vec3(0.0);
  for (int i = 0; i < 2; i++) {
    int first = int(bone[i]);
    place += weight[i] * moved(first, vec4(point, 1.0));
    up += weight[i] * moved(first, vec4(normal, 0.0));
  }
  gl_Position = projection * vec4(place, 1.0);
  color = vec4(vec3(max(dot(normalize(up), lamp), 0.0)), 1.0);
}
