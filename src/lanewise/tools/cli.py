"""The command line `lanewise`.

Each command is a module with a `main(arguments)`; only the requested one is imported."""

from __future__ import annotations

import sys

from lanewise.core import service
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    OLD_EXIT_CODES,
    WRONG_USAGE,
    guarded,
    print_remark,
    print_text,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Command(Record):
    """A subcommand: its module in this package, what it does, in a line, and its exit code for an input that cannot be used."""

    name: str
    module: str
    help: str
    trouble: int = INPUT_HAS_ERRORS


# By what one wants to do; the order is that of `lanewise --help`.
GROUPS: dict[str, tuple[Command, ...]] = {
    "write": (
        Command("asm", "asm", "assemble sources: picasso and nihstro, ShaderCore, Direct3D 9"),
        Command("build", "build", "build the programs of lanewise.toml that are not up to date"),
        Command("compile", "compile", "compile GLSL, HLSL, Slang, SPIR-V and Direct3D 9 for PICA200 and ShaderCore"),
        Command("convert", "convert", "convert a program to another language of its instruction set"),
        Command("fmt", "fmt", "format sources: indentation, spacing, aligned comments"),
        Command("translate", "translate", "translate a program to C, C++, GLSL or WGSL"),
    ),
    "look": (
        Command("dis", "dis", "disassemble a binary into source that assembles to the same bytes"),
        Command("inspect", "inspect", "show the contents of a file; find shaders inside other files"),
        Command("graph", "graph", "show control flow or dependences, as text or a picture"),
        Command("frame", "frame", "list the draws of a recorded frame, with what is wrong with them"),
        Command("isa", "isa", "show the reference of an instruction set or an instruction"),
    ),
    "run": (
        Command("run", "run", "run a shader on data, with the arithmetic of the hardware"),
        Command("test", "testing", "run shader tests: what a program should give for some data"),
        Command("debug", "debug", "step through a program in both directions"),
        Command("time", "time", "show the cycles and stalls of a ShaderCore program"),
        Command("studio", "studio", "open a page in the browser that shows what shaders do"),
    ),
    "trust": (
        Command("check", "check", "report hangs, corruption and suspicious code"),
        Command("diff", "diff", "say whether two programs are equal for all inputs", trouble=2),
        Command("opt", "opt", "make a program smaller, with a proof that its outputs stay the same"),
    ),
    "devices and emulators": (
        Command("vectors", "vectors", "write test vectors for emulators and hardware, and judge their answers"),
        Command("evidence", "evidence", "settle open questions about the hardware: a plan, a kit for a console, its results"),
        Command("fuzz", "fuzz", "fuzz the two engines against each other"),
        Command("rtl", "rtl", "write a self-checking test bench of a ShaderCore program: VHDL, Verilog, cocotb"),
        Command("bench", "bench", "benchmark the compiled engine: ns per vertex"),
    ),
    "editors": (
        Command("lsp", "lsp", "run the language server for editors"),
        Command("dap", "dap", "debug programs in an editor: the debug adapter"),
    ),
    "tools": (
        Command("cache", "cache", "show or clear the compiled kernels on disk"),
        Command("schema", "schema", "print the JSON Schema of what a command prints with --format json"),
        Command("completions", "completions", "write the completion of command lines for bash, zsh or fish"),
        Command("man", "manual", "write the manual page of lanewise or of a command"),
    ),
}
COMMANDS: tuple[Command, ...] = tuple([command for group in GROUPS.values() for command in group])

_LONGEST_PATH = 256  # that is looked for where a command is missing
_HEAD = """usage: lanewise COMMAND ...

Assemble, read, check and run shaders of the Nintendo 3DS GPU (PICA200), programs of ShaderCore, and Direct3D 9 shaders,
and compile GLSL, HLSL, Slang and Direct3D 9 shaders for them. The file type is detected automatically.
"""
_TAIL = """
examples:
  lanewise asm light.v.pica -o light.shbin
  lanewise compile light.vert -o light.shbin
  lanewise run light.v.pica --mesh model.obj --uniforms scene.json --draw light.svg --why
  lanewise isa pica200 mad

`lanewise COMMAND [FILE] --help` explains a command. """

EXIT_CODES = "Exit codes: 0 fine, 1 the input has errors, 2 wrong usage; `lanewise diff --help` has those of diff."


def usage() -> str:
    lines = [_HEAD, "\n"]
    for title, commands in GROUPS.items():
        lines += [f"{title}:\n", *[f"  {command.name:<13}{command.help}\n" for command in commands]]
    return "".join(lines) + _TAIL + EXIT_CODES


def main(argv: list[str] | None = None) -> int:
    """Run a command; the exit code."""
    return guarded("lanewise", _main, sys.argv[1:] if argv is None else argv)


def _main_of(module: str) -> Callable[[list[str]], int]:
    """The command of a module, which it imports when it runs: a library that is missing is an error of the command."""
    return lambda arguments: __import__(f"lanewise.tools.{module}", fromlist=["main"]).main(arguments)


def _main(arguments: list[str]) -> int:
    if not arguments:
        print(usage(), file=sys.stderr)
        return WRONG_USAGE
    first = arguments[0]
    if first == "help" and len(arguments) > 1:  # `lanewise help asm`
        return _main([arguments[1], "--help"])
    if first in ("-h", "--help", "help"):
        print_text(usage() + "\n")
        return OK
    if first in ("-V", "--version"):
        from lanewise import __version__

        print_text(f"lanewise {__version__}\n")
        return OK
    for command in COMMANDS:
        if command.name == first:
            with service.heard(lambda message: print_remark(f"lanewise {first}: {message}")):
                old = OLD_EXIT_CODES in arguments
                trouble = INPUT_HAS_ERRORS if old else command.trouble
                return guarded(f"lanewise {first}", _main_of(command.module), arguments[1:], trouble)
    from pathlib import Path

    from lanewise.tools import field_words

    if len(first) < _LONGEST_PATH and Path(first).is_file():  # a command is missing, which `-o` tells apart
        meant = "asm" if any(argument in ("-o", "--output") for argument in arguments) else "check"
        raise service.UsageError(f"'{first}' is a file, and the command is missing: lanewise {meant} {' '.join(arguments)}")
    raise unknown(
        "command", first, [command.name for command in COMMANDS], "see lanewise --help", meant=field_words.commands(first)
    )
