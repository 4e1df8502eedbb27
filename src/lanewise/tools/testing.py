"""`lanewise test`: run shader tests without pytest."""

from __future__ import annotations

import time
from pathlib import Path

from lanewise.core import files
from lanewise.core.diagnostics import InputError, render, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FOLLOW, TEXTS, InputFailure, Option, UsageError
from lanewise.tools.command import parse
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, print_json, print_text, reason
from lanewise.tools.folders import is_searched
from lanewise.tools.shadertest import SUFFIX, failure, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lanewise.core.shadertests import ShaderTest

PASSED, FAILED, ERROR, LISTED = "passed", "failed", "error", "listed"
LINE = CommandLine(
    name="test",
    about="Run shader tests: programs with data, and what their outputs should be.",
    options=(
        Option(names=("--name",), kind=TEXTS, help="run only the tests of this name; may be repeated", metavar="NAME"),
        Option(names=("--list",), kind=FLAG, help="list the tests, run nothing"),
        FORMAT,
        FOLLOW,
    ),
    examples="""
  lanewise test                                         every test below this folder
  lanewise test toon.shadertest.toml --name "four bands"
  lanewise test shaders/ --format json                  what editors read""",
    files="*",
    file_help="files of tests (.shadertest.toml); folders (default: this one)",
    isa=False,
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    wanted = parsed.values.get("name", ())
    names = set(wanted) if isinstance(wanted, (tuple, list)) else set[str]()
    paths = list(dict.fromkeys(files_of(parsed.files or (".",))))
    if not paths:
        raise UsageError(f"no shader tests in {', '.join(parsed.files) or 'this folder'}: name a file *{SUFFIX}")
    rows: list[dict[str, object]] = []
    for path in paths:
        found = list(rows_of(path, names, run=not parsed.flag("list"), follow=parsed.flag(FOLLOW.key)))
        if found and not parsed.as_json:
            print_text("".join([f"{path}\n", *[line for row in found for line in _lines(row)]]))
        rows += found
    unknown = sorted(names - {str(row["name"]) for row in rows})
    if unknown and not any(row["outcome"] == ERROR for row in rows):
        raise UsageError(f"unknown test '{unknown[0]}': `lanewise test --list` shows the names")
    counts = {outcome: sum(row["outcome"] == outcome for row in rows) for outcome in (PASSED, FAILED, ERROR)}
    if parsed.as_json:
        print_json("test", {"tests": rows, **counts})
    elif not parsed.flag("list"):
        print_text(", ".join([f"{count} {outcome}" for outcome, count in counts.items() if count or outcome == PASSED]) + "\n")
    return INPUT_HAS_ERRORS if counts[FAILED] or counts[ERROR] else OK


def files_of(arguments: Iterable[str]) -> Iterator[Path]:
    """The test files of arguments; folders are searched, without those of build systems and hidden ones. Raises InputFailure,
    UsageError."""
    for argument in arguments:
        path = Path(argument)
        if path.is_dir():
            yield from _in_folder(argument)
        elif not path.exists():
            raise InputFailure(f"cannot read {argument}: No such file or directory")
        elif not argument.endswith(SUFFIX):
            raise UsageError(f"{argument} is not a file of shader tests: its name ends in {SUFFIX}")
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


def rows_of(path: Path, names: set[str], *, run: bool, follow: bool = False) -> Iterator[dict[str, object]]:
    """A row for each test of a file that is wanted; one without a name for a file that cannot be read."""
    try:
        tests: Sequence[ShaderTest] = read(path, follow=follow)
    except InputError as error:
        yield _row(path, "", 1, ERROR, _rendered(error))
        return
    except OSError as error:
        yield _row(path, "", 1, ERROR, f"cannot read {path}: {reason(error)}")
        return
    for test in tests:
        if names and test.name not in names:
            continue
        if not run:
            yield _row(path, test.name, test.line, LISTED)
            continue
        start = time.perf_counter()
        try:
            message = failure(test)
            outcome = FAILED if message else PASSED
        except InputError as error:
            outcome, message = ERROR, _rendered(error)
        except OSError as error:
            outcome, message = ERROR, str(error)
        yield _row(path, test.name, test.line, outcome, message, time.perf_counter() - start)


def _row(path: Path, name: str, line: int, outcome: str, message: str = "", seconds: float = 0.0) -> dict[str, object]:
    return {
        "file": str(path),
        "name": name,
        "line": line,
        "outcome": outcome,
        "message": message,
        "seconds": round(seconds, 6),
    }


def _rendered(error: InputError) -> str:
    return "\n\n".join([render(finding) for finding in error.diagnostics])


def _lines(row: dict[str, object]) -> list[str]:
    name = visible(str(row["name"]), "")  # a line of it could be a command of the service that runs the tests
    title = f"{row['outcome']}  {name}" if row["outcome"] != LISTED else f"{row['line']:>6}  {name}"
    return [f"  {title.rstrip()}\n", *[f"      {line}\n" if line else "\n" for line in str(row["message"]).splitlines()]]
