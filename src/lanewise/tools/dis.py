"""`lanewise dis`: an SHBIN, or raw words, back to sources."""

from __future__ import annotations

import argparse
import json
import os
import sys

from lanewise.core.diagnostics import has_errors
from lanewise.direct3d9.api.disassembling import STYLES
from lanewise.pica200.api.converting import convert_file
from lanewise.pica200.api.disassembling import Disassembly
from lanewise.pica200.container.build import build
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import Shbin
from lanewise.pica200.isa.program import Interface, Program
from lanewise.pica200.text.dialects import DIALECTS
from lanewise.shadercore.container.header import TARGETS
from lanewise.tools import direct3d9_dis, shadercore_dis
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    InputFailure,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    read_bytes,
    reason,
    refuse_overwriting,
    write_bytes,
)
from lanewise.tools.direct3d9_files import is_one_for_direct3d9
from lanewise.tools.raw_words import read_raw
from lanewise.tools.shadercore_files import add_isa, is_for_shadercore

_EPILOG = """examples:
  lanewise dis light.shbin                     print the source
  lanewise dis ball.shbin -o ball/             one file for each shader, in the folder ball
  lanewise dis light.shbin --dialect nihstro   as nihstro source
  lanewise dis code.bin --words --descriptors desc.bin
  lanewise dis light.scbin                     a ShaderCore file, by its first letters
  lanewise dis code.bin --isa shadercore --to c
  lanewise dis light.vso                       a Direct3D 9 shader, by its first word
  lanewise dis light.vso --symbols             with the names of its constant table
  lanewise dis light.vso --style microsoft     a listing as Microsoft's disassembler gives it

A file that picasso wrote becomes plain picasso source. Any other file becomes source with directives
that lanewise alone knows. Both assemble to the same bytes: the first line of each source says how.
With --dialect nihstro the sources assemble to the same instructions, not to the same bytes."""


def parser() -> argparse.ArgumentParser:
    made = make_parser("lanewise dis", "Turn an SHBIN back into sources that assemble to the same bytes.", _EPILOG)
    made.add_argument("file", metavar="FILE", help="an SHBIN; - is standard input")
    made.add_argument(
        "-o", "--output", metavar="OUT", help="a file for one source, a folder for several (default: standard output)"
    )
    made.add_argument(
        "--dialect", choices=sorted(DIALECTS), default="picasso", help="the language to write (default: %(default)s)"
    )
    made.add_argument("--listing", action="store_true", help="print address, word, descriptor and text of each word instead")
    made.add_argument("--words", action="store_true", help="FILE holds raw instruction words, not an SHBIN")
    made.add_argument("--descriptors", metavar="FILE", help="with --words: the operand descriptors, as words or 8-byte pairs")
    add_isa(made)
    made.add_argument("--to", choices=TARGETS, help="ShaderCore and Direct3D 9: the words in another form instead of a source")
    made.add_argument("--name", metavar="NAME", help="with --to c or vhdl: what the array or ROM is called")
    made.add_argument(
        "--style", choices=STYLES, help="Direct3D 9: lossless (default) assembles to the same words, microsoft is for reading"
    )
    made.add_argument("--symbols", action="store_true", help="Direct3D 9: call constants as the constant table does")
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if options.descriptors and not options.words:
        raise UsageError("--descriptors goes with --words")
    if options.listing and options.format == "json":
        raise UsageError("--listing is text: for JSON use `lanewise inspect --listing --format json`")
    if options.to is not None and (options.listing or options.format == "json"):
        raise UsageError("--to gives words: leave out --listing and --format json")
    if not options.words:
        read = read_bytes(options.file)
        if is_one_for_direct3d9(options, read):
            return direct3d9_dis.disassemble(options, read)
        if options.style is not None or options.symbols:
            raise UsageError(
                f"--style and --symbols are for Direct3D 9 shaders, and {options.file} does not look like one: say --isa direct3d9"
            )
        if is_for_shadercore(options, read):
            return shadercore_dis.disassemble(
                read, options.file, options.form, output=options.output, listing=options.listing, target=options.to,
                name=options.name, style=options.format,
            )  # fmt: skip
    elif options.isa in ("shadercore", "direct3d9") or options.form is not None:
        raise UsageError("--words is for the words of a PICA200: for those of a ShaderCore use --from words")
    else:
        read = b""
    if options.to is not None or options.name is not None:
        raise UsageError(
            f"--to and --name are for ShaderCore files, and {options.file} does not look like one: say --isa shadercore"
        )
    shbin, data = read_code(options.file, options.descriptors) if options.words else read_file(options.file, read)
    if shbin is None:
        return INPUT_HAS_ERRORS
    refuse_overwriting([options.file, options.descriptors or STDIO], [options.output or STDIO])
    stem = stem_of(options.file)
    if options.listing:
        write_bytes(options.output or STDIO, listing(shbin).encode())
        return OK
    result = convert_file(shbin, options.dialect, stem, data)
    for lost in result.lost:
        print(f"lanewise dis: left out: {lost}", file=sys.stderr)
    if options.format == "json":
        write_bytes(options.output or STDIO, (json.dumps(as_json(result), indent=2) + "\n").encode())
    else:
        write_sources(result, options.output or STDIO)
    return OK


def read_file(path: str, data: bytes) -> tuple[Shbin | None, bytes | None]:
    """An SHBIN with its bytes; findings are printed."""
    shbin, findings = read_shbin(data, "<stdin>" if path == STDIO else path)
    print_findings(findings)
    return (None if has_errors(findings) else shbin), data


def read_code(code: str, descriptors: str | None) -> tuple[Shbin | None, bytes | None]:
    """Raw words as a file with one shader that begins at word 0; findings are printed."""
    words, table, findings = read_raw(code, descriptors or None)
    print_findings(findings)
    if words is None:
        return None, None
    return build(Program((), (Interface("main", entry_end=len(words)),), {}), words, table or ()), None


def stem_of(path: str) -> str:
    """What the names of the sources begin with: the file's name without its suffix, safe for a source's first line."""
    if path == STDIO:
        return "shader"
    name = os.path.basename(path)
    stem = name.rpartition(".")[0] or name
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in stem) or "shader"


def listing(shbin: Shbin) -> str:
    from lanewise.pica200.text.picasso.listing import listing_lines

    return "\n".join(listing_lines(shbin.words, shbin.descriptors)) + "\n"


def as_json(result: Disassembly) -> dict[str, object]:
    return {
        "plain": result.plain,
        "arguments": list(result.arguments),
        "lost": list(result.lost),
        "sources": [{"name": source.name, "text": source.text} for source in result.sources],
    }


def write_sources(result: Disassembly, output: str, command: str = "lanewise dis") -> None:
    """One source to a file or standard output, several into a folder (to standard output one after the other)."""
    several = len(result.sources) > 1
    if output == STDIO:
        parts = [
            f"{'; ' if source.name.endswith('.pica') else '// '}---- {source.name} ----\n{source.text}"
            if several
            else source.text
            for source in result.sources
        ]
        write_bytes(STDIO, "\n".join(parts).encode())
        if result.arguments and not several:
            print(f"{command}: to get the same bytes, assemble with {' '.join(result.arguments)}", file=sys.stderr)
        if several:
            names = ", ".join(source.name for source in result.sources)
            print(f"{command}: these are {len(result.sources)} sources ({names}): -o FOLDER writes them", file=sys.stderr)
        return
    if not several and not output.endswith(("/", os.sep)) and not os.path.isdir(output):
        write_bytes(output, result.sources[0].text.encode())
        return
    try:
        os.makedirs(output, exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot make the folder {output}: {reason(error)}") from None
    for source in result.sources:
        write_bytes(os.path.join(output, source.name), source.text.encode())
        print(os.path.join(output, source.name))
