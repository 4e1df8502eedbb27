#version 450
layout(constant_id = 0) const int lamps = 3;
layout(constant_id = 1) const float scale = 0.5;
layout(constant_id = 2) const bool bright = true;
layout(constant_id = 7) const uint level = 2u;
const int twice = lamps * 2 + int(level);
layout(location = 0) in vec4 a;
layout(set = 0, binding = 0) uniform Settings { vec4 lights[lamps]; };
layout(location = 0) out vec4 r0;
layout(location = 1) out vec4 r1;
void main() {
    gl_Position = a * scale;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < lamps; i++) sum += lights[i];
    r0 = bright ? sum : -sum;
    r1 = vec4(twice, level, lamps > 2 ? 1.0 : 0.0, lights.length());
}
