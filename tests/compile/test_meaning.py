"""Direct3D 9 shaders and programs for the PICA200, compared by their own meanings."""

from __future__ import annotations

import random

import pytest

from effort import times
from lanewise.compile.direct3d9 import Lowered as Vector
from lanewise.compile.direct3d9 import lower
from lanewise.compile.outside.module import Spirv
from lanewise.compile.proving.direct3d9 import compare, random_data
from lanewise.compile.proving.meaning import operations_of, unproved
from lanewise.compile.services.pipeline import Lowered, assembled
from lanewise.core.service import Request, SourceFile
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.random_programs import Options, random_case
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.proof.code import Code, code_of_words

VERTEX = ("vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0")
LIT = """vs_2_0
dcl_position v0
dcl_normal v1
def c10, 0.5, 1, 0, 2
m4x4 oPos, v0, c0
nrm r0, v1
dp3 r1.x, r0, c4
max r1.x, r1.x, c10.z
if b0
mul oD0, r1.x, c5
else
mov oD0, c6
endif
"""


def compiled(shader: Direct3DShader) -> tuple[Vector, Shader]:
    lowered = lower(shader.shader)
    assert lowered.program is not None
    request = Request("compile", (), {})
    file = assembled(
        Lowered(vector=lowered.program, spirv=Spirv(data=b""), diagnostics=()), SourceFile("s", b"", "s"), request
    ).file
    return lowered, file.programs[0]


def code_of(program: Shader) -> Code:
    return code_of_words(program.words, program.descriptors, program.interface)


@pytest.fixture(scope="module")
def lit() -> Direct3DShader:
    return Direct3DShader.from_source(LIT, "lit")


def test_a_shader_is_proved_by_its_own_meaning(lit: Direct3DShader):
    lowered, program = compiled(lit)
    assert unproved(lit.shader, lit.flow, lowered, code_of(program), program.interface) == ""
    assert operations_of(lit.flow) == [
        "m4x4 is a dot product of four components for each row",
        "nrm is a * rsq(dot product of three components)",
    ]


def test_another_constant_is_not_proved(lit: Direct3DShader):
    lowered, program = compiled(lit)
    other = Direct3DShader.from_source(LIT.replace("0.5, 1, 0, 2", "0.5, 1, 0.25, 2"), "lit")
    assert "may differ" in unproved(other.shader, other.flow, lowered, code_of(program), program.interface)


def test_what_differs_on_data_is_not_proved():
    """Words and descriptors of compiled programs are changed by a bit."""
    differing = proved = 0
    for number in range(times(6, 400)):
        rng = random.Random(f"{number} meaning")
        options = Options(size=4, compiles=True, versions=VERTEX, relative=False, flow=number % 2 == 0)
        shader = Direct3DShader("s", random_case(rng, options).shader)
        if lower(shader.shader).program is None:
            continue
        lowered, program = compiled(shader)
        words, descriptors = list(program.words), list(program.descriptors)
        table = descriptors if rng.random() < 0.5 and descriptors else words
        table[rng.randrange(len(table))] ^= 1 << rng.randrange(26)
        code = code_of_words(words, descriptors, program.interface)
        try:
            found = compare(
                shader.shader, lowered, words, descriptors, program.interface, random_data(shader.shader, 24, number)
            )
        except ValueError:  # the program does not end
            continue
        if not unproved(shader.shader, shader.flow, lowered, code, program.interface):
            proved += 1
            assert not found.differences, number
        differing += bool(found.differences)
    assert differing and proved
