#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
layout(location = 2) out vec4 r2;
struct Pair { vec2 low; vec2 high; };
float early(float x, inout float seen) {
    if (x < 0.0) {
        seen += 1.0;
        return -x;
    }
    for (int i = 0; i < 4; i++) {
        x = x * 2.0;
        if (x > 5.0) return x + seen;
    }
    seen += 10.0;
    return x;
}
void split(in vec4 v, out Pair made, inout vec4 sum) {
    v.x += 1.0;
    made.low = v.xy;
    made.high = v.zw;
    sum += v;
}
vec4 twice(vec4 v) { return v + v; }
vec4 nothing() { return vec4(0.25); }
void main() {
    gl_Position = twice(twice(a)) + nothing();
    float seen = 0.0;
    r0 = vec4(early(a.x, seen), early(b.x, seen), early(b.y * 0.01, seen), seen);
    Pair made;
    vec4 sum = b;
    split(a, made, sum);
    r1 = vec4(made.high, made.low) + sum;
    r2 = vec4(1.0);
    if (a.w > 0.5) return;
    r2 = a;
    if (b.w > 0.5) {
        r2.x = 3.0;
        return;
    }
    r2 += b;
}
