#version 330
// A mesh by three matrices, one after the other.
in vec3 position;
in vec2 uv;
uniform mat4 projection, camera, model;
out vec2 texcoord0;

void main()
{
    gl_Position = projection * camera * model * vec4(position, 1.0);
    texcoord0 = uv;
}
