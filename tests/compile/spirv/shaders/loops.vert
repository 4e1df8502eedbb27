#version 450
layout(location = 0) in vec4 a;
layout(location = 0) uniform vec4 rows[8];
layout(location = 8) uniform int count;
layout(location = 9) uniform int most;
layout(location = 10) uniform float limit;
layout(location = 0) out vec4 known;
layout(location = 1) out vec4 counted;
layout(location = 2) out vec4 nested;
layout(location = 3) out vec4 left;
layout(location = 4) out vec4 endless;
layout(location = 5) out vec4 backwards;
void main() {
    gl_Position = a;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 8; i++) sum += rows[i] * float(i);
    known = sum;
    sum = vec4(1.0);
    for (int i = 0; i < count; i++) {
        if (rows[i].x < 0.0) continue;
        sum += rows[i];
    }
    counted = sum;
    vec4 total = vec4(0.0);
    for (int i = 1; i <= 3; i++) {
        for (int j = 0; j < 2; j++) {
            if (a.x > float(i)) continue;
            total.x += a.y;
            total.y += rows[i + j].y;
            if (total.x > limit) break;
        }
        total.z += total.x;
    }
    nested = total;
    int found = -1;
    float last = 0.0;
    for (int i = 0; i < 8; i++) {
        last = rows[i].z;
        if (last > limit) {
            found = i;
            break;
        }
    }
    left = vec4(float(found), last, 0.0, 1.0);
    float value = a.x;
    int turns = 0;
    do {
        value *= 0.5;
        turns++;
        if (turns > most) break;
    } while (value > limit);
    while (value < 1.0) value += 0.75;
    endless = vec4(value, float(turns), 0.0, 0.0);
    sum = vec4(0.0);
    for (int i = 6; i > 0; i -= 2) sum = sum * 0.5 + rows[i];
    backwards = sum;
}
