#version 330
// Light in three flat bands, and a dark outline where the normal is across the view.
in vec3 position;
in vec3 normal;
uniform mat4 projection, modelView;
uniform vec3 sun;
uniform vec3 dark, middle, bright;
out vec4 color;

void main()
{
    vec3 n = normalize(mat3(modelView) * normal);
    float light = dot(n, sun);
    vec3 tint;
    if (light > 0.7)
        tint = bright;
    else if (light > 0.2)
        tint = middle;
    else
        tint = dark;
    color = vec4(tint * step(0.25, abs(n.z)), 1.0);
    gl_Position = projection * (modelView * vec4(position, 1.0));
}
