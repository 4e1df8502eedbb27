"""Direct3D 9 shaders compiled for the PICA200: the bits of their semantics in float24, and nothing that the hardware has
against them."""

from __future__ import annotations

import pytest

from compile.direct3d9_vectors import data_of_case, random_shader, shader_of
from compile.test_direct3d9_lowering import BODIES, vertex
from effort import sample
from lanewise.compile.direct3d9 import Array, Bound, Lowered, Options, lower
from lanewise.compile.pica200.backend import Result, compile_vector
from lanewise.compile.proving.direct3d9 import Compared, compare, random_data
from lanewise.core.service import Request
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.isa.program import Shader
from lanewise.pica200.api.file import read_file
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin

# What `check` may find: constants of the application that nothing reads.
_ALLOWED = {"V097"}


def compiled(shader: Shader, options: Options | None = None) -> tuple[Lowered, Result]:
    lowered = lower(shader, options)
    assert lowered.program is not None, lowered.diagnostics
    result = compile_vector(lowered.program)
    return lowered, result


def compared(shader: Shader, lowered: Lowered, result: Result, data: Data) -> Compared:
    assert result.program is not None, result.diagnostics
    return compare(shader, lowered, result.encoded.words, result.encoded.descriptors, result.program.interfaces[0], data)


def findings(result: Result) -> set[str]:
    assert result.program is not None
    data = write_shbin(build(result.program, result.encoded.words, result.encoded.descriptors))
    return {finding.code for finding in read_file(data, "compiled.shbin").check()}


@pytest.mark.parametrize("body", BODIES, ids=[body.split()[0] for body in BODIES])
def test_instructions_give_the_bits_of_their_meaning(body: str):
    shader = shader_of(vertex(body))
    lowered, result = compiled(shader, Options(arrays=(Array(8, 8),)) if "mova" in body else None)
    found = compared(shader, lowered, result, random_data(shader, 24, 1))
    assert not found.differences
    assert found.vertices > 2
    assert not findings(result) - _ALLOWED


FLOW = {
    "if and else": "mov r0, v1\nif b2\nadd r0, r0, v2\nelse\nmul r0, r0, c0\nendif\nmov oD0, r0",
    "counts of the application": "mov r0, v1\nrep i1\nadd r0, r0, c1\nendrep\nmov oD0, r0",
    "aL": "mov r0, v1\nloop aL, i0\nadd r0, r0, c[aL+8]\nendloop\nmov oD0, r0",
    "break": "mov r0, v1\nrep i1\nadd r0, r0, c1\nbreak_gt r0.x, c2.x\nmul r0, r0, c3\nendrep\nmov oD0, r0",
    "predicates": "setp_gt p0, v1, v2\nmov r0, c0\n(p0) add r0, v1, c1\n(!p0.x) mov r0.zw, v2\nmov oD0, r0",
    "calls": (
        "mov r0, v1\ncall l0\ncallnz l0, b1\nmov oD0, r0\nret\nlabel l0\nadd r0, r0, c1\nif_lt r0.x, c2.x\nret\nendif\n"
        "mul r0, r0, c3\nret"
    ),
    "comparisons": "mov r0, v1\nif_ne v1.x, v2.x\nmov r0, c0\nendif\nif_ge r0.y, c1.y\nadd r0, r0, c2\nendif\nmov oD0, r0",
    "loops in loops": (
        "mov r0, v1\nrep i1\nif_lt r0.x, c2.x\nadd r0, r0, c1\nendif\nrep i2\nmad r0, r0, c4, v2\nbreak_ne r0.w, c4.w\n"
        "endrep\nendrep\nmov oD0, r0"
    ),
}


@pytest.mark.parametrize("name", FLOW)
def test_control_flow_gives_the_bits_of_its_meaning(name: str):
    shader = shader_of(vertex(FLOW[name]).replace("vs_2_0", "vs_2_x"))
    options = Options(bounds={0: Bound(5, 0, 1)}, arrays=(Array(8, 8),)) if "aL" in FLOW[name] else None
    lowered, result = compiled(shader, options)
    for seed in range(4):  # other counts and booleans
        assert not compared(shader, lowered, result, random_data(shader, 10, seed)).differences


def test_inputs_and_outputs_by_address():
    """v[aL + 1] and o[aL + 2] of vs_3_0: the hardware has no such addresses, so each register is compared with."""
    text = """vs_3_0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_position o0
dcl_color o1
dcl_texcoord o2.xy
dcl_texcoord1 o3.xy
defi i0, 2, 0, 1, 0
def c9, 1, 2, 3, 4
mov o0, v0
mov r0, c9
loop aL, i0
add r0, r0, v[aL+1]
mov o[aL+2].xy, r0
endloop
mov_sat o1, r0
"""
    shader = shader_of(text)
    lowered, result = compiled(shader)
    assert not compared(shader, lowered, result, random_data(shader, 8, 1)).differences
    assert not findings(result)


def test_a_mistake_would_be_found():
    shader = shader_of(vertex("mad oD0, v1, c0, v2"))
    lowered, _ = compiled(shader)
    _, result = compiled(shader_of(vertex("mad oD0, v1, c0, -v2")))
    assert compared(shader, lowered, result, random_data(shader, 4, 1)).differences


@pytest.mark.parametrize("seed", sample(range(2000), 4))
def test_random_shaders_give_the_bits_of_their_semantics(seed: int):
    """Those that need more than the hardware has are refused by the back end, with a finding."""
    case, options = random_shader(seed)
    lowered, result = compiled(case.shader, options)
    if result.program is None:
        assert {finding.code for finding in result.diagnostics} <= {"L101", "L105", "L107", "L108", "L109"}
        return
    assert not compared(case.shader, lowered, result, data_of_case(case)).differences


def test_a_break_in_the_iteration_that_only_an_emulator_does():
    """Panda3DS's loops run once more, with the loop off the stack: a `breakc` there is outside of a loop (`loop_rounds`,
    `empty_break`). On hardware it is not."""
    case, options = random_shader(27)
    lowered, result = compiled(case.shader, options)
    assert not compared(case.shader, lowered, result, data_of_case(case)).differences
    assert result.program is not None
    emulator = profile_of(Request("run", (), {"profile": "panda3ds"}))
    words, interface, data = result.encoded, result.program.interfaces[0], data_of_case(case)
    with pytest.raises(ValueError, match="R002"):
        compare(case.shader, lowered, words.words, words.descriptors, interface, data, emulator)
    once = emulator.replace(loop_rounds="x+1")
    assert compare(case.shader, lowered, words.words, words.descriptors, interface, data, once).vertices
