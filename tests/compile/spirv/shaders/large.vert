#version 450
layout(location = 0) in vec4 a;
layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;
void main() {
    int some = int(a.x) * 3 + (int(a.z) & 3);
    int many = int(a.x) * 255 + (int(a.z) & 127);
    int by = int(a.y);
    gl_Position = vec4(some, by, many, 1.0);
    color = vec4(some / by, some % by, many / 64, many >> 3);
    texcoord0 = vec2(many % 32, many / 63);
}
