"""`lanewise run` from the outside: what it prints and writes, and its exit codes."""

import io
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from effort import times
from lanewise.tools import command
from lanewise.tools.cli import main

SOURCE = """.fvec mvp[4]
.fvec extra
.ivec turns
.bool fancy
.out outpos position
.out outclr color.xyz
.in position
.in color
.proc main
    dp4 outpos.x, mvp[0], position
    dp4 outpos.y, mvp[1], position
    dp4 outpos.z, mvp[2], position
    dp4 outpos.w, mvp[3], position
    mov r0, color
    ifu fancy
        for turns
            add r0, extra, r0
        .end
    .end
    mov outclr.xyz, r0
    end
.end
"""
PLAIN = "-u", "mvp=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1", "-u", "fancy=false"
ENDLESS = (
    ".out outpos position\n.in place\n.proc main\nmov outpos, place\nagain:\ncmp place, lt, lt, place.yyyy\n"
    "jmpc cmp.x, again\nend\n.end\n"
)
COPY = ".out outpos position\n.in place\n.proc main\nmov outpos, place\nend\n.end\n"


class Outcome:
    """What a command left: exit code, standard output and standard error."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.v.pica").write_text(SOURCE)
    (tmp_path / "copy.v.pica").write_text(COPY)
    return tmp_path


@pytest.fixture
def run(here: Path, capsys: pytest.CaptureFixture[str]):
    def call(*arguments: str) -> Outcome:
        try:
            code = main(["run", *arguments])
        except SystemExit as exit:
            code = int(exit.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return call


def test_a_table_by_semantic(run: Any):
    done = run("a.v.pica", "--input", "position=1,2,3;-4,0.5,inf", "--input", "color=1,0.1", *PLAIN)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "          position (o0)      color (o1)\n"
        "vertex     x    y    z  w    x          y  z\n"
        "     0     1    2    3  1    1  0.0999994  0\n"
        "     1    -4  0.5  inf  1    1  0.0999994  0\n"
    )


def test_an_shbin_runs_by_registers(run: Any, here: Path):
    (here / "a.shbin").write_bytes(lw.load("a.v.pica").to_bytes())
    (here / "m.npy").write_bytes(npy(np.diag([2, 3, 4, 5])))
    done = run(
        "a.shbin",
        "-i",
        "v0=1,1,1",
        "-i",
        "v1=0;1",
        "-u",
        "c0=m.npy",
        "-u",
        "c4=0.5,0.25,0.125",
        "-u",
        "i0=1,0,0",
        "-u",
        "b0=true",
        "--format",
        "json",
    )
    assert done.code == 0
    outputs = json.loads(done.out)["outputs"]
    assert outputs["position"]["values"] == [[2, 3, 4, 5]] * 2
    assert outputs["color"]["values"] == [[1, 0.5, 0.25], [2, 0.5, 0.25]]


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def test_json_says_everything(run: Any):
    done = run("copy.v.pica", "-i", "place=1,inf,-inf,nan", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out) == {
        "schema": "lanewise/run/1",
        "isa": "pica200",
        "program": "copy.v.pica",
        "variant": "hardware",
        "engine": "reference",
        "lanes": 1,
        "unit": "vertex",
        "format": "float24",
        "inputs_without_data": [],
        "outputs": {
            "position": {
                "register": "o0",
                "components": "xyzw",
                "values": [[1.0, "Infinity", "-Infinity", "NaN"]],
                "bits": [[0x3F0000, 0x7F0000, 0xFF0000, 0x7F8000]],
                "written": [[True] * 4],
            }
        },
        "faults": [],
        "diagnostics": [],
    }


def test_arrays_are_written(run: Any, here: Path):
    done = run("copy.v.pica", "-i", "place=words:1,2,0x400000;3,4,5", "-o", "out.npz")
    assert done.code == 0
    assert "position" in done.out
    with np.load(here / "out.npz") as arrays:
        assert set(arrays.files) == {"position", "position_bits", "faults"}
        assert arrays["position_bits"].tolist() == [[1, 2, 0x400000, 0x3F0000], [3, 4, 5, 0x3F0000]]
        assert arrays["position"].dtype == np.float32
        assert arrays["position"].tolist() == lw.pica200.float24.decode(arrays["position_bits"]).tolist()
    assert [path.name for path in here.iterdir() if "tmp" in path.name] == []
    assert run("copy.v.pica", "-i", "place=1", "-o", "no/such/folder/out.npz").code == 1


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_an_engine_can_be_asked_for(engine: str, run: Any):
    rows = ";".join(f"{n},{n / 7},2,1" for n in range(40))
    command = "copy.v.pica", "-i", f"place={rows}", "--format", "json"
    found = json.loads(run(*command, "--engine", engine, "--threads", "2").out)
    assert (found["engine"], found["lanes"]) == (engine, 40)
    assert found["outputs"] == json.loads(run(*command).out)["outputs"]


def test_standard_input_and_output(here: Path):
    data = lw.load("copy.v.pica").to_bytes()
    command = [sys.executable, "-m", "lanewise", "run", "-", "-i", "v0=1,2"]
    for given in (data, COPY.encode()):
        done = subprocess.run([*command, "-o", "-"], input=given, capture_output=True, check=True)
        with np.load(io.BytesIO(done.stdout)) as arrays:
            assert arrays["position"].tolist() == [[1, 2, 0, 1]]
    done = subprocess.run(command, input=b"\0\xff garbage", capture_output=True, check=False)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_only_the_first_vertices_are_shown(run: Any, here: Path):
    (here / "many.csv").write_text("x\n" + "".join(f"{n}\n" for n in range(50)))
    done = run("copy.v.pica", "-i", "place=many.csv")
    lines = done.out.splitlines()
    assert len(lines) == 2 + 20 + 1
    assert lines[-1].startswith("... 30 more")
    assert len(run("copy.v.pica", "-i", "place=many.csv", "--all").out.splitlines()) == 52
    assert len(run("copy.v.pica", "-i", "place=many.csv", "--count", "3").out.splitlines()) == 5


def test_no_vertices_and_no_outputs(run: Any, here: Path):
    assert run("copy.v.pica", "-i", "place=1", "--count", "0").out.splitlines()[-1] == "no vertices"
    (here / "none.v.pica").write_text(".proc main\nend\n.end\n")
    done = run("none.v.pica")
    assert (done.code, done.out) == (0, "the program has no outputs\n")


def test_components_that_are_not_written_are_dashes(run: Any, here: Path):
    (here / "p.v.pica").write_text(".out a position\n.in v\n.proc main\nmov a.xz, v\nend\n.end\n")
    done = run("p.v.pica", "-i", "v=1,2,3,4")
    assert done.out.splitlines()[-1].split() == ["0", "1", "-", "3", "-"]
    assert "R007" in done.err


def test_a_mesh_goes_to_the_inputs_that_look_like_it(run: Any, here: Path):
    pytest.importorskip("trimesh")
    (here / "m.obj").write_text("v 0 0 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    done = run("a.v.pica", "--mesh", "m.obj", "-i", "color=mesh:normal", *PLAIN, "--format", "json")
    outputs = json.loads(done.out)["outputs"]
    assert [row[:3] for row in outputs["position"]["values"]] == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert all(abs(number - 3**-0.5) < 1e-4 for row in outputs["color"]["values"] for number in row)
    assert run("copy.v.pica", "--mesh", "m.obj", "-i", "place=mesh:position").code == 0
    done = run("copy.v.pica", "--mesh", "m.obj")
    assert done.code == 1
    assert "--input NAME=mesh:position" in done.err
    done = run("a.v.pica", "--mesh", "m.obj", *PLAIN)
    assert done.code == 1
    assert "color (v1)" in done.err
    done = run("copy.v.pica", "-i", "place=mesh:position")
    assert (done.code, "add --mesh FILE" in done.err) == (1, True)


def test_uniforms_from_files_go_below_those_of_the_line(run: Any, here: Path):
    (here / "u.json").write_text(
        '{"mvp": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]], "fancy": true, "turns": [0,0,0], "extra": [1,1,1]}'
    )
    (here / "u.toml").write_text("extra = [3, 3, 3]\n")
    given = "a.v.pica", "-i", "position=0", "-i", "color=0,0,0", "--uniforms", "u.json"
    for more, expected in (((), 1), (("--uniforms", "u.toml"), 3), (("--uniforms", "u.toml", "-u", "extra=5,5,5"), 5)):
        done = run(*given, *more, "--format", "json")
        assert json.loads(done.out)["outputs"]["color"]["values"] == [[expected] * 3]


def test_missing_values_are_findings(run: Any):
    done = run("a.v.pica", "-i", "positon=1", "-u", "mpv=1")
    assert done.code == 1
    assert "error[B001]" in done.err
    assert "did you mean position?" in done.err
    assert "did you mean mvp?" in done.err
    assert done.out == ""
    done = run("a.v.pica", "-i", "position=1", "--format", "json")
    assert done.code == 1
    found = json.loads(done.out)["diagnostics"]
    assert [d["code"] for d in found] == ["B004", "B005", "B005", "B005", "B005"]
    assert found[0]["span"]["line"] == 14


def test_a_vertex_that_never_ends(run: Any, here: Path):
    (here / "loop.v.pica").write_text(ENDLESS)
    done = run("loop.v.pica", "-i", "place=0,1;1,0", "--budget", "50")
    assert done.code == 1
    assert done.out.splitlines()[2].endswith("stopped: R010")
    assert not done.out.splitlines()[3].endswith("stopped: R010")
    assert "error[R010]: vertex 0 stopped" in done.err
    done = run("loop.v.pica", "-i", "place=0,1;1,0", "--budget", "50", "--format", "json", "-o", "out.npz")
    assert done.code == 1
    document = json.loads(done.out)
    assert [(fault["lane"], fault["code"], fault["step"]) for fault in document["faults"]] == [(0, "R010", 5)]
    assert [d["code"] for d in document["diagnostics"]] == ["R010"]
    with np.load(here / "out.npz") as arrays:
        assert arrays["faults"].tolist() == [0]


def test_sources_are_linked_and_warnings_are_shown(run: Any, here: Path):
    (here / "lib.pica").write_text(".nodvle\n.proc helper\nmov r0, v0\n.end\n")
    (here / "main.v.pica").write_text(".out o position\n.in v\n.proc main\ncall helper\nmov o, r0\nend\n.end\n")
    done = run("main.v.pica", "lib.pica", "-i", "v=5")
    assert done.code == 0
    assert done.out.splitlines()[-1].split() == ["0", "5", "0", "0", "1"]
    (here / "a.txt").write_text(COPY)
    assert run("a.txt", "-i", "place=5").code == 0
    assert run("a.txt", "--dialect", "picasso", "-i", "place=5").code == 0
    (here / "b.txt").write_text("nothing of the kind")
    assert run("b.txt", "-i", "place=5").code == 1
    assert run("main.v.pica", "b.txt").code == 1
    (here / "a.shbin").write_bytes(lw.load("copy.v.pica").to_bytes())
    assert run("main.v.pica", "a.shbin").code == 2


def test_programs_of_a_file(run: Any, here: Path):
    (here / "g.g.pica").write_text(".gsh point c0\n.out o position\n.entry gmain\n.proc gmain\nmov o, v0\nend\n.end\n")
    assert run("copy.v.pica", "g.g.pica", "-i", "place=1").code == 0
    assert run("copy.v.pica", "g.g.pica", "-i", "place=1", "--program", "0").code == 0
    assert run("copy.v.pica", "g.g.pica", "-i", "place=1", "--program", "copy.v.pica").code == 0
    done = run("copy.v.pica", "g.g.pica", "--program", "1")
    assert (done.code, "B009" in done.err) == (1, True)
    done = run("copy.v.pica", "g.g.pica", "--program", "x")
    assert (done.code, "B010" in done.err) == (1, True)
    done = run("g.g.pica", "--format", "json")
    assert (done.code, json.loads(done.out)["diagnostics"][0]["code"]) == (1, "B010")


def test_errors_of_the_source(run: Any, here: Path):
    (here / "bad.v.pica").write_text(".proc main\nfrob r0\nend\n.end\n")
    done = run("bad.v.pica")
    assert done.code == 1
    assert "bad.v.pica:2" in done.err
    assert json.loads(run("bad.v.pica", "--format", "json").out)["diagnostics"]
    assert run("missing.v.pica").code == 1
    assert "cannot read missing.v.pica" in run("missing.v.pica").err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["copy.v.pica", "--input", "place"],
        ["copy.v.pica", "--input", "=1"],
        ["copy.v.pica", "--input", "place="],
        ["copy.v.pica", "--input", "place=1", "--input", "place=2"],
        ["copy.v.pica", "--budget", "0"],
        ["copy.v.pica", "--count", "-1"],
        ["copy.v.pica", "--count", "x"],
        ["copy.v.pica", "-o", "-", "--format", "json"],
        ["copy.v.pica", "--frob"],
        ["copy.v.pica", "-i", "place=1", "--engine", "gpu"],
        ["copy.v.pica", "-i", "place=1", "--threads", "0"],
        ["copy.v.pica", "-i", "place=1", "--threads", "2", "--trace", "0"],
    ],
)
def test_wrong_usage(arguments: list[str], run: Any):
    done = run(*arguments)
    assert done.code == 2
    assert (json.loads(done.out)["diagnostics"][0]["code"] == "U001") if "json" in arguments else not done.out
    assert done.err


def test_help_has_examples(run: Any):
    done = run("--help")
    assert done.code == 0
    assert "examples:" in done.out


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_from_the_second_second_on(run: Any, here: Path, monkeypatch: pytest.MonkeyPatch):
    (here / "many.csv").write_text("1\n" * 1025)
    now = iter((0.0, 0.5, 1.2, 1.3, 1.5, 1.6))
    monkeypatch.setattr(command.time, "monotonic", lambda: next(now))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("copy.v.pica", "-i", "place=many.csv").code == 0
    assert terminal.getvalue() == "\r256 of 1025 vertices (24 %)\r768 of 1025 vertices (74 %)\r\x1b[K"


def test_noise_never_brings_a_traceback(run: Any, here: Path):
    """Options and files made of pieces that belong somewhere else: always 0, 1 or 2."""
    rng = random.Random(5)
    good = lw.load("a.v.pica").to_bytes()
    pieces = [
        "1",
        ",",
        ";",
        "-",
        "nan",
        "inf",
        "1e999",
        "true",
        "x",
        "[",
        "]",
        "0",
        "place",
        "words:",
        "mesh:",
        "a.npy",
        ":",
        "0x",
        ".csv",
        " ",
    ]
    names = [
        "position",
        "color",
        "v0",
        "v15",
        "v16",
        "c0",
        "c95",
        "i0",
        "b0",
        "mvp",
        "mvp[1]",
        "fancy",
        "turns",
        "extra",
        "",
        "=",
        "é",
    ]
    codes: dict[int, int] = {}
    for _ in range(times(150, 400)):
        spoilt = bytearray(good)
        for _ in range(rng.randrange(4)):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        (here / "f.shbin").write_bytes(spoilt)
        (here / "a.npy").write_bytes(
            rng.choice((npy(np.zeros((rng.randrange(3), rng.randrange(6)))), rng.randbytes(40), b"1,2\n3"))
        )
        arguments = [rng.choice(("f.shbin", "a.v.pica", "a.npy")), "--budget", "200"]
        for _ in range(rng.randrange(6)):
            text = "".join(rng.choices(pieces, k=rng.randrange(1, 7)))
            arguments += [rng.choice(("-i", "-u")), f"{rng.choice(names)}={text}"]
        if rng.random() < 0.2:
            arguments += ["--format", "json"]
        code = run(*arguments).code
        codes[code] = codes.get(code, 0) + 1
    assert codes.keys() <= {0, 1, 2}
    assert codes[1] > 100


# Profiles


def test_profiles_are_chosen_by_name_and_field(run: Any):
    long = "-i", f"place={1 + 2**-20!r},{1 + 0.75 * 2**-16!r}"
    seen = {
        (): ("hardware", [0x3F0000, 0x3F0000]),
        ("--profile", "azahar"): ("azahar", [0x3F800008, 0x3F800060]),
        ("--set", "upload=nearest"): ("hardware, upload=nearest", [0x3F0000, 0x3F0001]),
        ("--profile", "azahar", "--set", "rounding=zero", "--set", "upload=nearest"): (
            "azahar, rounding=zero, upload=nearest",
            [0x3F0000, 0x3F0001],
        ),
    }
    for options, (profile, words) in seen.items():
        data = json.loads(run("copy.v.pica", *long, *options, "--format", "json").out)
        assert data["variant"] == profile
        assert data["outputs"]["position"]["bits"][0][:2] == words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--profile", "azhar"), "unknown profile 'azhar': did you mean azahar?"),
        (("--set", "roundng=zero"), "unknown profile field 'roundng': did you mean rounding?"),
        (("--set", "rounding=up"), "rounding cannot be 'up': use zero, nearest or float32"),
        (("--set", "rounding"), "a setting is FIELD=VALUE, such as rounding=nearest, not 'rounding'"),
    ],
)
def test_profiles_that_do_not_exist(run: Any, options: tuple[str, ...], message: str):
    done = run("copy.v.pica", "-i", "place=1", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_what_is_missing_is_said_in_options(run: Any):
    err = run("a.v.pica", "-u", "mvp[1]=1,0,0,0", "-u", "fancy=false").err
    assert "help: give `--input position=...` " in err and "ended the command" not in err
    assert "no value for uniform mvp[0, 2-3] (c0, c2-c3)\n" in err
    assert "help: give `--uniform mvp=...` " in err
    assert err.count("B005") == 1
    for value, cut in (("mvp[1]=1,0,0,0", True), ("mvp[1]=1,0,0,0;0,0,0,0", False)):
        said = f"note: if a `;` came after {value}, a shell ended the command there: write the value in quotes\n"
        assert (said in run("a.v.pica", "-u", value).err) == cut


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("copy.v.pica", "--nope"), "unknown option --nope; see lanewise run --help"),
        (("copy.v.pica", "--drwa", "x.svg"), "unknown option --drwa (did you mean --draw?); see lanewise run --help"),
        (("copy.v.pica", "-i", "place", "1,2"), "-i place 1,2: write -i place=1,2"),
        (
            ("copy.v.pica", "--count", "x"),
            "--count x: use a whole number: number of vertices or lanes; see lanewise run --help",
        ),
        ((), "name a FILE; see lanewise run --help"),
        (
            ("copy.v.pica", "-o", "x.txt"),
            (
                "-o x.txt: outputs are written as .npz or .json, meshes as .obj, .ply or .csv, not as .txt; without -o the "
                "table goes to standard output"
            ),
        ),
        (
            ("copy.v.pica", "-o", "x.vcd"),
            (
                "-o x.vcd: outputs are written as .npz or .json, meshes as .obj, .ply or .csv, not as .vcd; a waveform needs "
                "--trace N and an instruction set with cycles"
            ),
        ),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], says: str, run: Any, here: Path):
    done = run(*arguments)
    assert (done.code, done.out, done.err) == (2, "", f"lanewise run: error: {says}\n")
    assert not list(here.glob("x.*"))


def test_a_json_file_is_the_document(run: Any, here: Path):
    shown = run("copy.v.pica", "-i", "place=1", "-o", "x.json")
    assert (shown.code, shown.out) == (0, "")
    printed = run("copy.v.pica", "-i", "place=1", "--format", "json").out
    assert (here / "x.json").read_text() == printed
    assert run("copy.v.pica", "-i", "place=1", "-o", "copy.v.pica").code == 2
    (here / "x.json").unlink()
    failed = run("copy.v.pica", "-o", "x.json")  # without values
    assert (failed.code, failed.out) == (1, "")
    assert "no data for input" in failed.err
    assert not (here / "x.json").exists()


def test_outputs_without_a_suffix_are_an_npz(run: Any, here: Path):
    assert run("copy.v.pica", "-i", "place=1", "-o", "out").code == 0
    assert np.load(here / "out")["position"].tolist() == [[1, 0, 0, 1]]


def test_a_folder_that_is_not_there_is_named(run: Any):
    done = run("copy.v.pica", "-i", "place=1", "-o", "no/such/x.npz")
    assert (done.code, done.err) == (
        1,
        "lanewise run: error: cannot write no/such/x.npz: folder not found: no/such; create it first\n",
    )
