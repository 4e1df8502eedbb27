#version 450
// The same comparison as a condition, as a value, of vectors, negated, in a conjunction and with a constant on either side.
layout(location=0) in vec4 a;
layout(location=1) in vec4 b;
layout(location=0) out vec4 color;

void main() {
  gl_Position = vec4(a.x == b.x);
  if (a.y == b.y) gl_Position.y = 5.0;
  else gl_Position.z = a.y;
  color = mix(a, b, equal(a, b));
  if (any(equal(a.zw, b.zw))) color.x = 7.0;
  if (!(a.w == b.w)) color.y = 8.0;
  if (a.x == b.x && a.z == b.z) color.z = 9.0;
  if (a.x == 1.5) color.w += 1.0;
  gl_Position.w += float(2.0 == b.y);
}
