"""Plain command lines are read without argparse, as argparse reads them."""

from __future__ import annotations

import random
from importlib import import_module

import pytest

from effort import times
from lanewise.core.service import FLAG, OPTIONAL, UsageError
from lanewise.packages import packages
from lanewise.tools.cli import COMMANDS
from lanewise.tools.command_line import CommandLine, Read, command_rows, read_any, read_plain
from together import together


def lines() -> list[CommandLine]:
    """The command lines that `command.parse` reads."""
    modules = [import_module(f"lanewise.tools.{command.module}") for command in COMMANDS]
    found = [module.line() if hasattr(module, "line") else getattr(module, "LINE", None) for module in modules]
    return [line for line in found if isinstance(line, CommandLine)]


LINES = lines()


def plain(line: CommandLine, argv: list[str]) -> Read | None:
    return read_plain(line, command_rows(line).values(), argv)


def any_argv(rng: random.Random, line: CommandLine) -> list[str]:
    """A command line: right, or with one thing wrong here and there."""
    found: list[str] = []
    options = [row.option for row in command_rows(line).values()]
    for _ in range(rng.randrange(5)):
        if rng.random() < 0.4:
            found += rng.choice([["light.v.pica"], ["-"], ["-:light"], ["a", "b"], [""], ["--"]])
            continue
        option = rng.choice(options)
        name = rng.choice(option.names)
        value = (
            rng.choice(option.choices or ("7", "x", "a b", "V070"))
            if rng.random() < 0.8
            else rng.choice(("-1", "-x", "-", "", "12x", "no"))
        )
        shown = name if rng.random() < 0.9 else name[: rng.randrange(2, len(name) + 1)]
        if option.kind == FLAG or (option.kind == OPTIONAL and rng.random() < 0.5):
            found.append(shown)
        elif rng.random() < 0.3:
            found.append(f"{shown}={value}")
        else:
            found += [shown, value]
    return found


@together("line", LINES, ids=[line.name for line in LINES])
def test_it_is_read_as_argparse_reads_it(line: CommandLine):
    rng = random.Random(line.name)
    read = 0
    for _ in range(times(40, 1000)):
        argv = any_argv(rng, line)
        found = plain(line, argv)
        if found is None:
            continue
        read += 1
        assert found == read_any(line, argv), argv
    assert read


def test_a_wrong_command_line_is_for_argparse():
    """Each of these is wrong, short, or reads in a way of argparse's own."""
    (check,) = [line for line in LINES if line.name == "check"]
    for argv in (
        ["--level", "none", "a"],
        ["--lev", "note", "a"],
        ["--unknown"],
        ["--level"],
        ["--", "a"],
        ["--stats=yes"],
    ):
        assert plain(check, argv) is None
    with pytest.raises(UsageError, match="--level none: use "):
        read_any(check, ["--level", "none", "a"])


def test_all_instruction_sets_take_part():
    assert {row.owners for line in LINES for row in command_rows(line).values()} > {(), tuple(packages())}


def test_options_stand_between_files():
    """Also for argparse, which reads abbreviated names."""
    (check,) = [line for line in LINES if line.name == "check"]
    for level in ("--level", "--lev"):
        argv = ["a", level, "warning", "b", "--stats", "c", "--select", "V070"]
        found = read_any(check, argv)
        assert found.files == ("a", "b", "c")
        assert found.values == {"level": "warning", "stats": True, "select": ("V070",)}
        assert plain(check, argv) == (found if level == "--level" else None)


@pytest.mark.parametrize(
    ("argv", "value", "files"),
    [
        (["--why", "--explain", "light.v.pica"], "", ("light.v.pica",)),
        (["--explain", "shaders/light.sc", "--why"], "", ("shaders/light.sc",)),
        (["--explain", "light.shbin", "more.pica"], "", ("light.shbin", "more.pica")),
        (["light.v.pica", "--why", "--explain"], "", ("light.v.pica",)),
        (["--explain", "position.x", "light.v.pica"], "position.x", ("light.v.pica",)),
        (["--explain", "o0.x@3", "light.v.pica"], "o0.x@3", ("light.v.pica",)),
        (["--explain", "v0@14.x", "light.v.pica"], "v0@14.x", ("light.v.pica",)),
        (["--explain", "texcoord0.uv", "light.v.pica"], "texcoord0.uv", ("light.v.pica",)),
        (["--explain=light.v.pica"], "light.v.pica", ()),
    ],
)
def test_a_file_after_an_option_with_an_optional_value_is_a_file(argv: list[str], value: str, files: tuple[str, ...]):
    line = next(line for line in LINES if line.name == "run")
    read = read_any(line, argv)
    assert (read.values["explain"], read.files) == (value, files)
