"""`lanewise run`: run a program on lanes of data."""

from __future__ import annotations

import sys

from lanewise.core.diagnostics import VERTEX, InputError
from lanewise.core.origins import Origin
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, INTEGER, OPTIONAL, TEXT, TEXTS, Option, UsageError
from lanewise.core.suffixes import suffix_of
from lanewise.core.view import FORMATS, view_of
from lanewise.packages import package_of
from lanewise.tools import draw
from lanewise.tools.command import Progress, lacks, load, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, TIMEOUT, CommandLine

if TYPE_CHECKING:
    from lanewise.tools.command import Parsed

LINE = CommandLine(
    name="run",
    about="Run a program over vertices, pixels or lanes of data, bit for bit as its hardware computes.",
    options=(
        Option(names=("-i", "--input"), kind=TEXTS, help="data for an input, by name or register", metavar="NAME=VALUE"),
        Option(
            names=("-u", "--uniform", "-c", "--const"),
            kind=TEXTS,
            help="data for a uniform or constant, by name or register",
            metavar="NAME=VALUE",
        ),
        Option(
            names=("--data",),
            kind=TEXT,
            help="inputs, uniforms and all other values of a JSON or TOML file (lanewise/data/1); options go before it",
            metavar="FILE",
        ),
        Option(
            names=("--count",),
            kind=INTEGER,
            help="number of vertices or lanes (default: as many as the inputs have)",
            metavar="N",
        ),
        Option(
            names=("--default",),
            kind=TEXT,
            help="0: inputs and constants without data are zeros (default: they are an error)",
            metavar="",
            choices=("0",),
        ),
        Option(
            names=("--trace",), kind=INTEGER, help="show every step of vertex or lane N instead of the results", metavar="N"
        ),
        Option(
            names=("--trace-format",),
            kind=TEXT,
            help="with --trace: a block for each step (text, default), a line for each (table), json (default for -o "
            "FILE.json), or, where there are cycles, vcd",
            metavar="",
            choices=FORMATS,
        ),
        Option(
            names=("--explain",),
            kind=OPTIONAL,
            help="with --trace: which instructions and values produced this component, such as position.x or o0.x; with --why, "
            "without OUT.X: how the value was made, and all counts",
            metavar="OUT.X",
            value=r"[^./\\]*(\.([xyzwrgbauv]{1,4}|[a-z]))?(@\d+(\.[xyzw])?)?",
        ),
        Option(names=("--registers",), kind=FLAG, help="also show what all registers hold at the end"),
        Option(names=("--bits",), kind=FLAG, help="show bit patterns instead of numbers"),
        Option(
            names=("-o", "--output"),
            kind=TEXT,
            help="write all outputs as .npz or as the document of --format json (.json), the vertices and triangles as a mesh "
            "(.obj, .ply, .csv), or the output of --trace; - is standard output",
            metavar="FILE",
        ),
        *draw.OPTIONS,
        TIMEOUT,
        Option(names=("--all",), kind=FLAG, help="show all rows, not only the first ones"),
        FORCE,
        FORMAT,
    ),
    examples="""
  lanewise run light.v.pica --data frame.json      inputs, uniforms and all other values of one file""",
    files="*",
)


def _refuse_output_of_why(parsed: Parsed) -> None:
    """Raise UsageError for the name of an output among the files, as `--why color` has it."""
    if not parsed.flag("why") or len(parsed.files) < 2:
        return
    from pathlib import Path  # a thirtieth of the start of another run

    for path in parsed.files:
        name, _, letters = path.partition(".")
        if name.isidentifier() and (not letters or len(letters) == 1) and not Path(path).exists():
            raise UsageError(
                f"--why {path}: --why is about the whole picture; for one value use --trace N --explain "
                f"{path if letters else path + '.x'} in its place"
            )


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    _refuse_output_of_why(parsed)
    output = parsed.text("output")
    document_to = output if suffix_of(output) == ".json" and "trace" not in parsed.values else ""
    if document_to:  # the command's own form of all answers: the services do not see it
        parsed = parsed._replace(values={**parsed.values, "format": "json", "output": ""})
    progress = Progress() if sys.stderr.isatty() else None
    try:
        loaded, request = load(parsed, progress)
        package = package_of(loaded.isa)
        triangles = draw.wanted(request, loaded, package)
        if triangles is not None:
            return show(draw.drawn(triangles, loaded, package, request), parsed, document_to)
        service = loaded.trace if request.has("trace") else loaded.run
        if service is None:
            raise lacks(package, "execution trace" if request.has("trace") else "engine")
        if request.has("trace"):
            request.origins[VERTEX, ""] = Origin(option=f"--trace {parsed.values['trace']}")
        view_of(request)  # refuses options that do not go together, whatever the instruction set looks at
        answer = service(request)
    except InputError as error:
        if document_to:
            parsed = parsed._replace(values={**parsed.values, "format": "text"})
        from lanewise.tools.loose_values import cut_off

        return report_errors(cut_off(argv, error.diagnostics), parsed)
    finally:
        if progress is not None:
            progress.clear()
    return show(answer, parsed, document_to)
