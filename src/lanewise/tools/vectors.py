"""`lanewise vectors`: test vectors for implementations in other languages, and what their answers say."""

from __future__ import annotations

import sys
from collections import Counter
from importlib import resources
from pathlib import Path

from lanewise import __version__
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, INTEGER, STDIO, TEXT, TEXTS, Answer, InputFailure, Option, UsageError
from lanewise.core.source import Span
from lanewise.packages import package_of, packages
from lanewise.tools.command import FORMAT, CommandLine, Progress, lacks, parse, refuse_foreign, report_errors, show
from lanewise.tools.console import read_bytes, reason

if TYPE_CHECKING:
    from lanewise.core.document import Block
    from lanewise.core.package import IsaPackage
    from lanewise.core.vectors.judging import Verdict
    from lanewise.core.vectors.model import Read, Suite, Vectors
    from lanewise.tools.command import Parsed

FLAT, LINES, BOTH = "flat", "jsonl", "both"
HEADER = "lanewise_vectors.h"
_SUFFIXES = {FLAT: ".lwv", LINES: ".jsonl"}
MOST_SHOWN = 40  # rows of a table of the report, as text

LINE = CommandLine(
    "vectors",
    "Write test vectors: programs with data and what they give, bit for bit, for emulators, other compilers and hardware. "
    "With --report, say what a project's answers follow and where they are wrong.",
    (
        Option(("--suite",), TEXTS, "quick (default), full, or groups of cases; --list names them", "NAME"),
        Option(("--list",), FLAG, "list the suites and groups"),
        Option(("-o", "--output"), TEXT, "the folder for the files; the C++ header is written there too", "DIR"),
        Option(("--form",), TEXT, "the form of the files: flat words, JSON lines, or both (default)", "", (FLAT, LINES, BOTH)),
        Option(("--seed",), INTEGER, "the seed of random cases (default: 1)", "N"),
        Option(("--header",), FLAG, f"write only the C++ header {HEADER}, without -o to standard output"),
        Option(("--report",), TEXT, "judge the answers of a project, in either form", "RESULTS"),
        Option(("--cases",), TEXT, "with --report: the file of the suite (default: it is made again)", "FILE", needs="report"),
        Option(("--ulp",), INTEGER, "with --report: numbers so many places apart are equal (default: 0)", "N", needs="report"),
        Option(("--ignore-nan-sign",), FLAG, "with --report: the sign of a NaN does not count", needs="report"),
        Option(("--ignore-nan",), FLAG, "with --report: any NaN equals any other", needs="report"),
        FORCE,
        FORMAT,
    ),
    """
  lanewise vectors pica200 -o vectors              the quick suite of the hardware, in both forms, and the C++ header
  lanewise vectors pica200 --suite full --seed 7 -o vectors
  lanewise vectors pica200 --list
  lanewise vectors --header > lanewise_vectors.h
  lanewise vectors pica200 --report answers.lwv
  lanewise vectors --report answers.jsonl --ignore-nan-sign --format json""",
    files="*",
    file_help="the instruction set",
    isa=False,
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if len(parsed.files) > 1:
        raise UsageError(f"one instruction set, not {' '.join(parsed.files)}")
    if sum((parsed.flag("list"), parsed.flag("header"), bool(parsed.text("report")))) > 1:
        raise UsageError("--list, --header and --report are mutually exclusive")
    if parsed.flag("header"):
        path = str(Path(parsed.text("output"), HEADER)) if parsed.text("output") else STDIO
        _make_folder(parsed.text("output"))
        return show(Answer(files=((path, header()),)), parsed)
    try:
        if parsed.text("report"):
            return show(_report(parsed), parsed)
        package, vectors = _named(parsed)
        if parsed.flag("list"):
            return show(_listed(package, vectors), parsed)
        return show(_written(parsed, package, vectors), parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)


def header() -> bytes:
    """The C++ header."""
    return resources.files("lanewise").joinpath("include", HEADER).read_bytes()


def _named(parsed: Parsed) -> tuple[IsaPackage, Vectors]:
    """The instruction set that the command line names. Raises UsageError."""
    having = [package.name for package in packages() if package.vectors is not None]
    if not parsed.files:
        raise UsageError(f"name the instruction set: lanewise vectors {' or '.join(having)} ...")
    try:
        package = package_of(parsed.files[0].lower())
    except ValueError as error:
        raise UsageError(str(error)) from None
    refuse_foreign(parsed, [package])
    parsed.used.append(package.name)
    if package.vectors is None:
        raise lacks(package, "test vectors")
    return package, package.vectors()


def variant_named(vectors: Vectors, name: str) -> str:
    """The variant of a name: itself, or that of a file. Raises UsageError, InputFailure."""
    if vectors.of_file is None or not name.endswith(".toml"):
        return name
    try:
        return vectors.of_file(read_bytes(name), name)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _variant(parsed: Parsed, vectors: Vectors) -> str:
    """The variant of a command line: a preset, and other answers behind it."""
    name = next((parsed.text(key) for key in ("profile", "device", "rule") if parsed.text(key)), vectors.presets[0])
    name = variant_named(vectors, name)
    settings = parsed.values.get("set", ())
    return ", ".join([name, *settings] if isinstance(settings, tuple) else [name])


def _suite(parsed: Parsed, vectors: Vectors, names: tuple[str, ...], seed: int, variant: str) -> Suite:
    unknown = [name for name in names if name not in vectors.suites]
    if unknown:
        raise UsageError(f"unknown suite '{unknown[0]}': use {', '.join(vectors.suites)}")
    progress = Progress("cases") if sys.stderr.isatty() else None
    try:
        suite = vectors.make(names, seed, variant, progress)
        return suite._replace(identity=suite.identity._replace(version=__version__))
    except ValueError as error:
        raise UsageError(str(error)) from None
    finally:
        if progress is not None:
            progress.clear()


def _listed(package: IsaPackage, vectors: Vectors) -> Answer:
    rows = tuple(vectors.suites.items())
    page = (Heading(1, f"Test vectors of {package.title}"), Table(("suite", "cases"), rows))
    return Answer({"suites": [{"name": name, "about": about} for name, about in rows]}, page)


def _written(parsed: Parsed, package: IsaPackage, vectors: Vectors) -> Answer:
    from lanewise.core.vectors.flat import digest_of, suite_bytes
    from lanewise.core.vectors.lines import suite_text

    folder = parsed.text("output")
    if not folder:
        raise UsageError("name a folder with -o, or use --list")
    names = parsed.values.get("suite", ())
    suites = tuple(dict.fromkeys(names)) if isinstance(names, tuple) and names else ("quick",)
    seed = parsed.values.get("seed", 1)
    seed = seed if isinstance(seed, int) else 1
    if not 0 <= seed < 1 << 32:
        raise UsageError(f"--seed is {seed}, expected 0 to {(1 << 32) - 1}")
    suite = _suite(parsed, vectors, suites, seed, _variant(parsed, vectors))
    flat = suite_bytes(suite)
    size = int.from_bytes(flat[12:16], "little")
    identity = suite.identity._replace(digest=digest_of(flat[size:]))
    suite = suite._replace(identity=identity)
    stem = "-".join([package.name, *suites, _file_name(identity.variant)])
    form = parsed.text("form", BOTH)
    files: list[tuple[str, bytes]] = []
    if form != LINES:
        files.append((str(Path(folder, stem + _SUFFIXES[FLAT])), flat))
    if form != FLAT:
        files.append((str(Path(folder, stem + _SUFFIXES[LINES])), suite_text(suite).encode()))
    files.append((str(Path(folder, HEADER)), header()))
    _make_folder(folder)
    groups = Counter(case.group for case in suite.cases)
    evidence = Counter(case.evidence for case in suite.cases)
    hazards = sum(bool(case.flags) for case in suite.cases)
    data = {
        "suite": identity.suite, "variant": identity.variant, "seed": identity.seed, "bits": identity.bits, "cases": len(suite.cases), "sha256": identity.digest,
        "groups": dict(groups), "evidence": dict(evidence), "may_hang_or_abort": hazards,
        "files": [{"path": path, "bytes": len(content)} for path, content in files],
    }  # fmt: skip
    points = [
        ("cases", f"{len(suite.cases)}: " + ", ".join([f"{count} {name}" for name, count in groups.items()])),
        ("evidence", ", ".join([f"{count} {name}" for name, count in evidence.items()])),
        ("hazards", f"{hazards} cases on which an implementation may hang or abort"),
        ("sha256", identity.digest),
        *[("file", f"{path}, {len(content):,} bytes") for path, content in files],
    ]
    page = (Heading(1, f"{package.title}, {identity.suite}, {identity.variant}, seed {identity.seed}"), Items(tuple(points)))
    return Answer(data, page, files=tuple(files))


def _file_name(variant: str) -> str:
    return "".join([letter if letter.isalnum() or letter in "=_" else "-" for letter in variant.replace(", ", "-")])


def _make_folder(folder: str) -> None:
    if folder:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputFailure(f"cannot create the folder {folder}: {reason(error)}") from None


# Reports


def read_vectors(path: str, data: bytes) -> Read:
    """A suite or answers, in either form. Raises InputError."""
    from lanewise.core.vectors import flat, lines

    try:
        if data.lstrip()[:1] == b"{":
            return lines.read(data.decode())
        return flat.read(data)
    except flat.FlatError as error:
        message, span = str(error), Span(path, offset=error.offset)
    except lines.LineError as error:
        message, span = str(error), Span(path, error.line, 1)
    except UnicodeDecodeError as error:
        message, span = "not UTF-8", Span(path, offset=error.start)
    raise InputError((_wrong(message, span),))


def _wrong(message: str, span: Span, fix: str = "docs/vectors.md describes both forms") -> Diagnostic:
    return Diagnostic("T006", ERROR, message, span, (), fix)


def _report(parsed: Parsed) -> Answer:
    from lanewise.core.vectors.comparing import Tolerance
    from lanewise.core.vectors.judging import judge

    path = parsed.text("report")
    given = read_vectors(path, read_bytes(path))
    ours = given.identity.isa
    try:
        package = package_of(ours)
    except ValueError as error:
        raise InputError((_wrong(str(error), Span(path), "copy the header of the suite"),)) from None
    if package.vectors is None:
        raise lacks(package, "test vectors")
    vectors = package.vectors()
    if parsed.files and parsed.files[0].lower() != package.name:
        raise UsageError(f"{path} has answers for {package.name}, not {parsed.files[0]}")
    parsed.used.append(package.name)
    if given.cases:
        raise InputError((_wrong("this is a suite, not answers to one", Span(path), "give the file that your program wrote"),))
    suite = _suite_of(parsed, vectors, given, path)
    numbers = {case.job.number for case in suite.cases}
    strange = [number for number in given.answers if number not in numbers]
    if strange:
        message = f"an answer to case {strange[0]}, which the suite does not have: it has 0 to {len(suite.cases) - 1}"
        raise InputError((_wrong(message, Span(path)),))
    ulp = parsed.values.get("ulp", 0)
    tolerance = Tolerance(parsed.flag("ignore-nan"), parsed.flag("ignore-nan-sign"), ulp if isinstance(ulp, int) else 0)
    progress = Progress("cases") if sys.stderr.isatty() else None
    try:
        verdict = judge(suite, given.answers, vectors, tolerance, progress)
    finally:
        if progress is not None:
            progress.clear()
    failed = verdict.differing > 0 or bool(verdict.unanswered)
    return Answer(_report_data(verdict), tuple(_report_page(verdict)), failed=failed, schema="verdict")


def _suite_of(parsed: Parsed, vectors: Vectors, given: Read, path: str) -> Suite:
    """The suite that answers are for: of a file, or made again. Raises InputError, UsageError."""
    from lanewise.core.vectors.flat import suite_bytes
    from lanewise.core.vectors.model import Suite

    identity = given.identity
    if parsed.text("cases"):
        source = parsed.text("cases")
        read = read_vectors(source, read_bytes(source))
        if not read.cases:
            raise InputError(
                (_wrong("no cases: this is not a suite", Span(source), "name the file that lanewise vectors -o wrote"),)
            )
        suite = Suite(read.identity, read.cases)
        digest, other = read.identity.digest, source
    else:
        unknown = [name for name in identity.suite.split(",") if name not in vectors.suites]
        if unknown:
            raise InputError((_wrong(f"unknown suite '{unknown[0]}'", Span(path), "copy the header of the suite"),))
        try:
            suite = _suite(parsed, vectors, tuple(identity.suite.split(",")), identity.seed, identity.variant)
        except UsageError as error:
            raise InputError((_wrong(str(error), Span(path), "copy the header of the suite"),)) from None
        digest, other = suite_bytes(suite)[32:64].hex(), "the suite that this version of lanewise makes"
    if digest != identity.digest:
        fix = (
            "name the file of the suite with --cases" if not parsed.text("cases") else "name the file that the answers are for"
        )
        message = f"the answers are for another suite than {other}: SHA-256 {identity.digest[:16]}..., not {digest[:16]}..."
        raise InputError((_wrong(message, Span(path), fix),))
    return suite


def _report_data(verdict: Verdict) -> dict[str, object]:
    identity = verdict.suite.identity
    return {
        "suite": identity.suite, "variant": identity.variant, "seed": identity.seed, "cases": len(verdict.suite.cases), "answered": verdict.answered,
        "equal": verdict.equal, "explained": verdict.explained, "unexplained": verdict.differing - verdict.explained, "follows": verdict.variant,
        "presets": [{"name": name, "differing": count} for name, count in verdict.presets.items()],
        "questions": [
            {"key": each.question.key, "topic": each.question.topic, "known": each.question.known, "cases": each.cases, "follows": each.follows,
             "answers": [{"name": name, "meaning": each.question.answers[name], "fits": count} for name, count in each.fits.items()]}
            for each in verdict.questions
        ],
        **{
            key: [{"name": row.name, "cases": row.cases, "equal": row.equal, "explained": row.explained, "unexplained": row.unexplained} for row in rows]
            for key, rows in (("instructions", verdict.instructions), ("groups", verdict.groups))
        },
        "differences": [
            {"what": each.what, "count": each.cases, "case": each.case.job.number, "name": each.case.name, "words": len(each.case.job.code),
             "difference": each.difference}
            for each in verdict.unexplained
        ],
        "unanswered": [case.job.number for case in verdict.unanswered], "left_out": verdict.left_out,
    }  # fmt: skip


def _report_page(verdict: Verdict) -> list[Block]:
    identity, left = verdict.suite.identity, verdict.differing - verdict.explained
    left_out = f"; {verdict.left_out} that may hang or abort are left out" if verdict.left_out else ""
    page: list[Block] = [
        Heading(1, f"{identity.isa}, {identity.suite}, {identity.variant}, seed {identity.seed}"),
        Items((
            ("answered", f"{verdict.answered} of {len(verdict.suite.cases)} cases{left_out}"),
            ("equal", f"{verdict.equal} give what the suite expects"),
            ("explained", f"{verdict.explained} give what {verdict.variant} gives"),
            ("unexplained", f"{left} give what no variant gives"),
            ("presets", ", ".join([f"{name}: {count} differ" for name, count in verdict.presets.items()])),
        )),
    ]  # fmt: skip
    rows: list[tuple[str, ...]] = []
    for each in verdict.questions:
        fits = ", ".join([f"{name} {count}" for name, count in each.fits.items()])
        rows.append((each.question.key, each.question.known, str(each.cases), each.follows or "none", fits))
    if rows:
        page.append(Heading(2, "Open questions"))
        page.append(Table(("question", "evidence", "cases", "follows", "cases that fit each answer"), tuple(rows)))
    counts = [(row.name, *map(str, (row.cases, row.equal, row.explained, row.unexplained))) for row in verdict.instructions]
    if counts:
        page.append(Heading(2, "Instructions"))
        page.append(Table(("instruction", "cases", "equal", "explained", "unexplained"), tuple(counts)))
    if verdict.unexplained:
        page.append(Heading(2, "Differences that no variant explains"))
        shown = verdict.unexplained[:MOST_SHOWN]
        lines = [(each.what, str(each.cases), str(each.case.job.number), each.case.name, each.difference) for each in shown]
        page.append(Table(("what", "cases", "smallest", "name", "first difference"), tuple(lines)))
        if len(verdict.unexplained) > len(shown):
            page.append(Paragraph(f"{len(verdict.unexplained) - len(shown)} more; `--format json` has all."))
    if verdict.unanswered:
        names = [f"{case.job.number} {case.name}" for case in verdict.unanswered[:MOST_SHOWN]]
        page += [Heading(2, f"Without an answer: {len(verdict.unanswered)}"), Fixed(tuple(names))]
    return page
