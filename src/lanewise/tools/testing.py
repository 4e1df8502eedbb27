"""`lanewise test`: run shader tests without pytest."""

from __future__ import annotations

import os
import time
from itertools import islice
from pathlib import Path

from lanewise.core import files
from lanewise.core.diagnostics import InputError, render
from lanewise.core.members import split
from lanewise.core.paths import join_command
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FOLLOW, TEXT, TEXTS, InputFailure, Option, UsageError
from lanewise.core.shadertests import SUFFIX, named
from lanewise.packages import packages, suffixes
from lanewise.tools.command import parse
from lanewise.tools.command_line import CommandLine
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, print_json, print_remark, print_text, reason
from lanewise.tools.folders import Unit, is_searched, units_of
from lanewise.tools.shadertest import failure, owner, owner_of_program, points_of, read
from lanewise.tools.testing_report import (
    ERROR,
    FAILED,
    LISTED,
    PASSED,
    WRITERS,
    Row,
    counts_of,
    group_text,
    points_text,
    summary,
    sums_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.shadertests import ShaderTest
    from lanewise.tools.command import Parsed

_MOST_LOOKED_AT = 50  # files that may be tests by another name
FORMATS = ("text", "json", *WRITERS)
LINE = CommandLine(
    name="test",
    about="Run shader tests: programs with data, and what their outputs should be.",
    options=(
        Option(names=("--name",), kind=TEXTS, help="run only the tests of this name; may be repeated", metavar="NAME"),
        Option(
            names=("--program",),
            kind=TEXTS,
            help="test this program in place of that of the files, or each in this folder; may be repeated",
            metavar="FILE",
        ),
        Option(names=("--points",), kind=FLAG, help="show the points of each program: a test is worth its `points`, or 1"),
        Option(names=("--list",), kind=FLAG, help="list the tests, run nothing"),
        Option(names=("--format",), kind=TEXT, help="output format (default: text)", metavar="", choices=FORMATS),
        FOLLOW,
    ),
    examples="""
  lanewise test                                         every test below this folder
  lanewise test toon.shadertest.toml --name "four bands"
  lanewise test exercise.shadertest.toml --program handed-in/ --points
                                                        one test file, many students
  lanewise test shaders/ --format junit > tests.xml     or json, csv, or github for annotations""",
    files="*",
    file_help="files of tests (.shadertest.toml); folders (default: this one)",
    isa=False,
    dialect=False,
)


def _named_otherwise(folders: Sequence[str]) -> str:
    """The fix where no file has the suffix of tests: files of TOML with `[[test]]` are named otherwise."""
    found = [
        Path(path)
        for folder in folders or (".",)
        if Path(folder).is_dir()
        for path in files.walk(folder, wanted=lambda name: name.endswith(".toml"), deep=False)
    ]
    suites = [
        path
        for folder in folders or (".",)
        if Path(folder).is_dir()
        for path in files.walk(folder, wanted=lambda name: name.endswith(".lwv"), deep=False)
    ]
    if suites and not found:
        return (
            f"{suites[0]} is a suite of test vectors, for a unit of your own: `lanewise vectors --report ANSWERS --cases "
            f"{suites[0]}` judges its answers, and `lanewise vectors pica200 --supervise COMMAND` asks it"
        )
    tests = [path for path in found[:_MOST_LOOKED_AT] if b"[[test]]" in files.head(path, 1 << 16)]
    if not tests:
        return next((fix for folder in folders if (fix := _of_programs(folder))), f"name a file *{SUFFIX}")
    return f"rename {tests[0]} to {named(str(tests[0]))}"


def _of_programs(named: str) -> str:
    """The fix where programs are named in place of tests: `--program` with the tests of such programs, the exercises among
    them; empty where there are no programs."""
    known = suffixes()
    folder = Path(named).is_dir()
    found = list(files.walk(named, wanted=lambda name: name.lower().endswith(known), deep=False)) if folder else [named]
    ends = {suffix for path in found for suffix in known if path.lower().endswith(suffix)}
    if not ends:
        return ""
    heads = {path: files.head(path, 1 << 16) for path in islice(_in_folder("."), _MOST_LOOKED_AT)}
    programs = tuple([f"{suffix}{mark}".encode() for suffix in ends for mark in "\"'"])
    tests = [path for path, head in heads.items() if any(program in head for program in programs)]
    exercises = [path for path in tests if b"\npoints" in heads[path]] or tests
    test = exercises[0] if len(exercises) == 1 else f"TEST{SUFFIX}"
    return f"it {'has programs' if folder else 'is a program'}: `lanewise test {test} --program {named}` tests {_WHAT[folder]}"


_WHAT = {True: "each of them", False: "it"}


def _others(argv: Sequence[str], arguments: Sequence[str]) -> str:
    """The options of a command line but `--program`, as the end of one; `arguments` are its files."""
    words = iter(argv)
    kept = [
        word
        for word in words
        if word not in arguments and not word.startswith("--program=") and (word != "--program" or not next(words, ""))
    ]
    return f" {join_command(kept)}" if kept else ""


def _beside(path: str, options: str) -> str:
    """The fix for a file that is not one of tests: those of a program are beside it, or are to be written."""
    test = Path(path).with_name(Path(path).name.partition(".")[0] + SUFFIX)
    if path.endswith(".toml") and b"[[test]]" in files.head(path, 1 << 16):
        return f": rename it to {named(path)}"
    if test.is_file():
        program = f" --program {path}" if path.lower().endswith(suffixes()) else ""
        return f"; write `lanewise test {test}{program}{options}`"
    if path.lower().endswith(suffixes()):
        others = _of_programs(path).partition(": ")[2]
        tested = f"; or {others}" if others and f"TEST{SUFFIX}" not in others else ""
        return f'; write {test.name} with program = "{Path(path).name}" and [[test]], with inputs and outputs{tested}'
    return ""


def _with_program(tests: Sequence[str], path: str, options: str) -> str:
    """The fix for a program after a file of tests: `--program` names it."""
    if not tests or not path.lower().endswith(suffixes()):
        return ""
    return f"; write `lanewise test {' '.join(tests)} --program {path}{options}` to test it"


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    names = set(parsed.texts("name"))
    style = parsed.text("format", "text")
    for file in parsed.files:
        path, mark, name = file.partition("::")
        if mark and Path(path).is_file() and not Path(file).exists():
            known = [row.name for row in rows_of(Path(path), set(), run=False, follow=False, program=Unit("", ()))]
            meant = _meant_tests(name.split("::")[-1].partition("[")[0].removeprefix("test_"), known).removeprefix("write ")
            raise UsageError(
                f"{file}: `::` is of pytest; write `lanewise test {path} {meant}`" if meant[:2] == "--" else f"{file}: {meant}"
            )
    paths = list(dict.fromkeys(files_of(parsed.files or (".",), _others(argv, parsed.files))))
    if not paths:
        raise UsageError(f"no shader tests in {', '.join(parsed.files) or 'this folder'}: {_named_otherwise(parsed.files)}")
    programs = programs_of(parsed) or [Unit("", ())]
    rows: list[Row] = []
    for path in paths:
        taken, remark = _of_one_set(path, programs)
        if remark:
            print_remark(remark)
        for program in taken:
            found = list(rows_of(path, names, run=not parsed.flag("list"), follow=parsed.flag(FOLLOW.key), program=program))
            if found and style == "text":
                print_text(group_text(found))
            rows += found
    unknown = sorted(names - {row.name for row in rows})
    if unknown and not any(row.outcome == ERROR for row in rows):
        known = [row.name for path in paths for row in rows_of(path, set(), run=False, follow=False, program=programs[0])]
        raise UsageError(f"unknown test '{unknown[0]}': {_meant_tests(unknown[0], known)}")
    counts = counts_of(rows)
    points = sums_of(rows) if parsed.flag("points") else []
    if parsed.as_json:
        more = {"programs": [each._asdict() for each in points]} if points else {}
        print_json("test", {"tests": [row.data for row in rows], **more, **counts})
    elif style != "text":
        print_text(WRITERS[style](rows))
    elif not parsed.flag("list"):
        print_text(points_text(points) + summary(rows))
        if points and not parsed.texts("program"):
            print_remark(_OWN_PROGRAMS)
    return INPUT_HAS_ERRORS if counts[FAILED] or counts[ERROR] else OK


def _meant_tests(wanted: str, names: Sequence[str]) -> str:
    """The fix of a name that no test has: those of which it is a part or a pattern, or the likeliest."""
    from fnmatch import fnmatchcase
    from shlex import quote

    from lanewise.core.text.suggestions import near

    known = list(dict.fromkeys(name for name in names if name))
    part = _plain(wanted)
    found = [name for name in known if part in _plain(name) or fnmatchcase(name, wanted)] if part else known
    found = found or near(wanted, known) or (known if len(known) <= _MOST_NAMED else [])
    if not found:
        return "`lanewise test --list` shows the names"
    return "write " + " ".join([f"--name {quote(name)}" for name in found[:_MOST_NAMED]])


def _plain(name: str) -> str:
    """A name in lower case, with blanks for what identifiers have in their place."""
    return " ".join("".join([each if each.isalnum() else " " for each in name.lower()]).split())


_MOST_NAMED = 4
_OWN_PROGRAMS = "lanewise test: the programs are those that the test files name: --program FILE or FOLDER tests others"


def programs_of(parsed: Parsed) -> list[Unit]:
    """The programs of `--program`. Raises InputFailure, UsageError."""
    named = parsed.texts("program")
    if not named:
        return []
    for name in named:
        if not Path(split(name, os.path.exists)[0]).exists():
            raise InputFailure(f"cannot read {name}: No such file or directory")
    able = [package for package in packages() if package.shader_tests is not None]
    found, remarks, unread = units_of(named, suffixes(able), parsed.configuration, follow=parsed.flag(FOLLOW.key))
    for remark in [*remarks, *[finding.message for finding in unread]]:
        print_remark(remark)
    return list(found)


def _of_one_set(path: Path, programs: Sequence[Unit]) -> tuple[Sequence[Unit], str]:
    """The programs that a test file is for, and a line about those left out: where a folder has some for the instruction set
    of the program that the file names, those for others are of other tests."""
    own, name = owner(path) if any(program.folder for program in programs) else (None, "")
    if own is None:
        return programs, ""
    of = {program.name: owner_of_program(program.files[0]) for program in programs if program.folder}
    others = {name: package for name, package in of.items() if package is not None and package is not own}
    if not others or own not in of.values():
        return programs, ""
    titles = ", ".join(dict.fromkeys(package.title for package in others.values()))
    skipped = f"{', '.join(islice(others, _MOST_NAMED))}{', ...' if len(others) > _MOST_NAMED else ''}"
    remark = f"{path}: skipped {skipped}, for {titles}: its own program, {name}, is for {own.title}"
    return [program for program in programs if program.name not in others], remark


def files_of(arguments: Sequence[str], options: str = "") -> Iterator[Path]:
    """The test files of arguments; folders are searched, without those of build systems and hidden ones. `options` end a
    command that a message proposes. Raises InputFailure, UsageError."""
    for argument in arguments:
        path = Path(argument)
        if path.is_dir():
            yield from _in_folder(argument)
        elif not path.exists():
            raise InputFailure(f"cannot read {argument}: No such file or directory")
        elif not argument.endswith(SUFFIX):
            others = [each for each in arguments if each.endswith(SUFFIX)]
            fix = _with_program(others, argument, options) or _beside(argument, options)
            raise UsageError(f"{argument} is not a file of shader tests: its name ends in {SUFFIX}{fix}")
        else:
            yield path


def _in_folder(folder: str) -> Iterator[Path]:
    """The test files in a folder, then what has such a name and says what it is when it is read; links that leave are left
    out."""
    others: list[Path] = []
    for path in files.walk(
        folder, wanted=lambda name: name.endswith(SUFFIX), enters=is_searched, left=lambda name, _: others.append(Path(name))
    ):
        yield Path(path)
    yield from [path for path in others if not path.is_symlink()]


def rows_of(path: Path, names: set[str], *, run: bool, follow: bool, program: Unit) -> Iterator[Row]:
    """A row for each test of a file that is wanted, on a program in place of its own; one without a name for a file that cannot
    be read."""
    whole = Row(file=str(path), name="", line=1, outcome=ERROR, program=program.name)
    try:
        tests: Sequence[ShaderTest] = read(path, follow=follow, programs=tuple([Path(file) for file in program.files]))
    except InputError as error:
        yield whole._replace(message=_rendered(error), of=points_of(path, names))
        return
    except OSError as error:
        yield whole._replace(message=f"cannot read {path}: {reason(error)}")
        return
    for test in tests:
        if names and test.name not in names:
            continue
        row = whole._replace(name=test.name, line=test.line, outcome=LISTED, of=test.points)
        if run:
            start = time.perf_counter()
            try:
                message = failure(test)
                outcome = FAILED if message else PASSED
                message = message or "\n".join(test.remarks)
            except InputError as error:
                outcome, message = ERROR, _rendered(error)
            except OSError as error:
                outcome, message = ERROR, str(error)
            row = row._replace(outcome=outcome, message=message, seconds=time.perf_counter() - start)
        yield row


def _rendered(error: InputError) -> str:
    return "\n\n".join([render(finding) for finding in error.diagnostics])
