"""Damaged files, closed streams and odd terminals: one line with the file, what is wrong and a fix, and never an internal
error."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from corpus import REPOSITORY
from lanewise.core.diagnostics import visible
from lanewise.tools.cli import main
from lanewise.tools.picasso import main as picasso

EXAMPLES = REPOSITORY / "examples"
PICASSO = ".out place position\n.in position\n.proc main\n    mov place, position\n    end\n.end\n"
ESCAPE = "\x1b]0;x\x07"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.v.pica").write_text(PICASSO)
    return tmp_path


def failure(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    """The only line that a command prints."""
    assert main(list(arguments)) == code
    printed = capsys.readouterr()
    (line,) = (printed.out + printed.err).splitlines()
    assert "internal error" not in line
    return line


# Data


def test_a_directory_of_an_archive_that_points_before_the_file(capsys: pytest.CaptureFixture[str]):
    stream = io.BytesIO()
    np.savez(stream, position=np.ones((2, 4), np.float32))
    data = bytearray(stream.getvalue())
    end = data.rindex(b"PK\5\6")
    struct.pack_into("<I", data, end + 16, struct.unpack_from("<I", data, end + 16)[0] + 12)
    Path("bad.npz").write_bytes(data)
    line = failure(capsys, "run", "p.v.pica", "-i", "position=bad.npz")
    assert line.startswith("lanewise run: error: bad.npz is not a valid .npz file: ")


def test_an_unknown_compression_of_an_archive(capsys: pytest.CaptureFixture[str]):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("position.npy", b"x")
    Path("bad.npz").write_bytes(stream.getvalue().replace(b"PK\1\2\x14\3\x14\0\0\0\0\0", b"PK\1\2\x14\3\x14\0\0\0\x63\0"))
    assert "bad.npz is not a valid .npz file: " in failure(capsys, "run", "p.v.pica", "-i", "position=bad.npz")


def test_the_header_of_an_array_gives_no_warning(recwarn: pytest.WarningsRecorder, capsys: pytest.CaptureFixture[str]):
    """It is a Python literal, whose odd escapes Python warns of."""
    np.save("bad.npy", np.ones((2, 4), np.float32))
    Path("bad.npy").write_bytes(Path("bad.npy").read_bytes().replace(b"'descr'", b"'des\\|'"))
    assert "bad.npy is not a valid .npy file: " in failure(capsys, "run", "p.v.pica", "-i", "position=bad.npy")
    assert not recwarn.list


@pytest.mark.parametrize(
    "arguments",
    [
        ["time", str(EXAMPLES / "transform.sc"), "--device", "d.toml"],
        ["run", str(EXAMPLES / "transform.sc"), "-i", "v0=1", "--device", "d.toml"],
        ["check", str(EXAMPLES / "transform.sc"), "--device", "d.toml"],
        ["compile", str(EXAMPLES / "direct3d9" / "lit.vsa"), "--device", "d.toml"],
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-2]}",
)
@pytest.mark.parametrize(
    ("toml", "said"),
    [
        (f"a = {'9' * 5000}", "d.toml: an integer has too many digits, expected at most 19"),
        (f"a = {'[' * 100000}", "d.toml: values are nested too deeply, expected a "),
        ("a = ", "d.toml is not valid TOML"),
    ],
    ids=["digits", "depth", "syntax"],
)
def test_settings(arguments: list[str], toml: str, said: str, capsys: pytest.CaptureFixture[str]):
    Path("d.toml").write_text(toml)
    assert said in failure(capsys, *arguments)


@pytest.mark.parametrize("option", ["--uniforms", "--data"])
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("d.toml", f"a = {'9' * 5000}", "an integer has too many digits"),
        ("d.json", f'{{"a": {"9" * 5000}}}', "an integer has too many digits"),
        ("d.toml", f"a = {'[' * 100000}", "values are nested too deeply"),
        ("d.json", "[" * 100000, "values are nested too deeply"),
        ("d.toml", "a = ", "a key without a value"),
        ("d.json", "{", "the text ends inside a value"),
    ],
)
def test_values(option: str, name: str, text: str, said: str, capsys: pytest.CaptureFixture[str]):
    Path(name).write_text(text)
    assert main(["run", "p.v.pica", "-i", "position=1", option, name]) == 1
    first, place, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith(f"error[T001]: invalid {name[2:].upper()}: {said}")
    assert place.startswith(f"  --> {name}")


def test_too_little_memory_and_too_deep_nesting_name_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for raised, said in (
        (MemoryError, "not enough memory for p.v.pica: "),
        (RecursionError, "p.v.pica nests too deeply: "),
    ):

        def fails(name: str, data: bytes, raised: type[BaseException] = raised) -> None:
            raise raised

        monkeypatch.setattr("lanewise.tools.asm.recognise", fails)
        assert said in failure(capsys, "asm", "p.v.pica")


# Meshes

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
)
STL = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("m.obj", OBJ.replace("1 2 3", "1 2 x"), "m.obj:4: 'x' is not a corner of a face"),
        ("m.obj", OBJ.replace("v 1 0 0", "v 1 0"), "m.obj:2: 'v' has 2 numbers, expected 3"),
        ("m.obj", OBJ.replace("v 1 0 0", "v 1 a 0"), "m.obj:2: 'a' is not a number"),
        ("m.obj", OBJ.replace("1 2 3", "1 2 9"), "m.obj:4: a face names 'v' 9: there are 3"),
        ("m.ply", PLY.replace("ascii", "text"), "m.ply:2: unknown format 'text'"),
        ("m.ply", PLY.replace("vertex 3", "vertex x"), "m.ply:3: expected 'element', a name and a count"),
        ("m.ply", PLY.replace("float y", "number y"), "m.ply:5: expected 'property', a type"),
        ("m.ply", PLY.replace("end_header", ""), "m.ply:9: unknown line '' in the header"),
        ("m.ply", PLY.replace("1 0 0", "1 x 0"), "m.ply:11: 'x' is not a number"),
        ("m.ply", PLY.replace("vertex 3", "vertex 30"), "m.ply: the header promises 30 rows of 'vertex', the file has 4"),
        ("m.stl", STL.replace("vertex 1 0 0", "vertex 1 0"), "m.stl:5: expected 'vertex' and three numbers"),
        ("m.stl", "x" * 10, "m.stl: 10 bytes, expected a header of 84"),
        ("m.stl", "\0" * 80 + "\3\0\0\0", "m.stl: the header promises 3 triangles, 234 bytes, but there are 84"),
        ("m.glb", "glTF", "m.glb: the file does not begin with the header of a GLB"),
        ("m.glb", "glTF\2\0\0\0\x16\0\0\0\2\0\0\0JSON{}", "m.glb: the scene has no 'meshes'"),
        ("m.glb", "glTF\2\0\0\0\x15\0\0\0\1\0\0\0JSON{", "m.glb: the JSON of the scene is invalid: "),
    ],
)
def test_damaged_meshes(name: str, data: str, said: str, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("trimesh")
    Path(name).write_text(data)
    line = failure(capsys, "run", "p.v.pica", "--mesh", name)
    assert f"cannot read the mesh {said}" in line
    assert line.endswith("; correct it, or export it again")


# Streams


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "p.v.pica", "--stats"],
        ["check", "p.v.pica", "--format", "sarif"],
        ["check", "--explain", "V070"],
        ["inspect", "p.v.pica"],
        ["isa"],
        ["isa", "pica200", "--format", "json"],
        ["time", str(EXAMPLES / "transform.sc")],
        ["fmt", "--diff", "ragged.v.pica"],
        ["fmt", "--format", "json", "p.v.pica"],
        ["dis", "p.shbin"],
        ["graph", "p.v.pica"],
        ["convert", "p.v.pica", "--to", "nihstro"],
        ["fmt", "-"],
        ["cache"],
        ["compile", str(EXAMPLES / "direct3d9" / "lit.vsa"), "-o", "-"],
        ["compile", str(EXAMPLES / "direct3d9" / "lit.vsa"), "--stage", "code"],
        ["run", "p.v.pica", "-i", "position=1"],
        ["asm", "p.v.pica", "-o", "-"],
        ["--help"],
        ["run", "--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_standard_output_that_is_closed(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    Path("ragged.v.pica").write_text(PICASSO.replace("    ", ""))
    assert main(["asm", "p.v.pica", "-o", "p.shbin"]) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PICASSO.encode())))
    monkeypatch.setattr(sys, "stdout", None)
    assert main(arguments) == 1
    assert capsys.readouterr().err.endswith("error: cannot write to standard output: it is closed\n")


@pytest.mark.skipif(os.name != "posix", reason="the shell is POSIX's")
def test_closed_streams_of_a_process():
    code = "import sys; from lanewise.tools.cli import main; sys.exit(main())"
    for closed, said in ((">&-", b"lanewise isa: error: cannot write to standard output: it is closed\n"), (">&- 2>&-", b"")):
        command = ["/bin/sh", "-c", f'exec "$0" -c "$1" isa {closed}', sys.executable, code]
        run = subprocess.run(command, capture_output=True, check=False)
        assert (run.returncode, run.stderr) == (1, said)


def test_closed_standard_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Findings have nowhere to go, and do not go to standard output."""
    Path("bad.v.pica").write_text("mul\n")
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["asm", "bad.v.pica"]) == 1
    assert main(["asm", "none.v.pica"]) == 1
    assert main(["asm", "p.v.pica", "-o", "p.shbin"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_differences_of_sources_are_utf8(encoding: str, monkeypatch: pytest.MonkeyPatch):
    Path("p.v.pica").write_text(PICASSO.replace("    mov", "mov  ; \u65e5\u672c\n    mov"), "utf-8")
    out = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["fmt", "--diff", "p.v.pica"]) == 0
    shown = out.buffer
    assert isinstance(shown, io.BytesIO)
    assert "-mov  ; \u65e5\u672c\n".encode() in shown.getvalue()
    assert "+    mov ; \u65e5\u672c\n".encode() in shown.getvalue()


@pytest.mark.parametrize("columns", ["\u00b2", "", "x", "0", "-1", "9" * 5000, "\u0663"])
def test_widths_of_a_terminal(columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["run", "--help"])
    assert capsys.readouterr().out.startswith("usage: lanewise run")


# Control characters


def test_what_is_visible():
    assert visible("a\tb\nc \u65e5 \u00e9") == "a\tb\nc \u65e5 \u00e9"
    assert visible("\x1b\x07\x7f\x9b\r\u202e\u2066\0") == "\\x1b\\x07\\x7f\\x9b\\r\\u202e\\u2066\\x00"
    assert visible("a\nb", "") == "a\\nb"
    assert visible("\udcff") == "\\udcff"


@pytest.mark.parametrize(
    "arguments",
    [
        ["asm", f"{ESCAPE}.v.pica"],
        ["check", f"{ESCAPE}.v.pica"],
        ["check", f"{ESCAPE}.v.pica", "--format", "github"],
        ["fmt", "--check", f"{ESCAPE}ok.v.pica"],
        ["fmt", "--diff", f"{ESCAPE}ok.v.pica"],
        ["inspect", f"{ESCAPE}ok.v.pica"],
        ["run", f"{ESCAPE}ok.v.pica", "-i", f"{ESCAPE}=1"],
        [ESCAPE],
        ["isa", ESCAPE],
        ["asm", f"no{ESCAPE}"],
        ["asm", f"{ESCAPE}.v.pica", "-o", f"{ESCAPE}/x"],
        ["graph", f"{ESCAPE}ok.v.pica", "-o", "a.svg", "--format", ESCAPE],
        ["run", "p.v.pica", "-i", f"position={ESCAPE}"],
        ["compile", str(EXAMPLES / "direct3d9" / "lit.vsa"), "--int", ESCAPE],
        ["dis", "two.shbin", "-o", ESCAPE],
    ],
    ids=lambda arguments: ascii(" ".join(arguments)),
)
def test_control_characters_are_escaped(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    Path(f"{ESCAPE}.v.pica").write_text(f"mul{ESCAPE} r0\n.{ESCAPE}\nmov {ESCAPE}, r1\n")
    Path(f"{ESCAPE}ok.v.pica").write_text(PICASSO.replace("    ", ""))
    main(["asm", str(EXAMPLES / "subdivide.v.pica"), str(EXAMPLES / "subdivide.g.pica"), "-o", "two.shbin"])
    capsys.readouterr()
    main(arguments)
    printed = capsys.readouterr()
    text = printed.out + printed.err
    assert "\\x1b]0;x\\x07" in text
    assert not any(control in text for control in "\x1b\x07")


def test_picasso_escapes_them_too(capsys: pytest.CaptureFixture[str]):
    Path("p.v.pica").write_text(f"mul{ESCAPE} r0\n")
    assert picasso(["p.v.pica", "-o", "out"]) == 1
    printed = capsys.readouterr().err
    assert "\\x1b" in printed
    assert "\x1b" not in printed


# Line ends


SOURCES = {
    "s.v.pica": PICASSO,
    "s.vsh": "main:\n    mov o0, v0\n    nop\n    end\n",
    "s.sc": ".input v0 position\n.output o0 position\nmul o0.xyzw, v0.xyzw, v0.xyzw\nend\n",
    "s.vsa": "vs_1_1\ndcl_position v0\nmov oPos, v0\n",
}
COMMENTS = {"s.v.pica": ";", "s.vsh": "//", "s.sc": ";", "s.vsa": "//"}


@pytest.mark.parametrize(("name", "text"), SOURCES.items())
@pytest.mark.parametrize("ends", ["\r\n", "mixed", "\r\r\n"])
def test_line_ends_that_are_read(name: str, text: str, ends: str):
    for written in (text, text.replace("\n", "\r\n", 1) if ends == "mixed" else text.replace("\n", ends)):
        Path(name).write_bytes(written.encode())
        assert main(["asm", name, "-o", f"out{written == text}"]) == 0
    assert Path("outTrue").read_bytes() == Path("outFalse").read_bytes()


@pytest.mark.parametrize(("name", "text"), SOURCES.items())
def test_a_carriage_return_inside_a_line(name: str, text: str, capsys: pytest.CaptureFixture[str]):
    """An editor shows what follows it as a line of its own; an assembler reads it as a part of the comment."""
    first, _, rest = text.partition("\n")
    Path(name).write_bytes(f"{first}\n{COMMENTS[name]} why\rnonsense\n{rest}".encode())
    for command in (["asm", name, "-o", "out"], ["check", name], ["fmt", name]):
        assert main(command) == 1
        printed = capsys.readouterr()
        assert (
            "error[P000]: carriage return (CR) inside a line: an editor shows a new line here, the assembler reads the same "
            f"line\n  --> {name}:2:"
        ) in (printed.out + printed.err)


@pytest.mark.parametrize(("name", "text"), SOURCES.items())
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings(name: str, text: str, encoding: str, capsys: pytest.CaptureFixture[str]):
    """Such as PowerShell's `>` writes."""
    data = text.encode(encoding)
    Path(name).write_bytes(data)
    for command in (["asm", name, "-o", "out"], ["check", name], ["fmt", name]):
        assert main(command) == 1
        printed = capsys.readouterr()
        assert f"error[P000]: the text is encoded in {encoding[:6].upper()}: expected UTF-8" in printed.out + printed.err
    assert Path(name).read_bytes() == data


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.vsh", '.include "part"\nmain:\n    mov o0, v0\n    nop\n    end\n'),
        ("s.vsa", 'vs_1_1\n#include "part"\nmov oPos, v0\n'),
    ],
)
def test_included_files_are_judged_alike(name: str, text: str, capsys: pytest.CaptureFixture[str]):
    Path(name).write_text(text)
    Path("part").write_bytes(b"// one\r// two\r")
    assert main(["asm", name, "-o", "out"]) == 1
    assert (
        "error[P000]: the lines end with carriage returns (CR) only: expected LF or CR LF\n  --> part:1"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(("name", "text"), SOURCES.items())
def test_formatting_keeps_the_end_of_each_line(name: str, text: str):
    ends = ["\n" if n % 2 else "\r\n" for n in range(text.count("\n"))]
    lines = [f"{COMMENTS[name]}x   ", *text.split("\n")[1:-1]]
    Path(name).write_bytes("".join([line + end for line, end in zip(lines, ends, strict=True)]).encode())
    assert main(["fmt", name]) == 0
    formatted = Path(name).read_bytes().decode()
    assert [line.endswith("\r") for line in formatted.split("\n")[:-1]] == [end == "\r\n" for end in ends]


@pytest.mark.parametrize(("name", "text"), SOURCES.items())
def test_carriage_returns_only(name: str, text: str, capsys: pytest.CaptureFixture[str]):
    Path(name).write_bytes(text.replace("\n", "\r").encode())
    before = Path(name).read_bytes()
    commands = [["asm", name, "-o", "out"], ["check", name], ["fmt", name]]
    for command in commands:
        assert main(command) == 1
        printed = capsys.readouterr()
        lines = (printed.out + printed.err).splitlines()
        assert lines[:2] == [
            "error[P000]: the lines end with carriage returns (CR) only: expected LF or CR LF",
            f"  --> {name}:1",
        ]
        assert lines[2].startswith("help: convert them, such as with `tr ")
        assert "error" not in "".join(lines[3:]).replace("1 error", "")
    assert Path(name).read_bytes() == before
    Path(name).write_bytes(text.replace("\n", "\r\n").encode())
    assert main(commands[0]) == 0


def test_picasso_reads_them_as_one_line(capsys: pytest.CaptureFixture[str]):
    """As picasso does; and a line of a longer source may have one."""
    Path("p.v.pica").write_bytes(PICASSO.replace("\n", "\r").encode())
    assert picasso(["p.v.pica", "-o", "out"]) == 1
    assert "P000" not in capsys.readouterr().err
    Path("p.v.pica").write_bytes(PICASSO.replace("nd\n.end", "nd\r\n.end").encode())
    assert main(["asm", "p.v.pica", "-o", "out"]) == 0


# Help


def test_help_of_a_command(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["help", "run"])
    assert capsys.readouterr().out.startswith("usage: lanewise run [OPTION ...]")


def test_explaining_the_beginning_of_codes(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--explain", "v07"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:11]] == [f"V07{digit}" for digit in range(10)]
    assert lines[1].split(maxsplit=1)[1] == "consecutive mova"
    assert main(["check", "--explain", "v70"]) == 2
    assert capsys.readouterr().err.endswith("unknown code v70: did you mean V070?\n")


@pytest.mark.parametrize(
    ("body", "code", "fix"),
    [
        ("for i0\n nop\n .end\n", "R001", "look for a backward jump whose condition never changes, or use a larger budget"),
        ("breakc cmp.x\n", "R002", "break only inside `for`"),
        ("mov o0, v0\n", "R003", "end every path with `end`"),
        (".word 0x44000000\n", "R004", "jump around data words"),
    ],
)
def test_a_stopped_vertex_has_a_fix(body: str, code: str, fix: str, capsys: pytest.CaptureFixture[str]):
    end = "" if code == "R003" else "end\n"
    Path("p.v.pica").write_text(f".out - position o0\n.proc main\ncmp v0, eq, eq, v0\n{body}{end}.end\n")
    main(["run", "p.v.pica", "-i", "v0=0", "-u", "i0=200,0,1", "--budget", "100"])
    printed = capsys.readouterr()
    (help_line,) = [
        line for line in (printed.out + printed.err).split(f"error[{code}]")[1].splitlines() if line.startswith("help: ")
    ]
    assert help_line.startswith(f"help: {fix}")


def test_the_name_of_a_shader_test_is_a_list():
    from lanewise.core.diagnostics import InputError
    from lanewise.tools.shadertest import read

    Path("x.shadertest.toml").write_text('program = "p.v.pica"\n[[test]]\nname = [[1, 0, 0, 0]]\noutputs = { place = [0] }\n')
    with pytest.raises(InputError, match="the name of test 1 is not a string"):
        read(Path("x.shadertest.toml"))


def given(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input_has_one_use(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Which may look at it several times."""
    given(monkeypatch, PICASSO.encode())
    error = failure(capsys, "debug", "-", "--default", "0", "--headless", "-")
    assert error.endswith("standard input is already read for FILE: name a file for --headless")
    dump = EXAMPLES / "dump"
    given(monkeypatch, (dump / "state.json").read_bytes())
    words = ["--words", str(dump / "code.txt"), "--descriptors", str(dump / "descriptors.json")]
    assert main(["run", *words, "--data", "-"]) == 0
    capsys.readouterr()
    main(["asm", "p.v.pica", "-o", "p.shbin"])
    given(monkeypatch, bytes(64) + Path("p.shbin").read_bytes())
    assert main(["inspect", "-"]) == 1
    assert "an SHBIN is inside this file, the first at 0x40" in capsys.readouterr().err
