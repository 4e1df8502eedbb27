#version 330
// Two textures by a matrix each: one moved over the mesh, one projected on it.
in vec3 position;
in vec2 uv;
uniform mat4 modelViewProjection;
uniform mat4 moved;
uniform mat4 projected;
uniform vec2 scroll;
out vec2 texcoord0;
out vec2 texcoord1;
out vec2 texcoord2;

void main()
{
    vec4 p = vec4(position, 1.0);
    texcoord0 = (moved * vec4(uv, 0.0, 1.0)).xy;
    texcoord1 = (projected * p).xy * 0.5 + 0.5;
    texcoord2 = uv + scroll;
    gl_Position = modelViewProjection * p;
}
