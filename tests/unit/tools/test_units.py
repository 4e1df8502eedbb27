"""Programs of several sources: units of the configuration, pairs of names, and what commands make of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanewise.tools.cli import main

VERTEX = """.in p
.out pos position
.out clr color
.proc main
    mov pos, p
    mov clr, p
    end
.end
"""
# v2 and v3 are the second vertex, which the vertex shader's two outputs make; .entry is missing.
GEOMETRY = """.gsh point c0
.out pos position
.out clr color
.proc gmain
    setemit 0
    mov pos, v0
    mov clr, v1
    emit
    setemit 1
    mov pos, v2
    mov clr, v3
    emit
    setemit 2, prim
    mov pos, v4
    mov clr, v5
    emit
    end
.end
"""
WHOLE = GEOMETRY.replace(".proc", ".entry gmain\n.proc")
UNITS = '[units]\nboard = ["shaders/board.v.pica", "shaders/corners.pica"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shaders").mkdir()
    (tmp_path / "shaders" / "board.v.pica").write_text(VERTEX)
    (tmp_path / "shaders" / "corners.pica").write_text(GEOMETRY)
    (tmp_path / "lanewise.toml").write_text(UNITS)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    assert main(["check", "--level", "warning", "--format", "json", *arguments]) in (0, 1)
    return [(each["code"], each["span"]["file"]) for each in json.loads(capsys.readouterr().out)["diagnostics"]]


BORROWED = [("V112", str(Path("shaders/corners.pica")))]


@pytest.mark.parametrize("named", [("shaders/board.v.pica",), ("shaders/corners.pica",), ("shaders",)])
def test_any_source_of_a_unit_stands_for_it(named: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    assert found(capsys, *named) == BORROWED


def test_a_unit_is_checked_once(capsys: pytest.CaptureFixture[str]):
    assert found(capsys, "shaders/board.v.pica", "shaders/corners.pica") == BORROWED
    assert main(["check", "shaders/board.v.pica", "shaders/corners.pica"]) == 1
    said = capsys.readouterr().err
    assert said.count("unit board of") == 1
    assert "shaders/board.v.pica: linked with " in said


def test_a_table_declares_sources_too(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('[units.board]\nsources = ["shaders/board.v.pica", "shaders/corners.pica"]\n')
    assert found(capsys, "shaders") == BORROWED


def test_without_configuration_a_source_is_alone(capsys: pytest.CaptureFixture[str]):
    assert found(capsys, "--no-config", "shaders/board.v.pica") == []


def test_names_that_make_a_pair_are_linked(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text("")
    Path("shaders/corners.pica").rename("shaders/board.g.pica")
    pair = [("V112", "shaders/board.g.pica")]
    assert found(capsys, "shaders") == pair
    assert found(capsys, "shaders/board.g.pica", "shaders/board.v.pica") == pair
    assert found(capsys, "shaders/board.g.pica") == [("V044", "shaders/board.g.pica")]
    Path("shaders/board.g.pica").write_text(WHOLE)
    assert found(capsys, "shaders") == []


def test_a_list_comes_before_a_unit(capsys: pytest.CaptureFixture[str]):
    Path("shaders/board.shlist").write_text("corners.pica board.v.pica\n")
    assert found(capsys, "shaders/board.shlist") == [("V112", "shaders/corners.pica")]
    assert found(capsys, "shaders") == [("V112", "shaders/corners.pica")]


def test_sources_that_are_not_there(capsys: pytest.CaptureFixture[str]):
    Path("shaders/corners.pica").unlink()
    assert main(["check", "shaders/board.v.pica"]) == 1
    assert "corners.pica, which unit board of" in capsys.readouterr().err
    assert [code for code, _ in found(capsys, "shaders")] == ["U002"]


def test_commands_link_a_unit(capsys: pytest.CaptureFixture[str]):
    Path("shaders/corners.pica").write_text(WHOLE)
    assert main(["inspect", "shaders/board.v.pica", "--format", "json"]) == 0
    out = capsys.readouterr()
    assert len(json.loads(out.out)["file"]["shaders"]) == 2
    assert out.err.count("\n") == 1
    assert main(["asm", "shaders/board.v.pica", "shaders/corners.pica", "-o", "board.shbin"]) == 0
    assert main(["diff", "shaders/corners.pica", "board.shbin"]) == 0
    assert "are equal" in capsys.readouterr().out


def test_asm_links_what_is_named(capsys: pytest.CaptureFixture[str]):
    assert main(["asm", "shaders/board.v.pica", "-o", "board.shbin"]) == 0
    assert capsys.readouterr().err == ""


def test_a_source_of_two_units(capsys: pytest.CaptureFixture[str]):
    Path("shaders/corners.pica").write_text(WHOLE)
    Path("shaders/other.v.pica").write_text(VERTEX.replace("clr color\n", "clr color\n.entry other\n").replace("main", "other"))
    Path("lanewise.toml").write_text(UNITS + 'other = ["shaders/other.v.pica", "shaders/corners.pica"]\n')
    assert found(capsys, "shaders") == []
    assert main(["inspect", "shaders/corners.pica"]) == 2
    assert "is in the units board and other: name the sources of one" in capsys.readouterr().err


def test_fmt_formats_what_is_named(capsys: pytest.CaptureFixture[str]):
    Path("shaders/corners.pica").write_text("   " + WHOLE)
    assert main(["fmt", "--check", "shaders/board.v.pica"]) == 0
    assert main(["fmt", "--check", "shaders"]) == 1


def test_links_do_not_leave_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    outside = tmp_path.parent / f"{tmp_path.name}.pica"
    outside.write_text(WHOLE)
    Path("shaders/corners.pica").unlink()
    try:
        Path("shaders/corners.pica").symlink_to(outside)
    except OSError:
        pytest.skip("this user may not make links")
    assert main(["check", "shaders/board.v.pica"]) == 2
    assert "a link leaves the folder" in capsys.readouterr().err
