"""Writing files: an input is never an output, a file is written whole or not at all, and several are written together or not at
all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from lanewise.core.service import InputFailure, UsageError
from lanewise.tools import console
from lanewise.tools.cli import main
from lanewise.tools.picasso import main as picasso

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = REPOSITORY / "examples"
PICASSO = ".out position position\n.in vertex\n.proc main\n    mov position, vertex\n    end\n.end\n"
INCLUDING = '.include "vsh.inc"\nmain:\n    mov place, vertex\n    nop\n    end\n'
INCLUDED = ".alias vertex v0\n.alias place o0 as position\n"
DIRECT3D9 = '#include "vsa.inc"\nvs_1_1\ndcl_position v0\nmov oPos, v0\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("p.v.pica").write_text(PICASSO)
    Path("i.vsh").write_text(INCLUDING)
    Path("vsh.inc").write_text(INCLUDED)
    Path("i.vsa").write_text(DIRECT3D9)
    Path("vsa.inc").write_text("#define A 1\n")
    return tmp_path


def leftovers() -> list[Path]:
    return [path for path in Path().rglob("*") if path.name.startswith(".")]


# An input is never an output


@pytest.mark.parametrize(
    "arguments",
    [
        ["asm", "i.vsh", "-o", "OUT"],
        ["convert", "i.vsh", "--to", "picasso", "-o", "OUT"],
        ["graph", "i.vsh", "-o", "OUT", "--format", "svg"],
        ["run", "i.vsh", "-i", "vertex=1,2,3,4", "-o", "OUT"],
        ["asm", "i.vsa", "-o", "OUT"],
        ["dis", "i.vsa", "-o", "OUT"],
        ["compile", "i.vsa", "-o", "OUT"],
        ["run", "i.vsa", "-i", "v0=1,2,3,4", "-o", "OUT"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
@pytest.mark.parametrize("how", ["name", "link", "hard link", "other spelling"])
def test_an_included_file_is_kept(arguments: list[str], how: str, capsys: pytest.CaptureFixture[str]):
    stem, suffix = "vsh" if "i.vsh" in arguments else "vsa", ".inc"
    if arguments[0] == "run":  # which writes .npz only
        Path(arguments[1]).write_text(Path(arguments[1]).read_text().replace('.inc"', f'{(suffix := ".npz")}"'))
        Path(f"{stem}.inc").rename(f"{stem}.npz")
    included = f"{stem}{suffix}"
    name = {"name": included, "other spelling": f"./x/../{included}"}.get(how, f"other{suffix}")
    Path("x").mkdir()
    if how == "link":
        Path(name).symlink_to(included)
    elif how == "hard link":
        Path(name).hardlink_to(included)
    before = Path(included).read_bytes()
    assert main([name if argument == "OUT" else argument for argument in arguments]) == 2
    assert "it would be overwritten" in capsys.readouterr().err
    assert Path(included).read_bytes() == before
    assert leftovers() == []


@pytest.mark.parametrize("name", ["data.csv", "./data.csv", "hard"])
def test_data_are_kept(name: str, capsys: pytest.CaptureFixture[str]):
    Path("data.csv").write_text("1,2,3,4\n")
    Path("hard").hardlink_to("data.csv")
    assert main(["run", "p.v.pica", "-i", "vertex=data.csv", "-o", name]) == 2
    assert "data.csv" in capsys.readouterr().err
    assert Path("data.csv").read_text() == "1,2,3,4\n"


def test_standard_input_from_a_file_is_an_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    Path("p.v.pica").rename("p.src")
    with Path("p.src").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(["asm", "-", "-o", "p.src"]) == 2
    assert "p.src is the input standard input already: it would be overwritten" in (error := capsys.readouterr().err)
    assert error.endswith("give the output another name, such as p.new.src\n")
    assert Path("p.src").read_text() == PICASSO


def test_fmt_writes_what_it_reads():
    Path("i.vsh").write_text(INCLUDING.replace("    nop", "nop"))
    assert main(["fmt", "i.vsh", "vsh.inc", "--dialect", "nihstro"]) == 0
    assert Path("i.vsh").read_text() == INCLUDING


def test_a_command_forgets_the_files_of_the_command_before():
    assert main(["asm", "i.vsh", "-o", "i.shbin"]) == 0
    assert main(["dis", "i.shbin", "-o", "vsh.inc"]) == 0


def test_a_device_is_no_input_file():
    assert main(["run", "p.v.pica", "-i", "vertex=1,2,3,4", "-o", os.devnull]) == 0
    assert main(["asm", os.devnull, "--dialect", "nihstro", "-o", os.devnull]) == 1


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="the system has no /dev/stdout")
def test_pipes_that_have_no_name():
    code = "import sys; from lanewise.tools.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "asm", "p.v.pica", "-o", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"DVLB")


@pytest.mark.skipif(os.name == "nt", reason="a backslash is between folders")
@pytest.mark.parametrize("arguments", [["asm", "p.v.pica"], ["dis", "i.vsa"], ["convert", "p.v.pica", "--to", "nihstro"]])
def test_a_backslash_is_not_between_folders(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    Path("build").mkdir()
    for name in ("build\\x", "build\tx"):
        assert main([*arguments, "-o", name]) == 1
        said = capsys.readouterr().err
        assert not Path(name).exists()
    assert "the name has the character '\\t': write / for \\" in said
    assert main([*arguments, "-o", "build\\x"]) == 1
    named = capsys.readouterr().err.rpartition(": write ")[2].strip()
    assert main([*arguments, "-o", named]) == 0
    assert Path("build/x").stat().st_size
    assert main(["inspect", "p\\..\\p.v.pica"]) == 1
    assert main(["inspect", "build\\x"]) == 1
    assert "(did you mean build/x?)" in capsys.readouterr().err


# Temporary files


def test_planted_names_are_not_written_to(monkeypatch: pytest.MonkeyPatch):
    """A link with the name of the temporary file, and the names of older versions."""
    Path("victim").write_text("keep")
    chosen = iter([b"\1" * 8, b"\2" * 8])

    def not_random(size: int) -> bytes:
        return next(chosen)

    monkeypatch.setattr(os, "urandom", not_random)
    planted = [f".lanewise-{(bytes([1]) * 8).hex()}.tmp", f".out.{os.getpid()}.tmp"]
    for name in planted:
        Path(name).symlink_to("victim")
    console.write_bytes("out", b"data")
    assert Path("victim").read_text() == "keep"
    assert Path("out").read_bytes() == b"data"
    assert not Path("out").is_symlink()
    assert sorted(path.name for path in leftovers()) == sorted(planted)


@pytest.mark.parametrize("length", [252, 255])
def test_long_names(length: int):
    name = "n" * (length - 6) + ".shbin"
    assert main(["asm", "p.v.pica", "-o", name]) == 0
    assert Path(name).stat().st_size


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_modes(mask: int):
    before = os.umask(mask)
    try:
        console.write_bytes("new", b"data")
        Path("old").write_bytes(b"")
        Path("old").chmod(0o4751)
        console.write_bytes("old", b"data")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("new").stat().st_mode) == 0o666 & ~mask
    assert stat.S_IMODE(Path("old").stat().st_mode) == 0o4751


def test_a_link_stays_a_link():
    Path("target").touch()
    Path("link").symlink_to("target")
    for text in (b"new", b"newer"):
        console.write_bytes("link", text)
        assert Path("link").is_symlink()
        assert Path("target").read_bytes() == text


# Read-only files


@pytest.mark.parametrize(
    "arguments",
    [
        ["asm", "p.v.pica", "-o", "out"],
        ["asm", "i.vsa", "-o", "out"],
        ["asm", str(EXAMPLES / "transform.sc"), "-o", "out"],
        ["dis", "i.vsa", "-o", "out"],
        ["convert", "p.v.pica", "--to", "nihstro", "-o", "out"],
        ["compile", "i.vsa", "-o", "out"],
        ["graph", "p.v.pica", "-o", "out", "--format", "dot"],
        ["run", "p.v.pica", "-i", "vertex=1,2,3,4", "-o", "out"],
        ["run", "p.v.pica", "-i", "vertex=1,2,3,4", "--trace", "0", "-o", "out"],
        ["time", str(EXAMPLES / "transform.sc"), "--svg", "out"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_read_only_file_is_kept_unless_forced(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    Path("out").write_text("precious")
    Path("out").chmod(0o444)
    assert main(arguments) == 1
    assert capsys.readouterr().err.endswith("error: cannot write out: the file is read-only: use --force to replace it\n")
    assert Path("out").read_text() == "precious"
    assert leftovers() == []
    assert main([*arguments, "--force"]) == 0
    assert Path("out").read_bytes() != b"precious"
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o444


def test_fmt_keeps_a_read_only_source(capsys: pytest.CaptureFixture[str]):
    source = PICASSO.replace("    mov", "mov")
    Path("p.v.pica").write_text(source)
    Path("p.v.pica").chmod(0o444)
    assert main(["fmt", "p.v.pica"]) == 1
    assert "p.v.pica: the file is read-only" in capsys.readouterr().err
    assert Path("p.v.pica").read_text() == source
    assert main(["fmt", "p.v.pica", "--force"]) == 0
    assert Path("p.v.pica").read_text() == PICASSO


def test_extracted_files_keep_read_only_ones():
    assert main(["asm", "p.v.pica", "-o", "p.shbin"]) == 0
    assert main(["inspect", "--scan", "p.shbin", "--extract", "all"]) == 0
    (found,) = Path("all").iterdir()
    found.write_text("precious")
    found.chmod(0o444)
    assert main(["inspect", "--scan", "p.shbin", "--extract", "all"]) == 1
    assert found.read_text() == "precious"
    assert main(["inspect", "--scan", "p.shbin", "--extract", "all", "--force"]) == 0
    assert found.read_bytes() == Path("p.shbin").read_bytes()


def test_picasso_has_no_option_to_force(capsys: pytest.CaptureFixture[str]):
    Path("out").touch(0o444)
    assert picasso(["p.v.pica", "-o", "out"]) == 1
    assert "the file is read-only: make it writable" in capsys.readouterr().err


# Several files


def asm(argv: list[str]) -> int:
    return main(["asm", *argv])


@pytest.mark.parametrize(("command", "option"), [(asm, "-H"), (picasso, "-h")])
@pytest.mark.parametrize("header", ["folder", "nowhere/h", "readonly"])
def test_both_outputs_or_none(command: Callable[[list[str]], int], option: str, header: str):
    Path("folder").mkdir()
    Path("readonly").touch(0o444)
    Path("old.shbin").write_text("old")
    for output in ("new.shbin", "old.shbin"):
        assert command(["p.v.pica", "-o", output, option, header]) == 1
    assert not Path("new.shbin").exists()
    assert Path("old.shbin").read_text() == "old"
    assert leftovers() == []


def test_compile_writes_program_and_interface_or_neither():
    assert main(["compile", "i.vsa", "-o", "one.scb"]) == 0
    Path("one.scb").unlink()
    Path("one.json").chmod(0o444)
    assert main(["compile", "i.vsa", "-o", "one.scb"]) == 1
    assert not Path("one.scb").exists()


@pytest.mark.parametrize("links", [True, False])
def test_renaming_is_undone(links: bool, monkeypatch: pytest.MonkeyPatch):
    """The last of three files cannot be renamed; a file system may lack links, and then only new files are taken back."""
    Path("old").write_text("old")
    replace = os.replace

    def failing(source: str, target: str) -> None:
        if target.endswith("third"):
            raise PermissionError(1, "not permitted")
        replace(source, target)

    def no_link(source: str, target: str) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr(os, "replace", failing)
    if not links:
        monkeypatch.setattr(os, "link", no_link)
    with pytest.raises(InputFailure, match="cannot write third: not permitted"):
        console.write_files([("old", b"1"), ("new", b"2"), ("third", b"3")])
    assert Path("old").read_text() == ("old" if links else "1")
    assert not Path("new").exists()
    assert not Path("third").exists()
    assert leftovers() == []


def test_an_interrupt_leaves_nothing(monkeypatch: pytest.MonkeyPatch):
    def interrupted(path: str, mode: int) -> None:
        raise KeyboardInterrupt

    Path("old").write_text("old")
    monkeypatch.setattr(os, "chmod", interrupted)
    with pytest.raises(KeyboardInterrupt):
        console.write_files([("new", b"1"), ("old", b"2")])
    assert Path("old").read_text() == "old"
    assert not Path("new").exists()
    assert leftovers() == []


def test_two_outputs_are_different_files():
    with pytest.raises(UsageError, match=r"x is another output already"):
        console.write_files([("x", b"1"), ("./x", b"2")])
