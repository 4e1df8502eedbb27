"""Shared parts of the commands: files, findings, colour, progress, exit codes."""

from __future__ import annotations

import io
import os
import stat
import sys

from lanewise.core import files, writing
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, render, render_compiler_style, to_json, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FORCE, STDIO, InputFailure, UsageError, schema_name
from lanewise.core.source import Span, decode_text

if TYPE_CHECKING:
    import argparse
    import signal
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any, BinaryIO, NoReturn, TextIO

    from lanewise.core.document import Block
    from lanewise.core.service import Value
else:
    import _signal as signal  # without the enumerations of all names

OK, INPUT_HAS_ERRORS, WRONG_USAGE = 0, 1, 2
OLD_EXIT_CODES = "--old-exit-codes"  # of `lanewise diff`, for one release


def use_colour(stream: TextIO) -> bool:
    """Colour only on a terminal, and never with NO_COLOR (no-color.org)."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if os.name != "nt":
        return True
    from lanewise.tools.windows_console import obeys_escapes

    return obeys_escapes(stream)


def read_bytes(path: str, use: str = "FILE", kind: str = files.STREAM) -> bytes:
    """The bytes of a file of a kind of `core.files`, of standard input for `-`, which has one `use` in a command: the argument
    or option that names it. Raises InputFailure."""
    try:
        return _stdin(use) if path == STDIO else files.read(path, kind, remember)
    except (OSError, ValueError) as error:
        raise InputFailure(f"cannot read {path}: {reason(error)}") from None


def _stdin(use: str) -> bytes:
    """All of standard input, the same for each time of its first use. Raises InputFailure, OSError, ValueError."""
    if not _standard_input:
        _standard_input[use] = _read_stdin()
    if use not in _standard_input:
        raise InputFailure(f"standard input is already read for {next(iter(_standard_input))}: name a file for {use}")
    return _standard_input[use]


def _read_stdin() -> bytes:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]: closed by the caller
        raise InputFailure("cannot read standard input: it is closed")
    if not hasattr(sys.stdin, "buffer"):  # a stream of text, such as an io.StringIO
        return sys.stdin.read().encode("utf-8", "surrogateescape")
    remember(sys.stdin.buffer, "standard input")
    return files.read_stream(sys.stdin.buffer)


def read_text(path: str, use: str = "FILE", kind: str = "source") -> str:
    """The text of a file; see `read_bytes`. Raises InputFailure."""
    return decode_text(read_bytes(path, use, kind))


def scope_of(paths: Iterable[str], values: Mapping[str, Value]) -> files.Scope:
    """The files that those of a command line may name, by its options `--include` and `--follow`."""
    include = values.get("include", ())
    return files.Scope(
        paths, include if isinstance(include, tuple) else (), follow=bool(values.get("follow", False)), opened=remember
    )


class DiskFiles:
    """The files of this machine, for services: those that the user names, or those of a scope."""

    def __init__(self, scope: files.Scope | None = None, *, follow: bool = False) -> None:
        self._scope, self._follow = scope, follow

    def read(self, path: str) -> bytes:
        if self._scope is None:
            return read_bytes(path, "data", files.kind_of(path))
        try:
            return self._scope.read(path, files.kind_of(path))
        except (OSError, ValueError) as error:
            raise InputFailure(f"cannot read {path}: {reason(error)}") from None

    def exists(self, path: str) -> bool:
        try:
            return os.path.exists(path)
        except (OSError, ValueError):  # a name that is too long for a file
            return False

    def within(self, path: str) -> DiskFiles:
        return DiskFiles(files.Scope([path], follow=self._follow, opened=remember), follow=self._follow)


_standard_input: dict[str, bytes] = {}  # what the command has read from it, by its use

# The regular files that the command has read, by device and inode, which links and other spellings of a name share.
_inputs: dict[tuple[int, int], str] = {}


_names: list[str] = []  # of all files that it has read, in order


def _read_files() -> str:
    """The inputs of the command, for a message about one of them."""
    names = list(dict.fromkeys(_names))
    return names[0] if len(names) == 1 else f"an input ({', '.join(names[-4:])})" if names else "the input"


def remember(file: BinaryIO, path: str) -> None:
    """Note that the command reads a file: no output may be that file, and messages about memory and depth name it."""
    _names.append(path)
    try:
        found = os.fstat(file.fileno())
    except (OSError, ValueError):  # a stream without a file
        return
    if stat.S_ISREG(found.st_mode) and found.st_ino:
        _inputs.setdefault((found.st_dev, found.st_ino), path)


def write_bytes(path: str, data: bytes, *, force: bool | None = None, in_place: bool = False) -> None:
    """Write one file; see `write_files`."""
    write_files([(path, data)], force=force, in_place=in_place)


def write_files(outputs: Iterable[tuple[str, bytes]], *, force: bool | None = None, in_place: bool = False) -> None:
    """Write all files whole, or none, as `core.writing` does. `-` is standard output.

    `force` is the option `--force`; None is for commands without it. `in_place`: the files are inputs of the command. Raises
    UsageError for an output that is an input, InputFailure.
    """
    listed = list(outputs)
    if not in_place:
        refuse_overwriting((), [path for path, _ in listed])
    for path, data in listed:
        if path == STDIO:
            spare_terminal(data)
            _spare_text_stream(data)
    try:
        writing.write_files(listed, force=force, in_place=in_place, stdout=_to_stdout)
    except (OSError, ValueError) as error:
        path = error.filename if isinstance(error, OSError) else ""
        raise InputFailure(f"cannot write {path or 'a file'}: {reason(error)}") from None


class _Closed(io.BytesIO):
    """Standard output that the caller has closed: writing anything is an error."""

    def write(self, data: object) -> int:
        raise InputFailure("cannot write to standard output: it is closed")


def _to_stdout(data: bytes) -> None:
    """Raises InputFailure."""
    try:
        sys.stdout.flush()  # what was printed comes first
        if _takes_bytes():
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            sys.stdout.write(data.decode())
            sys.stdout.flush()
    except BrokenPipeError:
        leave_quietly()
    except OSError as error:
        silence(1)
        raise InputFailure(f"cannot write to standard output: {reason(error)}") from None


def _takes_bytes() -> bool:
    """Whether standard output takes bytes; a stream of text, such as that of a notebook or an `io.StringIO`, does not."""
    return hasattr(sys.stdout, "buffer")


def _spare_text_stream(data: bytes) -> None:
    """Raise UsageError if standard output takes only text and `data` is binary."""
    if _takes_bytes():
        return
    try:
        text = b"\0" not in data and data.decode()
    except UnicodeDecodeError:
        text = False
    if text is False:
        raise UsageError("binary output does not go to a stream of text: name a file with -o")


def spare_terminal(data: bytes) -> None:
    """Raise UsageError if standard output is a terminal and `data` is binary: it has a zero byte, which no text has."""
    if b"\0" in data and sys.stdout.isatty():
        raise UsageError("binary output does not go to a terminal: name a file with -o, or redirect standard output")


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be read or written, in words."""
    return files.reason(error)


def refuse_overwriting(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """An output must be neither an input, nor a file that the command has read, nor another output. Raises UsageError."""
    taken = {_name_of(path): "a source" for path in inputs if path != STDIO}
    for path in outputs:
        if not path or path == STDIO:
            continue
        name = _name_of(path)
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            found = None
        if found is not None and not stat.S_ISREG(found.st_mode):
            continue
        read = _inputs.get((found.st_dev, found.st_ino)) if found is not None else None
        what = taken.get(name) or (read and ("an input" if read == path else f"the input {read}"))
        if what:
            from lanewise.core.suffixes import stem_of

            stem = stem_of(path)
            fix = f"give the output another name, such as {stem}.new{path[len(stem) :]}"
            raise UsageError(f"{path} is {what} already: it would be overwritten; {fix}")
        taken[name] = "another output"


def _name_of(path: str) -> str:
    return os.path.normcase(os.path.realpath(path))


def silence(number: int) -> None:
    """Discard further output to a stream (1 standard output, 2 standard error): its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def leave_quietly() -> NoReturn:
    """Exit without an error if the reader of the output has gone."""
    silence(1)
    raise SystemExit(OK)


def print_findings(findings: Iterable[Diagnostic], style: str = "text", stream: TextIO | None = None) -> None:
    """Print findings to standard error: `text` with source lines, or `compiler` as build logs want them.

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
    for finding in findings:
        print(render_compiler_style(finding) if style == "compiler" else render(finding, colour=colour), file=out)
    errors = sum(d.severity == ERROR for d in findings)
    warnings = sum(d.severity == WARNING for d in findings)
    if style == "text" and errors + warnings > 1:
        print(f"{_count(errors, 'error')}, {_count(warnings, 'warning')}", file=out)


def print_text(text: str) -> None:
    """Print text for people to standard output, as UTF-8. Raises InputFailure."""
    write_bytes(STDIO, visible(text).encode(errors="backslashreplace"))


def print_page(page: Iterable[Block]) -> None:
    """Print a page to standard output. Raises InputFailure."""
    from lanewise.core.document import as_text

    write_bytes(STDIO, as_text(page, colour=use_colour(sys.stdout)).encode(errors="backslashreplace"))


def print_remark(text: str) -> None:
    """Print a line to standard error."""
    print(visible(text), file=sys.stderr)


def document(
    name: str, data: Mapping[str, object], isa: str | None = None, findings: Iterable[Diagnostic] = ()
) -> dict[str, object]:
    """A JSON document of the shape `name`: its schema, the instruction set (None: none or several), the data, the findings.

    Data that has `diagnostics` of its own keeps them.
    """
    shown: dict[str, object] = {"schema": schema_name(name), "isa": isa, **data}
    shown["diagnostics"] = shown.pop("diagnostics", None) or [to_json(finding) for finding in findings]
    return shown


def json_bytes(data: Mapping[str, object]) -> bytes:
    """Plain values as JSON, with a line end."""
    import json

    return (json.dumps(data, indent=2) + "\n").encode()


_printed: list[bool] = []  # whether the command has begun to print JSON, of which there is one document


def print_json(name: str, data: Mapping[str, object], isa: str | None = None, findings: Iterable[Diagnostic] = ()) -> None:
    """Print a document to standard output; see `document`."""
    shown = json_bytes(document(name, data, isa, findings))
    _printed.append(True)
    write_bytes(STDIO, shown)


def asks_for_json(argv: Iterable[str]) -> bool:
    """Whether a command line asks for JSON, also one that cannot be read."""
    return format_of(argv) == "json"


def format_of(argv: Iterable[str]) -> str:
    """The format that a command line asks for, also one that cannot be read; empty for none."""
    style, before = "", ""
    for argument in argv:
        if argument == "--":
            break
        flag, equals, value = argument.partition("=")
        for option in ("--format", "--trace-format"):
            if equals and len(flag) >= len(option) - 2 and option.startswith(flag):
                style = value
            elif len(before) >= len(option) - 2 and option.startswith(before):
                style = argument
        if argument == "--json":
            style = "json"
        before = argument
    return style


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def fail(message: str, code: int, prog: str = "lanewise") -> int:
    """Print an error in one line; return the exit code."""
    paint = ("\x1b[1;31m", "\x1b[0m") if use_colour(sys.stderr) else ("", "")
    print(f"{prog}: {paint[0]}error{paint[1]}: {visible(message, '')}", file=sys.stderr)
    return code


def _fail(prog: str, argv: Iterable[str], message: str, exit_code: int, code: str) -> int:
    """Print an error in one line, and as a JSON document where the command line asks for one; return the exit code."""
    said = fail(message, exit_code, prog)
    if asks_for_json(argv) and not _printed and " " in prog:
        try:
            print_json(
                prog.rpartition(" ")[2], {}, None, [Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=""))]
            )
        except (UsageError, InputFailure):  # there is no standard output
            return said
    return said


class _limited:  # noqa: N801 (a context manager; contextlib would be an import at each start)
    """Ends the time limit of a command, if it has one."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        timeout = sys.modules.get("lanewise.tools.timeout")
        if timeout is not None:
            timeout.end(kind, error, trace)


_interrupts: list[int] = []


class _interruptible:  # noqa: N801 (as above)
    """Notes Ctrl-C, which raises KeyboardInterrupt, as before. Servers have handlers of their own."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.mine, self.server = False, bool({"dap", "lsp", "studio"} & {*argv[:1]})

    def __enter__(self) -> None:
        _interrupts.clear()
        if not self.server and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                signal.signal(signal.SIGINT, _interrupted)
                self.mine = True
            except ValueError:  # not the main thread
                pass

    def __exit__(self, *_: object) -> None:
        if self.mine:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted(how: int, _frame: object) -> NoReturn:
    _interrupts.append(how)
    raise KeyboardInterrupt


def end_limit() -> None:
    """The work of a command is done: writing what it found has no time limit."""
    with _limited():
        pass


def guarded(prog: str, command: Callable[[list[str]], int], argv: list[str], trouble: int = INPUT_HAS_ERRORS) -> int:
    """Run a command's `main`; whatever the user's input does, no traceback is shown. `trouble` is its exit code for an input
    that cannot be used."""
    _inputs.clear()
    _names.clear()
    _standard_input.clear()
    _printed.clear()
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]: closed by the caller
        sys.stdout = io.TextIOWrapper(_Closed(), write_through=True)
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = io.StringIO()
    try:
        with _limited(), _interruptible(argv):
            if " " in prog and any(each[2:3] == "=" and each[:1] == "-" != each[1:2] for each in argv):
                _refuse_attached(argv)
            return _flushed(command, argv)
    except UsageError as error:
        message, exit_code, code = _meant(argv, error) or _abridged(str(error), argv), WRONG_USAGE, error.code
    except InputFailure as error:
        message, exit_code, code = _meant(argv, error) or str(error), trouble, error.code
    except BrokenPipeError:
        leave_quietly()
    except OSError as error:
        message, exit_code, code = f"cannot read or write: {reason(error)}", trouble, "U002"
    except KeyboardInterrupt:
        message, exit_code, code = "interrupted", 130, "U003"
    except RecursionError:
        message = f"{_read_files()} nests too deeply: split it, or write it with fewer levels"
        exit_code, code = trouble, "U005"
    except MemoryError:
        message = f"not enough memory for {_read_files()}: give less data at a time"
        exit_code, code = trouble, "U005"
    except Exception as error:
        if _interrupts:  # Ctrl-C while a library is imported may become an ImportError
            return _fail(prog, argv, "interrupted", 130, "U003")
        if sys.flags.dev_mode and not isinstance(error, ModuleNotFoundError):
            raise
        message = f"internal error ({type(error).__name__}: {error}): please report it, with the input"
        exit_code, code = trouble, "U005"
        from lanewise.core.extras import missing_library

        installed = sys.modules.get("lanewise.installed")  # an instruction set of another distribution is in use
        other = missing_library(error, f"`{prog}`") or (installed.failure(error) if installed is not None else None)
        if other is not None:
            message, code = f"{other.message}: {other.fix}", other.code
    if code in ("U001", "U002"):
        from lanewise.tools.loose_values import unquoted

        message += unquoted(argv)
    return _fail(prog, argv, message, exit_code, code)


def _refuse_attached(argv: Sequence[str]) -> None:
    """Raise UsageError for a short option with `=` before its value."""
    from lanewise.tools.typed import attached

    wrong = attached(argv)
    if wrong:
        raise UsageError(wrong)


def _meant(argv: Sequence[str], error: Exception) -> str:
    """The message about an argument that is not what was typed; empty where there is none."""
    from lanewise.tools.typed import meant

    return meant(argv, str(error))


_LONGEST = 60  # characters of an argument in a message


def _abridged(message: str, argv: Iterable[str]) -> str:
    """A message about a command line whose long arguments are shortened, and long parts of them; paths are not."""
    parts = {
        part
        for argument in argv
        for value in (argument, *argument.split("="))
        for part in (value, *value.split(","))
        if len(part) > _LONGEST
    }
    for part in sorted(parts, key=len, reverse=True):
        if not _is_path(part):
            short = f"{part[: _LONGEST - 1]}…"
            message = message.replace(part, short).replace(repr(part)[1:-1], short)
    return message


def _is_path(text: str) -> bool:
    """Whether a file may have this path: it is there, or its folder is."""
    folder, name = os.path.split(text)
    return os.path.lexists(text) or (bool(folder) and len(name) < 256 and os.path.isdir(folder))


def _flushed(command: Callable[[list[str]], int], argv: list[str]) -> int:
    """Run a command and write the rest of its output here, where an error of standard output has a handler: the interpreter's
    own has none."""
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


def unknown(what: str, name: str, names: Sequence[str], otherwise: str = "", meant: str = "") -> UsageError:
    """The error for a name that is none of `names`: what it is known to mean, the nearest of them, the text `otherwise` or
    all of them."""
    from lanewise.core.text.likeness import closest

    near = [meant] if meant else closest(name, names)
    hint = f"did you mean {near[0]}?" if near else otherwise or f"use {', '.join(names)}"
    return UsageError(f"unknown {what} '{name}': {hint}")


def _not_taken(argument: str, options: Iterable[str]) -> str:
    """The message about an argument that a command does not take."""
    from lanewise.core.text.likeness import closest
    from lanewise.tools import field_words

    if not argument.startswith("-"):
        lists = ": write a list without blanks: a,b,c" if argument.endswith(",") or argument.startswith(",") else ""
        return f"unexpected argument '{argument}'{lists}"
    names = {option.lstrip("-"): option for option in options}
    other = field_words.otherwise(argument, names.values()) or field_words.of_raw_words(argument, names.values())
    if other:
        return other
    meant = field_words.option(argument, names.values())
    near = [meant] if meant else [names[close] for close in closest(argument.lstrip("-"), list(names))]
    return field_words.unknown(argument, near[0] if near else "", names.values())


_SUCH = {"--trace": "0", "--lane": "0"}  # the value that is meant where an option without its value is given


def _worded(message: str, options: Mapping[str, argparse.Action], given: Sequence[str]) -> str:
    """An error of argparse about the value of an option, with what it takes."""
    option, colon, why = message.removeprefix("argument ").partition(": ")
    name = option.rpartition("/")[2]
    if not colon or not name.startswith("-") or name not in options:
        return message
    action = options[name]
    about = (action.help or "").replace("%%", "%")
    about = about.partition(" (default")[0] if about.endswith(")") else about
    if why == "expected one argument":
        from itertools import pairwise

        following = next((after for before, after in pairwise(given) if before == name), "")
        if following[:1] != "-" or not following[1:2].isdigit():
            only = [*action.choices] if action.choices is not None else []
            shown = f" {only[0]}" if len(only) == 1 else f" {action.metavar}" if action.metavar else ""
            before = f" before {following}" if following else ""
            such = f" {_SUCH[name]} ({name}{shown})" if name in _SUCH and following else shown
            typed = next((each for each in given if len(each) > 2 and name.startswith(each) and each not in options), "")
            if typed:
                from lanewise.tools import field_words

                meant = field_words.unknown(typed, "", options)
                return meant if ": " in meant else f"unknown option {typed}: it is not {name}"
            return f"option {name} needs a value{before}: {name}{such}: {about}"
        return f"{name} {following}: use a number from 0 on: {about}"
    if why.startswith("ignored explicit argument"):
        return f"{name} takes no value: write {name}: {about}"
    kind, quoted, value = why.partition(" value: ")
    if quoted and kind == "invalid int" and name == "--ulp":
        from lanewise.tools.loose_values import places

        text = places(value[1:-1])
        if text:
            return f"{name} {value[1:-1]}: use a whole number: {text}"
    if quoted and kind in ("invalid int", "invalid float"):
        hexadecimal = value[1:3].lower() == "0x"
        if name == "--trace" and (hexadecimal or not _as_whole(value[1:-1], name, kind)):
            what = "not an address" if hexadecimal else "counted from 0"
            return f"{name} {value[1:-1]}: the number of one vertex or lane, {what}: {name} 0 shows the steps of the first"
        from lanewise.tools.loose_values import cycles, duration

        wanted = "whole number" if kind == "invalid int" else "number"
        instead = ", --threads $(nproc)" if name == "--threads" else ""
        instead = instead or _as_whole(value[1:-1], name, kind) or cycles(value[1:-1], str(action.metavar))
        instead = instead or duration(value[1:-1], name)
        return f"{name} {value[1:-1]}: use a {wanted}{instead}: {about}"
    if why.startswith("invalid choice: "):
        from lanewise.tools import field_words

        value = why.removeprefix("invalid choice: ").partition(" (choose from")[0]
        value = value[1:-1] if value[:1] in ("'", '"') else value
        return f"{name} {value}: {field_words.value(value, [str(each) for each in action.choices or ()])}"
    return message


def _as_whole(text: str, name: str, kind: str) -> str:
    """The fix for a whole number that is written in another form; empty for what is none."""
    try:
        number = int(text, 0) if text.lower()[:2] in ("0x", "0b", "0o") else float(text)
    except ValueError:
        return ""
    whole = kind == "invalid int" and 0 <= number < 1 << 53 and int(number) == number
    return f", {name} {int(number)}" if whole and len(text) <= _LONGEST else ""


def make_parser(prog: str, description: str, epilog: str, see: str = "") -> argparse.ArgumentParser:
    """A parser whose help keeps the line breaks of its examples, and whose errors are a `UsageError`: one line. `see` is the
    command line that shows its help, where that is not `prog --help`.

    The width is given because argparse otherwise imports shutil, and with it three compression libraries, at each start.
    """
    import argparse

    from lanewise.tools.loose_values import command_words, joined

    class Help(argparse.RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            columns = os.environ.get("COLUMNS", "")
            super().__init__(prog, width=int(columns) if columns.isascii() and columns.isdigit() and len(columns) < 6 else 100)

    class Parser(argparse.ArgumentParser):
        given: Sequence[str] = ()  # for messages

        def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]: it has two overloads
            self, args: Any = None, namespace: Any = None
        ) -> Any:
            self.given = args or ()
            return super().parse_known_args(args, namespace)

        def print_help(self, file: object = None) -> None:  # argparse's own hides errors of standard output
            write_bytes(STDIO, self.format_help().encode(errors="backslashreplace"))

        def error(self, message: str) -> NoReturn:
            left = message.removeprefix("unrecognized arguments: ")
            metavars = {name: str(each.metavar or "") for name, each in self._option_string_actions.items()}
            split = joined(self.given, metavars)
            words = command_words(left.split(" ")[0], self.given, metavars) if left != message else ""
            if words or (left != message and split and not left.startswith("-")):
                message = words or split
            elif left != message:
                message = _not_taken(left.split(" ")[0].partition("=")[0], self._option_string_actions)
            worded = _worded(message, self._option_string_actions, self.given)
            raise UsageError(f"{worded}; see {see or self.prog + ' --help'}")

    built = Parser(prog, description=description, epilog=epilog, formatter_class=Help)
    built.add_argument("--help-all", action="help", help="show the whole help, which `--help` may cut short")
    return built


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(*FORCE.names, action="store_true", help=FORCE.help)


__all__ = [
    "INPUT_HAS_ERRORS",
    "OK",
    "OLD_EXIT_CODES",
    "STDIO",
    "WRONG_USAGE",
    "DiskFiles",
    "InputFailure",
    "UsageError",
    "add_force",
    "add_format",
    "asks_for_json",
    "document",
    "fail",
    "format_of",
    "guarded",
    "json_bytes",
    "leave_quietly",
    "make_parser",
    "print_findings",
    "print_json",
    "print_page",
    "print_remark",
    "print_text",
    "read_bytes",
    "read_text",
    "reason",
    "refuse_overwriting",
    "remember",
    "scope_of",
    "silence",
    "use_colour",
    "write_bytes",
    "write_files",
]
