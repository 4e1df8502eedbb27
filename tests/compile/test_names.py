"""Names of a constant table in compiled programs: in the interface, in runs and in traces."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

import lanewise as lw
from direct3d9_cases import table
from lanewise.tools.cli import main

SOURCE = "vs_2_0\ndcl_position v0\ndcl_color v1\nm4x4 oPos, v0, c4\nmul oD0, v1, c9.x\n"
MATRIX = "1,0,0,0;0,2,0,0;0,0,3,0;0,0,0,1"


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """A program with the constants World (c4 to c7) and shade (c9)."""
    (tmp_path / "plain.vsa").write_text(SOURCE)
    assert main(["asm", str(tmp_path / "plain.vsa"), "-o", str(tmp_path / "plain.vso")]) == 0
    data = (tmp_path / "plain.vso").read_bytes()
    words = table([("World", 2, 4, 4, 0), ("shade", 2, 9, 1, 16)])
    (tmp_path / "named.vso").write_bytes(data[:4] + struct.pack(f"<{len(words)}I", *words) + data[4:])
    assert main(["compile", str(tmp_path / "named.vso"), "-o", str(tmp_path / "named.scb")]) == 0
    return tmp_path / "named.scb"


def test_the_interface_has_them(compiled: Path):
    names = json.loads(compiled.with_suffix(".json").read_text())["names"]
    assert names == {**{f"c{4 + n}": f"World[{n}]" for n in range(4)}, "c9": "shade"}
    shader = lw.load(compiled.with_suffix(".vso"), isa="direct3d9")
    assert shader.compile().interface["names"] == names


def test_traces_show_them(compiled: Path, capsys: pytest.CaptureFixture[str]):
    data = ["-i", "position=1,2,3", "-i", "color=0.5", "-u", f"World={MATRIX}", "-u", "shade=2,0,0,0"]
    assert main(["run", str(compiled), *data, "--trace", "0", "--explain", "position.y"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("position.y (o0.y) = 4 ")
    assert "  from  World[1].y (c5) = 2 [40000000]\n" in out
    assert "\n  uniform World[1] (c5) = 0, 2, 0, 0 " in out
    assert main(["run", str(compiled), *data[:-2], "-u", "c9=2", "--trace", "0", "--explain", "color.x"]) == 0
    assert "uniform shade.x (c9) = 2 " in capsys.readouterr().out


def test_constants_by_name(compiled: Path, capsys: pytest.CaptureFixture[str]):
    program = lw.load(compiled, isa="shadercore")
    by_name = program.run(
        {"position": [1, 2, 3], "color": [0.5]},
        {"World[1]": [0, 2, 0, 0], "World": [[1, 0, 0, 0]], "c6": [[0] * 4] * 2, "shade": [2]},
    )
    assert by_name.outputs["position"].tolist() == [[1, 4, 0, 0]]
    assert main(["run", str(compiled), "-u", "Word=1", "--default", "0"]) == 1
    err = capsys.readouterr().err
    assert "unknown constant 'Word'" in err and "use World, shade, or c0 to c255" in err


def test_rows_that_the_program_does_not_read(tmp_path: Path, compiled: Path):
    interface = json.loads(compiled.with_suffix(".json").read_text())
    interface["names"].pop("c6")  # as if the program read no row 2, and kept a constant of its own there
    interface["constants"].append({"register": "c6", "bits": ["0x3F800000"] * 4, "why": ["coefficient"] * 4})
    compiled.with_suffix(".json").write_text(json.dumps(interface))
    program = lw.load(compiled, isa="shadercore")
    found = program.run(
        {"position": [1, 2, 3], "color": [0.5]}, {"World": [[1, 0, 0, 0], [0, 2, 0, 0], [9] * 4, [0, 0, 0, 1]], "shade": [1]}
    )
    assert found.outputs["position"].tolist() == [[1, 4, 7, 1]]
