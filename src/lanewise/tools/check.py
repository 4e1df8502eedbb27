"""`lanewise check`: what the hardware will not forgive, before the console freezes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, has_errors
from lanewise.core.source import decode_text
from lanewise.direct3d9.api.checking import check_direct3d9
from lanewise.direct3d9.isa.table import NAME as DIRECT3D9
from lanewise.packages import codes
from lanewise.pica200.api.checking import Reading, Report, check_bytes, check_sources, check_words
from lanewise.pica200.container.raw import read_descriptors, read_words
from lanewise.pica200.text.dialects import DIALECTS, dialect_of
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.table import NAME as SHADERCORE
from lanewise.tools.check_report import FORMATS, written
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, UsageError, make_parser, read_bytes, read_included, write_bytes
from lanewise.tools.devices import add_device, device_of
from lanewise.tools.shadercore_files import add_isa, is_one_for_shadercore

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic

_LEVELS = (NOTE, WARNING, ERROR)

_EPILOG = """A finding on one line is kept quiet by a comment there: mova a0.x, v1 ; lanewise: ignore[V070]

examples:
  lanewise check light.v.pica                      everything there is to say
  lanewise check shaders/*.pica --level warning    without notes
  lanewise check ball.v.pica lib.pica --link       one program of several files
  lanewise check lights.vsh                        in nihstro's language; any SHBIN
  lanewise check --words code.bin --descriptors desc.bin
  lanewise check light.sc                          a ShaderCore program on the public hardware
  lanewise check light.scbin --device document     or on another device; --set asks what if
  lanewise check light.vsa                         what is not legal in a Direct3D 9 shader's version
  lanewise check light.vsa --stats                 and the slots and registers that it uses
  lanewise check light.v.pica --select V07,V083    rules by code, or by how codes begin
  lanewise check light.v.pica --stats              words, instructions per vertex, registers
  lanewise check *.pica --format sarif > out.sarif or json, or github for annotations
  lanewise check --explain V070                    what a code means and how to mend it

Exit codes: 0 fine (notes too), 1 there are errors or warnings, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser(
        "lanewise check",
        "Check programs for what freezes, corrupts or surprises: sources, SHBINs or raw words; ShaderCore programs too.",
        _EPILOG,
    )
    made.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="sources or SHBINs, or ShaderCore programs, each a program of its own; - is standard input",
    )
    made.add_argument("--link", action="store_true", help="the sources are one program, as for lanewise asm")
    made.add_argument("--words", metavar="CODE.bin", help="check a file of raw instruction words; no FILE then")
    made.add_argument("--descriptors", metavar="DESC.bin", help="with --words: the file of operand descriptors")
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="the language of the sources (default: by suffix)")
    made.add_argument("-e", "--entry", metavar="START", help="of nihstro sources: the label that they begin at (default: main); with --words: the "
                      "number of that word (default: 0)")  # fmt: skip
    made.add_argument("-g", "--geometry", action="store_true", help="nihstro sources, or --words, are geometry shaders")
    made.add_argument(
        "--select", action="append", default=[], metavar="CODES", help="report only these: V070,V08 (any number of them)"
    )
    made.add_argument(
        "--ignore", action="append", default=[], metavar="CODES", help="do not report these; errors are always reported"
    )
    made.add_argument("--level", choices=_LEVELS, default=NOTE, help="the least severity to report (default: note)")
    made.add_argument(
        "--format", choices=FORMATS, default="text", help="text for people (default); json, sarif, github for programs"
    )
    made.add_argument("--stats", action="store_true", help="also show what each shader costs")
    add_device(made)
    add_isa(made)
    made.add_argument("--explain", metavar="CODE", help="print the page of a code; no FILE then")
    made.add_argument("-n", "--no-nop", action="store_true", help="the program is assembled without padding NOPs")
    made.add_argument("--picasso-compat", action="store_true", help="take what picasso takes, as it takes it")
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if options.explain is not None:
        return explain(options.explain, options.files)
    selected, ignored = codes_of(options.select, "--select"), codes_of(options.ignore, "--ignore")
    reports = [chosen(report, selected, ignored, options.level) for report in reports_of(options)]
    text = written(reports, options.format, stats=options.stats, stream=sys.stdout)
    write_bytes(STDIO, text.encode())
    bad = any(finding.severity != NOTE for report in reports for finding in report.findings)
    return INPUT_HAS_ERRORS if bad else OK


def reports_of(options: argparse.Namespace) -> list[Report]:
    """What there is to say about each program of the command line. Raises UsageError, InputFailure."""
    if (not options.files) == (options.words is None):
        raise UsageError("name FILEs, or raw words with --words CODE.bin: see lanewise check --help")
    if options.words is not None:
        if options.isa == SHADERCORE or options.form is not None:
            raise UsageError("--words is for the PICA200: name the file of ShaderCore words by itself")
        entry = options.entry or "0"
        if not entry.isdecimal():
            raise UsageError(f"--entry {entry}: with --words the start is a number")
        return [raw(options.words, options.descriptors, int(entry), geometry=options.geometry, stats=options.stats)]
    if options.descriptors is not None:
        raise UsageError("--descriptors belongs to --words CODE.bin")
    nihstro = "nihstro" in {options.dialect or dialect_of(path) for path in options.files}
    if (options.entry is not None or options.geometry) and not nihstro:
        raise UsageError("--entry and --geometry are for nihstro sources and --words: picasso sources say .entry and .gsh")
    named = [("<stdin>" if path == STDIO else path, read_bytes(path)) for path in options.files]
    if options.isa == DIRECT3D9:
        return [Report(tuple(check_direct3d9(data, name, read_included))) for name, data in named]
    cores = [is_one_for_shadercore(options, name, data) for name, data in named]
    if any(cores):
        return shadercore(options, named, cores)
    if options.set or options.device != RTL.name:
        raise UsageError("--device and --set are for ShaderCore programs, and there is none")
    return pica200(options, named)


def shadercore(options: argparse.Namespace, named: Sequence[tuple[str, bytes]], cores: Sequence[bool]) -> list[Report]:
    """The reports of files of which at least one is ShaderCore's. Raises UsageError, InputFailure."""
    if options.link:
        raise UsageError("--link is for sources of the PICA200: a ShaderCore program is one file")
    device = device_of(options)
    reports: list[Report] = []
    for (name, data), core in zip(named, cores, strict=True):
        if core:
            reports.append(check_shadercore(data, name, device, options.form, stats=options.stats))
        else:
            reports += pica200(options, [(name, data)])
    return reports


def pica200(options: argparse.Namespace, named: Sequence[tuple[str, bytes]]) -> list[Report]:
    """The reports of files of the PICA200. Raises UsageError."""
    reading = Reading(
        options.picasso_compat, not options.no_nop, options.dialect or "", options.entry or "", options.geometry, read_included
    )
    if not options.link:
        return [check_bytes(data, name, reading, stats=options.stats) for name, data in named]
    binary = next((name for name, data in named if data.startswith(b"DVLB")), "")
    if binary:
        raise UsageError(f"--link is for sources, and {binary} is an SHBIN")
    return [check_sources([(name, decode_text(data)) for name, data in named], reading, stats=options.stats)]


def raw(path: str, descriptor_path: str | None, entry: int, *, geometry: bool, stats: bool) -> Report:
    """Raw words, with their descriptors if these are there. Raises UsageError for an entry outside the words."""
    words, findings = read_words(read_bytes(path), path)
    descriptors: tuple[int, ...] | None = None
    if descriptor_path is not None:
        descriptors, more = read_descriptors(read_bytes(descriptor_path), descriptor_path)
        findings += more
    if words is None or has_errors(findings):
        return Report(tuple(findings))
    if not 0 <= entry < max(1, len(words)):
        raise UsageError(f"--entry {entry}: {path} has {len(words)} words, counted from 0")
    if descriptors is None:
        print("without --descriptors: what instructions write is not known, and rules about it are left out", file=sys.stderr)
    report = check_words(words, descriptors, path, entry=entry, geometry=geometry, stats=stats)
    return report._replace(findings=(*findings, *report.findings))


def codes_of(given: Sequence[str], option: str) -> tuple[str, ...]:
    """The codes, or beginnings of codes, of an option. Raises UsageError for one that no code begins with."""
    found = [code.strip().upper() for text in given for code in text.split(",") if code.strip()]
    for code in found:
        if not any(known.startswith(code) for known in codes()):
            raise UsageError(f"{option} {code}: no code begins like that; docs/diagnostics.md lists them")
    return tuple(found)


def chosen(report: Report, selected: tuple[str, ...], ignored: tuple[str, ...], level: str) -> Report:
    """The report without what was not asked for. Errors stay: a program that has some has not been looked at any further."""

    def wanted(finding: Diagnostic) -> bool:
        if finding.severity == ERROR:
            return True
        if _LEVELS.index(finding.severity) < _LEVELS.index(level) or (selected and not finding.code.startswith(selected)):
            return False
        return not (ignored and finding.code.startswith(ignored))

    return report._replace(findings=tuple(finding for finding in report.findings if wanted(finding)))


def explain(code: str, files: Sequence[str]) -> int:
    """Print the page of a code. Raises UsageError."""
    from lanewise.tools.console import use_colour
    from lanewise.tools.document import as_text
    from lanewise.tools.pages import explained

    if files:
        raise UsageError("--explain CODE stands alone")
    row = codes().get(code.upper())
    if row is None:
        from difflib import get_close_matches

        near = get_close_matches(code.upper(), list(codes()), 1)
        raise UsageError(
            f"there is no code {code}: " + (f"did you mean {near[0]}?" if near else "docs/diagnostics.md lists them")
        )
    print(as_text(explained(row), colour=use_colour(sys.stdout)), end="")
    return OK
