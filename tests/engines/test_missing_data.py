"""Data that a program reads and that nothing gives: an error with the names, on every instruction set, unless zeros are
requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.data import Data, Named, bind
from lanewise.direct3d9.engine.missing import missing
from lanewise.direct3d9.engine.reads import reads
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

D3D9 = """vs_2_0
dcl_position v0
def c50, 1, 2, 3, 4
mov r0, v0
if b3
  add r0, r0, c7
endif
loop aL, i3
  add r0, r0, c[aL+20]
endloop
add r0, r0, c50
m4x3 r1.xyz, r0, c30
mova a0.x, r0.x
add r0, r0, c[a0.x+60]
mov r0.xyz, r1
mov oPos, r0
"""
ROW = [1, 2, 3, 4]
GIVEN: dict[str, Any] = {
    "inputs": {"position": [1, 2, 3]},
    "uniforms": {**{key: [1, 2, 3, 4] for key in ("c21", "c23", "c25", "c27", "c60")}, "c30": np.eye(4)[:3]},
    "integers": {"i3": [4, 1, 2]},
    "booleans": {"b3": False},
}


def messages(run: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        run()
    return [(finding.code, finding.message) for finding in caught.value.diagnostics]


def given(**changes: Any) -> dict[str, Any]:
    return {**GIVEN, **changes}


def without(part: str, key: str, **changes: Any) -> dict[str, Any]:
    return {**given(**changes), part: {name: value for name, value in GIVEN[part].items() if name != key}}


# Direct3D 9


def test_a_shader_with_all_that_it_can_read_runs():
    assert Direct3DShader.from_source(D3D9).run(**GIVEN).lanes == 1


@pytest.mark.parametrize(
    ("part", "key", "code", "named"),
    [
        ("inputs", "position", "B004", "position (v0)"),
        ("booleans", "b3", "B005", "b3"),
        ("integers", "i3", "B005", "i3"),
        ("uniforms", "c23", "B005", "c23"),
        ("uniforms", "c30", "B005", "c30-c32"),
    ],
)
def test_one_that_is_missing_is_named(part: str, key: str, code: str, named: str):
    found = messages(lambda: Direct3DShader.from_source(D3D9).run(**without(part, key)))
    assert (code, named) in [
        (code, message.partition("for ")[2].removeprefix("input ").partition(":")[0].split("constant")[-1].lstrip("s "))
        for code, message in found
    ]


def test_only_what_a_boolean_leaves_is_required():
    shader = Direct3DShader.from_source(D3D9)
    assert messages(lambda: shader.run(**given(booleans={"b3": True}))) == [("B005", "no value for constant c7")]


def test_only_what_a_loop_reaches_is_required():
    shader = Direct3DShader.from_source(D3D9)
    assert shader.run(**without("uniforms", "c27", integers={"i3": [3, 1, 2]})).lanes == 1
    found = messages(lambda: shader.run(**given(integers={"i3": [5, 1, 2]})))
    assert found == [("B005", "no value for constant c29")]
    assert shader.run(**given(integers={"i3": [0, 1, 2]}, uniforms={"c30": np.eye(4)[:3], "c60": ROW})).lanes == 1


def test_an_array_that_may_go_on_is_a_warning():
    shader = Direct3DShader.from_source(D3D9)
    for given_too in ({}, {"c63": 1}):
        found = shader.run(**given(uniforms={**GIVEN["uniforms"], **given_too})).warnings
        assert [(finding.code, finding.message) for finding in found] == [
            ("B018", "the extent of the array at c60 is unknown: a read of a register without a value, such as c61, gives 0")
        ]
    assert [finding.code for finding in shader.run(**without("uniforms", "c60")).warnings] == ["B018"]
    assert shader.run(**given(uniforms={**GIVEN["uniforms"], "c60": np.ones((8192 - 60, 4))})).warnings == ()


def test_an_array_that_has_a_name_needs_all_its_values():
    shader = Direct3DShader.from_source(D3D9)
    named = [Named(name="bones", file="c", first=59, size=3, rows=3)]
    found = reads(shader.flow, rule_of("ieee").choices, {3: (0, 0, 0)}, {3: False})
    data = Data(
        lanes=1,
        inputs={},
        constants=dict.fromkeys((30, 31, 32, 60), (0, 0, 0, 0)),
        integers={3: (0, 0, 0)},
        booleans={3: False},
        bumps={},
        samplers={},
    )
    lacking = missing(found, data, shader.inputs, shader.inputs, named, "x")
    assert [(finding.code, finding.message) for finding in lacking.errors] == [
        ("B005", "no value for constant bones (c59, c61)")
    ]
    assert lacking.warnings == ()


def test_zeros_on_request():
    shader = Direct3DShader.from_source("vs_2_0\ndcl_position v0\ndcl_color v1\nadd r0, v1, c0\nadd oPos, r0, v0\n")
    found = shader.run({"position": [1, 2, 3, 4]}, defaults=0)
    assert found.outputs["position"].tolist() == [[1, 2, 3, 4]]
    with pytest.raises(ValueError, match="use 0, or None"):
        shader.run({}, defaults=1)


def test_constants_with_a_value_in_the_constant_table_are_given(capsys: pytest.CaptureFixture[str]):
    shader = Direct3DShader.from_source("vs_2_0\ndcl_position v0\nadd oPos, v0, c4\n")
    named = [Named(name="offset", file="c", first=4, size=1, rows=1, default=((0x3F800000, 0, 0, 0),))]
    arguments: dict[str, Any] = {"constants": {}, "integers": {}, "booleans": {}, "samplers": {}, "named": named}
    data = bind(shader.flow, shader.inputs, rule_of("ieee"), inputs={"position": [1, 2, 3]}, **arguments)
    assert data.constants[4] == (0x3F800000, 0, 0, 0)
    arguments["constants"] = {"offset": 2}
    other = bind(shader.flow, shader.inputs, rule_of("ieee"), inputs={}, **arguments)
    assert other.constants[4] == (0x40000000, 0, 0, 0)


def test_the_bump_matrix_of_a_stage_is_required():
    shader = Direct3DShader.from_source("ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n")
    data: dict[str, Any] = {"inputs": {"texcoord": [0, 0], "texcoord1": [0, 0]}, "samplers": {0: [0, 0, 0, 0], 1: [1, 2, 3, 4]}}
    assert messages(lambda: shader.run(**data)) == [("B005", "no value for constant bump1, the bump matrix of stage 1")]
    assert shader.run(**data, uniforms={"bump1": [1, 0, 0, 1]}).outputs["color"].tolist() == [[1, 2, 3, 4]]


# ShaderCore, and Direct3D 9 compiled for it


def test_shadercore_names_inputs_constants_and_their_components():
    program = ShaderCoreProgram.from_source(
        ".input v0 position\n.input v1 color\nmul o0.xyz, v0.xyz, c0.xyz\nmov o0.w, c1.w\nmov o1.x, v1.x\nend\nmov o1.y, c9.y\n"
    )
    assert messages(lambda: program.run({}, {})) == [
        ("B004", "no data for input position (v0): the program reads it"),
        ("B004", "no data for input color (v1): the program reads it"),
        ("B005", "no value for constants c0-c1"),
    ]
    full: dict[str, Any] = {"position": [1, 2, 3], "color": [1]}
    assert messages(lambda: program.run(full, {"c0": [1, 2]})) == [
        ("B005", "no value for constant c1"),
        ("B005", "no value for constant c0.z"),
    ]
    partly = program.run({"position": [1, 2], "color": [1]}, {"c0": [1, 2, 3, 4], "c1": [0, 0, 0, 1]})
    assert [(w.code, w.message.partition(",")[0]) for w in partly.warnings if w.code[0] == "B"] == [
        ("B202", "no data for v0.z")
    ]
    assert program.run({}, {}, defaults=0).zeroed == ("v0", "v1")
    assert program.run({}, {"c0": np.ones((2, 4))}, initial={"v0": [1, 2, 3, 4], "v1.x": 5}).outputs["o0"].tolist() == [
        [1, 2, 3, 1]
    ]


def test_a_compiled_shader_requires_the_constants_that_its_shader_does(tmp_path: Path):
    shader = lw.Direct3DShader.from_source(
        "vs_2_0\ndcl_position v0\nif b1\nadd r0, v0, c3\nelse\nmov r0, v0\nendif\nmul oPos, r0, c1\n"
    )
    compiled = shader.compile("document")
    inputs: dict[str, Any] = {"position": [1, 2, 3]}
    assert messages(lambda: compiled.run(inputs)) == [
        ("B005", "no value for constant c1"),
        ("B005", "no value for constant c3"),
        ("B005", "no value for boolean constant b1"),
    ]
    assert compiled.run(inputs, uniforms={"c1": [1, 1, 1, 1]}, booleans={"b1": False}).outputs["position"].tolist() == [
        [1, 2, 3, 1]
    ]
    compiled.save(tmp_path / "x.scb")
    loaded = lw.load(tmp_path / "x.scb")
    assert isinstance(loaded, lw.shadercore.ShaderCoreProgram)
    found = messages(lambda: loaded.run(inputs, device="document"))
    assert sorted(found) == [
        ("B005", "no value for boolean constant b1"),
        ("B005", "no value for constant c1"),
        ("B005", "no value for constant c3"),
    ]


# PICA200

LOOP = """.fvec one, many[6]
.ivec n
.out outpos position
.in inpos
.proc main
  mov r0, inpos
  for n
    add r0, many[aL], r0
  .end
  add outpos, one, r0
  end
.end
"""


def pica(text: str) -> lw.pica200.Shader:
    return lw.assemble(text).vertex


def test_pica200_counts_the_registers_that_a_known_loop_reads():
    shader = pica(LOOP)
    uniforms: dict[str, Any] = {"one": ROW, "many[0]": ROW, "many[1]": ROW, "n": [1, 0, 1]}
    assert not shader.warnings(shader.run({"inpos": [1, 2, 3]}, uniforms))
    assert messages(lambda: shader.run({"inpos": [1, 2, 3]}, {**uniforms, "n": [2, 0, 1]})) == [
        ("B005", "no value for uniform many[2] (c3)")
    ]


def test_pica200_needs_all_values_of_an_indexed_array_with_a_name():
    shader = pica(LOOP.replace("  mov r0, inpos\n", "  mov r0, inpos\n  mova a0.x, r0\n").replace("many[aL]", "many[a0.x]"))
    uniforms: dict[str, Any] = {"one": ROW, "many[0]": ROW, "many[4]": ROW, "n": [1, 0, 1]}
    assert messages(lambda: shader.run({"inpos": [1, 2, 3]}, uniforms)) == [
        ("B005", "no value for uniform many[1-3, 5] (c2-c4, c6)")
    ]


def test_pica200_warns_of_an_array_that_may_go_on():
    text = LOOP.replace("  mov r0, inpos\n", "  mov r0, inpos\n  mova a0.x, r0\n").replace("many[aL]", "c20[a0.x]")
    shader = pica(text)
    result = shader.run({"inpos": [1, 2, 3]}, {"one": ROW, "c21": ROW, "n": [1, 0, 1]})
    assert [(w.code, w.message) for w in shader.warnings(result)] == [
        ("B018", "the extent of the array at c20 is unknown: a read of a register without a value, such as c20, gives 0")
    ]


def test_pica200_gives_zeros_on_request():
    shader = pica(LOOP)
    assert shader.run({}, {"one": 7}, defaults=0).outputs["position"].tolist() == [[7, 0, 0, 0]]
    batch = shader.batch({}, {"one": 7}, defaults=0)
    assert batch.run()["position"].tolist() == [[7, 0, 0, 0]]
    batch.set_uniforms({})
    assert batch.run()["position"].tolist() == [[0, 0, 0, 0]]
    with pytest.raises(ValueError, match="use 0, or None"):
        shader.run({}, {}, defaults=2)


POINTS = """.out outpos position
.in inpos
.proc main
  mov outpos, inpos
  end
.end
"""
FIXED = """.gsh fixed c24 c0 4
.entry expand
.out outpos position
.alias one c30
.proc expand
  setemit 0
  mov r0, one
  add outpos, c0, r0
  emit
  setemit 1
  add outpos, c1, r0
  emit
  setemit 2, prim
  add outpos, c3, r0
  emit
  end
.end
"""


@pytest.fixture
def pipeline(tmp_path: Path) -> lw.pica200.Pipeline:
    (tmp_path / "a.v.pica").write_text(POINTS)
    (tmp_path / "a.g.pica").write_text(FIXED)
    return lw.assemble([tmp_path / "a.v.pica", tmp_path / "a.g.pica"]).pipeline


def test_too_few_vertices_for_a_primitive_are_said_as_that(pipeline: lw.pica200.Pipeline):
    rows = np.ones((5, 3))
    for indices, message in (
        ([0], "no primitive is complete: 1 vertex is given; a run of the geometry shader takes 4"),
        ([0, 1, 2, 3, 4], "1 vertex is left over at the end of the list; a run of the geometry shader takes 4"),
    ):
        result = pipeline.run({"inpos": rows}, indices, {"c30": ROW})
        assert [(w.code, w.message) for w in pipeline.warnings(result)] == [("R008", message)]
    assert pipeline.run({"inpos": rows}, np.zeros(0, int), {"c30": ROW}).triangles == 0
    assert [code for code, _ in messages(lambda: pipeline.run({"inpos": rows}, [0, 1, 2, 3]))] == ["B005"]
    assert pipeline.run({}, [0, 0, 0, 0], defaults=0).triangles == 1


# The command


@pytest.mark.parametrize(
    ("name", "text", "missing"),
    [
        ("a.vsa", "vs_2_0\ndcl_position v0\nadd oPos, v0, c4\n", "constant c4"),
        ("a.sc", ".input v0 position\nadd o0.x, v0.x, c4.x\nend\n", "constant c4"),
        (
            "a.v.pica",
            ".fvec four\n.out o position\n.in position\n.proc main\nadd o, four, position\nend\n.end\n",
            "uniform four",
        ),
    ],
)
def test_the_command_says_what_is_missing(
    name: str, text: str, missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / name).write_text(text)
    assert cli.main(["run", str(tmp_path / name), "-i", "position=1"]) == 1
    captured = capsys.readouterr()
    assert f"error[B005]: no value for {missing}" in captured.err
    assert "--default 0" in captured.err
    assert captured.out == ""
    assert cli.main(["run", str(tmp_path / name), "--default", "0"]) == 0
    assert "B00" not in capsys.readouterr().err


# A value that has fewer components than the program uses


def pica200(uses: str) -> Callable[..., Any]:
    return lw.assemble(f".out o position\n.in inpos\n.proc main\nmov o, inpos\nadd o.{uses}, c4, inpos\nend\n.end\n").vertex.run


def direct3d9(uses: str) -> Callable[..., Any]:
    return Direct3DShader.from_source(f"vs_2_0\ndcl_position v0\nmov r0, v0\nadd r0.{uses}, c4, v0\nmov oPos, r0\n").run


def shadercore(uses: str) -> Callable[..., Any]:
    adds = "".join([f"add o0.{c}, v0.{c}, c4.{c}\n" if c in uses else f"mov o0.{c}, v0.{c}\n" for c in "xyzw"])
    return lw.shadercore.ShaderCoreProgram.from_source(f".input v0 position\n.output o0 position\n{adds}end\n").run


@pytest.mark.parametrize("make", [pica200, direct3d9, shadercore])
@pytest.mark.parametrize("raw", [False, True])
def test_a_uniform_needs_the_components_that_are_used(make: Callable[[str], Callable[..., Any]], raw: bool):
    def values(count: int) -> Any:
        words = (
            [0x3F0000, 0x400000, 0x408000, 0x410000] if make is pica200 else [0x3F800000, 0x40000000, 0x40400000, 0x40800000]
        )
        return lw.Words(np.array([words[:count]])) if raw else [1, 2, 3, 4][:count]

    data = {"v0": [10, 20, 30, 40]}
    for uses, count in (("xyzw", 4), ("xyz", 3), ("xyz", 4), ("x", 1), ("y", 2)):
        wanted = [10 * (n + 1) + (n + 1 if "xyzw"[n] in uses else 0) for n in range(4)]
        assert make(uses)(data, {"c4": values(count)}).outputs["position"].tolist() == [wanted]
    for uses, count, lacking in (("xyzw", 3, "w"), ("xyzw", 1, "yzw"), ("zw", 2, "zw"), ("w", 3, "w"), ("xy", 1, "y")):
        (found,) = messages(lambda: make(uses)(data, {"c4": values(count)}))  # noqa: B023
        assert found[0] == "B005"
        assert found[1].endswith(f"c4.{lacking}")
        filled = make(uses)(data, {"c4": values(count)}, defaults=0).outputs["position"]
        wanted = [10 * (n + 1) + (n + 1 if "xyzw"[n] in uses and n < count else 0) for n in range(4)]
        assert filled.tolist() == [wanted], "zeros on request"


def test_pica200_asks_for_what_reaches_an_output_only():
    text = (
        ".fvec k, many[3]\n.in a\n.out o position\n.out c color.xyz\n.proc main\nmov o, a\nmova a0.x, a\nmul r0, k, a\n"
        "add r0, many[a0.x], r0\nmov c.xyz, r0\nend\n.end\n"
    )
    given: dict[str, Any] = {"k": [2, 2, 2], "many": np.ones((3, 3))}
    assert pica(text).run({"a": [0, 2, 3]}, given).outputs["color"].tolist() == [[1, 5, 7]]
    whole = pica(text.replace("color.xyz", "color").replace("mov c.xyz", "mov c"))
    assert messages(lambda: whole.run({"a": [0, 2, 3]}, given)) == [
        ("B005", "no value for uniform k (c0.w): 3 numbers are given"),
        ("B005", "no value for uniform many (c1.w, c2.w, c3.w): 3 rows of 3 numbers are given"),
    ]
    batch = whole.batch({"a": np.zeros((2, 3), np.float32)}, {"k": [2, 2, 2, 2], "many": np.ones((3, 4))})
    assert messages(lambda: batch.set_uniforms(given))[0] == ("B005", "no value for uniform k (c0.w): 3 numbers are given")
    assert messages(lambda: whole.trace({"a": [0, 2, 3]}, given))[0][0] == "B005"


def test_direct3d9_asks_for_arrays_that_an_address_reaches():
    shader = Direct3DShader.from_source("vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nadd r0, v0, c[a0.x+4]\nmov oPos, r0\n")
    found = messages(lambda: shader.run({"v0": [0, 0, 0, 0]}, {"c4": [[1, 2, 3], [4, 5, 6]]}))
    assert found == [("B005", "no value for constant c4.w"), ("B005", "no value for constant c5.w")]
