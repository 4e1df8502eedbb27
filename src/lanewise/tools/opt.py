"""`lanewise opt`: a smaller program with the same outputs, bit for bit."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FLAG, FORCE, STDIO, TEXT, InputFailure, Option
from lanewise.packages import package_of
from lanewise.tools.command import FORMAT, CommandLine, lacks, load, parse, report_errors, show
from lanewise.tools.console import reason

LINE = CommandLine(
    "opt",
    "Make a program smaller. Each step is proved: the outputs stay the same, bit for bit. Several sources are linked.",
    (
        Option(("-o", "--output"), TEXT, "the file to write; - is standard output (default: report only)", "OUT"),
        Option(("--report",), FLAG, "also show each step, its reason and its lines"),
        FORCE,
        FORMAT,
    ),
    "",
    file_help="a binary, or sources, which are linked; - is standard input",
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    try:
        loaded, request = load(parsed)
        package = package_of(loaded.isa)
        if package.optimise is None:
            raise lacks(package, "optimiser")
        answer = package.optimise(loaded, request)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    output = parsed.text("output", STDIO)
    if any(path != output for path, _ in answer.files):
        try:
            Path(output).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputFailure(f"cannot create the folder {output}: {reason(error)}") from None
    return show(answer, parsed)
