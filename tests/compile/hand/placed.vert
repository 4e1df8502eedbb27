#version 330
// Position, place in the world and normal of a mesh that may be stretched.
in vec3 position;
in vec3 normal;
in vec2 uv;
uniform mat4 projection, camera, model;
out vec4 color;
out vec3 view;
out vec2 texcoord0;

void main()
{
    vec4 place = model * vec4(position, 1.0);
    view = place.xyz;
    color.rgb = mat3(transpose(inverse(model))) * normal;
    color.a = 1.0;
    texcoord0 = uv * vec2(1.0, -1.0);
    gl_Position = projection * camera * place;
}
