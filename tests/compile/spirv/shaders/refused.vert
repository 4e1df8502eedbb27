#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in ivec2 i;
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 glow;
void main() {
    gl_Position = a;
    color = texture(picture, a.xy);
    color.x += float(i.x ^ i.y);
    color.y += float(gl_VertexID);
    color.z += float(dvec2(a.xy).x);
    color.w += float(i.x * i.y);
    glow = a;
}
