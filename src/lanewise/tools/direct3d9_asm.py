"""`lanewise asm` for Direct3D 9 sources: those whose first statement is a version."""

from __future__ import annotations

import os
import sys

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import begins_with_version
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    print_findings,
    read_included,
    read_text,
    refuse_overwriting,
    write_bytes,
)
from lanewise.tools.options import one_source, stem_of

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.table import Version
    from lanewise.tools.options import OneSource

NAME = "direct3d9"
TARGETS = ("bin", "hex", "c")  # container.direct3d9_forms.TARGETS, which would be imported for nothing but this
HELP = """usage: lanewise asm [options] FILE

Assemble a Direct3D 9 source into the words that CreateVertexShader and CreatePixelShader take. A
source whose first statement is a version, such as vs_2_0 or ps.1.4, is Direct3D 9 whatever its
suffix. - is standard input. What is legal in the version is for `lanewise check`.

options:
  -o, --output FILE   the file to write (default: the source's name with .vso or .pso, or the suffix of
                      --to); - is standard output
  --to KIND           bin (default), hex (a word a line), c (an array); all of them are read again
  --name NAME         what the array is called (default: the source's name)
  --dialect NAME      direct3d9: for a source that does not begin with a version
  --check             report what is wrong, write nothing
  --format FORMAT     text for people (default), json for programs
  -h, --help          this help

examples:
  lanewise asm light.vsa -o light.vso
  lanewise asm light.vsa --to c -o light.h
  lanewise asm - --dialect direct3d9 --to hex -o - < light.vsa

Exit codes: 0 fine, 1 the source has errors, 2 wrong usage."""

_WITH_VALUES = ("-o", "--output", "--name", "--to", "-H", "--header", "--words", "--descriptors", "-e", "--entry", "--layout")
_SNIFFED = 1 << 20  # bytes of a source in which its version must be
_SUFFIXES = (".vsa", ".psa")


def asks_for_direct3d9(argv: list[str]) -> bool:
    """Whether a command line of `lanewise asm` names the language, or one source that begins with a version or is called .vsa or .psa."""
    files: list[str] = []
    for before, argument in zip(["", *argv], argv, strict=False):
        if before == "--dialect" or argument.startswith("--dialect="):
            return argument.removeprefix("--dialect=") == NAME
        if not argument.startswith("-") and before not in _WITH_VALUES:
            files.append(argument)
    return any(path.lower().endswith(_SUFFIXES) or _is_source(path) for path in files)


def _is_source(path: str) -> bool:
    """Whether a file is a text whose first statement is a version; what cannot be read is none."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return begins_with_version(file.read(_SNIFFED).decode("latin-1").removeprefix("\xef\xbb\xbf"))
    except (OSError, ValueError):
        return False


def main(argv: list[str]) -> int:
    options = one_source(
        argv, NAME, "Direct3D 9", TARGETS, f"begins with a version, so it is Direct3D 9: use --dialect {NAME}, or leave it out"
    )
    if options is None:
        print(HELP)
        return OK
    return assemble(read_text(options.file), options)


def assemble(text: str, options: OneSource) -> int:
    """Assemble a source and write what is asked for."""
    from lanewise.direct3d9.container.forms import write_form
    from lanewise.direct3d9.text.reader import read_source_text

    result = read_source_text(text, "<stdin>" if options.file == STDIO else options.file, read_included)
    output = options.output or _default_output(options, result.version)
    if options.format == "json" and output == STDIO and not options.check:
        raise UsageError("--format json and the words both want standard output: name a file with -o")
    refuse_overwriting([options.file], [output])
    print_findings(result.diagnostics, options.format, sys.stdout if options.format == "json" else sys.stderr)
    if result.shader is None:
        return INPUT_HAS_ERRORS
    if not options.check:
        write_bytes(output, write_form(result.shader, options.to or "bin", options.name or stem_of(options.file)))
    return OK


def _default_output(options: OneSource, version: Version | None) -> str:
    if options.file == STDIO:
        return STDIO
    folder, name = os.path.split(options.file)
    stem = name.rpartition(".")[0] or name
    suffix = {"hex": ".hex", "c": ".h"}.get(options.to) or (".pso" if version is not None and version.kind == "ps" else ".vso")
    return os.path.join(folder, stem + suffix)
