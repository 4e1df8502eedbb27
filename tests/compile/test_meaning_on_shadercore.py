"""Direct3D 9 shaders and programs for ShaderCore, compared by their own meanings."""

from __future__ import annotations

import random
from pathlib import Path
from unittest.mock import Mock

import pytest

from documents import checked
from effort import times
from lanewise.compile.proving.direct3d9 import random_data
from lanewise.compile.proving.shadercore import operations_of, unproved
from lanewise.compile.services import diff_shadercore
from lanewise.compile.shadercore.comparing import compare
from lanewise.compile.shadercore.direct3d9 import Compiled, compile_shader
from lanewise.compile.shadercore.direct3d9 import Options as Facts
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.random_programs import Options, random_case
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.sem.steps import Hang
from lanewise.tools import cli

LIT = """vs_3_0
def c10, 0.5, 1, 0, 2
dcl_position v0
dcl_normal v1
dcl_position o0
dcl_color o1
m4x4 o0, v0, c0
dp3 r1.x, v1, c4
nrm r0, v1
if_ne r1.x, c10.x
mul r0, r0, r1.x
endif
setp_lt p0, r0, c10.y
(p0) mad r0, r0, c5.x, c5
if b0
mul_sat o1, r0, c5
else
mov o1, c6
endif
"""


def program_of(text: str, facts: Facts | None = None) -> tuple[Direct3DShader, Compiled]:
    shader = Direct3DShader.from_source(text, "lit")
    compiled = compile_shader(shader.shader, DOCUMENT, facts).compiled
    assert compiled is not None
    return shader, compiled


def test_a_shader_is_proved_by_its_own_meaning():
    """Branches and predicates are selections of bits in the program, on which all cases are followed."""
    shader, compiled = program_of(LIT)
    assert unproved(shader.shader, shader.flow, compiled, compiled.program) == ""
    assert operations_of(shader.flow) == [
        "dp3 is the sum of three products, from the left",
        "m4x4 is the sum of four products, from the left, for each row",
        "mad is a * b + c, each rounded",
        "nrm is a * min(rsq(d), FLT_MAX), where d is the sum of three squares; NaN where d is one",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if_ne", "if_eq"),
        ("dp3 r1.x", "dp4 r1.x"),
        ("mul_sat", "mul"),
        ("mad r0, r0, c5.x, c5", "mad r0, r0, c5.y, c5"),
        ("if b0", "if !b0"),
        ("0.5, 1, 0, 2", "0.5, 0.5, 0, 2"),
    ],
)
def test_another_shader_is_not_proved(old: str, new: str):
    _, compiled = program_of(LIT)
    other = Direct3DShader.from_source(LIT.replace(old, new), "lit")
    assert "may differ" in unproved(other.shader, other.flow, compiled, compiled.program)


def test_numbers_that_are_known():
    """A loop with a known count, and a b# that is known."""
    text = LIT.replace("mul r0, r0, r1.x", "rep i0\nadd r0, r0, c5\nendrep")
    shader, compiled = program_of(text, Facts(integers={0: (3, None, None)}, booleans={0: True}))
    assert unproved(shader.shader, shader.flow, compiled, compiled.program) == ""
    _, other = program_of(text, Facts(integers={0: (2, None, None)}, booleans={0: True}))
    assert "may differ" in unproved(shader.shader, shader.flow, compiled, other.program)


def test_components_that_an_element_has_not():
    """`--decl v1=float3`: the fourth component is 1."""
    text = LIT.replace("dp3 r1.x", "dp4 r1.x")
    shader, compiled = program_of(text, Facts(elements={1: "float3"}))
    assert unproved(shader.shader, shader.flow, compiled, compiled.program) == ""
    other = Direct3DShader.from_source(text.replace("v1, c4", "v1.xyzz, c4"), "lit")
    assert "may differ" in unproved(other.shader, other.flow, compiled, compiled.program)


def test_what_differs_on_data_is_not_proved():
    """Words of compiled programs are changed by a bit."""
    differing = proved = 0
    for number in range(times(12, 600)):
        rng = random.Random(f"{number} meaning on ShaderCore")
        versions = ("vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0", "ps_2_0", "ps_3_0")
        options = Options(size=4, compiles=True, versions=versions, relative=False, flow=number % 2 == 0)
        shader = Direct3DShader("s", random_case(rng, options).shader)
        compiled = compile_shader(shader.shader, (DOCUMENT, RTL)[number % 2]).compiled
        if compiled is None:
            continue
        words = [*compiled.program.words]
        if number % 3:
            words[rng.randrange(len(words) - 1)] ^= 1 << rng.randrange(64)
        try:
            changed = compiled._replace(program=compiled.program._replace(words=tuple(words)))
            [decode(word) for word in words]
            found = compare(changed, shader.flow, random_data(shader.shader, 32, number))
        except (ValueError, Hang):
            continue
        if not unproved(shader.shader, shader.flow, compiled, changed.program):
            proved += 1
            assert not found, number
        differing += bool(found)
    assert differing and proved


def test_a_wrong_compiler_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """It compiles the shader to the program, which is another shader's: the runs of both differ."""
    monkeypatch.chdir(tmp_path)
    Path("lit.vsa").write_text(LIT)
    Path("other.vsa").write_text(LIT.replace("dp3 r1.x", "dp4 r1.x"))
    wrong = compile_shader(Direct3DShader.from_source(Path("other.vsa").read_text(), "other").shader, DOCUMENT)
    assert cli.main(["compile", "other.vsa", "-o", "lit.scb", "--device", "document"]) == 0
    monkeypatch.setattr(diff_shadercore, "compile_shader", Mock(return_value=wrong))
    capsys.readouterr()
    assert cli.main(["diff", "lit.vsa", "lit.scb", "--device", "document", "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    assert document["verdict"] == "differs"
    assert document["example"]["output"].startswith("color.")
    assert {setting["register"] for setting in document["example"]["vertices"][0]} == {"v0", "v1"}


def test_operands_of_other_lanes():
    """A reciprocal of the public hardware looks at lanes that may be elsewhere where some branch."""
    text = "vs_2_x\ndcl_position v0\nmov r0, c4\nif_lt v0.x, c4.x\nrcp r0.x, v0.y\nendif\nmov oPos, r0\n"
    shader = Direct3DShader.from_source(text, "rcp")
    compiled = compile_shader(shader.shader, DOCUMENT).compiled
    assert compiled is not None
    assert unproved(shader.shader, shader.flow, compiled, compiled.program) == ""
    there = compiled._replace(device=RTL)
    assert unproved(shader.shader, shader.flow, there, compiled.program) != ""
