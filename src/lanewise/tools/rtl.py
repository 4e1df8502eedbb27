"""`lanewise rtl`: write a self-checking test bench for a program, to run against one's own hardware description."""

from __future__ import annotations

from pathlib import Path

from lanewise.core import files
from lanewise.core.diagnostics import InputError
from lanewise.core.service import FORCE, TEXT, InputFailure, Option, UsageError
from lanewise.packages import package_of
from lanewise.tools import run
from lanewise.tools.command import lacks, load, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, ONE, CommandLine
from lanewise.tools.console import reason

MARK = b"written by lanewise rtl"  # near the beginning of every file
_DATA = ("input", "uniform", "count", "default")
LINE = CommandLine(
    name="rtl",
    about="Write a self-checking test bench: a program with its data, and the results and cycles that a device expects.",
    options=(
        Option(names=("--bench",), kind=TEXT, help="the folder for the test bench and its README", metavar="DIR"),
        *[option for option in run.LINE.options if option.key in _DATA],
        FORCE,
        FORMAT,
    ),
    examples="",
    files=ONE,
    file_help="a ShaderCore source or program; - is standard input",
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    folder = parsed.text("bench")
    try:
        loaded, request = load(parsed)
        package = package_of(loaded.isa)
        if package.bench is None:
            raise lacks(package, "test bench for hardware")
        if not folder and not request.flag("template"):
            raise UsageError("name a folder with --bench")
        answer = package.bench(loaded, request)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    if not answer.files:
        return show(answer, parsed)
    files = tuple([(str(Path(folder, name)), data) for name, data in answer.files])
    for path, _ in files:
        _refuse_others(Path(path))
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot create the folder {folder}: {reason(error)}") from None
    return show(answer._replace(files=files), parsed)


def _refuse_others(path: Path) -> None:
    """Raises UsageError for a file that exists and is not one of this command."""
    if not path.exists() and not path.is_symlink():
        return
    try:
        if MARK in files.head(path, 400):
            return
    except OSError:
        pass
    raise UsageError(f"{path} is not a file of `lanewise rtl`, and would be overwritten: name another folder with --bench")
