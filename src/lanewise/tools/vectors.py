"""`lanewise vectors`: test vectors for implementations in other languages, and what their answers say."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

from lanewise.core.diagnostics import InputError
from lanewise.core.document import Heading, Items, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import (
    FLAG,
    FORCE,
    INTEGER,
    STDIO,
    TEXT,
    TEXTS,
    Answer,
    InputFailure,
    Option,
    UsageError,
)
from lanewise.core.suffixes import KNOWN_SUFFIXES, suffix_of
from lanewise.core.vectors.model import FLAT, LINES
from lanewise.packages import package_of, packages
from lanewise.tools.command import lacks, parse, refuse_foreign, report_errors, show
from lanewise.tools.command_line import FORMAT, TIMEOUT, CommandLine
from lanewise.tools.configuration import Configuration
from lanewise.tools.console import reason
from lanewise.tools.vectors_suites import make_suite, variant_named

if TYPE_CHECKING:
    from lanewise.core.package import IsaPackage
    from lanewise.core.vectors.model import Suite, Vectors
    from lanewise.tools.command import Parsed

BOTH = "both"
HEADER = "lanewise_vectors.h"
_SUFFIXES = {FLAT: ".lwv", LINES: ".jsonl"}

LINE = CommandLine(
    name="vectors",
    about="Write test vectors: programs with data and what they give, bit for bit, for emulators, other compilers and "
    "hardware. With --report, say what a project's answers follow and where they are wrong.",
    options=(
        Option(
            names=("--suite",),
            kind=TEXTS,
            help="quick (default), full, or groups of cases, commas between several; --list names them",
            metavar="NAME",
        ),
        Option(names=("--list",), kind=FLAG, help="list the suites and groups"),
        Option(
            names=("-o", "--output"),
            kind=TEXT,
            help="the folder for the files; the C++ header is written there too",
            metavar="DIR",
        ),
        Option(
            names=("--form",),
            kind=TEXT,
            help="the form of the files: flat words, JSON lines, or both (default)",
            metavar="",
            choices=(FLAT, LINES, BOTH),
        ),
        Option(names=("--seed",), kind=INTEGER, help="the seed of random cases (default: 1)", metavar="N"),
        Option(names=("--header",), kind=FLAG, help=f"write only the C++ header {HEADER}, without -o to standard output"),
        Option(names=("--report",), kind=TEXT, help="judge the answers of a project, in either form", metavar="RESULTS"),
        Option(
            names=("--supervise",),
            kind=TEXT,
            help="send the suite to a command, which is started again when it dies or hangs, and judge its answers",
            metavar="COMMAND",
        ),
        Option(
            names=("--answer-timeout",),
            kind=TEXT,
            help="with --supervise: seconds for an answer (default: 10); the first of a process has at least 30",
            metavar="SECONDS",
            needs="supervise",
        ),
        Option(
            names=("--cases",),
            kind=TEXT,
            help="with --report: the file of the suite (default: it is made again)",
            metavar="FILE",
            needs="report",
        ),
        Option(
            names=("--ulp",),
            kind=INTEGER,
            help="of answers that are judged: numbers so many places apart are equal (default: 0)",
            metavar="N",
        ),
        Option(names=("--ignore-nan-sign",), kind=FLAG, help="of answers that are judged: the sign of a NaN does not count"),
        Option(names=("--ignore-nan",), kind=FLAG, help="of answers that are judged: any NaN equals any other"),
        TIMEOUT,
        FORCE,
        FORMAT,
    ),
    examples="""
  lanewise vectors pica200 -o vectors              the quick suite of the hardware, in both forms, and the C++ header
  lanewise vectors pica200 --suite full --seed 7 -o vectors
  lanewise vectors pica200 --list
  lanewise vectors --header > lanewise_vectors.h
  lanewise vectors pica200 --report answers.lwv
  lanewise vectors --report answers.jsonl --ignore-nan-sign --format json
  lanewise vectors pica200 --suite full --supervise "./my_unit --vectors"    restarted when it dies or hangs""",
    files="*",
    file_help="the instruction set",
    isa=False,
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    Configuration().of(STDIO)  # what a file says that nothing reads is an error
    if len(parsed.files) > 1:
        isas = [package.name for package in packages()]
        suites = [name for name in parsed.files if name.lower() not in isas]
        if "suite" in parsed.values and len(suites) == len(parsed.files) - 1:
            raise UsageError(f"--suite is one argument: write --suite {','.join([*parsed.texts('suite'), *suites])}")
        asked = "; --supervise COMMAND asks a program, --report ANSWERS judges answers, --list shows the suites"
        raise UsageError(f"one instruction set, not {' '.join(parsed.files)}{asked}")
    if parsed.flag("header") and parsed.files and parsed.files[0].lower() not in [package.name for package in packages()]:
        raise UsageError(f"--header prints, and has no file: write `lanewise vectors --header > {parsed.files[0]}`")
    judged = bool(parsed.text("report")) or "supervise" in parsed.values
    if sum((parsed.flag("list"), parsed.flag("header"), bool(parsed.text("report")), "supervise" in parsed.values)) > 1:
        raise UsageError("--list, --header, --report and --supervise are mutually exclusive")
    if not judged:
        for key in ("ulp", "ignore-nan-sign", "ignore-nan"):
            if key in parsed.values:
                raise UsageError(f"--{key} goes with --report or --supervise")
    if parsed.text("output") and (judged or parsed.flag("list")):
        raise UsageError("-o is the folder of a suite that is written, not of a report: leave it out, and redirect the output")
    suffix = suffix_of(parsed.text("output"))
    if suffix in KNOWN_SUFFIXES or suffix in _SUFFIXES.values():
        stem = parsed.text("output").removesuffix(suffix)
        raise UsageError(
            f"-o {parsed.text('output')}: a folder is named, in which the suite and the header are written, and {suffix} is a "
            f"file's suffix: -o {stem}"
        )
    if parsed.flag("header"):
        path = str(Path(parsed.text("output"), HEADER)) if parsed.text("output") else STDIO
        _make_folder(parsed.text("output"))
        return show(Answer(files=((path, header()),)), parsed)
    try:
        if parsed.text("report"):
            from lanewise.tools.vectors_report import report

            return show(report(parsed), parsed)
        package, vectors = _named(parsed)
        if "supervise" in parsed.values:
            from lanewise.tools.vectors_report import supervised

            return show(supervised(parsed, _suite(parsed, vectors)[1], vectors), parsed)
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
        name = parsed.files[0]
        if name.endswith(tuple(_SUFFIXES.values())):
            raise UsageError(
                f"{name} is a file: --report {name} judges answers, --cases {name} goes with the suite of them"
            ) from None
        raise UsageError(str(error)) from None
    refuse_foreign(parsed, [package])
    parsed.used.append(package.name)
    if package.vectors is None:
        raise lacks(package, "test vectors")
    return package, package.vectors()


def _variant(parsed: Parsed, vectors: Vectors) -> str:
    """The variant of a command line: a preset, and other answers behind it."""
    name = next((parsed.text(key) for key in ("profile", "device", "rule") if parsed.text(key)), vectors.presets[0])
    name = variant_named(vectors, name)
    settings = parsed.values.get("set", ())
    return ", ".join([name, *settings] if isinstance(settings, tuple) else [name])


def _listed(package: IsaPackage, vectors: Vectors) -> Answer:
    rows = tuple(vectors.suites.items())
    page = (Heading(1, f"Test vectors of {package.title}"), Table(("suite", "cases"), rows))
    return Answer(data={"suites": [{"name": name, "about": about} for name, about in rows]}, page=page)


def _suite(parsed: Parsed, vectors: Vectors) -> tuple[tuple[str, ...], Suite]:
    """The suite that a command line asks for, with the names in it. Raises UsageError."""
    names = parsed.values.get("suite", ())
    given = ",".join(names).split(",") if isinstance(names, tuple) else ()
    suites = tuple(dict.fromkeys([name.strip() for name in given if name.strip()])) or ("quick",)
    seed = parsed.values.get("seed", 1)
    seed = seed if isinstance(seed, int) else 1
    if not 0 <= seed < 1 << 32:
        raise UsageError(f"--seed is {seed}, expected 0 to {(1 << 32) - 1}")
    return suites, make_suite(vectors, suites, seed, _variant(parsed, vectors))


def _written(parsed: Parsed, package: IsaPackage, vectors: Vectors) -> Answer:
    from lanewise.core.vectors.flat import digest_of, suite_bytes
    from lanewise.core.vectors.lines import suite_text

    folder = parsed.text("output")
    if folder in ("", STDIO):
        raise UsageError("name a folder with -o, or use --list")
    suites, suite = _suite(parsed, vectors)
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
        "suite": identity.suite,
        "variant": identity.variant,
        "seed": identity.seed,
        "bits": identity.bits,
        "cases": len(suite.cases),
        "sha256": identity.digest,
        "groups": dict(groups),
        "evidence": dict(evidence),
        "may_hang_or_abort": hazards,
        "files": [{"path": path, "bytes": len(content)} for path, content in files],
    }
    points = [
        ("cases", f"{len(suite.cases)}: " + ", ".join([f"{count} {name}" for name, count in groups.items()])),
        ("evidence", ", ".join([f"{count} {name}" for name, count in evidence.items()])),
        ("hazards", f"{hazards} cases on which an implementation may hang or abort"),
        ("sha256", identity.digest),
        *[("file", f"{path}, {len(content):,} bytes") for path, content in files],
    ]
    page = (Heading(1, f"{package.title}, {identity.suite}, {identity.variant}, seed {identity.seed}"), Items(tuple(points)))
    return Answer(data=data, page=page, files=tuple(files))


def _file_name(variant: str) -> str:
    return "".join([letter if letter.isalnum() or letter in "=_" else "-" for letter in variant.replace(", ", "-")])


def _make_folder(folder: str) -> None:
    if folder:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputFailure(f"cannot create the folder {folder}: {reason(error)}") from None
