"""`lanewise opt`: a smaller program with the same outputs, bit for bit."""

from __future__ import annotations

import sys
from pathlib import Path

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FLAG, FORCE, INTEGER, STDIO, TEXT, InputFailure, Option
from lanewise.packages import package_of
from lanewise.tools import opt_each
from lanewise.tools.command import Progress, lacks, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, TIMEOUT, CommandLine
from lanewise.tools.compiled import load_for, target_option
from lanewise.tools.console import print_remark, reason

LINE = CommandLine(
    name="opt",
    about="Make a program smaller. Each step is proved: the outputs stay the same, bit for bit. Several sources are linked.",
    options=(
        Option(
            names=("-o", "--output"),
            kind=TEXT,
            help="the file to write; - is standard output (default: report only)",
            metavar="OUT",
        ),
        target_option("pica200", "shadercore"),
        Option(names=("--report",), kind=FLAG, help="also show each step, its reason and its lines"),
        Option(
            names=("--each",),
            kind=FLAG,
            help="each FILE, and each program in a folder, by itself; -o is a folder, for binaries",
        ),
        Option(names=("--workers",), kind=INTEGER, help="with --each: so many processes of this machine", metavar="N"),
        Option(
            names=("--scheduler",),
            kind=TEXT,
            help="with --each: the workers of a Dask scheduler, such as tcp://10.0.0.1:8786",
            metavar="ADDRESS",
        ),
        Option(
            names=("--record",),
            kind=TEXT,
            help="with --each: a file that says which programs are done, so that a run that is ended can go on",
            metavar="FILE",
        ),
        Option(names=("--resume",), kind=FLAG, help="go on with the run of --record, with its programs and options"),
        Option(
            names=("--piece",),
            kind=INTEGER,
            help="with --each: programs that a worker gets at a time (default: 1)",
            metavar="N",
        ),
        TIMEOUT,
        FORCE,
        FORMAT,
    ),
    examples="",
    files="*",
    file_help="a binary, or sources, which are linked; - is standard input",
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if opt_each.asked(parsed):
        return opt_each.main(parsed)
    progress = Progress("steps tried") if sys.stderr.isatty() else None
    try:
        loaded, request = load_for(parsed, progress)
        package = package_of(loaded.isa)
        if package.optimise is None:
            raise lacks(package, "optimiser")
        answer = package.optimise(loaded, request)
    except InputError as error:
        code = report_errors(error.diagnostics, parsed)
        if len(parsed.files) > 1:
            print_remark("lanewise opt: the sources are linked to one program; --each takes each by itself")
        return code
    finally:
        if progress is not None:
            progress.clear()
    output = parsed.text("output", STDIO)
    if answer.files and all(path != output for path, _ in answer.files):
        try:
            Path(output).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputFailure(f"cannot create the folder {output}: {reason(error)}") from None
    if output == STDIO and answer.files and parsed.flag("report"):  # standard output has the program
        print_remark(answer.text.rstrip("\n"))
    return show(answer, parsed)
