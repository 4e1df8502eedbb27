"""Reports of `lanewise test`: text, CSV, JUnit's XML, annotations of GitHub."""

from __future__ import annotations

from lanewise.core.diagnostics import visible
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.tools.annotations import workflow_command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PASSED, FAILED, ERROR, LISTED = "passed", "failed", "error", "listed"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes cells that begin so


class Row(Record):
    """A test that has run, on a program."""

    file: str
    "The test file."
    name: str
    "The name of the test; empty for a file that cannot be read."
    line: int
    "The line of its header, from 1."
    outcome: str
    "PASSED, FAILED, ERROR: the test or its program is wrong, so that nothing was compared; LISTED: it was not run."
    program: str = ""
    "The program of `--program`; empty for that of the file."
    message: str = ""
    "The differences, or the errors; empty for a test that passed."
    seconds: float = 0.0
    "Time of the run."
    of: float = 0
    "Points that the test is worth."

    @property
    def points(self) -> float:
        return self.of if self.outcome == PASSED else 0

    @property
    def data(self) -> dict[str, object]:
        """The row for JSON."""
        given = {"program": self.program} if self.program else {}
        return {
            "file": self.file,
            **given,
            "name": self.name,
            "line": self.line,
            "outcome": self.outcome,
            "message": self.message,
            "seconds": round(self.seconds, 6),
            "points": self.points,
            "of": self.of,
        }


class Sum(Record):
    """Points of a program in all its tests."""

    program: str
    points: float
    of: float


def counts_of(rows: Sequence[Row]) -> dict[str, int]:
    return {outcome: sum(row.outcome == outcome for row in rows) for outcome in (PASSED, FAILED, ERROR)}


def sums_of(rows: Sequence[Row]) -> list[Sum]:
    """The points of each program, or of each test file where tests run their own, in the order in which they ran."""
    names = dict.fromkeys([row.program or row.file for row in rows])
    own = {name: [row for row in rows if name == (row.program or row.file)] for name in names}
    return [Sum(name, sum(row.points for row in found), sum(row.of for row in found)) for name, found in own.items()]


def points_text(sums: Sequence[Sum]) -> str:
    """A line for each program."""
    shown = [(f"{_number(each.points)} of {_number(each.of)}", visible(each.program, "")) for each in sums]
    width = max([len(text) for text, _ in shown], default=0)
    return "".join([f"{text:>{width}}  {name}\n" for text, name in shown])


def group_text(rows: Sequence[Row]) -> str:
    """The tests of a file on one program, under a heading."""
    head = visible(rows[0].file + (f": {rows[0].program}" if rows[0].program else ""), "")
    lines = [f"{head}\n"]
    before = ""
    for row in rows:
        name = visible(row.name, "")  # a line of it could be a command of the service that runs the tests
        title = f"{row.outcome}  {name}" if row.outcome != LISTED else f"{row.line:>6}  {name}"
        message = "the same" if row.outcome == ERROR and row.message == before else row.message
        lines += [f"  {title.rstrip()}\n", *[f"      {line}\n" if line else "\n" for line in message.splitlines()]]
        before = row.message
    return "".join(lines)


def summary(rows: Sequence[Row]) -> str:
    shown = [(count, outcome) for outcome, count in counts_of(rows).items() if count or outcome == PASSED]
    return ", ".join([f"{count} {outcome}{'s' * (outcome == ERROR and count > 1)}" for count, outcome in shown]) + "\n"


def csv_text(rows: Sequence[Row]) -> str:
    """A line for each test, with a heading."""
    import csv
    import io

    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("file", "program", "test", "line", "outcome", "points", "of", "seconds", "message"))
    for row in rows:
        numbers = (row.line, row.outcome, _number(row.points), _number(row.of), f"{row.seconds:.6f}")
        names = [_cell(visible(text, "")) for text in (row.file, row.program, row.name)]
        writer.writerow((*names, *numbers, _cell(visible(row.message))))
    return stream.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def junit_text(rows: Sequence[Row]) -> str:
    """The XML that CI services read: a suite for each program of a file."""
    from xml.sax.saxutils import quoteattr

    def element(name: str, fields: Mapping[str, object], inside: str = "", depth: int = 0) -> str:
        head = " ".join([name, *[f"{key}={quoteattr(visible(str(value), ''))}" for key, value in fields.items()]])
        pad = "  " * depth
        return f"{pad}<{head}/>\n" if not inside else f"{pad}<{head}>\n{inside}{pad}</{name}>\n"

    def totals(found: Sequence[Row]) -> dict[str, object]:
        counts = counts_of(found)
        seconds = sum(row.seconds for row in found)
        return {"tests": len(found), "failures": counts[FAILED], "errors": counts[ERROR], "time": f"{seconds:.6f}"}

    suites = ""
    for found in grouped(rows):
        first = found[0]
        cases = ""
        for row in found:
            kind = {FAILED: "failure", ERROR: "error"}.get(row.outcome, "")
            title = (row.message.splitlines() or [""])[0]
            wrong = element(kind, {"message": title}, _text(row.message), 3).replace("\n", "", 1) if kind else ""
            place = {"name": row.name or row.file, "classname": row.program or row.file, "file": row.file, "line": row.line}
            cases += element("testcase", {**place, "time": f"{row.seconds:.6f}"}, wrong, 2)
        name = f"{first.file}: {first.program}" if first.program else first.file
        suites += element("testsuite", {"name": name, **totals(found)}, cases, 1)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + element("testsuites", totals(rows), suites)


def _text(message: str) -> str:
    from xml.sax.saxutils import escape

    return escape(visible(message)) + "\n"


def github_text(rows: Sequence[Row]) -> str:
    """An annotation for each test that did not pass, then the counts."""
    wrong = [row for row in rows if row.outcome in (FAILED, ERROR)]
    lines = [
        workflow_command("error", {"file": row.file, "line": str(row.line), "title": _title(row)}, row.message) for row in wrong
    ]
    return "".join([*[f"{line}\n" for line in lines], summary(rows)])


def _title(row: Row) -> str:
    return ": ".join([text for text in (row.program, row.name) if text]) or row.file


def grouped(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows by file and program."""
    keys = dict.fromkeys([(row.file, row.program) for row in rows])
    return [[row for row in rows if (row.file, row.program) == key] for key in keys]


def _number(value: float) -> str:
    return f"{value:g}"


WRITERS: Mapping[str, Callable[[Sequence[Row]], str]] = {"csv": csv_text, "junit": junit_text, "github": github_text}
