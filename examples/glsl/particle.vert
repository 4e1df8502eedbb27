#version 330
// A fountain without a geometry shader: the four corners of a square fly as one, turn, shrink and fade.

in vec3 velocity;       // of the particle
in vec2 corner;         // -1 or 1 in x and y
in float start;         // when it begins, from 0 to 1 of a life

uniform mat4 projection;
uniform vec3 source;
uniform float time;     // in lives
uniform vec3 gravity;
uniform float size;
uniform vec4 young;     // the colour at the beginning
uniform vec4 old;       // and at the end

out vec4 color;
out vec2 texcoord0;

void main()
{
    float age = fract(time - start);
    vec3 center = source + velocity * age + gravity * (0.5 * age * age);
    float angle = 6.0 * age;
    mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    vec2 offset = turn * corner * (size * (1.0 - age));
    color = mix(young, old, age);
    texcoord0 = 0.5 * corner + 0.5;
    gl_Position = projection * vec4(center + vec3(offset, 0.0), 1.0);
}
