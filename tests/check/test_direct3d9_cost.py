"""What `lanewise check --stats` counts in Direct3D 9 shaders, and `Direct3DShader.check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples" / "direct3d9"


def uses(name: str, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[int, int | None]]:
    assert main(["check", str(EXAMPLES / name), "--stats", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["stats"]
    return {key: (use["used"], use["of"]) for key, use in found["uses"].items()}


def test_a_vertex_shader(capsys: pytest.CaptureFixture[str]):
    found = uses("lit.vsa", capsys)
    assert found == {
        "slots": (12, 128),
        "inputs": (3, 16),
        "temporaries": (3, 12),
        "constants": (10, 256),
    }  # m4x4 reads c0 to c3


def test_a_pixel_shader_counts_both_kinds_of_slots(capsys: pytest.CaptureFixture[str]):
    found = uses("tone.psa", capsys)
    assert (found["arithmetic slots"], found["texture slots"], found["texture coordinates"]) == ((16, 64), (0, 32), (1, 8))


def test_the_table_says_where_there_is_no_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "x.vsa"
    source.write_text("vs_2_sw\ndcl_position v0\nmov oPos, v0\n")
    assert main(["check", str(source), "--stats"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["slots", "1", "no", "limit"]


def test_a_shader_with_errors_has_no_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "x.vsa"
    source.write_text("vs_2_0\nfoo\n")
    assert main(["check", str(source), "--stats", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["stats"] == []


def test_shaders_check_themselves_from_python(tmp_path: Path):
    assert lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").check() == ()
    text = "vs_2_0\ndcl_position v0\nmov r0, v16\nmov oPos, r0\n"
    found = lw.Direct3DShader.from_source(text, "x.vsa").check()
    assert [(finding.code, finding.span.line) for finding in found] == [("V302", 3)], (
        "a register that does not exist is not to be declared"
    )
    source = tmp_path / "x.vsa"
    source.write_text(text)
    assert main(["asm", str(source)]) == 0
    found = lw.load(tmp_path / "x.vso", isa="direct3d9").check()
    assert found[0].notes[0] == "mov r0, v16"
