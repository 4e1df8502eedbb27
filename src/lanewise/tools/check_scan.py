"""`lanewise check --scan`: the programs inside any file, and a summary by finding."""

from __future__ import annotations

import sys

from lanewise.core.diagnostics import NOTE, InputError, visible
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.core.service import STDIO, InputFailure, Report, SourceFile, UsageError
from lanewise.core.text.counting import counted
from lanewise.packages import packages, recognise
from lanewise.tools.command import Progress, request_for
from lanewise.tools.inspect import mapped, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.core.service import Request
    from lanewise.tools.command import Parsed

_HEAD = 1 << 20  # bytes in which a source is recognised
_NOT_WITH = ("fix", "diff", "link", "words", "stdin-filename")
_NAMES = {"error": 0, "warning": 1, "note": 2}


class Scanned(Record):
    """The findings of the programs in some files: how many files, a report for each program, and what is wrong with what holds
    the programs."""

    files: int
    reports: tuple[Report, ...]
    around: Report

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """All findings."""
        return tuple([finding for report in (self.around, *self.reports) for finding in report.findings])


def scanned(parsed: Parsed, check: Callable[[IsaPackage, Callable[[Request], Loaded], Request], Report]) -> Scanned:
    """Check every different program of the files; `check` gives the report of one. Raises UsageError, InputFailure for a file
    without programs."""
    for key in _NOT_WITH:
        if key in parsed.values:
            raise UsageError(f"--{key} and --scan contradict each other: leave one out")
    if not parsed.files:
        raise UsageError("--scan needs a FILE")
    reports: list[Report] = []
    around: list[Diagnostic] = []
    for path in parsed.files:
        own, findings = _file(parsed, path, check)
        reports += own
        around += findings
    return Scanned(len(parsed.files), tuple(reports), Report(tuple(around)))


def _file(
    parsed: Parsed, path: str, check: Callable[[IsaPackage, Callable[[Request], Loaded], Request], Report]
) -> tuple[list[Report], list[Diagnostic]]:
    """The reports of the programs of a file, and the findings about what holds them."""
    data = mapped(path)
    name = "<stdin>" if path == STDIO else path
    match = recognise(path, data[:_HEAD])
    if match is not None and match.language is not None:
        raise UsageError(f"{name} is {match.title}: --scan searches binary files")
    terminal = sys.stderr.isatty()
    searching, checking = (Progress("bytes"), Progress("programs")) if terminal else (None, None)
    asked = parsed._replace(values={**parsed.values, "extract": "."})
    wanted = [
        package
        for package in packages()
        if package.scan is not None and (parsed.package is None or parsed.package.name == package.name)
    ]
    found: list[tuple[str, bytes]] = []
    against: list[str] = []
    around: list[Diagnostic] = []
    try:
        for package in wanted:
            if package.scan is None:
                continue
            answer = package.scan(request_for(asked, (SourceFile(name, b"", path),), package, searching, data))
            if answer.failed:
                against.append(answer.text)
                continue
            around += [finding for finding in answer.first if finding.severity != NOTE]
            found += [(f"{name}@0x{one.offset:X}", one.data) for one in answer.inside]
        if searching is not None:
            searching.clear()
        if not found:
            raise InputFailure(f"no program found in {name}: {' '.join(against)} {unpack(name, data)}")
        reports: list[Report] = []
        for number, (place, content) in enumerate(found):
            if checking is not None:
                checking(number, len(found))
            reports.append(_program(parsed, place, content, check))
    finally:
        for progress in (searching, checking):
            if progress is not None:
                progress.clear()
    return reports, around


def _program(
    parsed: Parsed, place: str, content: bytes, check: Callable[[IsaPackage, Callable[[Request], Loaded], Request], Report]
) -> Report:
    match = recognise("", content)
    source = SourceFile(place, content, place)
    if match is None:
        raise AssertionError("a program that was found is recognised")
    try:
        return check(match.package, match.read, request_for(parsed, (source,), match.package))
    except InputError as error:
        return Report(error.diagnostics)


def summary(scan: Scanned) -> list[dict[str, object]]:
    """A row for each code: its findings and the programs that have any, worst first."""
    from lanewise.api.findings import findings

    titles = findings()
    rows: dict[str, dict[str, object]] = {}

    def count(finding: Diagnostic, place: str, programs: int) -> None:
        row = rows.setdefault(
            finding.code,
            {
                "code": finding.code,
                "severity": finding.severity,
                "title": titles[finding.code].title,
                "findings": 0,
                "programs": 0,
                "first": place,
            },
        )
        row["findings"] = cast("int", row["findings"]) + 1
        row["programs"] = cast("int", row["programs"]) + programs

    for finding in scan.around.findings:
        count(finding, f"{finding.span.file}@0x{finding.span.offset:X}", 0)
    for report in scan.reports:
        for number, finding in enumerate(report.findings):
            count(finding, finding.span.file, all(before.code != finding.code for before in report.findings[:number]))
    return sorted(
        rows.values(), key=lambda row: (_NAMES[str(row["severity"])], -cast("int", row["programs"]), str(row["code"]))
    )


def as_data(scan: Scanned) -> dict[str, object]:
    """The summary as plain values."""
    clean = sum([not report.findings for report in scan.reports])
    return {"files": scan.files, "programs": len(scan.reports), "without_findings": clean, "findings": summary(scan)}


def as_text(scan: Scanned) -> str:
    """The summary as a table."""
    from lanewise.core.document import columns

    rows = summary(scan)
    clean = sum([not report.findings for report in scan.reports])
    head = f"{counted(len(scan.reports), 'different program')} in {counted(scan.files, 'file')}, {clean} without findings\n"
    if not rows:
        return head
    table: Sequence[tuple[str, ...]] = [("code", "severity", "findings", "programs", "first", "what")] + [
        tuple([visible(str(row[key]), "") for key in ("code", "severity", "findings", "programs", "first", "title")])
        for row in rows
    ]
    return head + "\n".join(columns(list(table))) + "\n"
