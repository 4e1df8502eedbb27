"""Shared parts of the commands: files, findings, colour, progress, exit codes."""

from __future__ import annotations

import os
import sys

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, render, render_compiler_style, to_json
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.source import decode_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping
    from typing import NoReturn, TextIO

OK, INPUT_HAS_ERRORS, WRONG_USAGE = 0, 1, 2


def use_colour(stream: TextIO) -> bool:
    """Colour only on a terminal, and never with NO_COLOR (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def read_bytes(path: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises InputFailure."""
    try:
        if path == STDIO:
            if sys.stdin is None:  # closed by the caller
                raise InputFailure("cannot read standard input: it is closed")
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise InputFailure(f"cannot read {path}: {reason(error)}") from None


def read_text(path: str) -> str:
    """The text of a source file. Raises InputFailure."""
    return decode_text(read_bytes(path))


def read_included(path: str) -> str:
    """The text of a file that a source includes. Raises OSError."""
    with open(path, "rb") as file:
        return decode_text(file.read())


class DiskFiles:
    """The files of this machine, for services."""

    def read(self, path: str) -> bytes:
        return read_bytes(path)

    def exists(self, path: str) -> bool:
        try:
            return os.path.exists(path)
        except (OSError, ValueError):  # a name that is too long for a file
            return False


def write_bytes(path: str, data: bytes) -> None:
    """Write a file whole or not at all: a temporary file is renamed. `-` is standard output. Raises UsageError, InputFailure."""
    if path == STDIO:
        spare_terminal(data)
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            leave_quietly()
        except (OSError, AttributeError) as error:  # AttributeError: there is no standard output at all
            silence(1)
            raise InputFailure(f"cannot write to standard output: {error}") from None
        return
    if path.endswith(("/", os.sep)):
        raise InputFailure(f"cannot write {path}: it is a folder, expected a file")
    target = os.path.realpath(path)  # a link stays a link
    special = os.path.exists(target) and not os.path.isfile(target)  # a device or pipe is written to, not replaced
    folder, name = os.path.split(target)
    if folder and not os.path.isdir(folder):
        raise InputFailure(f"cannot write {path}: folder not found: {os.path.dirname(path) or folder}")
    temporary = target if special else os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        if not special:
            if os.path.exists(target):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if not special and os.path.exists(temporary):
            os.remove(temporary)
        raise InputFailure(f"cannot write {path}: {reason(error)}") from None


def spare_terminal(data: bytes) -> None:
    """Raise UsageError if standard output is a terminal and `data` is binary: it has a zero byte, which no text has."""
    if b"\0" in data and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("binary output does not go to a terminal: name a file with -o, or redirect standard output")


def reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error)


def refuse_overwriting(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """An output must be neither an input nor another output. Raises UsageError."""
    taken = {os.path.realpath(path): "a source" for path in inputs if path != STDIO}
    for path in outputs:
        if not path or path == STDIO:
            continue
        real = os.path.realpath(path)
        if real in taken and (not os.path.exists(real) or os.path.isfile(real)):
            raise UsageError(f"{path} is {taken[real]} already: it would be overwritten")
        taken[real] = "another output"


def silence(number: int) -> None:
    """Discard further output to a stream (1 standard output, 2 standard error): its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def leave_quietly() -> NoReturn:
    """Exit without an error if the reader of the output has gone."""
    silence(1)
    raise SystemExit(OK)


def print_findings(findings: Iterable[Diagnostic], style: str = "text", stream: TextIO | None = None) -> None:
    """Print findings to standard error: `text` with source lines, `compiler` as build logs want them, or `json`.

    If their reader has gone, the command goes on without them, so that its exit code stays true.
    """
    out = stream or sys.stderr
    try:
        _print_findings(list(findings), style, out)
        out.flush()
    except BrokenPipeError:
        silence(1 if out is sys.stdout else 2)


def _print_findings(findings: list[Diagnostic], style: str, out: TextIO) -> None:
    colour = style == "text" and use_colour(out)
    if style == "json":
        import json

        print(json.dumps({"diagnostics": [to_json(d) for d in findings]}, indent=2), file=out)
        return
    for finding in findings:
        print(render_compiler_style(finding) if style == "compiler" else render(finding, colour=colour), file=out)
    errors = sum(d.severity == ERROR for d in findings)
    warnings = sum(d.severity == WARNING for d in findings)
    if style == "text" and errors + warnings > 1:
        print(f"{_count(errors, 'error')}, {_count(warnings, 'warning')}", file=out)


def print_json(data: Mapping[str, object]) -> None:
    """Print plain values to standard output."""
    import json

    print(json.dumps(data, indent=2), flush=True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def fail(message: str, code: int, prog: str = "lanewise") -> int:
    """Print an error in one line; return the exit code."""
    paint = ("\x1b[1;31m", "\x1b[0m") if use_colour(sys.stderr) else ("", "")
    print(f"{prog}: {paint[0]}error{paint[1]}: {message}", file=sys.stderr)
    return code


def guarded(prog: str, command: Callable[[list[str]], int], argv: list[str]) -> int:
    """Run a command's `main`; whatever the user's input does, no traceback is shown."""
    try:
        return _flushed(command, argv)
    except UsageError as error:
        return fail(str(error), WRONG_USAGE, prog)
    except InputFailure as error:
        return fail(str(error), INPUT_HAS_ERRORS, prog)
    except BrokenPipeError:
        leave_quietly()
    except OSError as error:
        return fail(f"cannot read or write: {reason(error)}", INPUT_HAS_ERRORS, prog)
    except KeyboardInterrupt:
        return fail("interrupted", 130, prog)
    except RecursionError:
        return fail("the input nests too deeply", INPUT_HAS_ERRORS, prog)
    except MemoryError:
        return fail("not enough memory for this input", INPUT_HAS_ERRORS, prog)
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        return fail(
            f"internal error ({type(error).__name__}: {error}): please report it, with the input", INPUT_HAS_ERRORS, prog
        )


def _flushed(command: Callable[[list[str]], int], argv: list[str]) -> int:
    """Run a command and write the rest of its output here, where an error of standard output has a handler: the interpreter's own has none."""
    try:
        code = command(argv)
    except SystemExit:  # of --help
        _flush()
        raise
    _flush()
    return code


def _flush() -> None:
    """Raises BrokenPipeError, InputFailure."""
    try:
        if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]: there may be no standard output
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(1)
        raise InputFailure(f"cannot write to standard output: {reason(error)}") from None


def make_parser(prog: str, description: str, epilog: str, see: str = "") -> argparse.ArgumentParser:
    """A parser whose help keeps the line breaks of its examples, and whose errors are a `UsageError`: one line. `see` is the command line that
    shows its help, where that is not `prog --help`.

    The width is given because argparse otherwise imports shutil, and with it three compression libraries, at each start.
    """
    import argparse

    class Help(argparse.RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            columns = os.environ.get("COLUMNS", "")
            super().__init__(prog, width=int(columns) if columns.isdigit() else 100)

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise UsageError(f"{message}; see {see or self.prog + ' --help'}")

    return Parser(prog, description=description, epilog=epilog, formatter_class=Help)


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


__all__ = [
    "INPUT_HAS_ERRORS", "OK", "STDIO", "WRONG_USAGE", "DiskFiles", "InputFailure", "UsageError", "add_format", "fail", "guarded", "leave_quietly", "make_parser",
    "print_findings", "print_json", "read_bytes", "read_included", "read_text", "reason", "refuse_overwriting", "silence", "use_colour", "write_bytes",
]  # fmt: skip
