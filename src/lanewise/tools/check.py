"""`lanewise check`: report hangs, corruption and suspicious code."""

from __future__ import annotations

import sys

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, InputError, has_errors
from lanewise.core.file_list import LIST_SUFFIX
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import FLAG, HINTS, STDIO, TEXT, TEXTS, InputFailure, Option, Report, UsageError
from lanewise.core.source import Span
from lanewise.packages import fault_of, hinted, look_up, suffixes
from lanewise.tools.check_report import FORMATS, written
from lanewise.tools.command import (
    STDIN_NAME,
    found_sources,
    lacks,
    one_match,
    only_owner,
    parse,
    refuse_foreign,
    request_for,
    sources_of,
    stdin_name,
)
from lanewise.tools.command_line import CommandLine
from lanewise.tools.configuration import chosen_codes
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    format_of,
    print_page,
    print_remark,
    print_text,
    write_bytes,
    write_files,
)
from lanewise.tools.folders import Unit, units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.core.service import Request
    from lanewise.tools.check_fix import Fixed
    from lanewise.tools.command import Parsed

_LEVELS = (NOTE, WARNING, ERROR)


class Checked(Record):
    """A program with its report; None where it cannot be read."""

    report: Report
    loaded: Loaded | None = None

    @property
    def words(self) -> list[int] | None:
        """The machine words; None for a program with errors."""
        if self.loaded is None or has_errors(self.report.findings):
            return None
        try:
            return list(self.loaded.words)
        except InputError:
            return None


LINE = CommandLine(
    name="check",
    about="Check programs for hangs, corruption and suspicious code: sources, binaries or raw words.",
    options=(
        Option(names=("--link",), kind=FLAG, help="the sources are one program, as for lanewise asm"),
        Option(
            names=("--select",),
            kind=TEXTS,
            help="report only these codes, or codes that begin so: V070,V08; may be repeated",
            metavar="CODES",
        ),
        Option(
            names=("--ignore",),
            kind=TEXTS,
            help="do not report these codes; errors are always reported. A comment `; lanewise: ignore[V070]` suppresses a "
            "finding of its line",
            metavar="CODES",
        ),
        Option(
            names=("--level",),
            kind=TEXT,
            help="the lowest severity to report; without it, text only counts notes, in its last line, unless --select or "
            "--hints asks for them; the other formats have each",
            metavar="",
            choices=_LEVELS,
        ),
        Option(names=("--format",), kind=TEXT, help="output format (default: text)", metavar="", choices=FORMATS),
        STDIN_NAME,
        Option(
            names=("--scan",),
            kind=FLAG,
            help="check every program inside FILEs of any kind, such as games and shader caches, and show a summary by "
            "finding; with --select the findings too",
        ),
        HINTS,
        Option(names=("--stats",), kind=FLAG, help="also show what each program costs"),
        Option(
            names=("--fix",),
            kind=FLAG,
            help="apply the mechanical fixes of findings to the sources, and report what is left; standard input goes to "
            "standard output",
        ),
        Option(
            names=("--diff",),
            kind=FLAG,
            help="change nothing; show what --fix would change, and exit with 1 if it is something",
        ),
        Option(
            names=("--explain",),
            kind=TEXT,
            help="print the page of a code, or list the codes that begin so; no FILE then",
            metavar="CODE",
            alone=True,
        ),
    ),
    examples="""
  lanewise check --explain V070                    what a code means and how to fix it
  lanewise check light.v.pica --select V07,V083    rules by code, or by how codes begin
  lanewise check shaders/                          every program in a folder
  lanewise check light.v.pica --diff               what --fix would change
  lanewise check shaders/ --fix --select V107      fixes of some codes
  lanewise check --scan game.bin                   a summary for the programs inside it
  lanewise check --scan game.bin --select V094     with the findings of a code
  lanewise check *.pica --format sarif > out.sarif
                                                   or json, or github for annotations""",
    files="*",
    file_help="sources or binaries, each a separate program unless it is in a unit of lanewise.toml, or x.v.pica and x.g.pica "
    "are both named; folders; lists of sources (.shlist); - is standard input",
)


def main(argv: list[str]) -> int:
    try:
        return _main(argv)
    except (UsageError, InputFailure) as error:
        style = format_of(argv)
        if style in ("sarif", "github"):  # `guarded` does so for JSON
            report = Report((Diagnostic(code=error.code, severity=ERROR, message=str(error), span=Span(file="")),))
            write_bytes(STDIO, written([report], style, stats=False, stream=sys.stdout).encode(errors="backslashreplace"))
        raise


def _main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if "explain" in parsed.values:
        return explain(parsed.text("explain"))
    selected, ignored = codes_of(parsed, "select"), codes_of(parsed, "ignore")
    if any(code.startswith("H") for code in selected) and not parsed.flag("hints"):
        raise UsageError("--select H: hints are looked for with --hints")
    level = parsed.text("level", NOTE)
    if parsed.flag("scan"):
        return _scan(parsed, selected, ignored, level)
    programs, remarks, unread = units_of(
        parsed.files, suffixes(), parsed.configuration, follow=parsed.flag("follow"), linked=not parsed.flag("link")
    )

    def asked(path: str, code: str) -> bool:
        return chosen_codes(parsed.configuration.of(path), path, selected, ignored)(code)

    fixes = _Fixes(parsed, asked, level) if parsed.flag("fix") or parsed.flag("diff") else None
    reports = [chosen(report, asked, path, level) for report, path in reports_of(parsed, programs, fixes)]
    reports += [Report(unread)] * bool(unread)
    if parsed.flag("diff") and fixes is not None:
        diff = fixes.fixer.diff()
        print_text(diff)
        return INPUT_HAS_ERRORS if diff else OK
    for remark in [*[remark for report in reports for remark in report.remarks], *remarks, *parsed.configuration.hidden()]:
        print_remark(remark)
    fixed = fixes.write() if fixes is not None else None
    out = sys.stderr if fixes is not None and STDIO in parsed.files else sys.stdout
    style = parsed.text("format", "text")
    text = written(
        reports,
        style,
        stats=parsed.flag("stats"),
        stream=out,
        isa=parsed.isa,
        fixed=fixed,
        hidden=_only_counted(parsed, selected),
    )
    if out is sys.stderr:
        print(text, end="", file=out)
    else:
        write_bytes(STDIO, text.encode(errors="backslashreplace"))
    bad = any(finding.severity != NOTE for report in reports for finding in report.findings)
    return INPUT_HAS_ERRORS if bad else OK


def _only_counted(parsed: Parsed, selected: tuple[str, ...]) -> Callable[[Diagnostic], bool]:
    """A test whether text only counts a finding: a note that no option asks for."""
    if "level" in parsed.values:
        return lambda finding: False
    asked = (*selected, *(("H",) if parsed.flag(HINTS.key) else ()))
    return lambda finding: finding.severity == NOTE and not finding.code.startswith(asked)


def _scan(parsed: Parsed, selected: tuple[str, ...], ignored: tuple[str, ...], level: str) -> int:
    """Check the programs inside files: a summary, what is wrong with what holds the programs, and their findings where codes
    were asked for."""
    from lanewise.tools import check_scan

    def asked(path: str, code: str) -> bool:
        return chosen_codes(parsed.configuration.of(path), path, selected, ignored)(code)

    def report(package: IsaPackage, read: Callable[[Request], Loaded], request: Request) -> Report:
        path = request.sources[0].path.rpartition("@")[0] or request.sources[0].path
        return chosen(_checked(package, read, request).report, lambda _, code: asked(path, code), path, level)

    scan = check_scan.scanned(parsed, report)
    scan = scan._replace(around=chosen(scan.around, asked, "", level))
    style = parsed.text("format", "text")
    shown = (scan.around, *(scan.reports if style != "text" or selected else ()))
    stats = parsed.flag("stats")
    text = written(shown, style, stats=stats, stream=sys.stdout, isa=parsed.isa, scan=check_scan.as_data(scan))
    write_bytes(STDIO, (text + (check_scan.as_text(scan) if style == "text" else "")).encode(errors="backslashreplace"))
    return INPUT_HAS_ERRORS if any(finding.severity != NOTE for finding in scan.findings) else OK


class _Fixes:
    """The edits of a command line. Raises UsageError for options that do not go together."""

    def __init__(self, parsed: Parsed, asked: Callable[[str, str], bool], level: str) -> None:
        from lanewise.tools.check_fix import Fixer

        style = parsed.text("format", "text")
        if parsed.flag("fix") and parsed.flag("diff"):
            raise UsageError("--fix changes files and --diff shows what would change: use one of them")
        if parsed.flag("diff") and style != "text":
            raise UsageError(f"--diff is text: leave out --format {style}")
        if STDIO in parsed.files and parsed.flag("fix") and style != "text":
            raise UsageError(f"--format {style} and the fixed source both want standard output: use --diff, or name a file")
        self.fixer: Fixer = Fixer(stdin_name(parsed))
        self._parsed, self._asked, self._level = parsed, asked, level
        self._fixed: list[Fixed] = []
        self._names: list[str] = []

    def report(self, check: Callable[[Request], Checked], request: Request, path: str) -> Report:
        """The findings of a program that are left when its edits are applied. Errors are fixed as others are: those that
        --select names."""

        def wanted(finding: Diagnostic) -> bool:
            file = finding.span.file
            name = path if not file or file == "<stdin>" else file
            return _LEVELS.index(finding.severity) >= _LEVELS.index(self._level) and self._asked(name, finding.code)

        found = self.fixer.fix(request, check, wanted)
        self._fixed.append(found)
        self._names.append(request.name)
        return found.report

    def write(self) -> list[Diagnostic]:
        """Write the changed files, all or none, and say what was done: the findings that are gone. Raises InputFailure."""
        from lanewise.tools.check_fix import summary

        write_files([(name, data) for name, data in self.fixer.changed if name != STDIO], in_place=True)
        for name, fixed in zip(self._names, self._fixed, strict=True):
            for line in summary(name, fixed):
                print_remark(line)
        if STDIO in self._parsed.files:
            write_bytes(STDIO, self.fixer.stdin())
        return [finding for fixed in self._fixed for finding in fixed.findings]


def reports_of(parsed: Parsed, programs: Sequence[Unit], fixes: _Fixes | None = None) -> list[tuple[Report, str]]:
    """The findings of each program of the command line, with the path of its first file; with `fixes`, those that are left.
    Raises UsageError, InputFailure."""
    stdin = stdin_name(parsed)
    if not programs:
        if parsed.files:  # folders with nothing in them
            return []
        owner = only_owner(parsed)
        if owner is None:
            raise UsageError("name a FILE; see lanewise check --help")
        return [(_checked(owner, owner.load, request_for(parsed, (), owner)).report, STDIO)]
    if parsed.flag("link"):
        programs = [Unit("--link" + LIST_SUFFIX, tuple([file for program in programs for file in program.files]))]
    found: list[tuple[Report, str]] = []
    used: list[IsaPackage] = []
    for program in programs:
        try:
            sources = sources_of(program.files, stdin)
        except InputFailure as error:
            if len(programs) == 1:
                raise
            missing = Diagnostic(code=error.code, severity=ERROR, message=str(error), span=Span(file=program.files[0]))
            found.append((Report((missing,)), program.files[0]))
            continue
        try:
            match = one_match(parsed, sources)
            linking = parsed._replace(values={**parsed.values, "link": True}) if program.linked else parsed
            request, path = found_sources(request_for(linking, sources, match.package), match), sources[0].path
        except InputError as error:
            found.append((Report(error.diagnostics), sources[0].path))
            continue
        used.append(match.package)
        read = match.package.load if program.linked else match.read

        def check(asked: Request, package: IsaPackage = match.package, read: Callable[[Request], Loaded] = read) -> Checked:
            return _checked(package, read, asked)

        found.append((check(request).report if fixes is None else fixes.report(check, request, path), path))
    if used:
        refuse_foreign(parsed, used)
    return found


def _checked(package: IsaPackage, read: Callable[[Request], Loaded], request: Request) -> Checked:
    try:
        loaded = read(request)
        if loaded.check is None:
            raise lacks(package, "rules to check")
        report = loaded.check(request)
        return Checked(hinted(package, loaded, request, report) if request.flag(HINTS.key) else report, loaded)
    except InputError as error:
        return Checked(Report(error.diagnostics))
    except Exception as error:
        fault = fault_of(error)
        if fault is None:
            raise
        return Checked(Report((fault,)))


def codes_of(parsed: Parsed, key: str) -> tuple[str, ...]:
    """The codes, or beginnings of codes, of an option. Raises UsageError for one that no code begins with."""
    value = parsed.values.get(key, ())
    given = value if isinstance(value, tuple) else ()
    found = [code.strip().upper() for text in given for code in text.split(",") if code.strip()]
    if found:
        from lanewise.api.findings import findings

        for code in found:
            if not any(known.startswith(code) for known in findings()) and not (
                look_up() and any(known.startswith(code) for known in findings())
            ):
                raise UsageError(f"--{key} {code}: unknown code; docs/diagnostics.md lists them")
    return tuple(found)


def chosen(report: Report, reported: Callable[[str, str], bool], path: str, level: str) -> Report:
    """The report without what was not asked for: `reported(path, code)`. Errors stay: of a program that has some nothing else
    is known."""

    def wanted(finding: Diagnostic) -> bool:
        if finding.severity == ERROR:
            return True
        file = finding.span.file
        return _LEVELS.index(finding.severity) >= _LEVELS.index(level) and reported(
            path if not file or file == "<stdin>" else file, finding.code
        )

    return report._replace(findings=tuple(finding for finding in report.findings if wanted(finding)))


def explain(code: str) -> int:
    """Print the page of a code, or the codes that begin so with their titles. Raises UsageError."""
    from lanewise.api.findings import explained, findings
    from lanewise.core.document import Paragraph, Table
    from lanewise.core.text.problems import Suggestions

    rows = findings()
    wanted = code.strip().upper()
    row = rows.get(wanted)
    if row is not None:
        print_page(explained(row))
        return OK
    begin = [row for row in rows.values() if wanted and row.code.startswith(wanted)]
    if not begin and look_up():
        return explain(code)
    if not begin:
        padded = [known for known in rows if known[:1] == wanted[:1] and known[1:].strip("0") == wanted[1:].strip("0")]
        near = padded[0] if padded else Suggestions().nearest(wanted, rows)
        raise UsageError(f"unknown code {code}: " + (f"did you mean {near}?" if near else "docs/diagnostics.md lists them"))
    table = Table(("code", "what"), tuple([(row.code, row.title) for row in begin]))
    print_page([table, Paragraph(f"`lanewise check --explain {begin[0].code}` prints the page of a code.")])
    return OK


__all__ = ["LINE", "chosen", "codes_of", "explain", "main", "reports_of", "suffixes"]
