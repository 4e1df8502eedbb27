"""A binary that is older than the source beside it."""

import os
from pathlib import Path

import pytest

from lanewise.tools import cli

PICA = ".constf tint({}, 0.0, 0.0, 1.0)\n.out p position\n.in pos\n.proc main\n mov p, tint\n end\n.end\n"
SC = ".input v0 position\n.output o0 position\n add o0.xyzw, v0.xyzw, v0.{}\n end\n"


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.main([*argv]) == 0
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "binary", "text", "one", "other", "data"),
    [
        ("a.v.pica", "a.shbin", PICA, "0.0", "1.0", "v0=1"),
        ("a.sc", "a.scb", SC, "xyzw", "yyzw", "position=1,2,3,4"),
    ],
)
def test_the_binary_of_a_changed_source(
    source: str,
    binary: str,
    text: str,
    one: str,
    other: str,
    data: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / source
    path.write_text(text.format(one))
    assert not run(capsys, "asm", source, "-o", binary)
    given = ("run", binary, "-i", data, "--default", "0")
    assert "U008" not in run(capsys, *given)
    later = (tmp_path / binary).stat().st_mtime + 10
    os.utime(path, (later, later))  # touched, as a checkout does
    assert "U008" not in run(capsys, *given)
    path.write_text(text.format(other))
    os.utime(path, (later, later))
    kind = Path(binary).suffix[1:].upper()
    expected = f"warning[U008]: {source} was changed after {binary} was written, and gives another {kind} now\n  --> {binary}\n"
    assert expected in run(capsys, *given)
    path.write_text("nonsense 1 2\n" + text.format(other))
    os.utime(path, (later, later))
    assert f"was changed after {binary} was written, and has errors now" in run(capsys, *given)
    os.utime(path, (later - 20, later - 20))
    assert "U008" not in run(capsys, *given)
