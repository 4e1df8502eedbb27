#version 450
layout(location = 0) in ivec4 a;
layout(location = 1) in uvec2 u;
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
layout(location = 2) out vec4 r2;
layout(location = 3) out vec4 r3;
void main() {
    gl_Position = vec4(a.xyz & 0x55, a.x & ~7);
    r0 = vec4(a.x | 8, a.y | 0x15, a.z ^ 3, u.x ^ 0xF0u);
    r1 = vec4(u.x << 4 | u.y & 3u, u.x & 0xFFFFFFF0u, a.w | 1, a.x << 3 ^ 5);
    r2 = vec4(bitfieldExtract(a.x, 2, 3), bitfieldExtract(a.y, 0, 5), bitfieldExtract(u.x, 1, 4), bitfieldExtract(u.y, 3, 2));
    r3 = vec4(a & ivec4(7, 3, 12, 255)) + vec4(a.wzyx | ivec4(2));
}
