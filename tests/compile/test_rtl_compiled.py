"""The rule `rtl-compiled`: a shader has the bits of the program that it is compiled to, on both engines."""

from __future__ import annotations

import numpy as np

from lanewise.compile.proving.direct3d9 import random_data
from lanewise.compile.shadercore.comparing import compare
from lanewise.compile.shadercore.direct3d9 import Options, compile_shader
from lanewise.direct3d9.api.equality import compare as difference
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.run import run_shader
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.shadercore.isa.devices import RTL

# Every function that a compiled program has a routine for.
FUNCTIONS = """vs_2_0
def c8, 0, 1, 0.5, 2
dcl_position v0
dcl_normal v1
dp4 oPos.x, v0, c0
nrm r1.xyz, v1
mov oPos.yzw, r1.xxyz
rcp r0.x, v0.w
rsq r0.y, v0.z
exp r0.z, v1.x
log r0.w, v1.y
mov oD0, r0
expp r2.x, v1.z
logp r2.y, v0.x
pow r0.x, v0.y, v1.x
add oT0.x, r2.x, r0.x
mov oT0.y, r2.y
"""


def test_bits_are_those_of_the_compiled_program():
    shader = Direct3DShader.from_source(FUNCTIONS, "functions.vsa")
    compiled = compile_shader(shader.shader, RTL, Options(), name="functions").compiled
    assert compiled is not None
    data = random_data(shader.shader, 64, 1)
    registers = sorted({(place.file, place.number) for place in compiled.outputs})
    assert {each.cell for each in compare(compiled, shader.flow, data, rule=rule_of("rtl"))}, "another rule has other bits"
    assert not compare(compiled, shader.flow, data, rule=rule_of("rtl-compiled"))
    rule = rule_of("rtl-compiled")
    one, other = (run_shader(shader.flow, rule, data, registers, kills=False, engine=name)[0] for name in ("reference", "llvm"))
    for key in registers:
        np.testing.assert_array_equal(one.outputs[key], other.outputs[key])


def test_proofs_and_settings_know_the_routines():
    one, other = (
        Direct3DShader.from_source(FUNCTIONS.replace("rsq r0.y, v0.z", text), "a")
        for text in ("rsq r0.y, v0.z", "abs r3, v0\nrsq r0.y, r3.z")
    )
    found = difference(one, other, rule_of("rtl-compiled"))
    assert found.verdict == "equal", found.reason
    assert rule_of("rtl").set("functions=compiled").choices == rule_of("rtl-compiled").choices
    assert rule_of("rtl-compiled").describe() == "rtl-compiled"
