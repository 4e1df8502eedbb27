#version 450
// A surface of waves, with its normal, by the row of a matrix and a table of known numbers.
layout(location=0) in vec2 place;
layout(location=1) in float phase;
layout(location=1) out vec4 color;
layout(location=2) out vec2 texcoord0;
layout(location=0) uniform mat4 projection;
layout(location=1) uniform mat4 world;
layout(location=2) uniform float time;
layout(location=3) uniform int steps;

const vec3 shades[4] = vec3[4](vec3(0.1, 0.2, 0.5), vec3(0.2, 0.4, 0.7), vec3(0.5, 0.7, 0.9), vec3(1.0));

void wave(in float at, inout float height, out float slope) {
  height += 0.25 * sin(at);
  slope = 0.25 * cos(at);
}

void main() {
  float height = 0.0, slope = 0.0, total = 0.0;
  for (int i = 0; i < steps; i++) {
    wave(place.x * float(i + 1) + time + phase, height, slope);
    total += slope;
  }
  vec3 up = normalize(vec3(-total, 1.0, 0.3));
  vec4 point = vec4(place.x, height, place.y, 1.0);
  gl_Position = point * transpose(projection * world);
  color = vec4(shades[int(clamp(height * 2.0 + 2.0, 0.0, 3.0))] * up.y, exp2(-abs(height)));
  texcoord0 = fract(place * 0.5 + vec2(world[3].x, pow(abs(height) + 0.1, 1.5)));
}
