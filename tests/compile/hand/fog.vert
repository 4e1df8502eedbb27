#version 330
// Linear fog by the depth before the camera.
in vec3 position;
in vec4 paint;
uniform mat4 projection, modelView;
uniform float fogStart, fogEnd;
uniform vec3 fogColor;
out vec4 color;

void main()
{
    vec4 place = modelView * vec4(position, 1.0);
    float clear = clamp((fogEnd + place.z) / (fogEnd - fogStart), 0.0, 1.0);
    color = vec4(mix(fogColor, paint.rgb, clear), paint.a);
    gl_Position = projection * place;
}
