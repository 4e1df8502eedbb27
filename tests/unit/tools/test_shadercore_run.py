"""`lanewise run` for ShaderCore: data by usage and register, constants, devices, waves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from documents import columns
from lanewise.shadercore.engine.reference import Core, run_vertices
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.text.reader import read_source_text
from lanewise.tools import cli

SOURCE = """.input v0 position
.input v2 color1
.output o0 position
.const c0 (2.0, 3.0, 4.0, 5.0)
mul r0.xyz, v0.xyz, c0.xyz
rcp o0.x, r0.x
add o0.y, r0.y, v2.x
mov o3.x, -1
end
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text(SOURCE)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert cli.main(["run", *argv, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_numbers_in_and_out(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = run(capsys, "a.sc", "--input", "position=1,1;4,2", "-i", "color1=0.5")
    found = columns(data)
    assert found == {"o0.x": [0.5, 0.125], "o0.y": [3.5, 6.5], "o0.z": [0.0, 0.0], "o0.w": [0.0, 0.0]}
    assert next(iter(data["outputs"])) == "position"
    document = run(capsys, "a.sc", "-i", "v0=1,1", "-i", "v2=0.5", "--device", "document")
    assert "o3.x" in columns(document)


def test_constants_of_the_command_line_go_before_those_of_the_source(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = run(capsys, "a.sc", "-i", "v0=1,1", "-i", "v2=0", "-c", "c0=4")
    assert [columns(data)[f"o0.{letter}"] for letter in "xy"] == [[0.25], [3.0]]


def test_files_and_patterns(folder: Path, capsys: pytest.CaptureFixture[str]):
    np.save(folder / "p.npy", np.array([[1, 1], [2, 2], [4, 4]], np.float32))
    data = run(capsys, "a.sc", "-i", "position=p.npy", "-i", "v2=words:0x3F800000")
    assert columns(data, "bits")["o0.x"] == [0x3F000000, 0x3E800000, 0x3E000000]
    assert columns(data)["o0.y"] == [4.0, 7.0, 13.0]
    assert cli.main(["asm", "a.sc", "--to", "hex"]) == 0
    capsys.readouterr()
    same = run(capsys, "a.hex", "--from", "hex", "-i", "v0=p.npy", "-i", "v2=1", "-c", "c0=2,3,4,5")
    assert columns(same, "bits") == columns(data, "bits")


def test_the_answer_does_not_depend_on_what_runs_beside_it_in_other_waves():
    """Waves are cut at multiples of 16: the first 16 of 40 vertices are as if they were alone."""
    result = read_source_text("rcp o0.x, v0.x\nrsq o0.y, v0.x\nend\n", "")
    assert result.program is not None
    values = [0x3F800001 + 0x54321 * n for n in range(40)]
    insts = result.program.insts
    whole = run_vertices(Core(insts, RTL), {(0, 0): values}, 40)
    parts = [run_vertices(Core(insts, RTL), {(0, 0): values[n : n + 16]}, len(values[n : n + 16])) for n in (0, 16)]
    for place in (("o", 0, 0), ("o", 0, 1)):
        assert whole[place][:32] == parts[0][place] + parts[1][place]
    assert len(whole["o", 0, 0]) == 40
    with pytest.raises(ValueError, match="at least one vertex"):
        run_vertices(Core(insts, RTL), {}, 0)


def test_text(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.sc", "-i", "v0=1,1;2,2", "--default", "0"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split() == ["position", "(o0)"]
    assert out.splitlines()[1].split() == ["vertex", "x", "y", "z", "w"]
    assert out.splitlines()[3].split() == ["1", "0.25", "6", "0", "0"]
    assert not err
    assert cli.main(["run", "a.sc", "-i", "v0=1,1", "--count", "30", "--bits", "--default", "0"]) == 0
    out = capsys.readouterr().out
    assert "0x3F000000" in out
    assert "... 10 more vertices" in out


def test_a_program_that_hangs(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "h.sc").write_text("mov o0.x, x7.x\nend\n")
    assert cli.main(["run", "h.sc"]) == 1
    assert "instruction 0 never issues" in capsys.readouterr().err
    assert cli.main(["run", "h.sc", "--set", "x7x=normal"]) == 0


def test_errors_of_the_source(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "b.sc").write_text("mov r9.x, 0\n")
    assert cli.main(["run", "b.sc", "--format", "json"]) == 1
    assert [d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["P205"]


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["-i", "normal=1"], 1, "unknown input 'normal'\n  --> <command line>:1:1\n1 | --input normal=1\n"),
        (["-i", "normal=1"], 1, "help: use one of its inputs (position (v0), color1 (v2))"),
        (["-i", "v8=1"], 1, "error[B001]"),
        (["-i", "v0"], 2, "write NAME=VALUE"),
        (["-i", "v0=1", "-i", "position=1"], 1, "v0 already has data"),
        (["-i", "v0=1", "-i", "v0=1"], 2, "given twice: `;` separates the vertices of an input: --input 'v0=1;1'"),
        (["-i", "v0=1", "-i", "v0=2,4", "-i", "v0=3"], 2, "given 3 times: `;` separates the vertices"),
        (["-i", "v0=a.npy", "-i", "v0=b.npy"], 2, "--input v0 is given twice\n"),
        (["-i", "v0=1;2", "-i", "v2=1;2;3"], 1, "different numbers of vertices: v0 2, v2 3"),
        (["-i", "v0=1;2", "--count", "3"], 1, "there are 2"),
        (["-i", "v0=1;2", "--count", "3"], 1, "  --> <command line>:1:1\n1 | --input v0=1;2\n"),
        (
            ["-i", "v0=1,2", "--indices", "0,99"],
            1,
            "index 99 is out of range: the inputs have one row, so vertex 0 is the only one\n  --> a.sc\n",
        ),
        (["-i", "v0=1;2", "--indices", "0,2"], 1, "vertex 2 of v0 is out of range: there are 2 rows\n  --> a.sc\n"),
        (["--count", "0"], 2, "--count is 0, expected 1 to"),
        (["-i", "v0=1,2,3,4,5"], 1, "one vector of 1 to 4 numbers"),
        (["-i", "v0=words:0x100000000"], 1, "more than 32 bits"),
        (["-i", "v0=none.npy"], 1, "none.npy"),
        (["-c", "c256=1"], 1, "use c0 to c255"),
        (["-c", "0=1"], 1, "use c0 to c255"),
        (["-c", "c1"], 2, "write cN=VALUE"),
        (["-c", "c255=1;2"], 1, "past c255"),
        (["--initial", "c0=1"], 1, "unknown register 'c0'"),
        (["--initial", "r0.x=1,2"], 1, "give (16,) or one number"),
        (["--threads", "0"], 2, "--threads is 0, expected 1 to"),
        (["-o", "out.xml"], 2, "written as .npz"),
        (["-o", "-", "--format", "json"], 2, "both want standard output"),
        (["--device", "x"], 2, "use document or rtl"),
    ],
)
def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str], argv: list[str], code: int, words: str):
    assert cli.main(["run", "a.sc", *argv]) == code
    assert words in capsys.readouterr().err


def test_engines_and_threads_change_no_bit(folder: Path, capsys: pytest.CaptureFixture[str]):
    rows = ";".join(f"{n}.5,{-n}" for n in range(1, 40))
    asked = ("a.sc", "-i", f"position={rows}", "-i", "v2=0.5")
    found = [run(capsys, *asked, "--engine", engine, "--threads", "2") for engine in ("reference", "llvm", "auto")]
    assert [document.pop("engine") for document in found] == ["reference", "llvm", "llvm"]
    assert found[0]["lanes"] == 39
    assert found[0] == found[1] == found[2]


def test_no_threads(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.sc", "--threads", "0"]) == 2
    assert "--threads is 0, expected 1 to 1,024" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_a_program_that_never_ends_on_either_engine(engine: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "hang.sc").write_text("mov r0.x, x7.x\nend\n")
    assert cli.main(["run", "hang.sc", "--engine", engine]) == 1
    assert "instruction 0 never issues: it names x7.x as a source" in capsys.readouterr().err


def test_what_is_read_otherwise_is_said_by_asm_and_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.sc"
    path.write_text(".const c0 (1.0, 2.0, 3.0, 4.0)\n add o0.x, c0.x, c0.y\n mov o0.y, 1\n end\n")
    for command in (
        ["asm", str(path), "-o", str(tmp_path / "a.scb")],
        ["run", str(path)],
        ["run", str(tmp_path / "a.scb"), "-u", "c0=1,2,3,4"],
    ):
        assert cli.main([*command]) == 0
        err = capsys.readouterr().err
        assert "warning[V215]: add also reads c0.x instead of c0.y" in err
        assert "warning[V214]: register 1 reads as 0.0 on this device" in err
        assert cli.main([*command, "--device", "document"]) == 0
        assert "warning" not in capsys.readouterr().err
    path.write_text("; as measured lanewise: ignore[V214]\n mov o0.y, 1 ; as measured lanewise: ignore[V214]\n end\n")
    assert cli.main(["run", str(path)]) == 0
    assert "V214" not in capsys.readouterr().err
    path.write_text("rnd_sint16ne r0.x, x1.y\n mul o0.x, r0.x, r0.x\n end\n")
    assert cli.main(["asm", str(path), "-o", str(tmp_path / "a.scb")]) == 0
    assert "V241" in capsys.readouterr().err
    assert cli.main(["run", str(tmp_path / "a.scb")]) == 0
    err = capsys.readouterr().err
    assert "warning[V241]: mul reads r0.x as a float32" in err
    assert "warning[V210]: x1.y is read before it is written" in err and "note: 0 in the first wave of this run" in err
    assert cli.main(["run", str(path), "--initial", "x1=1,2,3,4"]) == 0
    assert "V210" not in capsys.readouterr().err


def test_vertices_between_commas_are_named(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "double.sc").write_text(".input v0 position\n.output o0 position\nadd o0.x, v0.x, v0.x\nend\n")
    says = "position.yzw is given but never read: vertices are separated by `;`, components by `,`"
    for value, count in (("1,2,4,8", 1), ("1;2;4;8", 0), ("1", 0), ("1,2,4,8;1,2,4,8", 0)):
        assert cli.main(["run", "double.sc", "-i", f"position={value}"]) == 0
        assert capsys.readouterr().err.count(says) == count, value
    (folder / "sum.sc").write_text(".input v0 position\n.output o0 position\nadd o0.x, v0.x, v0.y\nend\n")
    assert cli.main(["run", "sum.sc", "-i", "position=1,2,4,8"]) == 0
    assert says not in capsys.readouterr().err
