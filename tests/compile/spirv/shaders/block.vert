#version 450
layout(location = 0) in vec4 a;
layout(set = 0, binding = 0) uniform Settings {
    mat4 view;
    layout(row_major) mat4 model;
    mat3 turn[2];
    vec4 tint;
    bool shaded;
    bool shown;
    int count;
    float steps[3];
};
layout(push_constant) uniform Push { vec2 scale; } push;
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
layout(location = 2) out vec4 r2;
void main() {
    gl_Position = view * (model * a);
    r0 = shaded ? tint : a;
    r1 = vec4(turn[1] * a.xyz, shown ? 1.0 : 0.5);
    r2 = vec4(0.0);
    for (int i = 0; i < count; i++) r2 += vec4(push.scale, steps[i], turn[i][1][2]);
}
