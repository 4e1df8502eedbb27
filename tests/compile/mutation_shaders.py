"""Direct3D 9 shaders with the instructions, modifiers and flow that the examples do not have, for `compile_mutations`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SHADERS: Mapping[str, str] = {
    "arithmetic": """vs_2_0
def c9, 0.5, -1, 2, 0.25
dcl_position v0
dcl_normal v1
dcl_color v2
sub r0, v0, c0
mad r1, r0.yzxw, c1, -v1
min r2, r1, c9.x
max r2, r2, -c9.y
slt r3, r2, r0
sge r4, v2.wzyx, r1.x
mad r5, r3, v1, r4
frc r6, r5
mov r7, v2
lrp r7, r6, v0, r7
abs r8, r7
mul oPos, r8, c9.z
add oD0, r7, -r6.wxyz
mad oD1, r8, c9.w, r3
mov oT0, r5
mul oT1.xy, r4, r2.zw
""",
    "functions": """vs_2_0
def c9, 0.5, 1, 2, 0
dcl_position v0
dcl_normal v1
nrm r0, v1
crs r1.xyz, r0, v0
mov r1.w, c9.y
dst r2, r1, v1
lit r3, v0
pow r4.x, v1.y, c9.x
exp r4.y, v0.x
log r4.z, v1.w
rcp r4.w, v0.y
rsq r5, v0.z
dp4 r6, r2, r3
add r7, r5, r6
mov oPos, r1
mul oD0, r4, r7
mad oT0, r2, c0, r3
""",
    "flow": """vs_2_0
def c9, 0.5, 1, 2, 0
defi i0, 3, 0, 1, 0
dcl_position v0
dcl_color v1
mov r0, v1
mov r1, c9.y
if b0
add r0, r0, c1
call l0
else
mul r0, r0, c2
endif
rep i0
mad r1, r1, c9.x, r0
endrep
callnz l0, b1
mov oPos, v0
mov oD0, r0
mov oT0, r1
ret
label l0
mad r1, r0, c3, r1
ret
""",
    "branches": """vs_2_x
def c9, 0.5, 1, -0.25, 0
dcl_position v0
dcl_normal v1
mov r0, v0
mov r1, v1
if_lt v0.x, r1.y
add r0, r0, c1
if_ge r0.z, c9.x
mul r1.xy, r1, c2
endif
else
mad r1, r0, c9.z, r1
endif
setp_gt p0, r1, r0.wzyx
(p0) mov r0, r1
(!p0.x) add r1, r1, c9.y
if_ne r1.x, r0.y
sub r0.yz, r0, c3
endif
if_eq r1.z, c9.w
mov r0.w, c9.y
endif
mov oPos, r0
mov oD0, r1
mov oT0, r0.wzyx
""",
    "loops": """vs_3_0
defi i0, 3, 1, 2, 0
def c9, 0.5, 1, 2, 0
dcl_position v0
dcl_position o0
dcl_color o1
dcl_texcoord o2.xy
mov r0, v0
mov r1, c9.w
mov r2, c1
loop aL, i0
add r1, r1, c[aL+10]
rep i0
mad r0, r0, c9.x, r2
endrep
endloop
mov o0, r0
mov_sat o1, r1
dp3 o2.xy, r0, r1
""",
    "array": """vs_2_0
def c9, 0.5, 1, 2, 0
dcl_position v0
dcl_blendindices v1
mova a0.x, v1.x
m4x3 r0.xyz, v0, c0
mov r0.w, c9.y
mad r1, r0, c[a0.x+20], v1
mov oPos, r0
mov oD0, r1
""",
    "matrices": """vs_2_0
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
m3x3 r0.xyz, v1, c4
m3x4 r1, v1, c8
m3x2 r2.xy, v0, c12
dp3 r0.w, r0, v0
mov r2.zw, r1.xyxy
mov oD0, r0
mul oD1, r1, r2
m4x3 oT0.xyz, r1, c16
""",
    "old": """vs_1_1
def c9, 0.5, 1, 2, 0
dcl_position v0
dcl_normal v1
expp r0, v0.x
logp r1, v1.y
mad r2, v0, c9.x, r0.z
mul oPos, r2, v1
add oD0, r0.z, r1.z
mov oT0, -r2.wzyx
mov oFog, r1.z
""",
    "pixel": """ps_3_0
def c9, 0.5, 1, 2, 0
dcl_texcoord v0
dcl_color v1
mul r0, v0, c0
dp2add r1, r0, v1, c9.x
mov r2, v1
cmp r2, r1, v0, r2
lrp r3, v1, r2, r0
if_gt r3.x, c9.w
mad_sat r3, r3, c9.x, r0
endif
mov oC0, r3
""",
}
