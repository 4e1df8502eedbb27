"""`lanewise opt`: a smaller program with the same outputs, bit for bit."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FLAG, FORCE, TEXT, Option
from lanewise.packages import package_of
from lanewise.tools.command import FORMAT, CommandLine, lacks, load, parse, report_errors, show

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
        return show(package.optimise(loaded, request), parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
