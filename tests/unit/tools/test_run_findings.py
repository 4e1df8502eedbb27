"""Places of findings about linked stages, and what a run warns of: what happened in it. What can happen is for
`lanewise check`."""

import json
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.pica200.api.checking import check_sources
from lanewise.tools.cli import main

VERTEX = ".out pos position\n.out clr color\n.in p\n.proc main\nmov pos, p\nmov clr, p\nend\n.end\n"
GEOMETRY = """.gsh point c0
.entry send
.out pos position
.out clr color
.proc send
    mov pos, v0
    mov clr, v1
    setemit 0
    emit
    mov pos, v0
{between}
    setemit 1
    emit
    end
.end
"""
STALE = GEOMETRY.format(between="")
SOMETIMES = GEOMETRY.format(between="    ifu b15\n        mov clr.xyzw, v1\n    .end")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.v.pica").write_text(VERTEX)
    (tmp_path / "b.g.pica").write_text(STALE)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["run", *argv, "-i", "p=0;1"])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("files", [("a.v.pica", "b.g.pica"), ("b.g.pica", "a.v.pica")])
@pytest.mark.parametrize(
    ("argv", "code", "place"),
    [
        (("--indices", "0,7"), "B011", "<command line>"),
        (("--indices", "0", "--trace", "9"), "B008", "b.g.pica"),
        (("--indices", "0", "--trace", "9", "--trace-stage", "vertex"), "B008", "a.v.pica"),
        (("--trace", "9"), "B008", "<command line>"),
        (("--geometry", "a.v.pica"), "B014", "a.v.pica"),
        (("--program", "b.g.pica", "--indices", "0"), "B014", "b.g.pica"),
        (("--program", "b.g.pica"), "B009", "b.g.pica"),
        (("--indices", "0,1,0", "--vertices-per-primitive", "2"), "R008", "b.g.pica"),
        (("--indices", "0", "--vertices-per-primitive", "9"), "B012", "b.g.pica"),
    ],
)
def test_the_place_is_the_stage_that_is_meant(
    capsys: pytest.CaptureFixture[str], here: Path, files: tuple[str, str], argv: tuple[str, ...], code: str, place: str
):
    _, out, _ = run(capsys, *files, *argv, "--format", "json")
    found = [finding for finding in json.loads(out)["diagnostics"] if finding["code"] == code]
    assert [finding["span"]["file"] for finding in found] == [place]


def test_a_shader_that_is_not_there_is_missing_in_all_files(capsys: pytest.CaptureFixture[str], here: Path):
    _, _, err = run(capsys, "b.g.pica", "a.v.pica", "--program", "7")
    assert "error[B010]: there is no shader number 7\n  --> b.g.pica + a.v.pica\n" in err


def test_shaders_of_one_file_have_its_name(here: Path):
    linked = lw.assemble(["a.v.pica", "b.g.pica"])
    assert [shader.file for shader in linked.programs] == ["a.v.pica", "b.g.pica"]
    (here / "both.shbin").write_bytes(linked.to_bytes())
    assert [shader.file for shader in lw.load("both.shbin").programs] == ["both.shbin"] * 2


def test_a_run_warns_of_what_happened_in_it(capsys: pytest.CaptureFixture[str], here: Path):
    """`lanewise check` says V088 of the same `emit`; a run says it of what happened, so that nothing is said twice."""
    code, _, err = run(capsys, "a.v.pica", "b.g.pica", "--indices", "0")
    assert code == 0
    assert [line.partition("]")[0] for line in err.splitlines() if line.startswith("warning")] == [
        "warning[V128",
        "warning[R007",
    ]
    pipeline = lw.assemble(["a.v.pica", "b.g.pica"]).pipeline
    assert [found.code for found in pipeline.warnings(pipeline.run({"p": [0, 1]}, [0]))] == ["R007"]
    assert "V088" in [found.code for found in check_sources([("b.g.pica", STALE)]).findings]


@pytest.mark.parametrize(("value", "told"), [("false", ["R007"]), ("true", [])])
def test_what_did_not_happen_is_not_told(capsys: pytest.CaptureFixture[str], here: Path, value: str, told: list[str]):
    (here / "b.g.pica").write_text(SOMETIMES)
    _, _, err = run(capsys, "a.v.pica", "b.g.pica", "--indices", "0", "--geometry-uniform", f"b15={value}")
    assert [line[8:12] for line in err.splitlines() if line.startswith("warning")] == ["V128", *told]


def test_outputs_of_the_vertex_shader(capsys: pytest.CaptureFixture[str], here: Path):
    """No way writes w, and one vertex leaves z unwritten too."""
    (here / "a.v.pica").write_text(
        ".out pos position\n.in p\n.proc main\nmov pos.xy, p\ncmp p.x, gt, gt, p.w\nifc cmp.x\nmov pos.z, p\n.end\nend\n.end\n"
    )
    _, _, err = run(capsys, "a.v.pica")
    assert [line for line in err.splitlines() if line.startswith("warning")] == [
        "warning[R007]: 2 of 2 vertices leave position.zw (o0) unwritten"
    ]


def test_the_trace_and_the_run_know_what_a_dummy_output_carries(here: Path):
    """Merged output maps: the geometry shader's dummy output is the vertex shader's color, and one that is not written is
    lacking."""
    (here / "b.g.pica").write_text(STALE.replace("clr color", "clr dummy"))
    pipeline = lw.assemble(["a.v.pica", "b.g.pica"]).pipeline
    result = pipeline.run({"p": [0, 1]}, [0])
    (found,) = pipeline.warnings(result)
    assert found.message == "1 of 2 emitted vertices lack color.xyzw (o1), first at word 0x9 in run 0"
    trace = pipeline.trace({"p": [0, 1]}, [0])
    assert "clr.xyzw (o1) was not written in this run and bank" in trace.text()
    assert trace.explain("color.x@0").text().startswith("color.x@0 (o1.x) = 0 [000000], run 0, emit 0 in slot 0\n")


def test_a_loop_that_leaves_an_array_is_told_where(here: Path, capsys: pytest.CaptureFixture[str]):
    """The fix is a number of rounds, not a value for what is behind the array."""
    source = (
        ".fvec light[2]\n.ivec count\n.out pos position\n.in p\n.proc main\nmov r0, p\nfor count\nadd r0, light[aL], r0\n.end\n"
    )
    (here / "loop.v.pica").write_text(f"{source}mov pos, r0\nend\n.end\n")
    arguments = ["run", "loop.v.pica", "--input", "p=1,2,3", "--uniform", "light=1,0,0,0;0,1,0,0", "--uniform"]
    assert main([*arguments, "count=2,0,1"]) == 1
    text = capsys.readouterr().err
    assert "error[B005]: the loop goes to light[2] (c2), past the end of light: 2 registers" in text
    assert "help: take 2 rounds or less: x of count is the rounds less one, 1 if aL begins at 0" in text
    assert main([*arguments, "count=1,0,1"]) == 0


def test_what_is_filled_in_is_not_given(here: Path, capsys: pytest.CaptureFixture[str]):
    """An input of three numbers has a w of 1, which the data does not have."""
    for value, text in (("1,2,3", ", of which w is filled in: the data has 3\n"), ("1,2,3,1", "]\n")):
        (here / "sum.v.pica").write_text(".out pos position\n.in p\n.proc main\ndp4 pos, p, p\nend\n.end\n")
        assert main(["run", "sum.v.pica", "--input", f"p={value}", "--trace", "0", "--explain", "pos.x"]) == 0
        assert capsys.readouterr().out.endswith(
            f"input p (v0) = 1, 2, 3, 1 [3f0000 400000 408000 3f0000{text if text[0] == ']' else ']' + text}"
        )
