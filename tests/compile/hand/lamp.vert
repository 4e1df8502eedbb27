#version 330
// A lamp that reaches as far as its radius.
in vec3 position;
in vec3 normal;
uniform mat4 viewProjection, model;
uniform vec3 lamp;
uniform vec3 glow;
uniform vec3 ambient;
uniform float radius;
out vec4 color;

void main()
{
    vec4 place = model * vec4(position, 1.0);
    vec3 ray = lamp - place.xyz;
    float distance = length(ray);
    vec3 light = ambient;
    if (distance < radius) {
        float fall = 1.0 - distance / radius;
        light += glow * (fall * fall * max(dot(mat3(model) * normal, ray) / distance, 0.0));
    }
    color = vec4(light, 1.0);
    gl_Position = viewProjection * place;
}
