"""`lanewise build`: the programs of a configuration, and only those that are not up to date."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from effort import EXHAUSTIVE
from installed import needs
from lanewise.tools import asm, build
from lanewise.tools.cli import main
from together import together

SOURCE = ".out pos position\n.proc main\n    mov pos, v0\n    end\n.end\n"
PLAIN = '[build]\nsources = ["source"]\n'
WHOLE = """[build]
output = "out"
headers = "include"
sources = ["source", "more.vsa"]
[units]
pair = ["source/first.pica", "source/second.pica"]
"my.board" = {sources = ["board.sc"], to = "hex", output = "rom/board.hex", header = "rom/board.h"}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "light.v.pica").write_text(SOURCE)
    (tmp_path / "source" / "fog.v.pica").write_text(SOURCE.replace("v0", "v0.yxzw"))
    (tmp_path / "lanewise.toml").write_text(PLAIN)
    return tmp_path


def built(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, str]:
    """The state of each program."""
    assert main(["build", "--format", "json", *arguments]) == code
    document = json.loads(capsys.readouterr().out)
    return {program["name"]: program["state"] for program in document["programs"]}


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_programs_and_their_files(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "lanewise.toml").write_text(WHOLE)
    (folder / "source" / "first.pica").write_text(SOURCE.replace("    mov pos, v0", "    call other\n    mov pos, r0"))
    (folder / "source" / "second.pica").write_text(".proc other\n    mov r0, v0\n    nop\n.end\n")
    (folder / "more.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    (folder / "board.sc").write_text("    mov r4.x, r0.x\n    end\n")
    before = files_below(folder)
    assert main(["build"]) == 0, capsys.readouterr()
    assert files_below(folder) - before == {
        "out/.lanewise-build.json",
        *[f"out/{name}.shbin" for name in ("light", "fog", "pair")],
        *[f"include/{name}_uniforms.h" for name in ("light", "fog", "pair")],
        "out/more.vso",
        "rom/board.hex",
        "rom/board.h",
    }
    out = capsys.readouterr().out
    assert f"my.board: {Path('rom/board.hex')}, {Path('rom/board.h')}\n" in out
    assert out.endswith("5 programs: 5 built\n")
    assert main(["asm", "source/light.v.pica", "-o", "alone.shbin"]) == 0
    assert (folder / "out" / "light.shbin").read_bytes() == (folder / "alone.shbin").read_bytes()


def test_what_has_changed_is_built(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    both = {"light": "built", "fog": "built"}
    current = {"light": "current", "fog": "current"}
    assert built(capsys) == both
    written = (folder / "build" / "fog.shbin").stat().st_mtime_ns
    assert built(capsys) == current
    monkeypatch.chdir(folder / "source")  # from another folder, and with the configuration named
    assert built(capsys) == current
    assert built(capsys, "--config", "../lanewise.toml") == current
    monkeypatch.chdir(folder)
    (folder / "source" / "light.v.pica").write_text(SOURCE.replace("v0", "v1"))
    assert built(capsys, "--check", code=1) == {"light": "stale", "fog": "current"}
    assert built(capsys, "fog") == {"fog": "current"}
    assert built(capsys) == {"light": "built", "fog": "current"}
    (folder / "build" / "light.shbin").write_bytes(b"other")
    assert built(capsys, "source/light.v.pica") == {"light": "built"}
    (folder / "build" / "light.shbin").unlink()
    assert main(["build", "--check"]) == 1
    assert "light: not up to date: build/light.shbin is missing\n2 programs: 1 up to date, 1 not up to date\n" in (
        capsys.readouterr().out
    )
    assert built(capsys) == {"light": "built", "fog": "current"}
    (folder / "lanewise.toml").write_text('dialect = "picasso"\n' + PLAIN)
    assert built(capsys) == both
    assert built(capsys, "--all") == both
    (folder / "build" / build.BuildRecord(".", ".").path).write_text("[{")
    assert built(capsys) == both
    # The same bytes were not written again: what depends on them is up to date for `make`.
    assert (folder / "build" / "fog.shbin").stat().st_mtime_ns == written


def test_included_files_and_files_of_options_count(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "part.inc").write_text("    nop\n")
    (folder / "a.vsh").write_text('main:\n.include "part.inc"\n    end\n')
    (folder / "core.toml").write_text('base = "rtl"\nname = "a"\n')
    (folder / "b.sc").write_text("    mov r4.x, r0.x\n    end\n")
    (folder / "lanewise.toml").write_text('[units]\na = ["a.vsh"]\nb = {sources = ["b.sc"], device = "core.toml"}\n')
    assert built(capsys) == {"a": "built", "b": "built"}
    (folder / "part.inc").write_text("    nop\n    nop\n")
    assert built(capsys) == {"a": "built", "b": "current"}
    (folder / "core.toml").write_text('base = "rtl"\nname = "b"\n')
    assert built(capsys) == {"a": "current", "b": "built"}


def test_compiled_sources(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "lit.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    (folder / "lanewise.toml").write_text('[build]\noutput = "."\n[units]\nlit = {sources = ["lit.vsa"], target = "pica200"}\n')
    assert built(capsys) == {"lit": "built"}
    assert {"lit.shbin", "lit.h"} <= files_below(folder)
    assert built(capsys) == {"lit": "current"}


@pytest.mark.parametrize(("name", "fix"), [("x.elf", 'write `output = "out/x.shbin"`'), ("x.bin", ""), ("x", "")])
def test_an_output_of_an_unknown_form(name: str, fix: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "lanewise.toml").write_text(f'[units]\na = {{sources = ["source/light.v.pica"], output = "out/{name}"}}\n')
    assert main(["build"]) == 0
    told = capsys.readouterr().err
    assert fix in told and (f"output out/{name}: .elf is an unknown suffix" in told) == bool(fix)


def test_a_program_with_errors_does_not_stop_the_others(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "source" / "fog.v.pica").write_text("mull\n")
    assert built(capsys, code=1) == {"fog": "failed", "light": "built"}
    assert main(["build"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "2 programs: 1 up to date, 1 failed\n"
    assert "unknown instruction 'mull'" in captured.err
    (folder / "lanewise.toml").write_text(
        PLAIN + '[units]\nlost = ["nofile.pica"]\nodd = {sources = ["light.sc"], fill = "0"}\n'
    )
    assert built(capsys, code=1) == {"lost": "failed", "odd": "failed", "fog": "failed", "light": "current"}
    (folder / "lanewise.toml").write_text('[units]\nodd = {sources = ["source/light.v.pica"], fill = "0"}\n')
    assert main(["build"]) == 2
    assert "program odd of lanewise.toml: fill is not an option of `lanewise asm` for picasso" in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_built(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    assemble, count = asm.found_language, 0

    def interrupted(*given: object) -> object:
        nonlocal count
        count += 1
        if count == 2:
            raise KeyboardInterrupt
        return assemble(*given)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(asm, "found_language", interrupted)
    assert main(["build"]) == 130
    assert files_below(folder / "build") == {"fog.shbin", ".lanewise-build.json"}
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    capsys.readouterr()
    assert built(capsys) == {"fog": "current", "light": "built"}


WRONG = [
    ("", "has no program to build: add [units], or sources = [...] to [build]"),
    ("build = 1", 'build is not a table: write [build] and a line such as output = "build"'),
    ("[build]\noutptu = 1", "unknown key 'build.outptu': did you mean output?"),
    ("[build]\noutput = 1", 'build.output is not a text: write the folder, build.output = "build"'),
    ('[build]\nsources = ["*.v.pica"]', '"*.v.pica" is a pattern: write the folder, "."'),
    ('[build]\nsources = ["source/**/*.pica"]', 'is a pattern: write the folder, "source"'),
    ('[units.a]\nsource = ["source/light.v.pica"]', "unknown key 'units.a.source': did you mean sources?"),
    ('[build]\noutput = "../x"', "build.output: name '../x': it leaves the folder"),
    ('[build]\nsources = ["/etc"]', "build.sources: name '/etc': it is not relative"),
    ("[units]\na = []", "units.a: expected different sources, found 0 of 0"),
    ('[units]\na = {sources = ["x"], out = "x"}', "unknown key 'units.a.out': did you mean output?"),
    (
        '[units]\na = {sources = ["x"], zzzzzz = "x"}',
        "unknown key 'units.a.zzzzzz': use sources, output,",
    ),
    ('[units]\na = {sources = ["x"], output = "../x"}', "units.a.output: name '../x': it leaves the folder"),
    ('[units]\na = {sources = ["x"], output = ["x"]}', "units.a.output is not a text or a list of texts"),
    ('[units]\na = {sources = ["x"], no-nop = 1}', "units.a.no-nop is not true or false"),
    ('[units]\na = {sources = ["x"], width = "8"}', "units.a.width is not a number"),
    ('[units]\n"a/../../b" = ["source/light.v.pica"]', "it leaves the folder; give the unit another name"),
    ('[units]\nfog = ["source/light.v.pica"]\n[build]\nsources = ["source/fog.v.pica"]', "are both called fog"),
    (
        '[units]\na = {sources = ["source/light.v.pica"], output = "x.shbin"}\n'
        'b = {sources = ["source/fog.v.pica"], output = "x.shbin"}',
        'units.b.output is that of units.a: give one of them another, such as "b.shbin"',
    ),
    ('[units]\na = {sources = ["source/light.v.pica"], output = "source/light.v.pica"}', ".pica is not a form"),
    ('[units]\na = {sources = ["source/light.v.pica"], output = "x.mif"}', ".mif is not a form of this output"),
]


@together(("text", "message"), WRONG)
def test_wrong_tables(text: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "lanewise.toml").write_text(text + "\n")
    assert main(["build"]) == 2
    assert message in capsys.readouterr().err
    assert (folder / "source" / "light.v.pica").read_text() == SOURCE


def test_wrong_names(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "lanewise.toml").unlink()
    if not any((above / "lanewise.toml").exists() for above in folder.parents):
        assert main(["build"]) == 2
        assert "no lanewise.toml here or in a folder above" in capsys.readouterr().err
    (folder / "lanewise.toml").write_text(PLAIN)
    assert main(["build", "ligth"]) == 2
    assert "unknown program 'ligth': did you mean light?" in capsys.readouterr().err


def test_outputs_that_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "build").write_text("a file")
    assert main(["build"]) == 1
    assert "cannot write" in capsys.readouterr().err
    (folder / "build").unlink()
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    if hasattr(Path, "symlink_to") and sys.platform != "win32":
        (folder / "build").symlink_to(elsewhere)
        assert main(["build"]) == 2
        assert "a link leaves the folder" in capsys.readouterr().err
        assert not files_below(elsewhere)


SLOW = pytest.mark.skipif(not EXHAUSTIVE, reason="seconds: nox -s exhaustive")


def block(kind: str) -> str:
    """The first block of that language on the page about building."""
    found = re.search(rf"```{kind}\n(.*?)```", (REPOSITORY / "docs" / "building.md").read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]


def output_of(command: list[str]) -> str:
    """What a build prints, with the `lanewise` of this interpreter in PATH."""
    scripts = Path("scripts")
    scripts.mkdir(exist_ok=True)
    (scripts / "lanewise").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lanewise "$@"\n')
    (scripts / "lanewise").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{scripts.resolve()}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY / "src"),
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


TOON = ".fvec projection[4]\n.fvec sun\n.out pos position\n.proc main\n    mov pos, sun\n    end\n.end\n"


def toon_project(folder: Path) -> None:
    (folder / "toon.v.pica").write_text(TOON)
    (folder / "lanewise.toml").write_text('[build]\nsources = ["toon.v.pica"]\nheaders = "build"\n')
    (folder / "main.c").write_text('#include "toon_uniforms.h"\nint main(void) { return VSH_FVEC_sun; }\n')


@SLOW
@needs("make", "cc")
def test_the_makefile_of_the_page(folder: Path):
    toon_project(folder)
    (folder / "Makefile").write_text("CFLAGS = -MMD -Ibuild\napp: main.o\n\t$(CC) main.o -o app\n" + block("make"))
    assert "-c -o main.o main.c" in output_of(["make"])
    (folder / "toon.v.pica").write_text(TOON + "; a comment\n")
    assert "-c -o main.o" not in output_of(["make"])
    (folder / "toon.v.pica").write_text(".fvec more\n" + TOON)
    assert "-c -o main.o main.c" in output_of(["make"])


@SLOW
@needs("cmake", "make", "cc")
def test_the_cmake_project_of_the_page(folder: Path):
    toon_project(folder)
    head = "cmake_minimum_required(VERSION 3.20)\nproject(app C)\nadd_executable(app main.c)\n"
    (folder / "CMakeLists.txt").write_text(head + block("cmake"))
    output_of(["cmake", "-S", ".", "-B", "cmake"])
    assert "Building C object" in output_of(["cmake", "--build", "cmake"])
    assert "Building C object" not in output_of(["cmake", "--build", "cmake"])
    (folder / "toon.v.pica").write_text(".fvec more\n" + TOON)
    assert "Building C object" in output_of(["cmake", "--build", "cmake"])
