#version 450
// As `skin.vert`, with the rows of the two bones blended before they are used.
layout(location=0) in vec3 point;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 weight;
layout(location=3) in vec2 bone;
layout(location=1) out vec4 color;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform vec4 rows[60];
layout(location=70) uniform vec3 lamp;

vec4 blended(int row) {
  return weight.x * rows[int(bone.x) + row] + weight.y * rows[int(bone.y) + row];
}

void main() {
  vec4 x = blended(0), y = blended(1), z = blended(2), whole = vec4(point, 1.0);
  vec3 place = vec3(dot(x, whole), dot(y, whole), dot(z, whole));
  vec3 up = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
  gl_Position = projection * vec4(place, 1.0);
  color = vec4(vec3(max(dot(normalize(up), lamp), 0.0)), 1.0);
}
