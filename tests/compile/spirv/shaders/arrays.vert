#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in float pick;
struct Light { vec3 direction; float power; vec2 range[2]; };
layout(location = 0) uniform Light lights[3];
layout(location = 30) uniform mat4 bones[3];
layout(location = 50) uniform float weights[4];
layout(location = 0) out vec4 local;
layout(location = 1) out vec4 table;
layout(location = 2) out vec4 lit;
layout(location = 3) out vec4 skinned;
layout(location = 4) out vec4 lanes;
const vec3 corners[4] = vec3[](vec3(1.0, 2.0, 3.0), vec3(-1.0, 0.5, 0.25), vec3(4.0, 5.0, 6.0), vec3(7.0, -8.0, 9.0));
void main() {
    gl_Position = a;
    int i = int(pick);
    vec4 own[3];
    own[0] = a;
    own[1] = a * 2.0;
    own[2] = a + 1.0;
    own[i].y = 9.0;
    local = own[2 - i] + own[0];
    float steps[3];
    for (int k = 0; k < 3; k++) steps[k] = float(k) * a.x;
    table = vec4(corners[i + 1], steps[2] + steps[1]);
    vec4 sum = vec4(0.0);
    for (int k = 0; k < 3; k++) sum += vec4(lights[k].direction * lights[k].power, lights[k].range[1].y);
    lit = sum + vec4(lights[i].range[i == 0 ? 0 : 1], lights[i].power, 0.0);
    skinned = bones[i] * a + weights[i + 1] * (bones[2] * a);
    vec4 changed = a;
    changed[i] = 5.0;
    lanes = changed + vec4(a[i], lights[i].direction[i], 0.0, 0.0);
}
