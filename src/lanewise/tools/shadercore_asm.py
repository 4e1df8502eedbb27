"""`lanewise asm` for ShaderCore sources."""

from __future__ import annotations

import sys

from lanewise.core.diagnostics import NOTE, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.shadercore.container.header import TARGETS, write_binary
from lanewise.shadercore.isa.table import NAME
from lanewise.shadercore.text.reader import read_source_text
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    print_findings,
    read_text,
    refuse_overwriting,
    write_bytes,
)
from lanewise.tools.options import one_source, stem_of
from lanewise.tools.shadercore_files import SUFFIX, SUFFIXES, converted

if TYPE_CHECKING:
    from lanewise.shadercore.isa.program import Program

HELP = """usage: lanewise asm [options] FILE.sc

Assemble a ShaderCore source into a file with a header of 32 bytes, or into words alone. - is
standard input, with --dialect shadercore.

options:
  -o, --output FILE   the file to write (default: the source's name with .scbin, or the suffix of --to)
  --to KIND           words without a header: bin (8 bytes each), hex (a word a line), c (an array),
                      vhdl (a ROM of 256-bit rows), coe (Xilinx), mem ($readmemh)
  --name NAME         what the array or ROM is called (default: the source's name)
  --dialect NAME      shadercore: the language of a source whose suffix is not .sc
  --check             report what is wrong, write nothing
  --format FORMAT     text for people (default), json for programs
  -h, --help          this help

examples:
  lanewise asm light.sc
  lanewise asm light.sc --to vhdl -o light_rom.vhd
  lanewise asm - --dialect shadercore --to hex -o -

Exit codes: 0 fine, 1 the source has errors, 2 wrong usage."""


def asks_for_shadercore(argv: list[str]) -> bool:
    """Whether a command line of `lanewise asm` names the language or a source of it."""
    for before, argument in zip(["", *argv], argv, strict=False):
        if argument == f"--dialect={NAME}" or (before, argument) == ("--dialect", NAME):
            return True
        if argument.lower().endswith(SUFFIX) and not argument.startswith("-") and before not in ("-o", "--output"):
            return True
    return False


def main(argv: list[str]) -> int:
    options = one_source(
        argv, NAME, "ShaderCore", TARGETS, f"is a ShaderCore source by its suffix: use --dialect {NAME}, or rename it"
    )
    if options is None:
        print(HELP)
        return OK
    output = options.output or _default_output(options.file, options.to)
    if options.format == "json" and output == STDIO and not options.check:
        raise UsageError("--format json and the words both want standard output: name a file with -o")
    refuse_overwriting([options.file], [output])
    result = read_source_text(read_text(options.file), "<stdin>" if options.file == STDIO else options.file)
    found = result.diagnostics
    program = result.program
    if program is not None and not options.check:
        found = [*found, *_left_out(program, options.file)]
    print_findings(found, options.format, sys.stdout if options.format == "json" else sys.stderr)
    if program is None:
        return INPUT_HAS_ERRORS
    if not options.check:
        name = options.name or stem_of(options.file)
        write_bytes(output, converted(program, options.to, name) if options.to else write_binary(program))
    return OK


def _left_out(program: Program, file: str) -> list[Diagnostic]:
    """A note on what no file holds."""
    if not program.constants:
        return []
    registers = ", ".join(f"c{constant.number}" for constant in program.constants)
    return [
        Diagnostic("V204", NOTE, f"the file does not hold the constants of {registers}", Span(file),
                   fix="the application sets them before it starts the shader; `lanewise dis` cannot give them back")
    ]  # fmt: skip


def _default_output(file: str, to: str) -> str:
    if file == STDIO:
        return STDIO
    return (file[: -len(SUFFIX)] if file.lower().endswith(SUFFIX) else file) + SUFFIXES[to]
