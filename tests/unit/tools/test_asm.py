"""The assembler commands as a user meets them: files, exit codes, formats, messages."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lanewise.tools import cli, dis, picasso

GOOD = ".out pos position\n.in p\n.proc main\n\tmov pos, p\n\tend\n.end\n"
BAD = ".out pos position\n.proc main\n\tadd r0, c0, c1\n\tmov pos, speed\n\tend\n.end\n"


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.v.pica").write_text(GOOD)
    (tmp_path / "bad.v.pica").write_text(BAD)
    (tmp_path / "source.txt").write_text("neither of these\n")
    return tmp_path


def run(*arguments: str) -> int:
    return cli.main(list(arguments))


def test_default_output_is_beside_the_source_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("asm", "good.v.pica") == 0
    assert (tmp_path / "good.shbin").read_bytes()[:4] == b"DVLB"
    assert capsys.readouterr().err == "lanewise asm: wrote good.shbin\n"
    assert run("asm", "good.v.pica", "-o", "good.shbin") == 0
    assert capsys.readouterr().err == ""


def test_an_unknown_suffix_is_said(capsys: pytest.CaptureFixture[str]):
    assert run("asm", "good.v.pica", "-o", "good.rom") == 0
    said = "good.rom: .rom is an unknown suffix, so the form is that of .shbin; known suffixes are .shbin, .bin"
    assert capsys.readouterr().err == f"lanewise asm: {said}\n"
    assert run("asm", "good.v.pica", "-o", "good") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("name", "option"), [("new.shbin", "-o"), ("good.shbin", "-o"), ("good.h", "-H")])
def test_an_output_without_its_option_is_recognised(name: str, option: str, capsys: pytest.CaptureFixture[str]):
    assert run("asm", "good.v.pica", "-o", "good.shbin") == 0
    assert run("asm", "good.v.pica", name) == 2
    assert capsys.readouterr().err.endswith(f"; the file to write is {option} {name}\n")


def test_all_errors_come_in_one_run(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run("asm", "bad.v.pica") == 1
    err = capsys.readouterr().err
    assert "error[V004]" in err
    assert "error[P025]" in err
    assert "--> bad.v.pica:3:14\n" in err
    assert "            ^^" in err
    assert "2 errors" in err
    assert not (tmp_path / "bad.shbin").exists()


def test_json(capsys: pytest.CaptureFixture[str]):
    assert run("asm", "bad.v.pica", "--check", "--format", "json") == 1
    findings = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(f["code"], f["span"]["line"], f["span"]["column"]) for f in findings] == [("V004", 3, 14), ("P025", 4, 11)]


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert run("asm", "-") == 0
    assert capfdbinary.readouterr().out[:4] == b"DVLB"


def test_an_old_output_survives_errors(tmp_path: Path):
    (tmp_path / "out.shbin").write_bytes(b"old")
    assert run("asm", "bad.v.pica", "-o", "out.shbin") == 1
    assert (tmp_path / "out.shbin").read_bytes() == b"old"
    assert not list(tmp_path.glob(".*tmp"))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["asm"], 2, "name a source file"),
        (["asm", "good.v.pica", "--colour"], 2, "unknown option --colour"),
        (["asm", "good.v.pica", "-o"], 2, "needs a value"),
        (["asm", "missing.v.pica"], 1, "cannot read missing.v.pica: No such file"),
        (["asm", "."], 1, "cannot read ."),
        (["asm", "-o", "a.shbin", "-h", "a.h", "good.v.pica"], 2, "a header is -H FILE"),
        (["asm", "-o", "a.shbin", "good.v.pica", "-h"], 2, "a header is -H FILE"),
        (["asm", "good.v.pica", "-o", "no/such/x.shbin"], 1, "cannot write no/such/x.shbin: folder not found: no/such"),
        (["asm", "missing.txt"], 1, "cannot read missing.txt"),
        (["asm", "source.txt"], 2, "use --dialect picasso"),
        (["asm", "good.v.pica", "--format", "xml"], 2, "use text, json"),
        (["asm", "-", "--format", "json"], 2, "both want standard output"),
        (["asmm", "x"], 2, "did you mean asm?"),
        ([], 2, "usage:"),
        (["dis", "missing.shbin"], 1, "cannot read missing.shbin"),
        (["dis", "good.v.pica"], 2, "is a picasso source, not a binary"),
        (["dis", "good.v.pica", "--descriptors", "x"], 2, "goes with --words"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]):
    assert run(*arguments) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["asm", "good.v.pica", "-o", "good.v.pica"],
        ["asm", "good.v.pica", "-o", "x.shbin", "-H", "./good.v.pica"],
        ["asm", "good.v.pica", "-o", "same", "-H", "same"],
        ["dis", "good.shbin", "-o", "good.shbin"],
    ],
)
def test_nothing_is_overwritten_by_mistake(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("asm", "good.v.pica") == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run(*arguments) == 2
    assert "it would be overwritten" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("($0 -m lanewise asm bad.v.pica 2>&1 >/dev/null; echo $? >code) | head -c 1 >/dev/null; exit $(cat code)", 1),
        ("$0 -m lanewise asm good.v.pica -o - >/dev/full", 1),
        ("$0 -m lanewise asm - <&-", 1),
    ],
)
def test_closed_and_full_streams(command: str, code: int):
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    done = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


def test_sources_that_need_options_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "bare.v.pica").write_text(".proc main\n\tifu b0\n\t.end\n\tend\n.end\n")
    assert run("asm", "-n", "bare.v.pica") == 0
    capsys.readouterr()
    assert dis.main(["bare.shbin"]) == 0
    captured = capsys.readouterr()
    assert "lanewise-picasso --no-nop" in captured.out.splitlines()[0]
    assert "assemble with --no-nop" in captured.err


def test_names_and_stages(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "odd.v.pica").write_text(".proc main\n\tsetemit 0\n\tend\n.end\n")
    (tmp_path / "odd.g.pica").write_text(".proc main\n\tend\n.end\n")
    assert run("asm", "odd.v.pica") == 0
    assert "V091" in capsys.readouterr().err
    assert run("asm", "odd.g.pica") == 0
    assert "V091" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["asm", "dis", "inspect", "run", "graph", "isa"])
def test_help_has_examples(command: str, capsys: pytest.CaptureFixture[str]):
    try:
        assert run(command, "--help") == 0
    except SystemExit as leave:
        assert leave.code == 0
    assert "examples:" in capsys.readouterr().out


def test_version_and_help(capsys: pytest.CaptureFixture[str]):
    assert run("--version") == 0
    assert run("--help") == 0
    out = capsys.readouterr().out
    assert out.startswith("lanewise 0.")
    assert "\n  dis " in out


def test_short_options_together(tmp_path: Path):
    assert run("asm", "-noout.shbin", "good.v.pica") == 0
    assert (tmp_path / "out.shbin").exists()
    (tmp_path / "-x.pica").write_text((tmp_path / "good.v.pica").read_text())
    assert run("asm", "--out=b.shbin", "--", "-x.pica") == 0
    assert (tmp_path / "b.shbin").read_bytes() == (tmp_path / "out.shbin").read_bytes()


def test_the_drop_in_speaks_like_a_compiler(capsys: pytest.CaptureFixture[str]):
    assert picasso.main(["-o", "x.shbin", "bad.v.pica"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("bad.v.pica:3:14: error: add reads two uniforms, c0 and c1")
    assert lines[0].endswith("[V004]")
    assert lines[1] == "    \tadd r0, c0, c1"
    assert lines[2] == "    \t            ^^"


def test_the_drop_in_honours_position_markers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "made.v.pica").write_text('# 70 "light.glsl"\n' + BAD)
    assert picasso.main(["-o", "x.shbin", "made.v.pica"]) == 1
    assert "light.glsl:72:14: error:" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--version"], ["-v"], ["--help"]])
def test_the_drop_in_information(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert picasso.main(arguments) == 0
    assert "picasso" in capsys.readouterr().out


def test_several_sources_go_to_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "second.v.pica").write_text(GOOD.replace("main", "other") + ".entry other\n")
    assert run("asm", "good.v.pica", "second.v.pica", "-o", "both.shbin") == 0
    assert dis.main(["both.shbin", "-o", "out"]) == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["both.0.v.pica", "both.1.v.pica"]
    capsys.readouterr()
    assert dis.main(["both.shbin", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["plain"] is True
    assert dis.main(["both.shbin"]) == 0
    assert "; ---- both.1.v.pica ----" in capsys.readouterr().out


def test_a_binary_file_is_one_finding(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    (tmp_path / "noise.v.pica").write_bytes(b"\x7fELF\n\xff\0.proc\n" + bytes(range(256)))
    (tmp_path / "also.v.pica").write_text(GOOD)
    for arguments in (["noise.v.pica"], ["also.v.pica", "noise.v.pica", "-o", "x.shbin"]):
        assert run("asm", *arguments) == 1
        lines = capsys.readouterr().err.splitlines()
        assert lines[:2] == ["error[P058]: binary file: it contains a zero byte", "  --> noise.v.pica:2"]
        assert sum(line.startswith("error") for line in lines) == 1
    assert not (tmp_path / "x.shbin").exists()


def test_as_a_module_without_colour():
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "lanewise", "asm", "bad.v.pica"], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 1
    assert "\x1b[" not in done.stderr
    assert "Traceback" not in done.stderr


def test_import_is_light():
    """`import lanewise` and assembling bring in neither numpy nor anything else that is slow."""
    code = (
        "import sys, lanewise; import lanewise.tools.asm, lanewise.tools.cli; "
        "print(sorted({'numpy', 'llvmlite', 'typing', 're', 'dataclasses', 'argparse'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])},
    )
    assert done.stdout.strip() == "[]", done.stderr


PARTS = {
    "main.vsh": ".fvec shared[4]\n.out pos position\n.in p\n.proc main\n    mul pos, shared[1], p\n    end\n.end\n",
    "parts.vsh": ".fvec shared[4]\n.nodvle\n",
}


@pytest.mark.parametrize(
    "command", [["asm"], ["check", "--link"], ["convert", "--to", "picasso"]], ids=["asm", "check", "convert"]
)
def test_picasso_sources_with_the_suffix_of_nihstro_are_linked(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    for name, text in PARTS.items():
        Path(name).write_text(text)
        Path(name).with_suffix(".pica").write_text(text)
    output = [] if command[0] == "check" else ["-o", "made"]
    assert cli.main([*command, "main.vsh", "parts.vsh", *output]) == 0, capsys.readouterr().err
    if output:
        made = Path("made").read_bytes().split(b"\n")
        assert cli.main([*command, "main.pica", "parts.pica", *output]) == 0
        first = command[0] == "convert"  # which names the source
        assert Path("made").read_bytes().split(b"\n")[first:] == made[first:]


def test_the_drop_in_reads_picasso_whatever_the_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name, text in PARTS.items():
        Path(name).write_text(text)
        Path(name).with_suffix(".pica").write_text(text)
    assert picasso.main(["-o", "suffix.shbin", "main.vsh", "parts.vsh"]) == 0
    assert picasso.main(["-o", "usual.shbin", "main.pica", "parts.pica"]) == 0
    assert Path("suffix.shbin").read_bytes() == Path("usual.shbin").read_bytes()
    Path("other.vsh").write_text("main:\n    nop\n    end\n")
    assert picasso.main(["-o", "other.shbin", "other.vsh"]) == 1, "as picasso refuses it"
