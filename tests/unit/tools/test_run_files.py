"""Which instruction set a command line of `lanewise run` is for, and from which arguments."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from corpus import REPOSITORY
from lanewise.tools import direct3d9_run
from lanewise.tools.cli import main
from lanewise.tools.run_files import DIRECT3D9, FLAGS, PICA200, SHADERCORE, files_of, isa_of

EXAMPLES = REPOSITORY / "examples"


@pytest.mark.parametrize("module", [direct3d9_run])
def test_the_options_without_a_value_are_known(module: ModuleType):
    parser: argparse.ArgumentParser = module.parser()
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        for option in action.option_strings:
            assert (option in FLAGS) == (action.nargs == 0), option


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (["a.sc", "-i", "v0=b.npy", "--all"], ["a.sc"]),
        (["--all", "a.sc"], ["a.sc"]),
        (["-i", "position=1,2,3", "a.vso", "--const=c0=1"], ["a.vso"]),
        (["-iposition=1,2,3", "a.vso", "-o", "-"], ["a.vso"]),
        (["-", "--count", "2"], ["-"]),
        (["a.v.pica", "b.g.pica", "--indices", "all"], ["a.v.pica", "b.g.pica"]),
    ],
)
def test_files_are_what_is_no_option_and_no_value(argv: list[str], files: list[str]):
    assert files_of(argv) == files


@pytest.mark.parametrize(
    ("argv", "isa"),
    [
        (["none.sc", "--help"], SHADERCORE),
        (["-i", "v0=1", "none.psa"], DIRECT3D9),
        (["none", "--rule", "ieee"], DIRECT3D9),
        (["none", "--from", "hex"], SHADERCORE),
        (["none.sc", "--isa", "pica200"], PICA200),
        (["none", "--isa=direct3d9"], DIRECT3D9),
        (["--help", "--isa", "shadercore"], SHADERCORE),
        (["none"], PICA200),
    ],
)
def test_names_and_options_say_the_instruction_set(argv: list[str], isa: str):
    assert isa_of(argv) == (isa, None)


def test_options_may_stand_before_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    shader = tmp_path / "lit"
    assert main(["asm", str(EXAMPLES / "direct3d9" / "lit.vsa"), "-o", str(shader)]) == 0
    assert main(["run", "-i", "position=1,2,3", str(shader)]) == 0
    assert "oPos position" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("example", "made", "says"),
    [
        ("transform.sc", True, "o0.x"),
        ("direct3d9/lit.vsa", True, "oPos position"),
        ("direct3d9/lit.vsa", False, "oPos position"),
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
    assert main(["run", "-", "--input", "position=1,2,3"]) == 0
    assert says in capsys.readouterr().out


def test_a_pipe_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    reading, writing = os.pipe()
    os.write(writing, (EXAMPLES / "direct3d9" / "lit.vsa").read_bytes())
    os.close(writing)
    if not Path(f"/dev/fd/{reading}").exists():
        pytest.skip("no /dev/fd")
    assert main(["run", f"/dev/fd/{reading}", "--input", "position=1,2,3"]) == 0
    assert "oPos position" in capsys.readouterr().out


@pytest.mark.parametrize(("file", "isa"), [("transform.sc", SHADERCORE), ("direct3d9/lit.vsa", DIRECT3D9)])
def test_wrong_options_name_the_help_that_has_the_right_ones(file: str, isa: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(EXAMPLES / file), "--uniform", "c0=1"]) == 2
    assert f"see lanewise run --isa {isa} --help" in capsys.readouterr().err
