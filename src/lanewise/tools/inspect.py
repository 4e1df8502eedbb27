"""`lanewise inspect`: what a file holds, its words as a listing, SHBINs inside other files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.api.loading import assemble_texts
from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.source import decode_text
from lanewise.direct3d9.container import scan as direct3d9_streams
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.scan import scan
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.text.dialects import DIALECTS, SOURCE_SUFFIXES
from lanewise.pica200.text.picasso.listing import listing_lines
from lanewise.pica200.text.picasso.printer import Names, Printer
from lanewise.tools import direct3d9_inspect, direct3d9_scan, shadercore_dis
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
    use_colour,
    write_bytes,
)
from lanewise.tools.direct3d9_files import is_one_for_direct3d9
from lanewise.tools.document import as_text, columns
from lanewise.tools.raw_words import read_raw
from lanewise.tools.reference import PLAIN_DESCRIPTOR
from lanewise.tools.shadercore_files import add_isa, is_for_shadercore
from lanewise.tools.summary import page, plain, summarise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.container.scan import Found

_EPILOG = """examples:
  lanewise inspect light.shbin                         shaders, inputs, outputs, uniforms, constants
  lanewise inspect light.shbin --listing               every word, with its descriptor and text
  lanewise inspect ball.shbin --output-maps            which output is what for the rasterizer
  lanewise inspect light.shbin --format json
  lanewise inspect light.vsh --listing                 what a source becomes
  lanewise inspect --scan game.bin                     SHBINs inside another file
  lanewise inspect --scan game.bin --extract shaders   and a file for each different one
  lanewise inspect --words code.bin --descriptors desc.bin
  lanewise inspect light.scbin                         a ShaderCore file or source
  lanewise inspect light.vso                           a Direct3D 9 shader: slots, registers, constants
  lanewise inspect --scan effect.fxb --extract shaders Direct3D 9 shaders are looked for, too

Exit codes: 0 fine (warnings too), 1 the file is malformed or a scan found nothing, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser(
        "lanewise inspect", "Show what a shader file holds, or find SHBINs and Direct3D 9 shaders inside another file.", _EPILOG
    )
    made.add_argument("file", nargs="?", metavar="FILE", help="an SHBIN, or a source, which is assembled; - is standard input")
    made.add_argument("--listing", action="store_true", help="list the words instead: address, word, descriptor, text")
    made.add_argument("--output-maps", action="store_true", help="also show the registers that wire outputs to the rasterizer, for each vertex "
                      "shader alone and with each geometry shader (default: for a file with one of each)")  # fmt: skip
    made.add_argument("--scan", action="store_true", help="look for SHBINs and Direct3D 9 shaders anywhere in FILE")
    made.add_argument("--extract", metavar="DIR", help="with --scan: write each different one into this folder")
    made.add_argument("--words", metavar="CODE.bin", help="list a file of raw instruction words; no FILE then")
    made.add_argument("--descriptors", metavar="DESC.bin", help="with --words: the file of operand descriptors")
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="FILE is a source in this language (default: by suffix)")
    add_isa(made)
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if (options.file is None) == (options.words is None):
        raise UsageError("name one FILE, or raw words with --words CODE.bin")
    if options.descriptors is not None and options.words is None:
        raise UsageError("--descriptors belongs to --words CODE.bin")
    if options.words is not None and (options.scan or options.extract is not None):
        raise UsageError("--scan looks into a FILE, not into --words")
    if options.extract is not None and not options.scan:
        raise UsageError("--extract belongs to --scan")
    if options.scan and options.listing:
        raise UsageError("--listing shows one SHBIN: extract it first, with --scan --extract DIR")
    if options.output_maps and (options.scan or options.listing or options.words is not None):
        raise UsageError("--output-maps goes with the summary of a FILE: leave out --listing, --scan and --words")
    if options.words is not None and (options.isa == "shadercore" or options.form is not None):
        raise UsageError("--words is for the words of a PICA200: for those of a ShaderCore use FILE --from words")
    if options.words is not None:
        return _raw(options.words, options.descriptors, options.format)
    data = read_bytes(options.file)
    name = "<stdin>" if options.file == STDIO else options.file
    if not options.scan and not options.dialect and is_one_for_direct3d9(options, data):
        if options.output_maps:
            raise UsageError("--output-maps is for SHBINs")
        return direct3d9_inspect.inspect(options, data)
    if not options.scan and not options.dialect and is_for_shadercore(options, data):
        if options.output_maps:
            raise UsageError("--output-maps is for SHBINs")
        return shadercore_dis.inspect(data, options.file, options.form, listing=options.listing, style=options.format)
    if options.dialect or (name.lower().endswith(SOURCE_SUFFIXES) and not data.startswith(b"DVLB")):
        if options.scan:
            raise UsageError("--scan looks into a file of bytes, not into a source")
        try:
            data = assemble_texts([(name, decode_text(data))], dialect=options.dialect or "").to_bytes()
        except InputError as error:
            _report(error.diagnostics, options.format)
            return INPUT_HAS_ERRORS
    if options.scan:
        return _scan(data, name, options.extract, options.format)
    return _file(data, name, options.file, listing=options.listing, maps=options.output_maps, style=options.format)


def _file(data: bytes, name: str, path: str, *, listing: bool, maps: bool, style: str) -> int:
    shbin, findings = read_shbin(data, name)
    if shbin is None:
        _report(_with_scan(findings, data, path), style)
        return INPUT_HAS_ERRORS
    if style == "json":
        shown = plain(summarise(shbin, name, len(data)))
        more: dict[str, object] = {"listing": listed(shbin.words, shbin.descriptors)} if listing else {}
        _print_json({"file": shown, **more, "diagnostics": [to_json(finding) for finding in findings]})
        return OK
    print_findings(findings)
    if listing:
        print("\n".join(listing_lines(shbin.words, shbin.descriptors)))
    else:
        file = summarise(shbin, name, len(data))
        shown = file.output_maps if maps else file.pair
        print(as_text(page(file, shown), colour=use_colour(sys.stdout)), end="", flush=True)
        print_findings(dict.fromkeys(finding for found in shown for finding in found.findings))
    return OK


def _with_scan(findings: list[Diagnostic], data: bytes, path: str) -> list[Diagnostic]:
    """The findings about a file that is no SHBIN; if some lie inside it, the first finding says so."""
    found = scan(data, path)
    if not found:
        return findings
    are = "is an SHBIN" if len(found) == 1 else f"are {len(found)} SHBINs"
    note = f"there {are} inside this file, the first at 0x{found[0].offset:X}"
    first = findings[0]._replace(notes=(*findings[0].notes, note), fix=f"lanewise inspect --scan {path}")
    return [first, *findings[1:]]


def _report(findings: Sequence[Diagnostic], style: str) -> None:
    print_findings(findings, style, sys.stdout if style == "json" else None)


def _print_json(data: dict[str, object]) -> None:
    import json

    print(json.dumps(data, indent=2))


# Raw words


def _raw(path: str, descriptor_path: str | None, style: str) -> int:
    words, descriptors, findings = read_raw(path, descriptor_path)
    if words is None:
        _report(findings, style)
        return INPUT_HAS_ERRORS
    table = (PLAIN_DESCRIPTOR,) * 128 if descriptors is None else descriptors
    if style == "json":
        _print_json({"listing": listed(words, table), "diagnostics": [to_json(finding) for finding in findings]})
        return OK
    print_findings(findings)
    lines = listing_lines(words, table)
    if descriptors is None:
        lines = lines[: 1 + len(words)]
        print("without --descriptors: write masks, swizzles and signs are not known and not shown", file=sys.stderr)
    print("\n".join(lines))
    return OK


def listed(words: Sequence[int], descriptors: Sequence[int]) -> list[dict[str, object]]:
    """The words of a program as plain values; `descriptor` is the number of the operand descriptor, or null."""
    printer = Printer(Names(), lambda target: "", lambda address: "")
    return [
        {
            "address": address,
            "word": word,
            "descriptor": operation.descriptor if operation.descriptor >= 0 else None,
            "text": printer.describe(operation) or f".word {word:#010x}",
        }
        for address, (word, operation) in enumerate(zip(words, lift(words, descriptors), strict=True))
    ]


# SHBINs inside other files


def _scan(data: bytes, name: str, folder: str | None, style: str) -> int:
    found = scan(data, name)
    others = direct3d9_streams.scan(data)
    streams = direct3d9_scan.streams(others.shaders)
    if not found and not streams:
        later = (
            f" It has {len(others.dxbc)} DXBC containers, which hold shaders for Direct3D 10 and later." if others.dxbc else ""
        )
        raise InputFailure(f"no SHBIN and no Direct3D 9 shader is in {name}: nothing that begins with DVLB can be read as one, and no "
                           f"version token is followed by instructions and an end.{later} A compressed or encrypted file has to be unpacked first")  # fmt: skip
    stem = "stdin" if name == "<stdin>" else Path(name).stem
    written = extract(data, found, Path(folder), stem) if folder is not None else {}
    more = direct3d9_scan.write_streams(streams, Path(folder), name, stem) if folder is not None and streams else []
    if style == "json":
        _print_json({
            "found": [_found_json(one, written.get(one.offset)) for one in found],
            "direct3d9": [direct3d9_scan.as_json(one, path) for one, path in zip(streams, more or [None] * len(streams), strict=False)],
            "dxbc": others.dxbc,
        })  # fmt: skip
        return OK
    if streams:
        print("\n".join(direct3d9_scan.lines(streams)))
    if others.dxbc:
        print(
            f"{len(others.dxbc)} DXBC containers, the first at 0x{others.dxbc[0]:X}: shaders for Direct3D 10 and later, which are not read"
        )
    for path in more:
        print(f"wrote {path}")
    if not found:
        return OK
    rows = [("offset", "size", "layout", "words", "descriptors", "shaders")]
    for one in found:
        file = summarise(one.shbin, name, one.size)
        stages = " ".join(shader.stage for shader in file.shaders)
        rows.append((f"0x{one.offset:X}", str(one.size), file.layout, str(file.words), str(file.descriptors), stages))
    print("\n".join(columns(rows)))
    paths = dict.fromkeys(written.values())
    for path in paths:
        print(f"wrote {path}")
    if len(paths) < len(written):
        print(f"{len(written) - len(paths)} more with the same bytes as one of these: not written again")
    return OK


def _found_json(found: Found, path: str | None) -> dict[str, object]:
    file = summarise(found.shbin, "", found.size)
    shown = {
        "offset": found.offset,
        "size": found.size,
        "layout": file.layout,
        "words": file.words,
        "descriptors": file.descriptors,
    }
    return {**shown, "shaders": [shader.stage for shader in file.shaders], "file": path}


def extract(data: bytes, found: Sequence[Found], folder: Path, stem: str) -> dict[int, str]:
    """Write each different SHBIN into a folder, which is made if need be: the path by offset, of equal ones the first's.

    Raises InputFailure.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot make the folder {folder}: {reason(error)}") from None
    paths: dict[bytes, str] = {}
    written: dict[int, str] = {}
    for one in found:
        content = data[one.offset : one.offset + one.size]
        if content not in paths:
            paths[content] = str(folder / f"{stem}_{one.offset:08x}.shbin")
            write_bytes(paths[content], content)
        written[one.offset] = paths[content]
    return written
