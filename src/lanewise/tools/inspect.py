"""`lanewise inspect`: show the contents of a file, or find programs inside it."""

from __future__ import annotations

import sys
from pathlib import Path

from lanewise.core import files as door
from lanewise.core.diagnostics import InputError
from lanewise.core.foreign import instead
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, STDIO, TEXT, InputFailure, Option, SourceFile, UsageError
from lanewise.packages import package_of, packages, recognise
from lanewise.tools.command import (
    Parsed,
    Progress,
    lacks,
    load,
    only_owner,
    parse,
    report_errors,
    request_for,
    request_of,
    show,
    sources_of,
)
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import OK, print_findings, print_json, print_text, read_bytes, reason, remember, write_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Searched

LINE = CommandLine(
    name="inspect",
    about="Show what a file holds, or find programs inside another file.",
    options=(
        Option(names=("--listing",), kind=FLAG, help="list the instructions instead: address, machine word, text"),
        Option(names=("--scan",), kind=FLAG, help="search all of FILE for programs"),
        Option(
            names=("--extract",),
            kind=TEXT,
            help="with --scan: write each different program into this folder",
            metavar="DIR",
            needs="scan",
        ),
        FORCE,
        FORMAT,
    ),
    examples="",
    files="?",
)


_HEAD = 1 << 20  # bytes in which a source is recognised


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.flag("scan") and parsed.flag("listing"):
        raise UsageError("--listing shows one program: extract it first with --scan --extract DIR")
    if not parsed.files:
        owner = only_owner(parsed)
        if owner is None:
            raise UsageError("name a FILE; see lanewise inspect --help")
    else:
        owner = None
    try:
        if parsed.flag("scan"):
            return scan(parsed)
        if owner is not None:
            request = request_of(parsed, (), owner)
            loaded = owner.load(request)
        else:
            loaded, request = load(parsed)
        if loaded.inspect is None:
            raise lacks(package_of(loaded.isa), "summary of its files")
        return show(loaded.inspect(request), parsed)
    except InputError as error:
        return report_errors(_with_inside(error.diagnostics, parsed), parsed)


def _with_inside(findings: Sequence[Diagnostic], parsed: Parsed) -> Sequence[Diagnostic]:
    """The findings about a file of unknown kind; the first lists the programs inside it."""
    if not parsed.files or findings[0].code != "C001":
        return findings
    sources = sources_of(parsed.files)
    answers = [package.scan(request_for(parsed, sources, package)) for package in packages() if package.scan is not None]
    notes = [remark for answer in answers if not answer.failed for remark in answer.remarks]
    if not notes:
        return findings
    every = tuple(dict.fromkeys((*findings[0].notes, *notes)))
    first = findings[0]._replace(notes=every, fix=f"lanewise inspect --scan {parsed.files[0]}")
    return [first, *findings[1:]]


def unpack(name: str, data: Searched) -> str:
    """The fix for a file in which no program is found: what it is packed by, if that is known."""
    kind = instead(name, bytes(data[:_HEAD]))
    return f"This is {kind.title}: {kind.fix}" if kind is not None else "Unpack compressed or encrypted files first"


def scan(parsed: Parsed) -> int:
    """Print the programs inside a file, of every instruction set, and write them where asked for. Raises InputFailure."""
    if not parsed.files:
        raise UsageError("--scan needs a FILE")
    path, folder = parsed.files[0], parsed.text("extract")
    data = mapped(path)
    name = "<stdin>" if path == STDIO else path
    match = recognise(path, data[:_HEAD])
    if match is not None and match.language is not None:
        raise UsageError(f"{name} is {match.title}: --scan searches binary files")
    sources = (SourceFile(name, b"", path),)
    progress = Progress("bytes") if sys.stderr.isatty() else None
    try:
        answers = [
            (package, package.scan(request_for(parsed, sources, package, progress, data)))
            for package in packages()
            if package.scan is not None and (parsed.package is None or parsed.package.name == package.name)
        ]
    finally:
        if progress is not None:
            progress.clear()
    found = [answer for _, answer in answers if not answer.failed]
    if not found:
        against = " ".join([answer.text for _, answer in answers])
        raise InputFailure(f"no program found in {name}: {against} {unpack(name, data)}")
    if folder:
        _write(folder, [file for answer in found for file in answer.files], force=parsed.flag("force"))
    if parsed.as_json:
        shown = {key: value for _, answer in answers for key, value in answer.data.items()}
        print_json("scan", shown, parsed.isa, [finding for answer in found for finding in answer.first])
        return OK
    for answer in found:
        print_findings(answer.first)
        print_text(answer.text)
    return OK


def mapped(path: str) -> Searched:
    """The bytes of a file for a search: mapped where the system can, so that a large file takes no memory. Raises
    InputFailure."""
    if path != STDIO:
        try:
            return door.map_file(path, remember)
        except (OSError, ValueError) as error:
            raise InputFailure(f"cannot read {path}: {reason(error)}") from None
    return read_bytes(path)


def _write(folder: str, files: list[tuple[str, bytes]], *, force: bool) -> None:
    """Write files into a folder, which is created if necessary. Raises InputFailure."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        inside = [(door.inside(folder, name), data) for name, data in files]
    except OSError as error:
        raise InputFailure(f"cannot create the folder {folder}: {reason(error)}") from None
    except ValueError as error:
        raise InputFailure(f"cannot write into {folder}: {error}") from None
    write_files(inside, force=force)
