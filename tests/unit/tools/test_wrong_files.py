"""Files of another kind, and readers that go away: one finding with a cure, and never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples"


@pytest.mark.parametrize("command", [["--help"], ["--version"], ["compile", "--help"], ["isa", "direct3d9"]])
def test_a_reader_that_goes_away_is_no_error(command: list[str]):
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read(); from lanewise.tools.cli import main; sys.exit(main())", *command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.close()  # and only now it begins
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_time_says_what_a_direct3d9_shader_needs(capsys: pytest.CaptureFixture[str]):
    assert main(["time", str(EXAMPLES / "direct3d9" / "lit.vsa")]) == 2
    assert "`lanewise compile` makes a ShaderCore program of a Direct3D 9 shader" in capsys.readouterr().err


def test_a_direct3d9_source_without_version_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "light.vsa"
    source.write_text("mov oPos, v0\n")
    assert main(["asm", str(source)]) == 1
    assert "'mov' precedes the version" in capsys.readouterr().err


def test_asm_names_every_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "light.txt"
    source.write_text("mov r0.x, 1\n")
    assert main(["asm", str(source)]) == 2
    assert "picasso, nihstro, shadercore, direct3d9" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["asm", "a.sc"], ["dis", "a.sc"], ["compile", "b.vsa"], ["asm", "b.vsa"]])
def test_a_folder_that_is_not_there_does_not_become_a_file(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("a.sc").write_text("end\n")
    Path("b.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    assert main([*command, "-o", "made/"]) == 1
    assert "cannot write made/: it is a folder, expected a file" in capsys.readouterr().err
    assert not Path("made").exists()
