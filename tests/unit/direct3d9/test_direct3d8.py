"""Shaders of Direct3D 8: inputs without declarations, named by the registers of the fixed functions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.isa.interface import DIRECT3D8
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

VERTEX = "vs_1_1\nm4x4 oPos, v0, c0\ndp3 r0, v3, c4\nmul oD0, v5, r0\nmov oT0.xy, v7\nmov oT1.xy, v12\n"
DECLARED = "vs_1_1\ndcl_position v0\nmov oPos, v0\n"
IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def shader(text: str) -> lw.Direct3DShader:
    return lw.Direct3DShader.from_source(text)


def test_registers_have_the_usages_of_the_fixed_functions():
    # Microsoft, Map between D3D9 and D3D8 declarations, with the numbers of d3d8types.h
    assert dict(enumerate(DIRECT3D8)) == {
        0: ("position", 0),
        1: ("blendweight", 0),
        2: ("blendindices", 0),
        3: ("normal", 0),
        4: ("psize", 0),
        5: ("color", 0),
        6: ("color", 1),
        **{7 + n: ("texcoord", n) for n in range(8)},
        15: ("position", 1),
    }
    assert [port.name for port in shader(VERTEX).inputs] == ["v0", "v3", "v5", "v7", "v12"]
    assert [port.name for port in shader(VERTEX).as_direct3d8().inputs] == [
        "position",
        "normal",
        "color",
        "texcoord",
        "texcoord5",
    ]


def test_inputs_by_either_name():
    found = shader(VERTEX).as_direct3d8()
    data = {"position": [1, 2, 3], "v3": [0, 0, 1], "color": [0.5, 0.5, 0.5, 1], "texcoord": [0.25, 0.75], "texcoord5": [4, 5]}
    result = found.run(data, uniforms={"c0": IDENTITY, "c4": [0, 0, 2, 0]})
    assert result.outputs["position"].tolist() == [[1, 2, 3, 1]]
    assert result.outputs["color"].tolist() == [[1, 1, 1, 2]]
    assert result.outputs["texcoord1"].tolist() == [[4, 5, 0, 0]]
    assert [place.meaning for place in found.compile().inputs] == ["position", "normal", "color", "texcoord", "texcoord5"]


def test_no_declaration_is_needed_and_none_is_there():
    findings = shader(VERTEX).check()
    assert {finding.code for finding in findings} == {"V314"}
    assert findings[0].fix.startswith("give --direct3d8 if it is a shader of Direct3D 8, which has no dcl; or write dcl_")
    assert shader(VERTEX).as_direct3d8().check() == ()
    assert shader(DECLARED).check() == ()
    (finding,) = shader(DECLARED).as_direct3d8().check()
    assert (finding.code, finding.message) == ("V301", "instruction dcl is not available in Direct3D 8")
    assert shader("ps_1_4\ntexld r0, t0\n").as_direct3d8().check() == ()
    with pytest.raises(InputError, match="C318"):
        shader("vs_2_0\ndcl_position v0\nmov oPos, v0\n").as_direct3d8()


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "water.vsa"
    path.write_text(VERTEX)
    assert main(["check", str(path)]) == 1
    assert main(["check", str(path), "--direct3d8"]) == 0
    assert main(["compile", str(path), "--check"]) == 1
    assert main(["compile", str(path), "--direct3d8"]) == 0
    assert [place["meaning"] for place in json.loads((tmp_path / "water.json").read_text())["inputs"]][:2] == [
        "position",
        "normal",
    ]
    capsys.readouterr()
    assert (
        main(
            [
                "run",
                str(path),
                "--direct3d8",
                "--default",
                "0",
                "-i",
                "position=1,2,3",
                "-u",
                "c0=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1",
            ]
        )
        == 0
    )
    assert capsys.readouterr().out.splitlines()[2].split()[:5] == ["0", "1", "2", "3", "1"]
    path.write_text("ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n")
    assert main(["run", str(path), "--direct3d8"]) == 1
    assert "C318" in capsys.readouterr().err


def test_a_graph_of_a_shader_of_direct3d8(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.vsa"
    path.write_text("vs_1_1\nm4x4 oPos, v0, c0\nmov oD0, v5\n")
    assert main(["graph", "--direct3d8", str(path)]) == 0
    assert capsys.readouterr().out.startswith("1 block, 2 instructions")


@pytest.mark.parametrize(
    ("text", "usages"),
    [
        ("vs_1_1\nm4x4 oPos, v0, c0\nmov oD0, v5\nmov oT0, v7\n", ["position v0", "color v5", "texcoord v7"]),
        (
            "vs_2_0\nm4x4 oPos, v1, c0\nm3x3 r0.xyz, v0, c4\nmov oD0, v2\nmov oT1, v3\nmov oT0, v4\n",
            ["position v1", "normal v0", "color v2", "texcoord1 v3", "texcoord v4"],
        ),
        ("vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n", ["texcoord1 v2"]),
        ("ps_3_0\ndcl_texcoord v1\nmul r0, v1, c0\nmul r0, r0, v0\nmov oC0, r0\n", ["texcoord1 v0"]),
    ],
)
def test_usages_of_what_is_not_declared(text: str, usages: list[str]):
    found = [
        each.fix.rpartition("write dcl_")[2].removesuffix(" before the first instruction") for each in shader(text).check()
    ]
    assert found == usages
    first, rest = text.split("\n", 1)
    declared = "".join([f"dcl_{usage}\n" for usage in usages])
    assert not any(each.is_error for each in shader(f"{first}\n{declared}{rest}").check())
