"""`lanewise frame kit`: the recorder for homebrew, compiled for this machine, records a frame of a program."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pytest

from installed import needs
from lanewise.tools.cli import main
from pica200_frames import FLOAT, IDENTITY, TRIANGLE, Recorder, assembled

if TYPE_CHECKING:
    from typing import Any

HOST = Path(__file__).resolve().parents[2] / "frame_kit"
TURNED = ((0.0, 1.0, 0.0, 0.0), (-1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))


@cache
def host() -> str:
    """The path of the program that gives lists to the recorder."""
    folder = Path(mkdtemp(prefix="lanewise-kit-"))
    assert main(["frame", "kit", "-o", str(folder / "lanewise_frame.c")]) == 0
    program = str(folder / "host")
    sources = [str(folder / "lanewise_frame.c"), str(HOST / "host.c"), str(HOST / "console.c")]
    flags = ["-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-int-to-pointer-cast", f"-I{HOST}"]
    subprocess.run(["gcc", *flags, "-o", program, *sources, "-Wl,--wrap=gspSubmitGxCommand"], check=True)
    return program


def recorded(recorder: Recorder, folder: Path, frame: int = 1, buffer: int = 1 << 20) -> tuple[Path, str]:
    """The file of one frame, and what the recorder says."""
    source, out = folder / "host.bin", folder / "kit.ctf"
    source.write_bytes(recorder.bytes())
    line = [host(), str(source), str(out), str(frame), str(buffer)]
    return out, subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()


def program(*, wide: bool) -> Recorder:
    """Two frames: all is sent in the first, four uniforms and a draw in the second."""
    recorder = Recorder().state().program(assembled()).attributes((FLOAT, 3), (FLOAT, 4), fixed=0b10)
    recorder.uniforms(IDENTITY, wide=wide).default(1, 1.0, 0.5, 0.0, 1.0).vertices(TRIANGLE).elements([2, 0, 1]).submit()
    recorder.end().uniforms(TURNED[:2], wide=wide).elements([0, 1, 2], at=0x900).submit()
    return recorder.end()


def draws(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["frame", str(path), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["frame"]["draws"]


def outputs(name: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main(["run", name, "--format", "json", "--engine", "reference"]) == 0
    return json.loads(capsys.readouterr().out)["outputs"]


@needs("gcc")
@pytest.mark.parametrize("wide", [False, True])
def test_only_the_second_frame_has_the_state_of_the_first(wide: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, message = recorded(program(wide=wide), tmp_path)
    assert message == f"{str(path)[:80]}: 1 lists"  # as much as a screen of the console shows
    whole = tmp_path / "host.bin"
    expected, found = draws(whole, capsys), draws(path, capsys)
    assert len(expected) == 2 and len(found) == 1
    assert found[0]["attributes"] == expected[1]["attributes"]
    assert found[0]["programs"] == expected[1]["programs"]
    assert outputs(f"{path}:0", capsys) == outputs(f"{whole}:1", capsys) != outputs(f"{whole}:0", capsys)


@needs("gcc")
def test_what_is_not_recorded_is_reported(tmp_path: Path):
    saved: list[bool] = []
    path = tmp_path
    for buffer in (8 << 10, *range(40 << 10, 44 << 10, 256)):
        path, message = recorded(program(wide=False), tmp_path, buffer=buffer)
        saved.append("1 lists" in message)
        assert saved[-1] or "not saved: the buffer is too small" in message
        assert path.exists() == saved[-1]
    assert saved == sorted(saved) and not saved[1] and saved[-1]
    path.unlink()
    path, message = recorded(Recorder().end().end(), tmp_path)
    assert "not saved: no list was submitted" in message
    assert not path.exists()
    lost = program(wide=False)
    lost.write(0x238, 8).write(0x23A, 0x08000000 >> 3).write(0x23C, 1).submit()
    _, message = recorded(lost, tmp_path, frame=2)
    assert "a list could not be read" in message


def test_the_kit_and_the_header_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", "kit"]) == 0
    text = capsys.readouterr().out
    assert "Never run on a console" in text
    assert len(text.splitlines()) <= 400
    assert main(["frame", "header", "-o", str(tmp_path / "a.h")]) == 0
    assert "citrace_element" in (tmp_path / "a.h").read_text("utf-8")


@pytest.mark.parametrize("line", [["kit", "--format", "json"], ["header", "x.ctf"], ["kit", "--only", "1"]])
def test_the_kit_takes_no_input(line: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["frame", *line]) == 2
    assert f"{line[0]} writes a file of C and takes only -o" in capsys.readouterr().err


@needs("gcc")
def test_the_structures_of_the_header_have_the_sizes_of_the_format(tmp_path: Path):
    assert main(["frame", "header", "-o", str(tmp_path / "a.h")]) == 0
    check = '#include "a.h"\n_Static_assert(sizeof(citrace_header) == 100 && sizeof(citrace_element) == 20, "");\n'
    (tmp_path / "a.c").write_text(check, "utf-8")
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", str(tmp_path / "a.c")], check=True)
