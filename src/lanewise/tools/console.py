"""What every command does alike: reading and writing files, printing findings, colour, progress, exit codes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, render, render_compiler_style, to_json

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

OK, INPUT_HAS_ERRORS, WRONG_USAGE = 0, 1, 2
STDIO = "-"


class UsageError(Exception):
    """The command was called wrongly: one line for the user, exit code 2."""


class InputFailure(Exception):
    """An input cannot be used: one line for the user, exit code 1."""


def use_colour(stream: TextIO) -> bool:
    """Colour only on a terminal, and never with NO_COLOR (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def read_bytes(path: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises InputFailure."""
    try:
        return sys.stdin.buffer.read() if path == STDIO else Path(path).read_bytes()
    except OSError as error:
        raise InputFailure(f"cannot read {path}: {reason(error)}") from None


def read_text(path: str) -> str:
    """The text of a source file: UTF-8, or else Latin-1, as old sources are. Raises InputFailure."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def write_bytes(path: str, data: bytes) -> None:
    """Write a file whole or not at all: a temporary file is renamed. `-` is standard output. Raises InputFailure."""
    if path == STDIO:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            leave_quietly()
        return
    target = Path(path)
    if target.exists() and not target.is_file():
        _write_special(target, data)
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InputFailure(f"cannot write {path}: {reason(error)}") from None


def _write_special(target: Path, data: bytes) -> None:
    """A device or a pipe cannot be replaced: it is written to."""
    try:
        target.write_bytes(data)
    except OSError as error:
        raise InputFailure(f"cannot write {target}: {reason(error)}") from None


def reason(error: OSError) -> str:
    return error.strerror or str(error)


def leave_quietly() -> NoReturn:
    """The reader of our output has gone: that is no error of ours."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(OK)


def print_findings(findings: Iterable[Diagnostic], style: str = "text", stream: TextIO | None = None) -> None:
    """Print findings to standard error: `text` with source lines, `compiler` as build logs want them, or `json` lines."""
    stream = stream or sys.stderr
    colour = style == "text" and use_colour(stream)
    findings = list(findings)
    if style == "json":
        import json

        print(json.dumps({"diagnostics": [to_json(d) for d in findings]}, indent=2), file=stream)
        return
    for finding in findings:
        print(render_compiler_style(finding) if style == "compiler" else render(finding, colour=colour), file=stream)
    errors = sum(d.severity == ERROR for d in findings)
    warnings = sum(d.severity == WARNING for d in findings)
    if style == "text" and errors + warnings > 1:
        print(f"{_count(errors, 'error')}, {_count(warnings, 'warning')}", file=stream)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def fail(message: str, code: int, prog: str = "lanewise") -> int:
    """Say in one line what went wrong; the exit code to leave with."""
    paint = ("\x1b[1;31m", "\x1b[0m") if use_colour(sys.stderr) else ("", "")
    print(f"{prog}: {paint[0]}error{paint[1]}: {message}", file=sys.stderr)
    return code


def guarded(prog: str, command: object, argv: list[str]) -> int:
    """Run a command's `main`; whatever the user's input does, no traceback is shown."""
    if not callable(command):
        raise TypeError("a command is called with its arguments")
    try:
        return int(command(argv))
    except UsageError as error:
        return fail(str(error), WRONG_USAGE, prog)
    except InputFailure as error:
        return fail(str(error), INPUT_HAS_ERRORS, prog)
    except BrokenPipeError:
        leave_quietly()
    except KeyboardInterrupt:
        return fail("interrupted", 130, prog)
    except RecursionError:
        return fail("the input nests too deeply", INPUT_HAS_ERRORS, prog)
    except MemoryError:
        return fail("not enough memory for this input", INPUT_HAS_ERRORS, prog)


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="text for people (default), json for programs"
    )
