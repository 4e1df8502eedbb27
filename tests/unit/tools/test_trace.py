"""`lanewise run --trace` and `--explain` from the outside."""

import json
from pathlib import Path

import pytest

from lanewise.tools.cli import main

SOURCE = """.fvec k
.out pos position
.out col color
.in place
.proc main
    mul r0, k, place
    mov pos, r0
    mov col, k
    end
.end
"""
VALUES = "-i", "place=1,2;3,4", "-u", "k=2,3,4,5"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("a.v.pica").write_text(SOURCE)


def test_text(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "a.v.pica", *VALUES, "--trace", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("a.v.pica, vertex 1 of 0 to 1: profile hardware, starts at word 0x0\n")
    assert "step 0, word 0x0, a.v.pica:6:5\n    mul r0, k, place\n" in out
    assert "wrote  r0 = 6, 12, 0, 5 [" in out
    assert out.endswith("end after 4 steps\n  pos (o0) = 6, 12, 0, 5\n  col (o1) = 2, 3, 4, 5\n")


def test_table_and_json(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "a.v.pica", *VALUES, "--trace", "0", "--trace-format", "table"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    for option in (("--trace-format", "json"), ("--format", "json")):
        assert main(["run", "a.v.pica", *VALUES, "--trace", "0", *option]) == 0
        assert len(json.loads(capsys.readouterr().out)["steps"]) == 4


def test_to_a_file(capsys: pytest.CaptureFixture[str]):
    for options in ([], ["--trace-format", "json"], ["--format", "json"]):
        assert main(["run", "a.v.pica", *VALUES, "--trace", "0", *options, "-o", "trace.json"]) == 0
        assert capsys.readouterr().out == ""
        assert json.loads(Path("trace.json").read_text())["vertex"] == 0
    assert main(["run", "a.v.pica", *VALUES, "--trace", "0", "--trace-format", "table", "-o", "trace.json"]) == 0
    assert Path("trace.json").read_text().startswith("step  word  instruction")


def test_findings_of_a_trace_in_a_file_are_said_aloud(capsys: pytest.CaptureFixture[str]):
    source = Path("warn.g.pica")  # what a vertex shader is not called: V091
    source.write_text(
        ".out pos position\n.in a\n.proc main\nmov pos.xyz, a\nagain:\njmpc cmp.x, again\njmpc !cmp.x, again\nend\n.end\n"
    )
    command = ["run", str(source), "-i", "a=1", "--trace", "0", "--budget", "9"]
    assert main([*command, "-o", "trace.json"]) == 1
    out, err = capsys.readouterr()
    assert (out, "warning[V091]" in err, "error[R010]" in err) == ("", True, True)
    assert {found["code"] for found in json.loads(Path("trace.json").read_text())["diagnostics"]} == {"V091", "R010"}
    assert main([*command, "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert (json.loads(out)["fault"]["code"], err) == ("R010", "")


def test_explain(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "a.v.pica", *VALUES, "--trace", "1", "--explain", "position.y"]) == 0
    assert capsys.readouterr().out == (
        "position.y (o0.y) = 12 [428000], vertex 1 of 0 to 1\n"
        "\n"
        "step 0, word 0x0, a.v.pica:6: mul r0, k, place\n"
        "  from  k.y (c0) = 3 [408000]\n"
        "  from  place.y (v0) = 4 [410000]\n"
        "  made  r0.y = 12 [428000]\n"
        "\n"
        "step 1, word 0x1, a.v.pica:7: mov pos, r0\n"
        "  from  r0.y = 12 [428000]\n"
        "  made  pos.y (o0) = 12 [428000]\n"
        "\n"
        "given:\n"
        "  uniform k.y (c0) = 3 [408000]\n"
        "  input place.y (v0) = 4 [410000]\n"
    )
    assert main(["run", "a.v.pica", *VALUES, "--trace", "1", "--explain", "color.x", "--trace-format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [(step["word"], step["made"]) for step in document["steps"]] == [(2, {"o1.x": ["c0.x"]})]
    assert document["given"] == [{"register": "c0.x", "value": 2.0, "word": 0x400000}]


def test_a_vertex_that_stops(capsys: pytest.CaptureFixture[str]):
    Path("b.v.pica").write_text(SOURCE.replace("    end\n", "    again: jmpu b0, again\n    end\n"))
    assert main(["run", "b.v.pica", *VALUES, "-u", "b0=true", "--trace", "0", "--budget", "30"]) == 1
    done = capsys.readouterr()
    assert "stopped at step 5: R010" in done.out
    assert "error[R010]: vertex 0 stopped" in done.err
    assert "b.v.pica:9" in done.err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--explain", "color.x"], 2, "--explain and --trace-format go with --trace N"),
        (["--trace-format", "table"], 2, "--explain and --trace-format go with --trace N"),
        (["--trace", "-1"], 2, "counted from 0"),
        (["--trace", "0", "--explain", "color.x", "--trace-format", "table"], 2, "--explain is text or json"),
        (["--trace", "0", "-o", "x.npz"], 2, "-o x.npz: --trace writes text (.txt), JSON or a waveform (.vcd)"),
        (["--trace", "0", "--count", "-1"], 2, "--count is -1, expected 0 to"),
        (["--budget", "0"], 2, "--budget is 0, expected 1 to"),
        (["--trace", "2"], 1, "error[B008]: lane=2: vertex 2 does not exist"),
        (["--trace", "2"], 1, "1 | --trace 2\n"),
        (["--trace", "0", "--explain", "colour.x"], 1, "did you mean color"),
    ],
)
def test_wrong_options(options: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", "a.v.pica", *VALUES, *options]) == code
    assert said in capsys.readouterr().err
