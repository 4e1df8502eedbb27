"""`lanewise check`: report hangs, corruption and suspicious code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.api.findings import explained, findings
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, InputError
from lanewise.core.document import Paragraph, Table
from lanewise.core.service import FLAG, STDIO, TEXT, TEXTS, Option, Report, UsageError
from lanewise.core.text.problems import Suggestions
from lanewise.tools.check_report import FORMATS, written
from lanewise.tools.command import (
    CommandLine,
    lacks,
    match_of,
    one_match,
    only_owner,
    parse,
    refuse_foreign,
    request_for,
    sources_of,
)
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, print_page, print_remark, write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.core.service import Request
    from lanewise.tools.command import Parsed

_LEVELS = (NOTE, WARNING, ERROR)

LINE = CommandLine(
    "check",
    "Check programs for hangs, corruption and suspicious code: sources, binaries or raw words.",
    (
        Option(("--link",), FLAG, "the sources are one program, as for lanewise asm"),
        Option(("--select",), TEXTS, "report only these codes, or codes that begin so: V070,V08; may be repeated", "CODES"),
        Option(
            ("--ignore",),
            TEXTS,
            "do not report these codes; errors are always reported. A comment `; lanewise: ignore[V070]` suppresses a finding of its line",
            "CODES",
        ),
        Option(("--level",), TEXT, "the lowest severity to report (default: note)", "", _LEVELS),
        Option(("--format",), TEXT, "output format (default: text)", "", FORMATS),
        Option(("--stats",), FLAG, "also show what each program costs"),
        Option(
            ("--explain",), TEXT, "print the page of a code, or list the codes that begin so; no FILE then", "CODE", alone=True
        ),
    ),
    """
  lanewise check --explain V070                    what a code means and how to fix it
  lanewise check light.v.pica --select V07,V083    rules by code, or by how codes begin
  lanewise check *.pica --format sarif > out.sarif
                                                   or json, or github for annotations""",
    files="*",
    file_help="sources or binaries, each a separate program; - is standard input",
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if "explain" in parsed.values:
        return explain(parsed.text("explain"))
    selected, ignored = codes_of(parsed, "select"), codes_of(parsed, "ignore")
    level = parsed.text("level", NOTE)
    reports = [chosen(report, selected, ignored, level) for report in reports_of(parsed)]
    for remark in [remark for report in reports for remark in report.remarks]:
        print_remark(remark)
    text = written(reports, parsed.text("format", "text"), stats=parsed.flag("stats"), stream=sys.stdout, isa=parsed.isa)
    write_bytes(STDIO, text.encode(errors="backslashreplace"))
    bad = any(finding.severity != NOTE for report in reports for finding in report.findings)
    return INPUT_HAS_ERRORS if bad else OK


def reports_of(parsed: Parsed) -> list[Report]:
    """The findings of each program of the command line. Raises UsageError, InputFailure."""
    sources = sources_of(parsed.files)
    if not sources:
        owner = only_owner(parsed)
        if owner is None:
            raise UsageError("name a FILE; see lanewise check --help")
        return [_report(owner, owner.load, request_for(parsed, (), owner))]
    if parsed.flag("link"):
        try:
            match = one_match(parsed, sources)
        except InputError as error:
            return [Report(error.diagnostics)]
        refuse_foreign(parsed, [match.package])
        return [_report(match.package, match.package.load, request_for(parsed, sources, match.package))]
    found: list[Report] = []
    used: list[IsaPackage] = []
    for source in sources:
        try:
            match = match_of(parsed, source)
        except InputError as error:
            found.append(Report(error.diagnostics))
            continue
        used.append(match.package)
        found.append(_report(match.package, match.read, request_for(parsed, (source,), match.package)))
    if used:
        refuse_foreign(parsed, used)
    return found


def _report(package: IsaPackage, read: Callable[[Request], Loaded], request: Request) -> Report:
    try:
        loaded = read(request)
        if loaded.check is None:
            raise lacks(package, "rules to check")
        return loaded.check(request)
    except InputError as error:
        return Report(error.diagnostics)


def codes_of(parsed: Parsed, key: str) -> tuple[str, ...]:
    """The codes, or beginnings of codes, of an option. Raises UsageError for one that no code begins with."""
    value = parsed.values.get(key, ())
    given = value if isinstance(value, tuple) else ()
    found = [code.strip().upper() for text in given for code in text.split(",") if code.strip()]
    for code in found:
        if not any(known.startswith(code) for known in findings()):
            raise UsageError(f"--{key} {code}: unknown code; docs/diagnostics.md lists them")
    return tuple(found)


def chosen(report: Report, selected: tuple[str, ...], ignored: tuple[str, ...], level: str) -> Report:
    """The report without what was not asked for. Errors stay: of a program that has some nothing else is known."""

    def wanted(finding: Diagnostic) -> bool:
        if finding.severity == ERROR:
            return True
        if _LEVELS.index(finding.severity) < _LEVELS.index(level) or (selected and not finding.code.startswith(selected)):
            return False
        return not (ignored and finding.code.startswith(ignored))

    return report._replace(findings=tuple(finding for finding in report.findings if wanted(finding)))


def explain(code: str) -> int:
    """Print the page of a code, or the codes that begin so with their titles. Raises UsageError."""
    rows = findings()
    wanted = code.strip().upper()
    row = rows.get(wanted)
    if row is not None:
        print_page(explained(row))
        return OK
    begin = [row for row in rows.values() if wanted and row.code.startswith(wanted)]
    if not begin:
        padded = [known for known in rows if known[:1] == wanted[:1] and known[1:].strip("0") == wanted[1:].strip("0")]
        near = padded[0] if padded else Suggestions().nearest(wanted, rows)
        raise UsageError(f"unknown code {code}: " + (f"did you mean {near}?" if near else "docs/diagnostics.md lists them"))
    table = Table(("code", "what"), tuple([(row.code, row.title) for row in begin]))
    print_page([table, Paragraph(f"`lanewise check --explain {begin[0].code}` prints the page of a code.")])
    return OK


__all__ = ["LINE", "chosen", "codes_of", "explain", "main", "reports_of"]
