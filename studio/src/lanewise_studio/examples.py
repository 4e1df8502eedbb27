"""What a page shows first: a shader of the studio for each instruction set, ready to change."""

from __future__ import annotations

from lanewise.core.record import Record


class Example(Record):
    """A program with what is set besides: the mesh, and uniforms whose names say nothing; all else has its default."""

    name: str
    title: str
    files: tuple[tuple[str, str], ...]
    mesh: str = "torus"
    uniforms: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @property
    def state(self) -> dict[str, object]:
        files = [{"name": name, "text": text} for name, text in self.files]
        values = {"uniforms": {name: list(value) for name, value in self.uniforms}} if self.uniforms else {}
        return {"files": files, "mesh": {"name": self.mesh}, **values}

    def plain(self) -> dict[str, object]:
        return {"name": self.name, "title": self.title, "state": self.state}


_LIT = """\
; A lit object: one light, whose direction and colour are uniforms.
.fvec projection[4], modelview[4]
.fvec sun, sunlight, ambient
.constf consts(0.0, 1.0, 0.0, 0.0)
.alias zero consts.xxxx
.alias one consts.yyyy

.in position
.in normal

.out outpos position
.out outclr color

.proc main
    ; to the viewer
    dp4 r0.x, modelview[0], position
    dp4 r0.y, modelview[1], position
    dp4 r0.z, modelview[2], position
    mov r0.w, one
    dp4 outpos.x, projection[0], r0
    dp4 outpos.y, projection[1], r0
    dp4 outpos.z, projection[2], r0
    dp4 outpos.w, projection[3], r0

    ; the normal, turned with the object, of length 1
    dp3 r1.x, modelview[0], normal
    dp3 r1.y, modelview[1], normal
    dp3 r1.z, modelview[2], normal
    dp3 r1.w, r1, r1
    rsq r1.w, r1.w
    mul r1.xyz, r1.xyz, r1.wwww

    ; how much of the light it takes
    dp3 r2.x, sun, r1
    max r2.x, zero, r2.x
    mov r3, ambient
    mad r3.xyz, r2.xxxx, sunlight.xyz, r3.xyz
    mov outclr.xyz, r3
    mov outclr.w, one
    end
.end
"""

_GLSL = """\
#version 450
// A lit object in GLSL: compiled for the PICA200.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;

uniform mat4 projection;
uniform mat4 modelview;
uniform vec3 sun;
uniform vec4 paint;

void main() {
    vec4 place = modelview * vec4(position, 1.0);
    vec3 turned = normalize(mat3(modelview) * normal);
    float light = max(dot(turned, normalize(sun)), 0.0);
    color = vec4(paint.rgb * (0.2 + 0.8 * light), 1.0);
    gl_Position = projection * place;
}
"""

_CORE = """\
; A ShaderCore program: position times a matrix, colour passed on.
.input v0 position
.input v1 color
.output o0 position
.output o1 color

    ; row by row: each sum waits for the one before, as Cycles shows
    mul r0.xyz, v0.xyz, c0.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.x, r0.x, c0.w
    mul r1.xyz, v0.xyz, c1.xyz
    add r1.x, r1.x, r1.y
    add r1.x, r1.x, r1.z
    add o0.y, r1.x, c1.w
    mul r2.xyz, v0.xyz, c2.xyz
    add r2.x, r2.x, r2.y
    add r2.x, r2.x, r2.z
    add o0.z, r2.x, c2.w
    mul r3.xyz, v0.xyz, c3.xyz
    add r3.x, r3.x, r3.y
    add r3.x, r3.x, r3.z
    add o0.w, r3.x, c3.w
    mov o1.xyzw, v1.xyzw
    end
"""

_DIRECT = """\
vs_2_0
// A lit object of Direct3D 9: c0 to c3 the matrix, c4 the direction of the light, c5 its colour.
def c6, 0.15, 1, 0, 0
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
dp3 r0.x, v1, c4
max r0.x, r0.x, c6.z
mov r1, c6.x
mad r0, c5, r0.x, r1
mov oD0, r0
"""

_LAMP = (("c4", (0.4, 0.5, 0.75, 0.0)), ("c5", (0.85, 0.7, 0.5, 1.0)))

EXAMPLES = (
    Example(name="picasso", title="PICA200: a light", files=(("light.v.pica", _LIT),)),
    Example(name="glsl", title="GLSL for the PICA200", files=(("light.vert", _GLSL),), mesh="pot"),
    Example(name="shadercore", title="ShaderCore: a matrix", files=(("transform.sc", _CORE),), mesh="icosphere"),
    Example(name="direct3d9", title="Direct3D 9: a light", files=(("light.vsa", _DIRECT),), mesh="cube", uniforms=_LAMP),
)

__all__ = ["EXAMPLES", "Example"]
