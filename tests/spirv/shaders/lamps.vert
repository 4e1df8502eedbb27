#version 450
// As many lamps as the application sets, some of which are off for a vertex, and fog where it is on.
layout(location=0) in vec3 point;
layout(location=1) in vec3 normal;
layout(location=2) in float kind;
layout(location=1) out vec4 color;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat3 turned;
layout(location=2) uniform vec4 lamps[6];
layout(location=8) uniform vec3 tints[6];
layout(location=14) uniform int count;
layout(location=15) uniform bool fog;

void main() {
  vec3 up = normalize(turned * normal);
  vec3 sum = vec3(0.1);
  for (int i = 0; i < count; i++) {
    if (lamps[i].w < 0.0) continue;
    vec3 there = lamps[i].xyz - point;
    float near = dot(there, there);
    if (near > 9.0) continue;
    sum += tints[i] * max(dot(up, there) * inversesqrt(near), 0.0) / (1.0 + near);
    if (sum.x > 2.0) break;
  }
  float alpha = 1.0;
  switch (int(kind)) {
    case 0: break;
    case 1: sum = sum.zyx; break;
    case 2: alpha = 0.5;
    default: sum *= 0.5;
  }
  gl_Position = projection * vec4(point, 1.0);
  if (fog) sum = mix(sum, vec3(0.7, 0.7, 0.8), clamp(gl_Position.w * 0.25, 0.0, 1.0));
  color = vec4(sum, alpha);
}
