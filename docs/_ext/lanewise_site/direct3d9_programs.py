"""Programs that have each Direct3D 9 instruction, for the examples of its page. A test assembles them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lanewise import Direct3DShader

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAMS = (
    """vs_3_0
dcl_position v0
dcl_normal v1
dcl_texcoord0 v2
dcl_position o0
dcl_texcoord0 o1
dcl_2d s0
def c20, 0, 1, 2, 0.5
defi i0, 4, 0, 1, 0
defb b0, true
nop
sub r0, v0, c4
rcp r1.x, c5.w
rsq r1.y, c5.w
dp4 r2.x, v0, c0
slt r3, v0, c6
sge r3, v0, c6
exp r4.x, v1.x
log r4.y, v1.y
expp r4.z, v1.z
logp r4.w, v1.w
dst r5, v0, r0
lit r5, v0
lrp r5, r0.x, r5, v1
mad r5, r5, c4, v1
mul r5, r5, c4
dp3 r5.x, r5, c4
min r5, r5, c4
max r5, r5, c4
frc r6, v0
m4x4 r7, v0, c0
m4x3 r7.xyz, v0, c0
m3x4 r7, v1, c0
m3x3 r8.xyz, v1, c0
m3x2 r8.xy, v1, c0
pow r9.x, c7.x, v1.x
crs r10.xyz, v1, c8
abs r11, v1
sgn r11, v1, r8, r9
nrm r12, v1
sincos r13.xy, v1.x
mova a0.x, v1.x
texldl r14, v2, s0
loop aL, i0
  add r0, r0, c[aL]
endloop
if b0
  mov r1, v0
endif
rep i0
  if_gt r1.x, c5.x
    break_lt r1.x, c5.y
  else
    break
  endif
endrep
setp_gt p0, v0, c4
rep i0
  breakp p0.x
endrep
call l0
callnz l0, b0
mov o0, r7
mov o1, r14
ret
label l0
add r0, r0, c9
ret
""",
    "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n",
    "ps_1_1\ntex t0\ntexreg2ar t1, t0\ntexreg2gb t2, t0\nmov r0, t2\n",
    "ps_1_1\ntex t0\ntexbeml t1, t0\ntexcoord t2\ntexkill t3\nmov r0, t1\n",
    "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2\n",
    "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3\n",
    "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov r0, t3\n",
    "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3vspec t3, t0\nmov r0, t3\n",
    "ps_1_3\ntex t0\ntexreg2rgb t1, t0\ntexdp3 t2, t0\ntexdp3tex t3, t0\nmov r0, t3\n",
    "ps_1_3\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov r0, t3\n",
    "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0\n",
    (
        "ps_1_4\ntexld r0, t0\ntexcrd r1.rgb, t1\ntexcrd r5.rgb, t2\nbem r1.rg, r1, r0\nphase\ntexld r2, r1\ntexdepth r5\n"
        "cnd r0, r2.a, c0, r2\n"
    ),
    """ps_3_0
dcl_texcoord0 v0
dcl_2d s0
texld r0, v0, s0
dsx r1, v0
dsy r2, v0
texldd r3, v0, s0, r1, r2
texldl r4, v0, s0
texkill r4
cmp r0, r1, r3, r4
dp2add r0.x, r1, r2, c0.w
mov oC0, r0
""",
)


@cache
def lines() -> Mapping[str, tuple[str, str]]:
    """The version of a program and its line, for each instruction that a version has."""
    found: dict[str, tuple[str, str]] = {}
    for program in PROGRAMS:
        shader = Direct3DShader.from_source(program).shader
        text = program.splitlines()
        for inst in shader.insts:
            if inst.place is not None:
                found.setdefault(inst.op.name, (shader.version.name, text[inst.place.line - 1].strip()))
    return found
