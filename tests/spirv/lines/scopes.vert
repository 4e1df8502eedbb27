#version 450
// Names of a debugger: functions in functions, loops, one name for several variables, a matrix, an array, a struct, truths and whole numbers.
layout(location=0) in vec4 place;
layout(location=1) in vec3 normal;
layout(location=0) out vec4 color;
layout(location=1) out vec2 texcoord0;
layout(location=0) uniform mat4 projection;
layout(location=4) uniform vec4 tints[4];
layout(location=10) uniform int count;
layout(location=11) uniform bool flipped;

struct Pair { vec2 low; float high; };

float weight(float x, int turn) {
  float k = x * 0.5;
  k += float(turn);
  return k * k;
}

vec3 mixed(vec3 n, float k) {
  float w = weight(k, 2) + 1.0;
  vec3 k2 = n * w;
  return k2 - vec3(k);
}

void main() {
  vec4 p = place;
  float total = 0.0, step = 0.5;
  for (int i = 0; i < count; i++) {
    vec4 t = tints[i];
    total += weight(t.x, i) * step;
    if (total > 4.0) {
      float step = 8.0;
      total -= step;
    }
    step = t.y;
  }
  Pair pair = Pair(p.xy * total, step);
  bool high = pair.high > total;
  mat3 turned = mat3(vec3(total, 0.0, 1.0), normal, vec3(step));
  float ends[3] = float[3](total, step, p.w);
  vec3 n = turned * mixed(normal, step);
  if (flipped) {
    n = -n;
    total = 3.0;
  } else {
    step = total * 2.0;
    total = 5.0;
  }
  for (int i = 0; i < 2; i++)
    n.x += ends[i] * step;
  if (high && n.x < 2.0)
    n.y = total;
  gl_Position = projection * p;
  color = vec4(n, step);
  texcoord0 = pair.low + vec2(total, ends[2]);
}
