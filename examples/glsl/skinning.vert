#version 330
// A mesh that bones move: each vertex follows two of a palette of 18, in the light of some lamps.

const int BONES = 18;

in vec3 position;
in vec3 normal;
in vec2 joints;             // numbers of the two bones
in vec2 weights;            // how much each counts; they sum up to 1

uniform mat4 projection;
uniform vec4 palette[3 * BONES];    // three rows of a matrix for each bone
uniform vec4 ambient;
uniform vec4 direction[4];          // towards each lamp, length 1
uniform vec4 light[4];              // its colour
uniform int lamps;                  // how many are on: 0 to 4

out vec4 color;

void main()
{
    vec4 place = vec4(position, 1.0);
    vec3 moved = vec3(0.0);
    vec3 turned = vec3(0.0);
    for (int i = 0; i < 2; i++) {
        int row = 3 * int(joints[i]);
        vec4 x = palette[row], y = palette[row + 1], z = palette[row + 2];
        moved += weights[i] * vec3(dot(x, place), dot(y, place), dot(z, place));
        turned += weights[i] * vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    }
    vec3 n = normalize(turned);
    vec3 sum = ambient.rgb;
    for (int i = 0; i < lamps; i++)
        sum += light[i].rgb * max(0.0, dot(n, direction[i].xyz));
    color = vec4(min(sum, 1.0), 1.0);
    gl_Position = projection * vec4(moved, 1.0);
}
