#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) uniform bool only;
layout(location = 1) uniform bool also;
layout(location = 2) uniform int mode;
layout(location = 3) uniform bvec2 both;
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
layout(location = 2) out vec4 r2;
layout(location = 3) out vec4 r3;
layout(location = 4) out vec4 r4;
void main() {
    gl_Position = a;
    if (only) r0 = a + 1.0;
    else r0 = b * 3.0;
    if (!only) r0.x = 7.0;
    r1 = vec4(also, also ? a.x : b.x, both.x, both.y && a.x > 0.0);
    switch (mode) {
    case 0: r2 = a; break;
    case 1: r2 = b;
    case 2: r2 = a + b; break;
    case 5:
    case 7: r2 = a * b; break;
    default: r2 = vec4(2.0); break;
    }
    switch (int(a.w)) {
    default: r3 = a; break;
    case 1: r3 = b; break;
    case -2: r3 = vec4(0.5); break;
    }
    r4 = vec4(lessThan(a, b)) + mix(a, b, greaterThan(a, vec4(0.5)));
    if (a.x < b.x && (a.y < b.y || a.z > b.z) && !(a.w == b.w)) r4.w = 9.0;
    if (any(isnan(a)) || all(isinf(b))) r4.x = -5.0;
}
