#version 330
// Cartoon shading: the light falls in flat bands, and the outline of the highlight is sharp.

in vec3 position;
in vec3 normal;

uniform mat4 projection;
uniform mat4 modelview;
uniform vec3 sun;       // towards the light, length 1
uniform float bands;
uniform vec3 shade;     // the colour of the darkest band
uniform vec3 paint;     // what full light adds to it
uniform bool glossy;    // is there a highlight at all?

out vec4 color;

// How much light there is: the number of the band over the number of bands.
float banded(float light)
{
    return floor(min(light, 0.99) * bands) / bands;
}

void main()
{
    vec3 n = normalize(mat3(modelview) * normal);
    float light = max(0.0, dot(n, sun));
    vec3 tint = shade + paint * banded(light);
    if (glossy) {
        if (light > 0.9)
            tint = vec3(1.0);
    }
    color = vec4(min(tint, 1.0), 1.0);
    gl_Position = projection * (modelview * vec4(position, 1.0));
}
