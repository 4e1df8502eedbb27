#version 330
// Light from one direction over ambient light.
in vec3 position;
in vec3 normal;
uniform mat4 projection, modelView;
uniform vec3 sun;
uniform vec3 ambient;
uniform vec3 diffuse;
uniform float alpha;
out vec4 color;

void main()
{
    vec3 n = normalize(mat3(modelView) * normal);
    float light = max(dot(n, normalize(sun)), 0.0);
    color = vec4(ambient + diffuse * light, alpha);
    gl_Position = projection * modelView * vec4(position, 1.0);
}
