"""`lanewise asm`: sources to an SHBIN."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lanewise.api.assembling import assemble_sources
from lanewise.tools.console import (
    INPUT_HAS_ERRORS, OK, STDIO, UsageError, add_format, print_findings, read_text, write_bytes,
)  # fmt: skip

DIALECTS = {"picasso": (".v.pica", ".g.pica", ".pica", ".vsh", ".gsh")}

_EPILOG = """examples:
  lanewise asm light.v.pica -o light.shbin
  lanewise asm ball.v.pica ball.g.pica common.pica -o ball.shbin -H ball_shbin.h
  cpp light.v.pica | lanewise asm - -o light.shbin
  lanewise asm broken.v.pica --check --format json

All files are linked into one SHBIN, which holds one shader for each file that is not .nodvle."""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        "lanewise asm", description="Assemble picasso sources into one SHBIN.", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument("files", nargs="+", metavar="FILE", help="source files in order; - is standard input")
    made.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the SHBIN to write (default: the first source with .shbin); - is standard output",
    )
    made.add_argument("-H", "--header", metavar="FILE", help="also write a C header with the places of the uniforms")
    made.add_argument("-n", "--no-nop", action="store_true", help="insert no padding NOPs, warn instead")
    made.add_argument(
        "--picasso-compat",
        action="store_true",
        help="take what picasso takes and give its bytes, also where they do not mean what the source says",
    )
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="the language of the sources (default: by suffix)")
    made.add_argument("--check", action="store_true", help="report what is wrong, write nothing")
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    check_dialect(options.files, options.dialect)
    output = options.output or default_output(options.files[0])
    if options.format == "json" and output == STDIO and not options.check:
        raise UsageError("--format json and -o - both want standard output: name a file")
    sources = [("<stdin>" if name == STDIO else name, read_text(name)) for name in options.files]
    result = assemble_sources(sources, compatible=options.picasso_compat, padding=not options.no_nop)
    if options.format == "json":
        print_findings(result.diagnostics, "json", sys.stdout)
    else:
        print_findings(result.diagnostics)
    if result.data is None:
        return INPUT_HAS_ERRORS
    if not options.check:
        write_bytes(output, result.data)
        if options.header:
            from lanewise.text.picasso.header import c_header

            write_bytes(options.header, c_header(result.module).encode())
    return OK


def default_output(source: str) -> str:
    """`light.v.pica` becomes `light.shbin` beside it; standard input goes to standard output."""
    if source == STDIO:
        return STDIO
    path = Path(source)
    name = path.name
    for suffix in (".v.pica", ".g.pica", ".pica", ".vsh", ".gsh"):
        if name.endswith(suffix) and name != suffix:
            return str(path.with_name(name.removesuffix(suffix) + ".shbin"))
    return str(path.with_name(name + ".shbin"))


def check_dialect(files: list[str], dialect: str | None) -> None:
    """Refuse a file whose suffix says nothing, unless the language is named. Raises UsageError."""
    if dialect is not None:
        return
    known = DIALECTS["picasso"]
    for name in files:
        if name != STDIO and not name.lower().endswith(known):
            raise UsageError(f"cannot tell the language of {name} by its suffix ({', '.join(known)}): say --dialect picasso")
