"""`lanewise vectors --report`: what the answers of a project say."""

from __future__ import annotations

import sys

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table
from lanewise.core.foreign import instead
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.source import Span
from lanewise.core.vectors import flat, lines
from lanewise.core.vectors.comparing import Tolerance
from lanewise.core.vectors.judging import about, fitting, judge
from lanewise.core.vectors.model import NotANumber, Suite
from lanewise.core.vectors.relations import Relations, Sample
from lanewise.core.vectors.wide import wide_word
from lanewise.packages import package_of
from lanewise.tools.command import Progress, lacks
from lanewise.tools.console import read_bytes
from lanewise.tools.vectors_suites import make_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.document import Block
    from lanewise.core.vectors.alone import Alone
    from lanewise.core.vectors.judging import Verdict
    from lanewise.core.vectors.model import Case, Outcome, Read, Vectors
    from lanewise.tools.command import Parsed
    from lanewise.tools.vectors_supervise import Silence

MOST_SHOWN = 40  # rows of a table, as text


def _read(file: str, use: str) -> tuple[Read, str]:
    """A suite or answers, in either form, and the name of the file. Raises InputError, InputFailure."""
    data, path = read_bytes(file, use, "vectors"), "<stdin>" if file == STDIO else file
    try:
        if data.lstrip()[:1] == b"{":
            return lines.read(data.decode()), path
        return flat.read(data), path
    except flat.FlatError as error:
        message, span = str(error), Span(file=path, offset=error.offset)
        kind = instead(path, data) if error.offset == 0 else None
        if kind is not None:
            message = f"this is {kind.title}, not answers or a suite"
            raise InputError((_wrong(message, span, f"give the file that your program wrote; {kind.fix}"),)) from None
        if data.count(b"\n") == data.count(b"\r\n") > 0:
            fix = (
                "all 0A follow 0D, as where line ends were converted: write *.lwv binary to .gitattributes, and the file again"
            )
            raise InputError((_wrong(message, span, fix),)) from None
        if not data:
            raise InputError((_wrong("the file is empty", span, "run the program that writes it again"),)) from None
        if error.offset == flat.DIGEST:
            fix = "write the suite again, `lanewise vectors ISA -o DIR`, and copy its header to the answers"
            raise InputError((_wrong(message, span, fix),)) from None
        if error.joined:
            raise InputError((_wrong(message, span, "give one of them"),)) from None
        if error.cut:
            fix = "the file is cut: run the program that writes it again, to its end, or with --supervise where it dies"
            raise InputError((_wrong(message, span, fix),)) from None
    except lines.LineError as error:
        message, span = str(error), Span(file=path, line=error.line, column=1)
        kind = instead(path, data) if error.line == 1 else None
        if kind is not None and b"lanewise/vector/" not in data[:200]:
            message = f"this is {kind.title}, not answers or a suite"
            raise InputError((_wrong(message, span, f"give the file that your program wrote; {kind.fix}"),)) from None
    except UnicodeDecodeError as error:
        message, span = "not UTF-8", Span(file=path, offset=error.start)
    raise InputError((_wrong(message, span),))


def _wrong(message: str, span: Span, fix: str = "docs/vectors.md describes both forms") -> Diagnostic:
    return Diagnostic(code="T006", severity=ERROR, message=message, span=span, notes=(), fix=fix)


def report(parsed: Parsed) -> Answer:
    """The verdict on the answers in a file. Raises UsageError, InputError, InputFailure."""
    tolerance = _tolerance(parsed)
    given, path = _read(parsed.text("report"), "--report")
    ours = given.identity.isa
    try:
        package = package_of(ours)
    except ValueError as error:
        raise InputError((_wrong(str(error), Span(file=path), "copy the header of the suite"),)) from None
    if package.vectors is None:
        raise lacks(package, "test vectors")
    vectors = package.vectors()
    if parsed.files and parsed.files[0].lower() != package.name:
        raise UsageError(f"{path} has answers for {package.name}, not {parsed.files[0]}")
    parsed.used.append(package.name)
    if given.cases:
        fix = "give the file that your program wrote"
        if parsed.text("cases") and not _read(parsed.text("cases"), "--cases")[0].cases:
            fix = f"exchange both: --report {parsed.text('cases')} --cases {path}"
        raise InputError((_wrong("this is a suite, not answers to one", Span(file=path), fix),))
    suite = _answered(parsed, vectors, given, path)
    numbers = {case.job.number for case in suite.cases}
    strange = [number for number in given.answers if number not in numbers]
    if strange:
        message = f"an answer to case {strange[0]}, which the suite does not have: it has 0 to {len(suite.cases) - 1}"
        raise InputError((_wrong(message, Span(file=path)),))
    verdict = _judged(suite, given.answers, vectors, tolerance, path)
    failed = verdict.differing > 0 or bool(verdict.unanswered)
    mistake = _mistake(verdict, given.answers, vectors, tolerance)
    page = _report_page(verdict, mistake=mistake)
    return Answer(data=_report_data(verdict) | {"mistake": mistake}, page=tuple(page), failed=failed, schema="verdict")


def supervised(parsed: Parsed, suite: Suite, vectors: Vectors) -> Answer:
    """The verdict on what a command answers now. Raises UsageError, InputError."""
    from lanewise.tools.vectors_supervise import Supervisor

    tolerance, path = _tolerance(parsed), parsed.text("supervise")
    supervisor = Supervisor(parsed, suite)
    found = supervisor.all()
    verdict = _judged(suite, found.answers, vectors, tolerance, path)

    def right(case: Case, answer: Outcome) -> bool:
        try:
            return bool(fitting(Suite(suite.identity, (case,)), {case.job.number: answer}, vectors, tolerance, verdict.variant))
        except NotANumber:
            return False

    failing = [*verdict.failing, *[each.case for each in found.silent if not each.case.flags]]
    alone = supervisor.alone(found, failing, right)
    failed = verdict.differing > 0 or bool(verdict.unanswered)
    silent = [
        {"case": each.case.job.number, "name": each.case.name, "kind": each.kind, "reason": each.reason}
        for each in found.silent
    ]
    mistake = _mistake(verdict, found.answers, vectors, tolerance)
    kept = supervisor.kept(found, lambda job: vectors.run(job, suite.identity.variant))
    page = _report_page(verdict, found.silent, alone, mistake=mistake, kept=kept)
    data = _report_data(verdict) | {"silent": silent, "restarts": found.restarts, "alone": _alone_data(alone)}
    data |= {"mistake": mistake, "kept": [case.job.number for case in kept or ()]}
    return Answer(data=data, page=tuple(page), failed=failed, schema="verdict")


def _mistake(verdict: Verdict, answers: Mapping[int, Outcome], vectors: Vectors, tolerance: Tolerance) -> str:
    """The one mistake that explains the answers that differ; empty where none does, and where another variant explains all."""
    if verdict.differing == verdict.explained:
        return ""
    identity = verdict.suite.identity
    samples = [
        Sample(case.job, case.expected, answers[case.job.number], None)
        for case in verdict.suite.cases
        if case.job.number in answers
    ]
    return Relations(vectors, identity.variant, identity.bits, tolerance).of_suite(samples)


def _alone_data(alone: Alone) -> dict[str, object]:
    rows = [
        {
            "case": each.case.job.number,
            "name": each.case.name,
            "after": None if each.after is None else each.after.job.number,
        }
        for each in alone.right
    ]
    return {"asked": alone.asked, "right": rows}


def _tolerance(parsed: Parsed) -> Tolerance:
    ulp = parsed.values.get("ulp", 0)
    if not isinstance(ulp, int) or ulp < 0:
        raise UsageError(f"--ulp is {ulp}, expected 0 or more")
    return Tolerance(parsed.flag("ignore-nan"), parsed.flag("ignore-nan-sign"), ulp)


def _judged(suite: Suite, answers: Mapping[int, Outcome], vectors: Vectors, tolerance: Tolerance, path: str) -> Verdict:
    """The verdict on answers, with a line of progress. Raises InputError."""
    _refuse_wide(suite, answers, vectors, path)
    progress = Progress("cases") if sys.stderr.isatty() else None
    try:
        return judge(suite, answers, vectors, tolerance, progress)
    except NotANumber as error:
        raise InputError((_wrong(str(error), Span(file=path), "answer in the number format of the suite"),)) from None
    finally:
        if progress is not None:
            progress.clear()


def _refuse_wide(suite: Suite, answers: Mapping[int, Outcome], vectors: Vectors, path: str) -> None:
    """Raise InputError for answers in another format of numbers."""
    identity = suite.identity
    for case in suite.cases:
        outcome = answers.get(case.job.number)
        wide = None if outcome is None else wide_word(vectors, identity.variant, identity.bits, case.job, outcome)
        if wide is not None:
            message = f"{wide.message}: the answer to case {case.job.number}, {case.name}"
            raise InputError((_wrong(message, Span(file=path), wide.fix),))


def _answered(parsed: Parsed, vectors: Vectors, given: Read, path: str) -> Suite:
    """The suite that answers are for: of a file, or made again. Raises InputError, UsageError."""
    identity = given.identity
    if parsed.text("cases"):
        read, source = _read(parsed.text("cases"), "--cases")
        if not read.cases:
            raise InputError(
                (_wrong("no cases: this is not a suite", Span(file=source), "name the file that lanewise vectors -o wrote"),)
            )
        suite = Suite(read.identity, read.cases)
        digest, other = read.identity.digest, source
    else:
        try:
            suite = make_suite(vectors, tuple(identity.suite.split(",")), identity.seed, identity.variant)
        except UsageError as error:
            raise InputError((_wrong(str(error), Span(file=path), "copy the header of the suite"),)) from None
        digest, other = flat.suite_bytes(suite)[32:64].hex(), "the suite that this version of lanewise makes"
    if digest != identity.digest:
        fix = (
            "name the file of the suite with --cases" if not parsed.text("cases") else "name the file that the answers are for"
        )
        named = f"{identity.suite}, {identity.variant}"
        message = f"the answers are for another suite than {other}: SHA-256 {identity.digest[:16]}..., not {digest[:16]}..."
        if named != f"{suite.identity.suite}, {suite.identity.variant}":
            message = f"the answers are for the suite {named}; {other} is {suite.identity.suite}, {suite.identity.variant}"
            fix = f"run your program on {other}, or name the suite {named} with --cases"
        raise InputError((_wrong(message, Span(file=path), fix),))
    return suite


def _report_data(verdict: Verdict) -> dict[str, object]:
    identity = verdict.suite.identity
    return {
        "suite": identity.suite,
        "variant": identity.variant,
        "seed": identity.seed,
        "cases": len(verdict.suite.cases),
        "answered": verdict.answered,
        "equal": verdict.equal,
        "explained": verdict.explained,
        "unexplained": verdict.differing - verdict.explained,
        "follows": verdict.variant,
        "presets": [{"name": name, "differing": count} for name, count in verdict.presets.items()],
        "questions": [
            {
                "key": each.question.key,
                "topic": each.question.topic,
                "known": each.question.known,
                "cases": each.cases,
                "follows": each.follows,
                "answers": [
                    {"name": name, "meaning": each.question.answers[name], "fits": count} for name, count in each.fits.items()
                ],
            }
            for each in verdict.questions
        ],
        **{
            key: [
                {
                    "name": row.name,
                    "cases": row.cases,
                    "equal": row.equal,
                    "explained": row.explained,
                    "unexplained": row.unexplained,
                    "alone": row.alone,
                }
                for row in rows
            ]
            for key, rows in (("instructions", verdict.instructions), ("groups", verdict.groups))
        },
        "differences": [
            {
                "what": each.what,
                "count": each.cases,
                "case": each.case.job.number,
                "name": each.case.name,
                "words": len(each.case.job.code),
                "difference": each.difference,
            }
            for each in verdict.unexplained
        ],
        "unanswered": [case.job.number for case in verdict.unanswered],
        "left_out": verdict.left_out,
    }


def _report_page(
    verdict: Verdict,
    silent: Sequence[Silence] | None = None,
    alone: Alone | None = None,
    *,
    mistake: str = "",
    kept: tuple[Case, Case] | None = None,
) -> list[Block]:
    """The tables of a verdict; `silent` are the cases without an answer, and `alone` what was sent again, where a command was
    asked."""
    identity, left = verdict.suite.identity, verdict.differing - verdict.explained
    without = "are left out" if silent is None else "have no answer"
    left_out = f"; {verdict.left_out} that may hang or abort {without}" if verdict.left_out else ""
    page: list[Block] = [
        Heading(1, f"{identity.isa}, {identity.suite}, {identity.variant}, seed {identity.seed}"),
        Items(
            (
                ("answered", f"{verdict.answered} of {len(verdict.suite.cases)} cases{left_out}"),
                ("equal", f"{verdict.equal} give what the suite expects"),
                ("explained", f"{verdict.explained} give what {verdict.variant} gives"),
                ("unexplained", f"{left} give what no variant gives"),
                *([("one mistake", f"explains all of them: {mistake}")] if mistake else []),
                *right_alone(alone, kept, silent or ()),
                ("presets", ", ".join([f"{name}: {count} differ" for name, count in verdict.presets.items()])),
            )
        ),
    ]
    rows: list[tuple[str, ...]] = []
    for each in verdict.questions:
        fits = ", ".join([f"{name} {count}" for name, count in each.fits.items()])
        rows.append((each.question.key, each.question.known, str(each.cases), each.follows or "none", fits))
    if rows:
        page.append(Heading(2, "Open questions"))
        page.append(Table(("question", "evidence", "cases", "follows", "cases that fit each answer"), tuple(rows)))
    counts = [
        (row.name, *map(str, (row.cases, row.equal, row.explained, row.unexplained, row.alone))) for row in verdict.instructions
    ]
    if counts:
        page.append(Heading(2, "Instructions"))
        page.append(Table(("instruction", "cases", "equal", "explained", "unexplained", "alone"), tuple(counts)))
    if verdict.unexplained:
        page.append(Heading(2, "Differences that no variant explains"))
        shown = verdict.unexplained[:MOST_SHOWN]
        lines = [(each.what, str(each.cases), str(each.case.job.number), each.case.name, each.difference) for each in shown]
        page.append(Table(("what", "cases", "smallest", "name", "first difference"), tuple(lines)))
        if len(verdict.unexplained) > len(shown):
            page.append(Paragraph(f"{len(verdict.unexplained) - len(shown)} more; `--format json` has all."))
    if alone is not None and alone.right:
        rows = [(str(each.case.job.number), each.case.name, _after(each.after)) for each in alone.right]
        page += [Heading(2, f"Right alone: {len(rows)}"), Table(("case", "name", "fails after"), tuple(rows[:MOST_SHOWN]))]
        if len(rows) > MOST_SHOWN:
            page.append(Paragraph(f"{len(rows) - MOST_SHOWN} more; `--format json` has all."))
    if silent:
        kinds = _silent_kinds(silent)
        page.append(Heading(2, f"No answer: {len(silent)}"))
        page.append(Table(("what", "cases", "first", "name", "reason"), tuple(kinds[:MOST_SHOWN])))
        if len(kinds) > MOST_SHOWN:
            page.append(Paragraph(f"{len(kinds) - MOST_SHOWN} more; `--format json` has all."))
    elif verdict.unanswered:
        names = [f"{case.job.number} {case.name}" for case in verdict.unanswered[:MOST_SHOWN]]
        page += [Heading(2, f"Without an answer: {len(verdict.unanswered)}"), Fixed(tuple(names))]
    return page


def _silent_kinds(silent: Sequence[Silence]) -> list[tuple[str, ...]]:
    """Cases without an answer by instruction and reason, each with the first, the most frequent in front."""
    kinds: dict[tuple[str, str], list[Case]] = {}
    for each in silent:
        kinds.setdefault((about(each.case), each.reason), []).append(each.case)
    rows = sorted(kinds.items(), key=lambda row: -len(row[1]))
    return [(ops, str(len(cases)), str(cases[0].job.number), cases[0].name, reason) for (ops, reason), cases in rows]


def right_alone(alone: Alone | None, kept: tuple[Case, Case] | None, silent: Sequence[Silence] = ()) -> list[tuple[str, str]]:
    """The point of a report on the cases that were sent again; `silent` are those without an answer in the run."""
    if alone is None:
        return []
    if kept is not None:
        case, before = [f"{each.job.number} {each.name}" for each in kept]
        fix = "clear registers, flags and address registers before each job"
        seen = f"case {case} has other words in registers that it does not write after case {before}: {fix}"
        return [*right_alone(alone, None, silent)[: bool(alone.right)], ("kept", seen)]
    found = f"{len(alone.right)} of {alone.asked} that failed are right when each is sent to a fresh process"
    if not alone.right:
        unseen = "a suite shows little of what is kept between jobs, `lanewise fuzz --against` shows more"
        return [("right alone", f"{found if alone.asked else 'none failed after other cases'}; {unseen}")]
    unanswered = {each.case.job.number for each in silent}
    if unanswered.issuperset([each.case.job.number for each in alone.right]):
        return [("right alone", f"{found}: answer jobs in a loop until the input ends, whatever the cases before were")]
    return [("right alone", f"{found}: something is kept from the cases before")]


def _after(case: Case | None) -> str:
    return "more than one case, or one that was not found" if case is None else f"{case.job.number} {case.name}"
