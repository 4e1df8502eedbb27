"""`lanewise convert`: a program in the other assembly language."""

from __future__ import annotations

import argparse
import json
import sys

from lanewise.core.source import decode_text
from lanewise.pica200.api.converting import convert_assembly, convert_file
from lanewise.pica200.text.dialects import DIALECTS, SOURCE_SUFFIXES, dialect_of
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    read_bytes,
    read_included,
    refuse_overwriting,
    write_bytes,
)
from lanewise.tools.dis import as_json, read_file, stem_of, write_sources
from lanewise.tools.shadercore_files import refuse_shadercore

_EPILOG = """examples:
  lanewise convert light.v.pica --to nihstro               print it as nihstro source
  lanewise convert light.vsh --to picasso -o light.v.pica
  lanewise convert ball.v.pica ball.g.pica --to nihstro -o ball/
  lanewise convert light.shbin --to nihstro

The sources compute the same: they have been assembled and compared instruction by instruction. Names of uniforms, inputs,
constants, labels and procedures stay; comments and other aliases do not, and of an SHBIN only the names that are in it. What a
language has no form for is written in one that lanewise alone reads, with a comment; what it cannot say at all is told on
standard error.

Exit codes: 0 fine, 1 the input has errors, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser("lanewise convert", "Turn sources or an SHBIN into sources of another assembly language.", _EPILOG)
    made.add_argument("files", nargs="+", metavar="FILE", help="an SHBIN, or sources, which are linked; - is standard input")
    made.add_argument("--to", required=True, choices=sorted(DIALECTS), help="the language to write")
    made.add_argument(
        "-o", "--output", metavar="OUT", help="a file for one source, a folder for several (default: standard output)"
    )
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="the language of the sources (default: by suffix)")
    made.add_argument("-e", "--entry", default="", metavar="LABEL", help="where a nihstro source begins (default: main)")
    made.add_argument("-g", "--geometry", action="store_true", help="a nihstro source is a geometry shader")
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    names: list[str] = options.files
    refuse_overwriting(names, [options.output or STDIO])
    stem = _stem(names[0])
    if not options.dialect and len(names) == 1 and not names[0].lower().endswith(SOURCE_SUFFIXES):
        read = read_bytes(names[0])
        refuse_shadercore(names[0], read, "convert")
        shbin, data = read_file(names[0], read)
        if shbin is None:
            return INPUT_HAS_ERRORS
        result = convert_file(shbin, options.to, stem, data)
    else:
        for name in names:
            if not options.dialect and name != STDIO and not dialect_of(name):
                raise UsageError(f"cannot tell the language of {name} by its suffix: say --dialect {' or '.join(DIALECTS)}")
        from lanewise.pica200.api.assembling import assemble_sources

        sources = [("<stdin>" if name == STDIO else name, decode_text(read_bytes(name))) for name in names]
        assembly = assemble_sources(
            sources, dialect=options.dialect or "", entry=options.entry, geometry=options.geometry, read=read_included
        )
        print_findings([finding for finding in assembly.diagnostics if finding.is_error])
        if assembly.data is None:
            return INPUT_HAS_ERRORS
        result = convert_assembly(assembly, options.to, stem)
    print_findings(result.findings)
    for lost in result.lost:
        print(f"lanewise convert: left out: {lost}", file=sys.stderr)
    if options.format == "json":
        write_bytes(options.output or STDIO, (json.dumps(as_json(result), indent=2) + "\n").encode())
    else:
        write_sources(result, options.output or STDIO, "lanewise convert")
    return OK


def _stem(path: str) -> str:
    """What the names of the sources begin with: the first file's name without its suffix."""
    for suffix in SOURCE_SUFFIXES:
        if path.lower().endswith(suffix):
            return stem_of(path[: -len(suffix)] + ".shbin")
    return stem_of(path)
