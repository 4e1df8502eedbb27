"""Folders and lists of sources on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanewise.tools.cli import main

GOOD = ".out outpos position\n.in inpos\n.proc main\n    mov outpos, inpos\n    end\n.end\n"
BAD = ".proc main\nsub r0, r1\n.end\n"
GEOMETRY = ".gsh point c0\n.entry gmain\n.out - position\n.proc gmain\n    end\n.end\n"
CALLS = ".out outpos position\n.in inpos\n.proc main\n    call helper\n    end\n.end\n"
HELPER = ".nodvle\n.proc helper\n    mov o0, v0\n.end\n"


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "s/a.v.pica": GOOD,
        "s/deep/b.v.pica": BAD,
        "s/notes.txt": "buy milk",
        "s/.hidden/c.v.pica": BAD,
        "s/build/d.v.pica": BAD,
        "s/e.vsh": "#version 330\nvoid main() { }\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[list[str], str]:
    assert main(["check", *arguments, "--format", "json", "--level", "error"]) in (0, 1)
    out, err = capsys.readouterr()
    return [finding["span"]["file"] for finding in json.loads(out)["diagnostics"]], err


def test_a_folder_is_searched(capsys: pytest.CaptureFixture[str]):
    files, err = checked(capsys, "s")
    assert files == ["s/deep/b.v.pica"]
    assert err == "s: 2 files, 1 in other languages left out\n"


def test_what_is_excluded_is_counted(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('exclude = ["b.*"]\n')
    assert checked(capsys, "s") == ([], "s: 1 file, 1 excluded, 1 in other languages left out\n")
    Path("lanewise.toml").write_text('exclude = ["s/deep"]\n')
    assert checked(capsys, "s")[0] == []
    assert checked(capsys, "s/deep/b.v.pica")[0] == ["s/deep/b.v.pica"]  # a file that is named is read


def test_a_file_is_checked_once(capsys: pytest.CaptureFixture[str]):
    assert checked(capsys, "s/deep/b.v.pica", "s")[0] == ["s/deep/b.v.pica"]


def test_an_empty_folder(capsys: pytest.CaptureFixture[str]):
    Path("empty").mkdir()
    assert checked(capsys, "empty") == ([], "empty: 0 files\n")
    assert main(["fmt", "empty"]) == 0


def test_sources_of_a_folder_are_formatted(capsys: pytest.CaptureFixture[str]):
    Path("s/a.v.pica").write_text(GOOD.replace("    ", ""))
    assert main(["fmt", "--check", "s"]) == 1
    assert main(["fmt", "s"]) == 0
    assert Path("s/a.v.pica").read_text() == GOOD
    assert Path("s/build/d.v.pica").read_text() == BAD
    assert Path("s/e.vsh").read_text().startswith("#version")
    err = capsys.readouterr().err
    assert "formatted s/a.v.pica\n" in err
    assert "s: 2 files, 1 in other languages left out\n" in err


def test_a_list_is_one_program(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    Path("s/main.v.pica").write_text(CALLS)
    Path("s/helper.pica").write_text(HELPER)
    Path("s/prog.shlist").write_text("main.v.pica\n  helper.pica\n")
    assert main(["asm", "s/prog.shlist"]) == 0
    linked = Path("s/prog.shbin").read_bytes()
    assert main(["asm", "s/main.v.pica", "s/helper.pica", "-o", "x.shbin"]) == 0
    assert Path("x.shbin").read_bytes() == linked
    assert checked(capsys, "s/prog.shlist")[0] == []
    assert checked(capsys, "s/main.v.pica")[0] == ["s/main.v.pica"]  # the procedure is in another file
    assert checked(capsys, "s")[0] == ["s/deep/b.v.pica"]  # sources of a list are not programs by themselves
    for command in (
        ["run", "s/prog.shlist", "-i", "inpos=1,2,3"],
        ["graph", "s/prog.shlist"],
        ["inspect", "s/prog.shlist"],
        ["convert", "s/prog.shlist", "--to", "nihstro"],
    ):
        assert main(command) == 0
    Path("s/main.v.pica").write_text(CALLS.replace("    ", ""))
    assert main(["fmt", "s/prog.shlist"]) == 0
    assert Path("s/main.v.pica").read_text() == CALLS
    capsys.readouterr()


def test_wrong_lists(capsys: pytest.CaptureFixture[str]):
    Path("empty.shlist").write_text("\n")
    for command in ("asm", "check", "run", "fmt"):
        assert main([command, "empty.shlist"]) == 2
        assert "empty.shlist names no file: write the sources of a program" in capsys.readouterr().err
    Path("gone.shlist").write_text("gone.v.pica")
    assert main(["asm", "gone.shlist"]) == 1
    assert "cannot read gone.v.pica" in capsys.readouterr().err
    Path("there.v.pica").write_text("nop\n")
    Path("gone.shlist").write_text("there.v.pica, there.v.pica")
    assert main(["asm", "gone.shlist"]) == 1
    assert "names are separated by blanks or line ends: write there.v.pica" in capsys.readouterr().err
