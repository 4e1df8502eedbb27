"""Files that a folder or another file brings along: pipes, links, files of gigabytes, includes of other folders. Each is a
sentence, and other files are served."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links are made as on POSIX")
PROGRAM = ".out position position\n.in vertex\n.proc main\n    mov position, vertex\n    end\n.end\n"
SECRET = "secret contents of another folder"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one good source, beside a file that is not its business. What waits for a pipe is interrupted."""

    def interrupt(*_: object) -> None:
        raise AssertionError("it waits")

    place = tmp_path / "project"
    place.mkdir()
    (place / "good.v.pica").write_text(PROGRAM)
    (tmp_path / "private.inc").write_text(SECRET)
    monkeypatch.chdir(place)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(60)
    yield place
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def huge(path: str) -> None:
    with Path(path).open("wb") as file:
        file.truncate(3 << 30)


@pytest.mark.parametrize(
    "arguments",
    [
        ["asm", "x.v.pica"],
        ["check", "x.v.pica"],
        ["fmt", "x.v.pica"],
        ["inspect", "x.v.pica"],
        ["inspect", "--scan", "x.v.pica"],
        ["dis", "x.v.pica"],
        ["test", "x.shadertest.toml"],
        ["run", "good.v.pica", "--data", "x.json"],
        ["diff", "good.v.pica", "x.v.pica"],
    ],
    ids=" ".join,
)
def test_a_pipe_is_a_sentence_at_once(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    name = arguments[-1]
    os.mkfifo(name)
    assert main(arguments) == (2 if arguments[0] == "diff" else 1)
    out, err = capsys.readouterr()
    assert f"cannot read {name}: it is a pipe (FIFO), expected a regular file" in out + err


def test_other_files_of_a_folder_are_served(capsys: pytest.CaptureFixture[str]):
    Path("bad.v.pica").write_text(PROGRAM.replace("vertex\n    end", "nothing\n    end"))
    for name in ("pipe.v.pica", "pipe.shlist", "pipe.shadertest.toml"):
        os.mkfifo(name)
    huge("huge.v.pica")
    Path("link.v.pica").symlink_to("../private.inc")
    Path("gone.v.pica").symlink_to("nothing")
    Path("list.shlist").write_text("good.v.pica ../private.inc")
    assert main(["check", ".", "--format", "json"]) == 1
    out, err = capsys.readouterr()
    found = {(row["span"]["file"], row["message"]) for row in json.loads(out)["diagnostics"]}
    for name, sentence in (
        ("pipe.v.pica", "a pipe (FIFO)"),
        ("pipe.shlist", "a pipe (FIFO)"),
        ("huge.v.pica", "larger than 256 MiB"),
        ("list.shlist", "outside of the project"),
        ("bad.v.pica", "nothing"),
    ):
        assert [message for file, message in found if file.endswith(name) and sentence in message], (name, found)
    assert not [message for file, message in found if "good" in file]
    assert "link.v.pica left out: it is a link that leaves" in err and "gone.v.pica left out: " in err
    assert SECRET not in out + err
    Path("good.v.pica").write_text(PROGRAM.replace("    mov", "  mov"))
    main(["fmt", "."])
    out, err = capsys.readouterr()
    assert Path("good.v.pica").read_text() == PROGRAM
    assert "pipe.v.pica: it is a pipe" in err
    assert main(["test", "."]) == 1
    assert "pipe.shadertest.toml: it is a pipe" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["lanewise.toml", "pyproject.toml"])
def test_a_configuration_above_that_cannot_be_read_is_a_sentence(name: str, capsys: pytest.CaptureFixture[str]):
    os.mkfifo(f"../{name}")
    assert main(["check", "good.v.pica"]) == 2
    assert f"{name}: it is a pipe (FIFO), expected a regular file" in capsys.readouterr().err
    assert main(["check", "good.v.pica", "--no-config"]) == 0
    Path(f"../{name}").unlink()
    huge(f"../{name}")
    assert main(["check", "good.v.pica"]) == 2
    assert f"{name}: the file is larger than 1 MiB, the limit for a configuration" in capsys.readouterr().err


INCLUDING = [
    ("a.vsh", '.include "{}"\nmain:\n    end\n'),
    ("a.vsa", 'vs_2_0\n#include "{}"\n'),
]


@pytest.mark.parametrize(("name", "text"), INCLUDING, ids=[name for name, _ in INCLUDING])
@pytest.mark.parametrize("kind", ["relative", "absolute", "link"])
def test_an_include_stays_in_its_project(name: str, text: str, kind: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    Path("link.inc").symlink_to("../private.inc")
    included = {"relative": "../private.inc", "absolute": str(folder.parent / "private.inc"), "link": "link.inc"}[kind]
    Path(name).write_text(text.format(included))
    for arguments in (["asm", "--check", name], ["check", name], ["fmt", "--check", name]):
        main(arguments)
        out, err = capsys.readouterr()
        assert SECRET not in out + err
        if arguments[0] != "fmt":
            assert "it is outside of the project" in out + err and "--follow" in out + err
    assert main(["check", name, "--follow"]) == 1
    assert SECRET in capsys.readouterr().out
    assert main(["check", name, "-I", ".."]) == 1
    assert SECRET in capsys.readouterr().out


def test_a_project_has_the_folders_below_its_mark():
    Path("../.git").mkdir()
    Path("../private.inc").write_text("; nothing\n")
    Path("a.vsh").write_text('.include "../private.inc"\nmain:\n    end\n')
    assert main(["asm", "--check", "a.vsh"]) == 0


@pytest.mark.parametrize(
    "text",
    [
        'program = "../private.inc"\n[[test]]\nname = "a"\noutputs.position = [0, 0, 0, 1]\n',
        'program = "good.v.pica"\n[[test]]\nname = "a"\ninputs.vertex = "../private.txt"\noutputs.position = [0, 0, 0, 1]\n',
        'program = "good.v.pica"\n[[test]]\nname = "a"\ndata = "../private.inc"\noutputs.position = [0, 0, 0, 1]\n',
        'program = "good.v.pica"\n[[test]]\nname = "a"\noutputs.position = "link.txt"\n',
    ],
    ids=["program", "input", "data", "link"],
)
def test_a_shader_test_names_files_of_its_project(text: str, capsys: pytest.CaptureFixture[str]):
    Path("../private.txt").write_text(SECRET)
    Path("link.txt").symlink_to("../private.txt")
    Path("a.shadertest.toml").write_text(text)
    for arguments in (["test"], ["debug", "a.shadertest.toml", "--headless", os.devnull]):
        assert main(arguments) == 1
        out, err = capsys.readouterr()
        assert "outside of the project" in out + err
        assert "secret" not in out + err


def test_a_shader_test_names_others_with_follow():
    Path("../elsewhere.v.pica").write_text(PROGRAM)
    text = (
        'program = "../elsewhere.v.pica"\n[[test]]\nname = "a"\ninputs.vertex = [0, 0, 0, 1]\noutputs.position = [0, 0, 0, 1]\n'
    )
    Path("a.shadertest.toml").write_text(text)
    assert main(["test"]) == 1
    assert main(["test", "--follow"]) == 0


def test_a_data_file_names_files_of_its_project(capsys: pytest.CaptureFixture[str]):
    Path("../private.txt").write_text("1,2,3,4\n")
    Path("data.json").write_text('{"inputs": {"vertex": "../private.txt"}}')
    assert main(["run", "good.v.pica", "--data", "data.json"]) == 1
    assert "outside of the project" in capsys.readouterr().err
    assert main(["run", "good.v.pica", "--data", "data.json", "--follow"]) == 0
    assert main(["run", "good.v.pica", "-i", "vertex=../private.txt"]) == 0


def test_a_source_is_formatted_through_a_link_and_nothing_else_is_written_through_it(capsys: pytest.CaptureFixture[str]):
    Path("inner").mkdir()
    Path("inner/b.v.pica").write_text(PROGRAM.replace("    mov", "  mov"))
    Path("a.v.pica").symlink_to("inner/b.v.pica")
    assert main(["fmt", "."]) == 0
    assert Path("a.v.pica").is_symlink() and Path("inner/b.v.pica").read_text() == PROGRAM
    Path("out").symlink_to("inner/b.v.pica")
    assert main(["asm", "good.v.pica", "-o", "out"]) == 1
    assert (
        "cannot write out: it is a link that leaves its folder: name the file itself, or use --force" in capsys.readouterr().err
    )
    assert Path("inner/b.v.pica").read_text() == PROGRAM


def test_a_named_file_is_opened_wherever_it_is(capsys: pytest.CaptureFixture[str]):
    Path("../elsewhere.v.pica").write_text(PROGRAM)
    Path("link.v.pica").symlink_to("../elsewhere.v.pica")
    assert main(["check", "link.v.pica", "../elsewhere.v.pica"]) == 0


def test_a_table_that_is_not_utf8_is_refused_with_the_place(capsys: pytest.CaptureFixture[str]):
    Path("a.shadertest.toml").write_bytes('# ä\nprogram = "caf'.encode() + b'\xe9"\n')
    assert main(["test", "a.shadertest.toml"]) == 1
    out = capsys.readouterr().out
    assert "error[T001]: it is not text in UTF-8: byte 0xE9 in line 2, column 15" in out and "a.shadertest.toml:2:15" in out
    Path("lanewise.toml").write_bytes(b'\nindent = "\xff"\n')
    assert main(["check", "good.v.pica"]) == 2
    assert "byte 0xFF in line 2, column 11" in capsys.readouterr().err


def test_a_configuration_that_is_found_names_files_of_its_project(capsys: pytest.CaptureFixture[str]):
    Path("../own.toml").write_text("private = 1\n")
    Path("lanewise.toml").write_text('profile = "../own.toml"\n')
    assert main(["check", "good.v.pica"]) == 2
    assert "profile ../own.toml is not read: it is outside of the project; name it with --profile" in capsys.readouterr().err
    Path("lanewise.toml").unlink()
    Path("lanewise.toml").symlink_to("../own.toml")
    assert main(["check", "good.v.pica"]) == 2
    err = capsys.readouterr().err
    assert "is a link that leaves its folder: name the file itself with --config" in err and "private" not in err
    assert main(["check", "good.v.pica", "--config", "lanewise.toml"]) == 2
    assert "unknown key 'private'" in capsys.readouterr().err


def test_a_list_that_names_what_no_file_is_called(capsys: pytest.CaptureFixture[str]):
    Path("light.shlist").write_bytes(b"good.v.pica a\0b")
    assert main(["check", "light.shlist"]) == 1
    assert "light.shlist:1: cannot read" in capsys.readouterr().err


def test_a_list_that_names_no_file_of_its_folder_is_a_finding_and_others_are_served(capsys: pytest.CaptureFixture[str]):
    Path("light.shlist").write_text("missing.v.pica\n")
    for command in (["check", "."], ["fmt", "--check", "."]):
        assert main(command) == 1
        out, err = capsys.readouterr()
        assert "./light.shlist:1: cannot read ./missing.v.pica: No such file or directory" in out + err
        assert ".: 1 file" in err
