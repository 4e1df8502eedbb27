"""`lanewise run --trace N --against LOG`: a trace beside the log of another implementation."""

from __future__ import annotations

import re

from lanewise.core.diagnostics import visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, InputFailure, UsageError
from lanewise.core.source import decode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.logs.pattern import Pattern
    from lanewise.core.logs.reading import Log
    from lanewise.core.service import Request
    from lanewise.core.view import View
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

MOST_BYTES = 256 << 20


def check_log_options(request: Request, view: View) -> None:
    """Raise UsageError for options that do not go with a log, or that need one."""
    if not request.has("against"):
        if request.has("log-format"):
            raise UsageError("--log-format goes with --against LOG")
        return
    if view.lane is None:
        raise UsageError(
            "--against LOG goes with --trace N, the number of the vertex that the log is of: --trace 0 is the first"
        )
    if view.trace_format or view.component or view.output != STDIO:
        raise UsageError("--against prints a report, or --format json: leave out --trace-format, --explain and -o")


def beside_log(
    request: Request,
    findings: Sequence[Diagnostic],
    trace: Trace,
    traced: Callable[[Profile], Trace],
    others: Iterable[Trace] = (),
) -> Answer:
    """The report on a log; `others` are the traces of other vertices. Raises UsageError, InputFailure."""
    from lanewise.core.foreign import instead
    from lanewise.core.logs.pattern import guess, read_pattern, register_meant
    from lanewise.core.logs.reading import LogError, read_log
    from lanewise.pica200.api.log_comparison import compare_log, named
    from lanewise.pica200.api.log_report import as_data, as_text
    from lanewise.pica200.sem.profile import PRESETS

    path = request.text("against")
    text = request.text("log-format")
    try:
        pattern = read_pattern(text) if text else None
    except ValueError as error:
        raise UsageError(f"--log-format: {error}") from None
    if path in PRESETS and not request.files.exists(path):
        raise UsageError(
            f"--against {path}: a log of another implementation is named here; --profile {path} runs under that profile, and "
            f"`until differs {path}` in lanewise debug goes to the first step that differs from it"
        )
    data = request.files.read(path)
    if len(data) > MOST_BYTES:
        raise InputFailure(f"{path}: the log has over {MOST_BYTES >> 20} MiB: cut out the vertex that is compared")
    try:
        utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")  # as `>` of older PowerShell writes
        text = data.decode("utf-16", "replace") if utf16 else decode_text(data)
        log = read_log(text, pattern, trace.lane)
    except LogError as error:
        raise InputFailure(f"{path}:{error.line}: {error}") from None
    if not log.entries:
        kind = instead(path, data) if path.rpartition(".")[2] not in _LOGS else None
        if kind is not None and not kind.title.startswith("a log"):
            raise InputFailure(f"{path}: {kind.title}, not the log of an implementation, which --against takes here")
        lines = text.split("\n", log.miss[0])[: log.miss[0]] if log.miss is not None else [""]
        if pattern is not None and lines[-1].lstrip().startswith('{"'):
            raise InputFailure(f"{path}: the log is JSON lines: leave out --log-format")
        if pattern is None and lines[-1].lstrip().startswith("["):
            raise InputFailure(
                f"{path}: the log is a JSON array: write one object a line, without brackets and commas around it"
            )
        written, register = register_meant(lines[-1])
        if pattern is not None and written and "dst" in pattern.types and log.miss is not None:
            raise InputFailure(
                f"{path}:{log.miss[0]}: no line matches: {{dst}} is a register by its name, {register}, not '{written}': print "
                f"{register}"
            )
        unreadable = _unreadable(lines[-1]) if log.miss is not None else ""
        if unreadable and log.miss is not None:
            shown = visible(lines[-1].strip()[:80], "")
            fix = unreadable.replace("FILE", path)
            raise InputFailure(f"{path}:{log.miss[0]}: no line matches: the numbers of '{shown}' are not read: {fix}")
        begin = "" if log.miss is None else guess(lines[-1]) if pattern is None else _beginning(lines[-1], pattern)
        if not begin:  # a first line that says what is in the others
            begin = next((found for line in text.split("\n")[:_MOST_WORDS] if (found := guess(line))), "")
        raise InputFailure(_empty(path, log.miss, log.other, trace.lane, lines[-1], begin, with_pattern=pattern is not None))

    def reread(types: Mapping[str, str]) -> Log | None:
        retyped = pattern.retyped(types) if pattern is not None else pattern
        if pattern is None or retyped is None or retyped.types == pattern.types:
            return None
        try:
            return named(read_log(text, retyped, trace.lane), trace)
        except LogError:
            return None

    found = compare_log(named(log, trace), trace, traced, request.progress, others, reread)
    return Answer(
        data=as_data(found, path),
        text=as_text(found, path) + "\n",
        first=tuple(findings),
        failed=found.alignment.first is not None or bool(found.log.broken),
        schema="log",
        result=found,
    )


def _beginning(line: str, pattern: Pattern) -> str:
    """The pattern with other types, or with a text in front, with which a line matches it; empty for none."""
    from lanewise.core.logs.pattern import COMPONENTS, Miss, guess, read_pattern

    hexadecimal = ({"pc"}, set(COMPONENTS), {"pc", *COMPONENTS})
    types: list[Mapping[str, str]] = [*[dict.fromkeys(fields, "x") for fields in hexadecimal], {"dst": "d"}]
    tried = [(retyped.text, retyped.matched(line)) for retyped in map(pattern.retyped, types)]
    fitting = [(len(found[1]), text) for text, found in tried if not isinstance(found, Miss)]
    if fitting:
        return min(fitting)[1]
    words = line.split()
    for count in range(1, min(len(words), _MOST_WORDS) + 1):
        word = words[count - 1]
        numbered = any(letter.isdigit() for letter in word)  # such as a time, which is another one in the next line
        for text in ("{_}",) if numbered and count == 1 else (word, word[word[:-1].rfind(":") + 1 :]):
            try:
                tried = read_pattern(f"{text} {pattern.text}")
            except ValueError:  # a brace
                continue
            if text and not isinstance(tried.match(line), Miss):
                return tried.text
    return guess(line)


_LOGS = ("log", "txt", "jsonl", "csv", "json")
_UNREADABLE = (
    (
        r"(?:^|\s)-?\d+,\d+\s+-?\d+,\d+(?:\s|$)",
        "write numbers with a point, not with a decimal comma: `sed 's/,/./g' FILE > points.log`",
    ),
    (r"0x[0-9a-fA-F.]+p[-+]?\d", "print numbers by %.9g in place of %a, or their bits"),
    (r"(?<![0-9a-fA-F])[0-9a-fA-F]{16}(?![0-9a-fA-F])", "print words of float32, 8 digits, in place of float64"),
)


def _unreadable(line: str) -> str:
    """The fix of a line whose numbers no pattern reads; empty for others."""
    return next((fix for form, fix in _UNREADABLE if re.search(form, line)), "")


_MOST_WORDS = 20  # of a line, in front of what a pattern describes


def _empty(path: str, miss: object, other: int, lane: int, text: str, begin: str, *, with_pattern: bool) -> str:
    from lanewise.core.logs.pattern import Miss

    if other:
        return f"{path}: all {other} entries are of other vertices, none of vertex {lane}"
    if isinstance(miss, tuple) and isinstance(miss[1], Miss):  # pyright: ignore[reportUnknownMemberType]
        line: int = miss[0]  # pyright: ignore[reportUnknownVariableType]
        first: Miss = miss[1]
        fix = (
            (f": --log-format '{begin}' fits the line" if begin else "; correct the line or --log-format")
            if with_pattern
            else f": describe its lines with --log-format '{begin or '{pc:x}: {dst} = {x} {y} {z} {w}'}'"
        )
        return (
            f"{path}:{line}: no line matches; the first, '{visible(text.strip()[:80], '')}', has something else than "
            f"{first.expected} at column {first.column}{fix}"
        )
    return f"{path}: the log is empty: the emulator has to flush or close it"
