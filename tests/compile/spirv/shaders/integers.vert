#version 450
layout(location = 0) in ivec4 a;
layout(location = 1) in uvec2 u;
layout(location = 2) in vec4 f;
layout(location = 0) uniform int k;
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
layout(location = 2) out vec4 r2;
layout(location = 3) out vec4 r3;
layout(location = 4) out vec4 r4;
void main() {
    gl_Position = vec4(a.xyz, u.y & 12u);
    r0 = vec4(a / 3);
    r0.z = float(a.x * k);
    r0.w = float(a.x / k);
    r1 = vec4(a.x % 5, a.y % k, u.x / 7u, u.y % 10u);
    r2 = vec4(int(f.x), uint(f.y), abs(a.x), sign(a.y));
    r3 = vec4(max(a.x, a.y), min(a.x, k), clamp(a.z, -2, 2), a.x << 2);
    r4 = vec4(a.y >> 1, u.x & 7u, ~a.x, -a.w + int(u.x));
}
