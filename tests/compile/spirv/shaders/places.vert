#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in mat2 turns[2];
layout(location = 5) in vec3 points[3];
layout(location = 8) in vec4 last;
struct Pair { vec2 first; mat3 middle; vec4 second; };
layout(location = 0) out vec2 heads[2];
layout(location = 2) out Pair pair;
layout(location = 7) out Tail { vec4 one; float two; };
void main() {
    gl_Position = last;
    heads[0] = turns[1] * a.xy;
    heads[1] = turns[0] * a.xy;
    pair.first = points[2].xy;
    pair.middle = mat3(points[0], points[1], points[2]);
    pair.second = a;
    one = last * 2.0;
    two = points[1].z;
}
