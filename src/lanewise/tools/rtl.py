"""`lanewise rtl`: write a self-checking test bench for a program, to run against one's own hardware description."""

from __future__ import annotations

from pathlib import Path

from lanewise.core import files
from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FORCE, TEXT, InputFailure, Option, UsageError
from lanewise.packages import package_of, packages
from lanewise.tools import run
from lanewise.tools.command import lacks, load, match_of, only_owner, parse, report_errors, request_of, show, sources_of
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import reason

if TYPE_CHECKING:
    from lanewise.core.service import Answer
    from lanewise.tools.command import Parsed

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
    files="?",
    file_help="a ShaderCore source or program; - is standard input",
    dialect=False,
)


_OF_FILES = (".vhd", ".vhdl", ".v", ".sv", ".py")


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    folder = parsed.text("bench")
    try:
        answer = _without_file(parsed) if not parsed.files else _bench(parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    if not answer.files:
        return show(answer, parsed)
    files = tuple([(str(Path(folder, name)), data) for name, data in answer.files])
    name = Path(folder)
    if name.suffix.lower() in _OF_FILES and not name.is_dir():
        raise UsageError(f"--bench {folder}: --bench takes a folder for several files: write --bench {name.with_suffix('')}")
    if name.is_file():
        raise UsageError(f"--bench {folder}: this is a file, and --bench takes a folder: use another name, such as sim")
    for path, _ in files:
        _refuse_others(Path(path))
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot create the folder {folder}: {reason(error)}") from None
    return show(answer._replace(files=files), parsed)


def _without_file(parsed: Parsed) -> Answer:
    """The answer to options that take the place of FILE. Raises UsageError."""
    package = only_owner(parsed)
    alone = package is not None and any(
        option.alone and option.key in parsed.values for option in package.manual("rtl").options
    )
    if package is None or package.bench is None or not alone:
        raise UsageError("name a FILE; `lanewise rtl --help` has examples")
    return package.bench(None, request_of(parsed, (), package))


def _compiled(parsed: Parsed) -> str:
    """The end of the message about a shader that has to be compiled for a core first; empty where none compiles it."""
    from lanewise.api.pairing import pair_of

    (source, *_) = sources_of(parsed.files)
    if source.data.lstrip()[:3].lower() == b"ps_" or source.data[2:4] == b"\xff\xff":  # a pixel shader
        return ""
    for package in packages():
        if package.bench is not None:
            try:
                pair_of(source, match_of(parsed, source), package.name)
            except (UsageError, InputError):
                continue
            compiled = f"`lanewise compile {source.path} --target {package.name} -o program.scb`"
            return f": {compiled}, then `lanewise rtl program.scb --bench ...`"
    return ""


def _bench(parsed: Parsed) -> Answer:
    """The bench of a file. Raises UsageError, InputFailure, InputError."""
    loaded, request = load(parsed)
    package = package_of(loaded.isa)
    if package.bench is None:
        raise UsageError(f"{lacks(package, 'test bench for hardware')}{_compiled(parsed)}")
    if not parsed.text("bench"):
        package.bench(None, request)
        raise UsageError("add --bench sim, a folder for the files")
    return package.bench(loaded, request)


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
