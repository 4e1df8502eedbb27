"""`lanewise graph`: the control-flow graph of a program, or the dependences of one without branches, as text, DOT, SVG or
JSON."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FORCE, STDIO, TEXT, Option, Request, UsageError
from lanewise.packages import package_of
from lanewise.tools.command import lacks, load, parse, report_errors
from lanewise.tools.command_line import CommandLine
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, document, json_bytes, print_findings, refuse_overwriting, write_bytes

FORMATS = ("text", "dot", "svg", "json")
SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".json": "json", ".txt": "text", "": "text"}

LINE = CommandLine(
    name="graph",
    about="Show the graph of a program: basic blocks with their conditions and successors, or the dependences between "
    "instructions.",
    options=(
        Option(names=("-o", "--output"), kind=TEXT, help="the file to write (default: standard output)", metavar="OUT"),
        FORCE,
        Option(
            names=("--format",),
            kind=TEXT,
            help="text, dot, svg or json (default: by the suffix of OUT, otherwise text)",
            metavar="",
            choices=FORMATS,
        ),
    ),
    examples="",
    files="?",
    file_help="a source or a binary; - is standard input",
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    output = parsed.text("output", STDIO)
    style = parsed.text("format") or format_of(output)
    try:
        loaded, request = load(parsed)
        if loaded.graph is None:
            raise lacks(package_of(loaded.isa), "control-flow graph")
        drawn = Request(
            request.command,
            request.sources,
            {**request.values, "format": style},
            language=request.language,
            files=request.files,
            read_included=request.read_included,
        )
        answer = loaded.graph(drawn)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    refuse_overwriting(parsed.files, [output])
    if style == "json":
        shown = json_bytes(document("graph", answer.data, parsed.isa, (*answer.first, *answer.last)))
    else:
        print_findings((*answer.first, *answer.last))
        shown = answer.text.encode()
    write_bytes(output, shown, force=parsed.flag("force"))
    return INPUT_HAS_ERRORS if answer.failed else OK


def format_of(output: str) -> str:
    """The format that a file's suffix asks for. Raises UsageError."""
    suffix = "" if output == STDIO else Path(output).suffix.lower()
    if suffix not in SUFFIXES:
        known = " ".join(name for name in SUFFIXES if name)
        raise UsageError(f"unknown suffix {suffix}: use one of {known}, or --format")
    return SUFFIXES[suffix]
