#version 450
// Names that are given twice, and inputs that share a location.
layout(location = 0) in vec3 position;
layout(location = 0, component = 3) in float weight;
layout(location = 1) in vec4 tint;
layout(std140, binding = 0) uniform Scene { mat4 projection; vec4 tint; bool lit; } scene;
layout(std140, binding = 1) uniform Other { vec4 unread; bool lit; } other;
layout(location = 1) out vec4 color;

void main()
{
    gl_Position = scene.projection * vec4(position * weight, 1.0);
    color = tint;
    if (scene.lit) color = scene.tint;
    if (other.lit) color = color * 2.0;
}
