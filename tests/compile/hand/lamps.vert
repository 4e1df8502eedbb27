#version 330
// As many lamps as are on.
in vec3 position;
in vec3 normal;
uniform mat4 projection, modelView;
uniform vec4 direction[4];
uniform vec4 glow[4];
uniform int lamps;
out vec4 color;

void main()
{
    vec3 n = normalize(mat3(modelView) * normal);
    vec3 light = vec3(0.1);
    for (int i = 0; i < lamps; i++)
        light += glow[i].rgb * max(dot(n, direction[i].xyz), 0.0);
    color = vec4(min(light, 1.0), 1.0);
    gl_Position = projection * (modelView * vec4(position, 1.0));
}
