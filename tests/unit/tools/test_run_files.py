"""Which instruction set a command line of `lanewise run` is for, and from which arguments."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.psa", "-i", "v0=1"], "cannot read none.psa"),
        (["lit.txt", "--rule", "fast"], "--rule"),
        (["lit.txt", "--isa", "shadercore", "--rule", "ieee"], "--rule is an option for Direct3D 9"),
    ],
)
def test_options_and_names_are_those_of_one_instruction_set(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("lit.txt").write_bytes((EXAMPLES / "direct3d9" / "lit.vsa").read_bytes())
    assert main(["run", *arguments]) in (1, 2)
    assert said in capsys.readouterr().err


def test_options_may_stand_before_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    shader = tmp_path / "lit"
    assert main(["asm", str(EXAMPLES / "direct3d9" / "lit.vsa"), "-o", str(shader)]) == 0
    assert main(["run", "-i", "position=1,2,3", "--default", "0", str(shader)]) == 0
    assert "position (oPos)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("example", "made", "says"),
    [
        ("transform.sc", True, "position (o0)"),
        ("direct3d9/lit.vsa", True, "position (oPos)"),
        ("direct3d9/lit.vsa", False, "position (oPos)"),
    ],
)
def test_standard_input_shows_what_it_is(
    example: str, made: bool, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    path = EXAMPLES / example
    if made:
        assert main(["asm", str(path), "-o", str(tmp_path / "made")]) == 0
        path = tmp_path / "made"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert main(["run", "-", "--input", "position=1,2,3", "--default", "0"]) == 0
    assert says in capsys.readouterr().out


def test_a_pipe_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    reading, writing = os.pipe()
    os.write(writing, (EXAMPLES / "direct3d9" / "lit.vsa").read_bytes())
    os.close(writing)
    if not Path(f"/dev/fd/{reading}").exists():
        pytest.skip("no /dev/fd")
    assert main(["run", f"/dev/fd/{reading}", "--input", "position=1,2,3", "--default", "0"]) == 0
    assert "position (oPos)" in capsys.readouterr().out
