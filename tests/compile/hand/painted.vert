#version 330
// A painted mesh by one matrix.
in vec3 position;
in vec4 paint;
in vec2 uv;
uniform mat4 modelViewProjection;
out vec4 color;
out vec2 texcoord0;

void main()
{
    gl_Position = modelViewProjection * vec4(position, 1.0);
    color = paint;
    texcoord0 = uv;
}
