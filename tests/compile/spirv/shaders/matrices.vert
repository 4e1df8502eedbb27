#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec3 n;
layout(location = 2) in float pick;
layout(location = 0) uniform mat4 m;
layout(location = 4) uniform mat3 k;
layout(location = 7) uniform mat4x3 tall;
layout(location = 11) uniform mat3x4 wide;
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
layout(location = 2) out vec4 r2;
layout(location = 3) out vec4 r3;
layout(location = 4) out vec4 r4;
layout(location = 5) out vec4 r5;
layout(location = 6) out vec4 r6;
layout(location = 7) out vec4 r7;
layout(location = 8) out vec4 r8;
layout(location = 9) out vec4 r9;
void main() {
    gl_Position = m * a;
    r0 = a * m;
    r1 = vec4(mat3(m) * n, m[2][1]);
    r2 = m[1] + vec4(k[2], 0.0);
    r3 = (transpose(m) * n.x) * a;
    r4 = (m * mat4(k)) * a;
    r5 = vec4(inverse(k) * n, determinant(k));
    r6 = inverse(m) * a;
    r7 = outerProduct(a, n) * n + vec4(tall * a, 0.0);
    r8 = wide * n + m[int(pick)];
    mat3 turned = mat3(n, n.yzx * 2.0, n.zxy - 1.0);
    turned[1] += n;
    turned[2].y = 4.0;
    r9 = vec4(turned * n, determinant(m) + determinant(mat2(k)));
}
