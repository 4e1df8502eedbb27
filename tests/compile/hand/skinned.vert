#version 330
// Two bones for each vertex, in the light of a lamp above.
in vec3 position;
in vec3 normal;
in ivec2 joints;
in vec2 weights;
uniform mat4 viewProjection;
uniform vec4 bones[60];
out vec4 color;

void main()
{
    vec4 p = vec4(position, 1.0);
    int a = joints.x * 3, b = joints.y * 3;
    vec3 first = vec3(dot(bones[a], p), dot(bones[a + 1], p), dot(bones[a + 2], p));
    vec3 second = vec3(dot(bones[b], p), dot(bones[b + 1], p), dot(bones[b + 2], p));
    float up = dot(bones[a + 1].xyz, normal) * weights.x + dot(bones[b + 1].xyz, normal) * weights.y;
    color = vec4(vec3(0.5 + 0.5 * up), 1.0);
    gl_Position = viewProjection * vec4(first * weights.x + second * weights.y, 1.0);
}
