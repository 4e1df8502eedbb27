"""`lanewise run`: run a program on lanes of data."""

from __future__ import annotations

import sys

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FLAG, INTEGER, TEXT, TEXTS, Option
from lanewise.packages import package_of
from lanewise.tools.command import FORMAT, CommandLine, Progress, lacks, load, parse, report_errors, show

LINE = CommandLine(
    "run",
    "Run a program over vertices, pixels or lanes of data, bit for bit as its hardware computes.",
    (
        Option(("-i", "--input"), TEXTS, "data for an input, by name or register", "NAME=VALUE"),
        Option(("--count",), INTEGER, "number of vertices or lanes (default: as many as the inputs have)", "N"),
        Option(("--default",), TEXT, "0: inputs and constants without data are zeros (default: they are an error)", "", ("0",)),
        Option(("--trace",), INTEGER, "show every step of vertex or lane N instead of the results", "N"),
        Option(("-o", "--output"), TEXT, "write all outputs as .npz, or the output of --trace; - is standard output", "FILE"),
        Option(("--all",), FLAG, "show all rows, not only the first ones"),
        FORMAT,
    ),
    "",
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    progress = Progress() if sys.stderr.isatty() else None
    try:
        loaded, request = load(parsed, progress)
        service = loaded.trace if request.has("trace") else loaded.run
        if service is None:
            raise lacks(package_of(loaded.isa), "execution trace" if request.has("trace") else "engine")
        answer = service(request)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    finally:
        if progress is not None:
            progress.clear()
    return show(answer, parsed)
