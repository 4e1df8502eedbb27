#version 330
// Statements of which it is hard to say what an instruction computes.
#define SQUARE(x) ((x) * (x))
#define HALF 0.5
in vec4 a;
in vec3 normal;
uniform mat4 mvp;
uniform mat3 turn;
uniform vec4 light;
uniform float k;
uniform vec4 rows[4];
out vec4 color;
out vec4 view;
const float GAIN = 3.0;

float warped(float x, float y) { return x * y + y; }

void main() {
    vec3 n = normalize(turn * normal.xyz), m = a.zyx * 2.0 + n;  // two of them
    float d = max(dot(n, light.xyz), 0.0); float e = -d;
    d += k > 0.0 ? m.x * k : m.y;
    e *= warped(warped(d, k), e + k);
    float same = d * k + d * k;
    float folded = e * (GAIN * 2.0) + HALF;
    float macro = SQUARE(d) - same; float after = sqrt(d);
    for (int i = 0; i < 4; i++) same += dot(rows[i], a) * d;
    vec4 q = vec4(n * 2.0,
                  pow(d, 2.0)
                      + after);
    q.xy = q.yx - m.xy;
    q.z = clamp(q.z, 0.0, same);
    if (d > 1.0 && k < 2.0) q.w = mix(macro, folded, 0.25);
    color = q + vec4(e);
    view = (mvp * a).wzyx; gl_Position = mvp * (a + light);
}
