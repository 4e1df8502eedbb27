"""`lanewise asm`: sources to an SHBIN."""

from __future__ import annotations

import sys

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.text.dialects import DIALECTS, SOURCE_SUFFIXES, dialect_of
from lanewise.tools import direct3d9_asm
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
)  # fmt: skip
from lanewise.tools.options import OneSource, OptionError, split_options

if TYPE_CHECKING:
    from lanewise.pica200.api.assembling import Assembly

FORMATS = ("text", "json")
LAYOUTS = ("picasso", "official", "nihstro")  # container.layout.LAYOUTS, which would be imported for nothing but this

HELP = """usage: lanewise asm [options] FILE...

Assemble picasso or nihstro sources into one SHBIN. All files are linked into one; it holds one
shader for each file (but those with .nodvle). - is standard input.

options:
  -o, --output FILE   the SHBIN to write (default: the first source with .shbin); - is standard output
  -H, --header FILE   also write a C header with the places of the shared uniforms, as picasso does
                      (those of a geometry shader with a mode are its own and are not in it)
  --words FILE        also write the raw instruction words, 4 bytes each
  --descriptors FILE  also write the raw operand descriptors, 4 bytes each
  -n, --no-nop        insert no padding NOPs, warn instead
  --picasso-compat    take what picasso takes and give its bytes, also where they do not mean what
                      the source says
  -e, --entry LABEL   where a nihstro source begins (default: main)
  -g, --geometry      a nihstro source is a geometry shader (.gsh files always are)
  --layout LAYOUT     how the SHBIN is laid out: picasso (default), nihstro or official
  --dialect NAME      the language of the sources: picasso, nihstro, shadercore or direct3d9 (default: by
                      suffix, or by a version at the beginning)
  --check             report what is wrong with the sources, write nothing; what the hardware makes of
                      them is for `lanewise check`
  --format FORMAT     text for people (default), json for programs
  -h, --help          this help

examples:
  lanewise asm light.v.pica -o light.shbin
  lanewise asm light.vsh -o light.shbin --layout nihstro
  lanewise asm ball.v.pica ball.g.pica common.pica -o ball.shbin -H ball_shbin.h
  cpp light.v.pica | lanewise asm - -o light.shbin
  lanewise asm broken.v.pica --check --format json

A ShaderCore source (.sc) becomes a ShaderCore file: see lanewise asm --dialect shadercore --help.
A source whose first statement is a version (vs_2_0, ps.1.4) is Direct3D 9, whatever its suffix: see
lanewise asm --dialect direct3d9 --help.

Exit codes: 0 fine, 1 the sources have errors, 2 wrong usage."""


class Options(Record):
    """What the command line asks for."""

    files: tuple[str, ...]
    output: str
    header: str
    words: str
    descriptors: str
    no_nop: bool
    compatible: bool
    entry: str
    geometry: bool
    layout: str
    dialect: str
    check: bool
    format: str
    help: bool


_FLAGS = {
    "-o": "output=", "--output": "output=", "-H": "header=", "--header": "header=", "--words": "words=",
    "--descriptors": "descriptors=", "-n": "no_nop", "--no-nop": "no_nop",
    "--picasso-compat": "compatible", "-e": "entry=", "--entry": "entry=", "-g": "geometry", "--geometry": "geometry",
    "--layout": "layout=", "--dialect": "dialect=", "--check": "check", "--format": "format=",
    "-h": "help", "--help": "help",
}  # fmt: skip


def read_options(argv: list[str]) -> Options:
    """The options of a command line. Raises UsageError."""
    try:
        values, files = split_options(argv, _FLAGS)
    except OptionError as error:
        raise UsageError(f"{error}; see lanewise asm --help") from None
    options = Options(
        tuple(files),
        values.get("output", ""),
        values.get("header", ""),
        values.get("words", ""),
        values.get("descriptors", ""),
        no_nop="no_nop" in values,
        compatible="compatible" in values,
        entry=values.get("entry", ""),
        geometry="geometry" in values,
        layout=values.get("layout", ""),
        dialect=values.get("dialect", ""),
        check="check" in values,
        format=values.get("format", "text"),
        help="help" in values,
    )
    if options.help:
        return options
    if not files:
        raise UsageError("name a source file, or - for standard input; see lanewise asm --help")
    if options.format not in FORMATS:
        raise UsageError(f"--format {options.format}: use text or json")
    if options.dialect and options.dialect not in DIALECTS:
        raise UsageError(f"--dialect {options.dialect}: the languages are {', '.join(DIALECTS)}, shadercore, direct3d9")
    if options.layout and options.layout not in LAYOUTS:
        raise UsageError(f"--layout {options.layout}: the layouts are {', '.join(LAYOUTS)}")
    return options


def main(argv: list[str]) -> int:
    if direct3d9_asm.asks_for_direct3d9(argv):
        return direct3d9_asm.main(argv)
    if any(argument.endswith((".sc", ".SC", "shadercore")) for argument in argv):
        from lanewise.tools import shadercore_asm

        if shadercore_asm.asks_for_shadercore(argv):
            return shadercore_asm.main(argv)
    options = read_options(argv)
    if options.help:
        print(HELP)
        return OK
    output = options.output or default_output(options.files[0])
    if options.format == "json" and output == STDIO and not options.check:
        raise UsageError("--format json and the SHBIN both want standard output: name a file with -o")
    refuse_overwriting(options.files, [output, options.header, options.words, options.descriptors])
    sources = [("<stdin>" if name == STDIO else name, read_text(name)) for name in options.files]
    if options.files == (STDIO,) and not options.dialect and direct3d9_asm.begins_with_version(sources[0][1]):
        wanted = OneSource(STDIO, options.output, "", "", options.check, options.format)
        return direct3d9_asm.assemble(sources[0][1], wanted)
    check_dialect(options.files, options.dialect)
    check_options(options)
    result = assemble_sources(
        sources,
        compatible=options.compatible,
        padding=not options.no_nop,
        dialect=options.dialect,
        entry=options.entry,
        geometry=options.geometry,
        layout=options.layout,
        read=read_included,
    )
    print_findings(result.diagnostics, options.format, sys.stdout if options.format == "json" else sys.stderr)
    if result.data is None:
        return INPUT_HAS_ERRORS
    if not options.check:
        write(result, output, options.header)
        write_raw(result, options)
    return OK


def write_raw(result: Assembly, options: Options) -> None:
    """Write what an engine or an emulator uploads: words without a container."""
    if options.words or options.descriptors:
        from lanewise.pica200.container.raw import write_descriptors, write_words

        if options.words:
            write_bytes(options.words, write_words(result.encoded.words))
        if options.descriptors:
            write_bytes(options.descriptors, write_descriptors(result.encoded.descriptors))


def write(result: Assembly, output: str, header: str) -> None:
    """Write the SHBIN, and the C header if one is asked for."""
    write_bytes(output, result.data or b"")
    if header:
        from lanewise.pica200.text.picasso.header import c_header

        write_bytes(header, c_header(result.module).encode())


def default_output(source: str) -> str:
    """`light.v.pica` becomes `light.shbin` beside it; standard input goes to standard output."""
    if source == STDIO:
        return STDIO
    for suffix in SOURCE_SUFFIXES:
        if source.lower().endswith(suffix) and not source.endswith("/" + suffix) and source != suffix:
            return source[: -len(suffix)] + ".shbin"
    return source + ".shbin"


def check_dialect(files: tuple[str, ...], dialect: str) -> None:
    """Refuse a file whose suffix says nothing, unless the language is named. Raises UsageError."""
    for name in files:
        if not dialect and name != STDIO and not name.lower().endswith(SOURCE_SUFFIXES):
            if name.lower().endswith((".shbin", ".bin")):
                raise UsageError(f"{name} is no source by its suffix: `lanewise dis` turns an SHBIN into source")
            if name.lower().endswith((".scbin", ".scb")):
                raise UsageError(f"{name} is no source by its suffix: `lanewise dis` turns it into one")
            raise UsageError(
                f"cannot tell the language of {name} by its suffix ({', '.join(SOURCE_SUFFIXES)}, .sc) nor by a version at its beginning "
                f"(vs_2_0): say --dialect {', '.join(DIALECTS)}, shadercore or direct3d9"
            )


def check_options(options: Options) -> None:
    """Refuse options of one language for sources of the other. Raises UsageError."""
    languages = {options.dialect or dialect_of(name) or "picasso" for name in options.files}
    if "nihstro" not in languages and (options.entry or options.geometry):
        raise UsageError("-e and -g are for nihstro sources: in picasso's language write .entry and .gsh")
    if "picasso" not in languages and (options.compatible or options.no_nop or options.header):
        raise UsageError("--picasso-compat, --no-nop and --header are for picasso sources")
