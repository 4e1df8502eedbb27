"""`lanewise run --indices` from the outside: what it prints and writes for primitives, and its exit codes."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples"
PLACE = "unknown {}\n  --> <command line>:1:1\n1 | --{}=1\n"
FILES = [str(EXAMPLES / "particles.v.pica"), str(EXAMPLES / "particles.g.pica")]
PROJECTION = "--uniform=projection=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
GIVEN = ["--input=position=0,0,0;4,0,0", "--input=color=1,0.5,0", PROJECTION, "--geometry-uniform=size=0.5,0.5,0,0"]

TABLE = """\
                     position (o0)      color (o1)      texcoord0 (o2)
primitive  vertex      x     y  z  w    x    y  z  w              x  y
        0       0    3.5  -0.5  0  1    1  0.5  0  1              0  0
                1    4.5  -0.5  0  1    1  0.5  0  1              1  0
                2    3.5   0.5  0  1    1  0.5  0  1              0  1
        1       0    4.5  -0.5  0  1    1  0.5  0  1              1  0
                1    4.5   0.5  0  1    1  0.5  0  1              1  1
                2    3.5   0.5  0  1    1  0.5  0  1              0  1
"""


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["run", *argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_table(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, *FILES, *GIVEN, "--indices", "1") == (0, TABLE, "")


def test_all_and_the_rest_of_a_long_list(capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, *FILES, *GIVEN, "--indices", "0,1,0,1,0,1,0,1")
    assert code == 0
    assert out.splitlines()[-1] == "... 6 more primitives (--all shows them, -o FILE.npz writes them)"
    assert len(run(capsys, *FILES, *GIVEN, "--indices", "all", "--all")[1].splitlines()) == 2 + 3 * 4


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_an_engine_can_be_asked_for(engine: str, capsys: pytest.CaptureFixture[str]):
    command = *FILES, *GIVEN, "--indices", "0,1,1,0,1"
    assert run(capsys, *command, "--engine", engine, "--threads", "2") == run(capsys, *command)
    found = json.loads(run(capsys, *command, "--engine", engine, "--format", "json")[1])
    assert found["engines"] == {"vertex": engine, "geometry": engine}
    assert run(capsys, *command, "--engine", engine, "--trace", "1")[0] == 2
    assert run(capsys, *command, "--threads", "0")[0] == 2


def test_indices_from_files(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    np.save(tmp_path / "list.npy", np.array([1], np.uint16))
    (tmp_path / "list.csv").write_text("index\n1\n")
    for name in ("list.npy", "list.csv"):
        assert run(capsys, *FILES, *GIVEN, "--indices", str(tmp_path / name))[1] == TABLE


def test_json_and_npz_are_what_the_library_gives(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    target = tmp_path / "out.npz"
    code, out, _ = run(capsys, *FILES, *GIVEN, "--indices", "1,0", "--format", "json", "-o", str(target))
    found: dict[str, Any] = json.loads(out)
    result = lw.assemble(FILES).pipeline.run(
        {"position": [[0, 0, 0], [4, 0, 0]], "color": [1, 0.5, 0]},
        [1, 0],
        {"projection": np.eye(4)},
        geometry_uniforms={"size": [0.5, 0.5, 0, 0]},
    )
    assert code == 0
    assert (found["primitives"], found["left_over"], found["runs"]) == (4, 0, [0, 0, 1, 1])
    assert found["geometry_shader"] == FILES[1]
    assert found["outputs"]["texcoord0"]["components"] == "xy"
    with np.load(io.BytesIO(target.read_bytes())) as arrays:
        for key, array in result.outputs.items():
            assert found["outputs"][key]["values"] == array.tolist()
            assert np.array_equal(arrays[key], array)
            assert np.array_equal(arrays[f"{key}_bits"], result.bits[key])
        assert arrays["runs"].tolist() == [0, 0, 1, 1]
        assert arrays["faults_geometry"].size == 0


def test_what_the_rasterizer_takes(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    target = tmp_path / "out.npz"
    argv = [*FILES, *GIVEN, "--input=color=-0.25,3", "--rasterized", "-o", str(target)]
    argv.remove("--input=color=1,0.5,0")
    code, out, err = run(capsys, *argv, "--indices", "1")
    titles, _, first = out.splitlines()[:3]
    assert (code, err) == (0, "")
    assert titles.split() == [
        "position",
        "normalquat",
        "color",
        "texcoord0",
        "texcoord0w",
        "texcoord1",
        "texcoord2",
        "view",
    ]
    assert first.split() == [*"00", *["3.5", "-0.5", "0", "1"], *"1111", *["0.25", "1", "0", "1"], *"00", *"11111111"]
    found = json.loads(run(capsys, *argv, "--indices", "1", "--format", "json")[1])
    assert found["outputs"]["color"]["values"][0][0] == [-0.25, 3, 0, 1]
    assert found["rasterized"]["color"][0][0] == [0.25, 1, 0, 1]
    with np.load(io.BytesIO(target.read_bytes())) as arrays:
        assert arrays["rasterized_color"].tolist() == found["rasterized"]["color"]
        assert arrays["rasterized_view"].shape == (2, 3, 3)
        assert arrays["color"][0, 0].tolist() == [-0.25, 3, 0, 1]


def test_triangles_without_a_geometry_shader(capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, FILES[0], *GIVEN[:3], "--topology", "strip", "--indices", "0,1,0,1")
    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()[2:]] == [
        ["0", "0", "0"],
        ["1", "4", "0"],
        ["2", "0", "0"],
        ["1", "0", "0"],
        ["1", "4", "0"],
        ["2", "4", "0"],
    ]


@pytest.mark.parametrize("option", ["--rasterized", "--indices=all"])
def test_too_few_vertices(capsys: pytest.CaptureFixture[str], option: str):
    code, out, err = run(capsys, FILES[0], *GIVEN[:3], option)
    assert (code, out) == (0, "no primitives\n2 left over at the end of the list: too few for a primitive\n")
    assert "warning[R008]: no primitive is complete: 2 vertices are given; a triangle takes 3" in err
    assert "help: give 1 more, or repeat vertices: one index may come several times" in err
    code, out, _ = run(capsys, FILES[0], *GIVEN[:3], option, "--format", "json")
    assert [found["code"] for found in json.loads(out)["diagnostics"]] == ["R008"]


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (["--indices", "0,7"], 1, "index 7 is out of range\n  --> <command line>:1:1\n1 | --indices 0,7\n"),
        (["--indices", "1,2"], 1, "help: vertices count from 0: write 0,1\n"),
        (["--indices", "0,x"], 1, "neither numbers"),
        (["--indices", "words:1"], 1, "whole numbers"),
        (["--indices", "0.5"], 1, "0.5, number 0 of the list (from 0), is not an index: indices are non-negative integers"),
        (["--indices=1,0,-1"], 1, "error[B011]: -1, number 2 of the list (from 0), is not an index"),
        (["--indices=1,0,-1"], 1, "help: give the numbers of vertices: there are 2 vertices, 0 to 1"),
        (["--geometry", "0"], 1, "--geometry 0 is "),
        (["--geometry", "0"], 1, "a vertex shader\n"),
        (["--geometry", "0"], 1, "help: say --geometry 1 ("),
        (["--program", "1"], 1, "help: say --program 0 ("),
        (["--geometry-uniform", "size=1"], 2, "given twice"),
        (
            ["--indices", "0", "--geometry-uniform", "sise=1"],
            1,
            "unknown uniform 'sise'\n  --> <command line>:1:1\n1 | --geometry-uniform sise=1\n",
        ),
        (
            ["--indices", "0", "--input", "colour=1"],
            1,
            "unknown input 'colour'\n  --> <command line>:1:1\n1 | --input colour=1\n",
        ),
        (["--vertices-per-primitive", "9"], 1, "B012"),
        (["--indices", "0", "--trace", "1"], 1, "error[B008]: run 1 of the geometry shader does not exist"),
        (["--indices", "0", "--trace", "1"], 1, "help: there is one, number 0"),
        (["--indices", "0,1", "--trace", "2"], 1, "help: there are 2, 0 to 1"),
        (["--indices", "0", "--trace", "1", "--trace-stage", "vertex"], 1, "error[B008]: vertex 1 does not run"),
        (["--trace", "0", "--topology", "strip"], 2, "--topology is about primitives"),
        (["--trace", "0", "--rasterized"], 2, "--rasterized is about primitives"),
        (["--trace", "0", "--explain", "position.x@4"], 1, "run 0 emits 4 vertices, counted from 0"),
        (["--trace-stage", "geometry"], 2, "--trace-stage goes with --trace N"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], more: list[str], code: int, words: str):
    found, out, err = run(capsys, *FILES, *GIVEN, *more)
    assert (found, out) == (code, "")
    assert words in err


@pytest.mark.filterwarnings("error")
def test_a_signalling_nan_is_not_an_index(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    np.save(tmp_path / "i.npy", np.array([0x7FA00000], np.uint32).view(np.float32))
    code, _, err = run(capsys, *FILES, *GIVEN, "--indices", str(tmp_path / "i.npy"))
    assert code == 1
    assert "error[B011]: nan, number 0 of the list (from 0), is not an index" in err


def test_a_geometry_uniform_wants_a_geometry_shader(capsys: pytest.CaptureFixture[str]):
    code, _, err = run(capsys, FILES[0], *GIVEN)
    assert code == 2
    assert "no geometry shader" in err


@pytest.mark.parametrize("more", [[], ["--trace", "0"]])
def test_a_uniform_of_the_geometry_shader_wants_it_to_be_run(capsys: pytest.CaptureFixture[str], more: list[str]):
    code, _, err = run(capsys, *FILES, *GIVEN[:3], "--uniform", "size=1", *more)
    assert code == 2
    assert f"size is a uniform of {FILES[1]}, a geometry shader" in err
    assert "--geometry-uniform size=VALUE gives it, and both are run" in err


def test_a_missing_uniform_of_the_geometry_shader_says_its_option(capsys: pytest.CaptureFixture[str]):
    code, _, err = run(capsys, *FILES, *GIVEN[:3], "--indices", "all")
    assert code == 1
    assert "help: give `--geometry-uniform size=...` (geometry_uniforms={'size': ...}): 4 numbers;" in err


def test_outputs_that_miss_their_place_are_warnings(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source = tmp_path / "gap.v.pica"
    source.write_text(".out a position\n.out b color o3\n.in p\n.proc main\nmov a, p\nmov b, p\nend\n.end\n")
    code, out, err = run(capsys, str(source), "-i", "p=0,0;1,0;0,1", "--rasterized", "--indices", "all")
    assert code == 0
    assert "warning[B016]: o3 of the vertex shader is color, but arrives as nothing" in err
    assert out
    code, out, _ = run(capsys, str(source), "-i", "p=0,0;1,0;0,1", "--indices", "all", "--format", "json")
    assert [finding["code"] for finding in json.loads(out)["diagnostics"]] == ["B016"]


def test_traces_of_runs_and_vertices(capsys: pytest.CaptureFixture[str]):
    code, out, err = run(capsys, *FILES, *GIVEN, "--indices", "1,0", "--trace", "1")
    assert (code, err) == (0, "")
    assert out.startswith(f"{FILES[1]}, run 1: profile hardware")
    assert f"  given  vertex 0 of {FILES[0]}, mode point\n" in out
    assert "\n  primitive 1: emits 3, 1, 2; winding inverted: drawn as 1, 3, 2\n" in out
    code, out, _ = run(capsys, *FILES, *GIVEN, "--indices", "1,0", "--trace", "1", "--trace-stage", "vertex")
    assert (code, out.partition(":")[0]) == (0, f"{FILES[0]}, vertex 1 of 0 to 1")
    code, out, _ = run(capsys, *FILES, *GIVEN[:3], "--geometry-uniform=size=1,0,0,0", "--trace", "0", "--trace-format", "json")
    assert (code, json.loads(out)["run"]) == (0, 0)
    alone = [*FILES, *GIVEN[:3], "--uniform=size=1,0,0,0", "--trace", "1"]
    assert json.loads(run(capsys, *alone, "--trace-stage", "geometry", "--format", "json")[1])["stage"] == "geometry"
    code, out, _ = run(capsys, FILES[0], *GIVEN[:3], "--indices", "1", "--trace", "1", "--format", "json")
    assert (code, json.loads(out)["vertex"]) == (0, 1)
    code, _, err = run(capsys, FILES[0], *GIVEN[:3], "--trace", "1", "--trace-stage", "geometry")
    assert (code, "the file has no geometry shader" in err) == (2, True)
    code, _, err = run(capsys, FILES[0], *GIVEN, "--indices", "0")
    assert (code, "link them: lanewise asm VERTEX.pica GEOMETRY.pica -o FILE.shbin" in err) == (2, True)


def test_explain_an_emitted_vertex(capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, *FILES, *GIVEN, "--indices", "1,0", "--trace", "0", "--explain", "position.x@1")
    assert code == 0
    assert out.startswith("position.x@1 (o0.x) = 4.5 [412000], run 0, emit 1 in slot 1\n")
    assert out.endswith("  input v0.x = 4 [410000], outpos of vertex 1\n")
    assert run(capsys, *FILES, *GIVEN, "--trace", "0", "--explain", "position.x")[1].startswith("position.x@3 (o0.x)")
    # An emitted vertex is one of the geometry shader, whatever else is asked for.
    alone = [*FILES, *GIVEN[:3], "--uniform=size=1,0,0,0", "--trace", "0"]
    assert run(capsys, *alone, "--explain", "position.x@1")[1].startswith("position.x@1 (o0.x)")
    code, _, err = run(capsys, *alone, "--trace-stage", "vertex", "--explain", "position.x@1")
    assert (code, "size is a uniform of" in err) == (2, True)
    code, _, err = run(capsys, FILES[0], *GIVEN[:3], "--trace", "0", "--explain", "position.x@1")
    assert (code, "use position.x: only runs of a geometry shader emit vertices" in err) == (1, True)


GEOMETRY = """.gsh point c0
.entry send
.out pos position
.out clr color
.proc send
    mov pos, v0
    mov clr, v1
    setemit 0
    emit
    mov pos.xyz, r1
    ifu b15
        mov clr, v1
    .end
    setemit 1
    emit
    mov r1, v0
    end
.end
"""


def test_warnings_of_both_stages(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    vertex, geometry = tmp_path / "a.v.pica", tmp_path / "b.g.pica"
    vertex.write_text(
        Path(FILES[0]).read_text().replace("mov outclr, color", "cmp r0.x, gt, gt, r1.x\nifc cmp.x\nmov outclr, color\n.end")
    )
    geometry.write_text(GEOMETRY)
    command = [str(vertex), str(geometry), *GIVEN[:3], "--indices", "1,0,1,1"]
    code, _, err = run(capsys, *command)
    assert code == 0
    found = [line for line in err.splitlines() if line.startswith("warning[R")]
    assert found == [
        "warning[R006]: r1.x is read at word 0x5 before it is written",
        "warning[R007]: 1 of 2 vertices leave color.xyzw (o1) unwritten",
        "warning[R006]: r1.x is read at word 0xd before it is written, first in run 0: in 1 of 4 runs of the geometry shader",
        "warning[R006]: r1.y is read at word 0xd before it is written, first in run 0: in 1 of 4 runs of the geometry shader",
        "warning[R006]: r1.z is read at word 0xd before it is written, first in run 0: in 1 of 4 runs of the geometry shader",
        "warning[R007]: 4 of 8 emitted vertices lack position.w (o0), first at word 0x11 in run 0",
        "warning[R007]: 1 of 8 emitted vertices lack color.xyzw (o1), first at word 0x11 in run 0",
    ]
    assert f"note: that emit is at {geometry}:15:5\n" in err
    _, out, _ = run(capsys, *command, "--format", "json")
    assert [each["code"] for each in json.loads(out)["diagnostics"] if each["code"] > "R"].count("R006") == 4
    cleared = run(capsys, *command, "--set", "keep_registers_between_invocations=cleared")[2]
    assert "warning[R006]: r1.x is read at word 0xd before it is written\n" in cleared


def test_warnings_name_vertices_by_their_number():
    pipeline = lw.pica200.Pipeline(
        lw.assemble(
            Path(FILES[0])
            .read_text()
            .replace("mov outclr, color", "cmp r0.x, gt, gt, v0.w\nifc cmp.x\nmov outclr, r1\n.end\nmov outclr, color")
        ).vertex
    )
    data = {"position": [[0, 0, 0], [0, 0, 0], [4, 0, 0]], "color": [1, 0.5, 0]}
    result = pipeline.run(data, [1, 0, 2], {"projection": np.eye(4)})
    assert result.used.tolist() == [1, 0, 2]
    warnings = pipeline.warnings(result)
    assert len(warnings) == 4
    assert warnings[0].message.endswith("first in vertex 2: in 1 of 3 vertices")
    assert pipeline.warnings(pipeline.run(data, [1, 0, 1], {"projection": np.eye(4)})) == []


def test_bits_and_registers(capsys: pytest.CaptureFixture[str]):
    command = (FILES[0], *GIVEN[:3], "--topology", "strip", "--indices", "0,1,0,1")
    code, out, _ = run(capsys, *command, "--bits")
    assert code == 0
    assert out.splitlines()[2].split()[2:6] == ["0x000000", "0x000000", "0x000000", "0x3F0000"]
    assert run(capsys, *command, "--registers")[0] == 2
    assert run(capsys, *command, "--bits", "--rasterized")[0] == 2
