#version 450
// Tests of counters that not every iteration comes to, or that are not the first thing in the loop.
layout(location = 0) in vec4 a;
layout(location = 0) uniform vec4 rows[8];
layout(location = 8) uniform int count;
layout(location = 0) out vec4 skipped;
layout(location = 1) out vec4 late;
layout(location = 2) out vec4 body;
void main() {
    gl_Position = a;
    vec4 sum = vec4(0.0);
    int seen = 0;
    for (int i = 0;; i++) {
        seen++;
        if (i < 6 && rows[i].x > a.x) continue;
        if (i >= 3) break;
        sum += rows[i];
    }
    skipped = vec4(sum.xyz, float(seen));
    sum = vec4(0.0);
    int i = 0;
    while (true) {
        sum.w += 1.0;
        if (i == count) { break; }
        sum.xyz += rows[i].xyz;
        i++;
    }
    late = sum;
    sum = vec4(0.0);
    int j = 0;
    do {
        sum += rows[j];
        j++;
    } while (j < count);
    body = sum;
}
