"""A sample of `nox -s hostile` in this process: every command once, every kind of hostile file.

And whether its tables have all commands, kinds of files and options.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

if os.name == "nt":
    pytest.skip("folders of this system have no pipes, sockets or devices: run it on Linux or macOS", allow_module_level=True)

import hostile
from lanewise.core import files
from lanewise.tools import cli
from lanewise.tools.cli import COMMANDS
from lanewise.tools.command import CommandLine, command_rows

if TYPE_CHECKING:
    from pathlib import Path

# What an option that reads a file calls its value.
READS = {"FILE", "TOML", "RESULTS", "SCRIPT", "CODE", "DESC", "VALUE", "LOG"}
# Options whose value is a file that is written, or no file; values by name are tried by --uniform, --input and --indices.
OTHERS = {"output", "draw", "svg", "vcd", "reordered", "explain", "set", "constant", "initial", "boolean", "geometry-uniform"}


def test_every_kind_of_file_has_names():
    assert hostile.NAMES.keys() | hostile.NOT_OF_USERS.keys() == files.KINDS.keys()
    assert {kind for kinds in hostile.LINES.values() for kind in kinds.split()} == hostile.NAMES.keys()


def test_every_command_is_tried():
    tried = {line.split()[0] for line in hostile.LINES}
    assert tried - {"PYTEST"} | hostile.WITHOUT_FILES | hostile.SERVERS == {command.name for command in COMMANDS}
    assert not tried & hostile.WITHOUT_FILES


def test_every_option_that_reads_a_file_is_tried():
    words = {word for line in hostile.LINES for word in line.split()}
    reading: set[str] = set()
    for command in COMMANDS:
        line = getattr(import_module(f"lanewise.tools.{command.module}"), "LINE", None)
        if isinstance(line, CommandLine):
            reading |= {
                key for key, row in command_rows(line).items() if READS.intersection(re.split(r"\W+", row.option.metavar))
            }
    assert {key for key in reading - OTHERS if f"--{key}" not in words} == set()


def sampled() -> list[tuple[str, str]]:
    """Each line with one kind of hostility, all kinds among them."""
    kinds = cycle(hostile.KINDS)
    return [(line, next(kinds)) for line in hostile.LINES if not line.startswith("PYTEST")]


@pytest.mark.parametrize(("line", "kind"), sampled())
def test_a_hostile_file_is_a_sentence(
    line: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
):
    monkeypatch.chdir(tmp_path)
    case = next(hostile.cases(kind, tmp_path, line), None)
    if case is None:
        pytest.skip("a name with a line end is another name, which nothing looks for")
    code = cli.main(case.line)
    shown = capfdbinary.readouterr()
    assert hostile.wrong_text(case, code, (shown.out + shown.err).decode()) == ""


@pytest.mark.parametrize("kind", hostile.KINDS)
def test_the_other_files_of_a_folder_are_served(kind: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    case = next(case for case in hostile.cases(kind, tmp_path, "check --level note {d}") if case.served)
    code = cli.main(case.line)
    shown = capfdbinary.readouterr()
    assert hostile.wrong_text(case, code, (shown.out + shown.err).decode()) == ""
