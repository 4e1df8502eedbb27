"""Binary output to a terminal or a stream of text is refused with a fix, by every command that has it; text, files and pipes
are not."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

import pytest

from lanewise.tools import cli

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("transform.sc", "lighting.v.pica", "direct3d9/tone.psa"):
        (tmp_path / Path(name).name).write_bytes((EXAMPLES / name).read_bytes())
    assert cli.main(["asm", "transform.sc"]) == 0
    return tmp_path


BINARY = (
    ["dis", "transform.scb", "--to", "bin"],
    ["asm", "transform.sc", "-o", "-"],
    ["asm", "transform.sc", "--to", "bin", "-o", "-"],
    ["asm", "lighting.v.pica", "-o", "-"],
    ["asm", "tone.psa", "-o", "-"],
    ["compile", "tone.psa", "-o", "-"],
    ["run", "transform.sc", "-i", "position=1,2,3", "-i", "color=1,1,1,1", "-o", "-"],
)


def written(monkeypatch: pytest.MonkeyPatch, argv: list[str], kind: type[io.TextIOWrapper]) -> tuple[int, bytes]:
    """The exit code of a command and what it writes to standard output."""
    output = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", kind(output, encoding="utf-8"))
        code = cli.main(argv)
        sys.stdout.flush()
        return code, output.getvalue()


@pytest.mark.parametrize("argv", BINARY, ids=" ".join)
def test_binary_output(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argv: list[str]):
    code, data = written(monkeypatch, argv, Terminal)
    assert (code, data) == (2, b"")
    assert (
        "binary output does not go to a terminal: name a file with -o, or redirect standard output" in capsys.readouterr().err
    )
    code, data = written(monkeypatch, argv, io.TextIOWrapper)
    assert code == 0
    assert b"\0" in data


@pytest.mark.parametrize(
    "argv", [["dis", "transform.scb"], ["dis", "transform.scb", "--to", "hex"], ["time", "transform.sc"]], ids=" ".join
)
def test_text(folder: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str]):
    code, data = written(monkeypatch, argv, Terminal)
    assert code == 0
    assert data


TEXT = (
    ["--version"],
    ["--help"],
    ["asm", "--help"],
    ["check", "--help"],
    ["check", "lighting.v.pica", "--format", "json"],
    ["check", "broken.v.pica", "--format", "json"],
    ["dis", "transform.scb"],
    ["inspect", "transform.scb"],
    ["isa", "pica200", "mad"],
    ["graph", "lighting.v.pica"],
    ["run", "transform.sc", "-i", "position=1,2,3", "-i", "color=1,1,1,1"],
)


@pytest.mark.parametrize("argv", TEXT, ids=" ".join)
def test_text_goes_to_a_stream_of_text(folder: Path, argv: list[str]):
    (folder / "broken.v.pica").write_text("; caf\xe9\nmov\n", "utf-8")

    def code_of() -> int:
        try:
            return cli.main(argv)
        except SystemExit as end:
            return int(end.code or 0)

    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(output):
        code = code_of()
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        assert code_of() == code
    output.seek(0)
    assert stream.getvalue() == output.read() != ""


@pytest.mark.parametrize("argv", BINARY, ids=" ".join)
def test_binary_output_to_a_stream_of_text(folder: Path, capsys: pytest.CaptureFixture[str], argv: list[str]):
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        assert cli.main(argv) == 2
    assert stream.getvalue() == ""
    assert "binary output does not go to a stream of text: name a file with -o" in capsys.readouterr().err


def test_standard_input_of_text_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A stream without bytes, as in notebooks and tests."""
    monkeypatch.setattr("sys.stdin", io.StringIO("main:\nnop\nend\n"))
    assert cli.main(["fmt", "-", "--dialect", "nihstro"]) == 0
    assert capsys.readouterr().out == "main:\n    nop\n    end\n"
