"""`lanewise frame FILE:N --save`: a draw as a shader test of one file, which `lanewise test` runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lanewise.tools.cli import main
from pica200_frames import EMIT, FLOAT, IDENTITY, PASS, TRIANGLE, Recorder, assembled, triangle

if TYPE_CHECKING:
    from pathlib import Path

LOOP = (
    ".in place\n.fvec step\n.ivec times\n.bool wide\n.out o position\n.out c color\n.proc main\n    mov r0, place\n"
    "    for times\n        add r0, step, r0\n    .end\n    ifu wide\n        add r0, r0, r0\n    .end\n    mov o, r0\n"
    "    mov c, step\n    end\n.end\n"
)
STUCK = PASS.replace("    end\n", "    nop\n")


def _saved(recorder: Recorder, folder: Path, number: int = 0, *more: str) -> Path:
    (folder / "a.ctf").write_bytes(recorder.citrace())
    path = folder / "shot.shadertest.toml"
    assert main(["frame", f"{folder / 'a.ctf'}:{number}", "--save", str(path), *more]) == 0
    (folder / "a.ctf").unlink()  # the test needs no other file
    return path


def _outcome(path: Path, capsys: pytest.CaptureFixture[str], text: str = "") -> str:
    if text:
        path.write_text(text, encoding="utf-8")
    capsys.readouterr()
    code = main(["test", str(path), "--format", "json"])
    (row,) = json.loads(capsys.readouterr().out)["tests"]
    assert code == (0 if row["outcome"] == "passed" else 1), row["message"]
    return f"{row['outcome']}: {row['message']}"


def _geometry(apart: bool) -> Recorder:
    """A triangle whose geometry shader sends three; with its own code in its unit, or that of both."""
    file = assembled(geometry=EMIT)
    recorder = Recorder().state()
    if apart:
        recorder.program(assembled()).write(0x244, 1, mask=1).program(file, stage="geometry")
    else:
        recorder.program(file).write(0x244, 1, mask=1).program(file, stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).write(0x229, 2).write(0x25E, 3 << 8).write(0x252, 0).write(0x289, 1)
    recorder.write(0x28B, 0x76543210, 0xFEDCBA98, consecutive=True).uniforms(IDENTITY)
    return recorder.default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).submit()


def _with_kinds_of_uniforms() -> Recorder:
    recorder = Recorder().state().program(assembled(LOOP)).attributes((FLOAT, 3))
    recorder.uniforms([(0.1, 0.5, 1e-3, 0.0)], wide=True).write(0x2B1, 0x00010002).write(0x2B0, 1, mask=3)
    return recorder.vertices(TRIANGLE).arrays(3).submit()


@pytest.mark.parametrize("profile", ["hardware", "azahar"])
@pytest.mark.parametrize(
    "recorder",
    [
        triangle(),
        _with_kinds_of_uniforms(),
        _geometry(apart=True),
        _geometry(apart=False),
        Recorder()
        .state()
        .program(assembled())
        .attributes((FLOAT, 3), (FLOAT, 4))
        .uniforms(IDENTITY)
        .immediate([[(*row, 1.0), (1.0, 0.5, 0.0, 1.0)] for row in TRIANGLE])
        .submit(),
    ],
    ids=["default", "uniforms", "geometry apart", "geometry", "immediate"],
)
def test_a_saved_draw_is_a_test_that_passes_and_can_fail(
    recorder: Recorder, profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = _saved(recorder, tmp_path, 0, "--profile", profile)
    assert _outcome(path, capsys) == "passed: "
    text = path.read_text(encoding="utf-8")
    head, _, expected = text.partition("[test.outputs]")
    at = expected.index("-0.5") if "-0.5" in expected else expected.index("0.5")
    broken = f"{head}[test.outputs]{expected[:at]}0.75{expected[at:].lstrip('-').removeprefix('0.5')}"
    assert "expected 0.75" in _outcome(path, capsys, broken)


def test_a_value_of_the_draw_that_is_changed_changes_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = _saved(_with_kinds_of_uniforms(), tmp_path).read_text(encoding="utf-8")
    path = tmp_path / "shot.shadertest.toml"
    for before, after in (("i0 = [2, 0, 1]", "i0 = [1, 0, 1]"), ("b0 = true", "b0 = false"), ("[[0.1000", "[[0.2000")):
        assert before in text
        assert _outcome(path, capsys, text.replace(before, after)).startswith("failed")
    assert "computed by" in _outcome(path, capsys, text.replace("add r0, c0, r0", "add r0, r0, r0"))


def test_vertices_that_stop_are_expected_to_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    recorder = Recorder().state().program(assembled(STUCK)).attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY)
    path = _saved(recorder.default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).submit(), tmp_path)
    assert 'faults = ["' in path.read_text(encoding="utf-8")
    assert _outcome(path, capsys) == "passed: "


def test_what_is_not_in_the_recording_is_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    recorder = Recorder().state().program(assembled()).attributes((FLOAT, 3), (FLOAT, 4), fixed=2)
    path = _saved(recorder.vertices(TRIANGLE).arrays(3).submit(), tmp_path)
    text = path.read_text(encoding="utf-8")
    assert "# warning[F009]" in text
    assert "[uniforms]" not in text
    assert _outcome(path, capsys) == "passed: "


def test_a_test_may_name_a_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.ctf").write_bytes(triangle(triangle()).citrace())
    path = tmp_path / "shot.shadertest.toml"
    rows = ", ".join([f"[{', '.join(map(str, row))}, 1]" for row in TRIANGLE])
    text = f'program = "a.ctf:1"\n[[test]]\noutputs = {{ position = [{rows}], color = [1, 0.5, 0, 1] }}\n'
    assert _outcome(path, capsys, text) == "passed: "
    assert "expected 0.25" in _outcome(path, capsys, text.replace("0.5, 0, 1]", "0.25, 0, 1]"))
    other = text.replace("[[test]]", "[[test]]\ninputs = { v1 = [1, 0.25, 0, 1] }").replace("[1, 0.5, 0, 1]", "[1, 0.25, 0, 1]")
    assert _outcome(path, capsys, other) == "passed: "


def test_a_name_of_a_file_stays_in_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a\n[[test]]\x1b.ctf").write_bytes(triangle().citrace())
    path = tmp_path / "shot.shadertest.toml"
    assert main(["frame", f"{tmp_path}/a\n[[test]]\x1b.ctf:0", "--save", str(path)]) == 0
    assert _outcome(path, capsys) == "passed: "


def test_a_saved_draw_is_debugged_in_its_own_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = _saved(triangle(), tmp_path)
    (tmp_path / "go").write_text("where\nlist\nquit\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["debug", str(path), "--headless", str(tmp_path / "go")]) == 0
    assert "dp4" in capsys.readouterr().out


def test_wrong_command_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.ctf").write_bytes(triangle(triangle()).citrace())
    file, out = str(tmp_path / "a.ctf"), str(tmp_path / "a.shadertest.toml")
    assert main(["frame", file, "--save", out]) == 2
    assert "takes one draw" in capsys.readouterr().err
    assert main(["frame", f"{file}:9", "--save", out]) == 1
    assert main(["frame", f"{file}:0", "--save", str(tmp_path / "a.toml")]) == 2
    assert main(["frame", f"{file}:0", "--save", out, "--format", "json"]) == 2
    assert main(["frame", f"{file}:0", "--save", out, "--against", "azahar"]) == 2
    assert main(["frame", "convert", file, "-o", str(tmp_path / "b.ctf"), "--save", out]) == 2
    assert not (tmp_path / "a.shadertest.toml").exists()
