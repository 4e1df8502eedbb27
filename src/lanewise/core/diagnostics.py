"""Errors of the user are values: `Diagnostic`, collected, rendered in one place."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ERROR = "error"
WARNING = "warning"
NOTE = "note"


def visible(text: str, keep: str = "\n\t") -> str:
    """A text for a terminal: characters that it would obey, and others that are not shown, as escapes such as `\\x1b`."""
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text])


class Edit(Record):
    """A change of a source: `text` in place of what is at `span`. A span of length 0 is a place between characters; a length
    may go past the end of its line, which counts as its characters."""

    span: Span
    text: str


class Related(Record):
    """Another place that a finding is about, and what is there: `the label is defined here too`."""

    span: Span
    message: str


class Alternative(Record):
    """Another fix of a finding, where several can be meant."""

    fix: str
    edits: tuple[Edit, ...]


INPUT, UNIFORM, SAMPLER, INITIAL, OUTPUT, INDICES = "input", "uniform", "sampler", "initial", "output", "indices"
VERTEX = "vertex"  # the number of one, of a trace


class About(Record):
    """A value of a run that a finding is about, such as the input `color`. Commands know in which file they read it, which then
    is the place of the finding."""

    kind: str
    "`input`, `uniform` (constants of all kinds), `sampler`, `initial`, `output`, `indices` or `vertex`."
    name: str
    "Its name or register, as it was given; empty for indices and vertex."
    missing: bool = False
    "Whether it was not given."


class Diagnostic(Record):
    """One finding about the user's input."""

    code: str
    "Key of `lanewise.packages.codes()`; it never changes."
    severity: str
    "`ERROR`, `WARNING` or `NOTE`."
    message: str
    "One line that names the thing, then what is wrong with it."
    span: Span
    "Place that the finding is about."
    notes: tuple[str, ...] = ()
    "Further lines, shown below the message."
    fix: str = ""
    "How to fix it, in the user's terms, as an imperative; empty where there is nothing to say."
    related: tuple[Related, ...] = ()
    "Other places that the finding is about."
    edits: tuple[Edit, ...] = ()
    "Done together, the fix where it is mechanical: they remove the finding and cause no other."
    alternatives: tuple[Alternative, ...] = ()
    "Other fixes, where several can be meant: `edits` are the likeliest then, and are not done unasked."
    about: tuple[About, ...] = ()
    "Values of a run that it is about."

    @property
    def is_error(self) -> bool:
        return self.severity == ERROR


class PortableError(Exception):
    """An error that pickles and copies with its attributes and notes, whatever its `__init__` takes.

    Python passes `args` to `__init__` again otherwise. That fails where `__init__` takes something else than the message, and
    `multiprocessing.Pool` waits forever for a result that it cannot read.
    """

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...], dict[str, object]]:
        return _without_init, (type(self), *self.args), self.__dict__


def _without_init(kind: type[PortableError], *arguments: object) -> PortableError:
    return kind.__new__(kind, *arguments)


class InputError(PortableError):
    """Errors in the user's input; carries all findings, warnings too.

    Wrong use of the library raises ValueError, TypeError or KeyError instead.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            use = _OF_A_FINDING.get(name, "")
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(f"{message}: use `{use}`" if use else message, name=name)


# What others call the place and the text of an error.
_OF_A_FINDING = {
    **dict.fromkeys(("line", "lineno", "line_number"), "error.diagnostics[0].span.line"),
    **dict.fromkeys(("column", "col", "offset", "colno"), "error.diagnostics[0].span.column"),
    **dict.fromkeys(("file", "filename", "path"), "error.diagnostics[0].span.file"),
    **dict.fromkeys(("span", "location", "position"), "error.diagnostics[0].span"),
    **dict.fromkeys(("message", "msg"), "error.diagnostics[0].message"),
    **dict.fromkeys(("errors", "findings", "messages"), "error.diagnostics"),
    "code": "error.diagnostics[0].code",
    "fix": "error.diagnostics[0].fix",
}


class InputWarning(UserWarning):
    """A warning of Python about values of a run that give a plausible and wrong result (`Result.warnings` has it too)."""


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names as a message has them: `a, b and c`; of more than `most` the first, and how many are left."""
    shown = [*names[:most], f"{len(names) - most} more"] if len(names) > most else list(names)
    return " and ".join([*filter(None, [", ".join(shown[:-1])]), *shown[-1:]])


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.severity == ERROR for d in diagnostics)


def text_form(name: str, text: str) -> list[Diagnostic]:
    """The finding about a source that editors read otherwise than assemblers: by its encoding, or by carriage returns that end
    no line; empty for others."""
    if "\0" in text:
        return _wide(name, text)
    if "\r" not in text:
        return []
    if "\n" not in text and "\r" in text.strip():
        fix = f"convert them, such as with `tr '\\r' '\\n' < {visible(name, '')}`"
        message = "the lines end with carriage returns (CR) only: expected LF or CR LF"
        return [Diagnostic(code="P000", severity=ERROR, message=message, span=Span(file=name, line=1), notes=(), fix=fix)]
    for number, line in enumerate(text.split("\n"), 1):
        found = line.rstrip("\r").find("\r")
        if found >= 0:
            message = "carriage return (CR) inside a line: an editor shows a new line here, the assembler reads the same line"
            fix = "delete it, or end the line with LF or CR LF"
            return [
                Diagnostic(
                    code="P000",
                    severity=ERROR,
                    message=message,
                    span=Span(file=name, line=number, column=found + 1, length=1, text=line.rstrip("\r")),
                    notes=(),
                    fix=fix,
                )
            ]
    return []


def _wide(name: str, text: str) -> list[Diagnostic]:
    """The finding about a text in UTF-16 or UTF-32, which decodes to characters with zeros between them; empty for a binary
    file."""
    start = text[:256]
    letters = start.replace("\0", "").removeprefix("\xff\xfe").removeprefix("\xfe\xff")
    share = 1 - len(start.replace("\0", "")) / len(
        start
    )  # of zeros: half of the bytes of English in UTF-16, three quarters in UTF-32
    if len(start) < 8 or share < 0.4 or not all(letter.isprintable() or letter in "\t\r\n" for letter in letters):
        return []
    fix = "save it as UTF-8; in PowerShell, write it with `| Out-File -Encoding utf8 FILE` instead of `> FILE`"
    message = f"the text is encoded in UTF-{16 if share < 0.6 else 32}: expected UTF-8"
    return [Diagnostic(code="P000", severity=ERROR, message=message, span=Span(file=name, line=1), notes=(), fix=fix)]


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings by place, then by code."""
    return sorted(diagnostics, key=lambda d: (d.span.file, d.span.offset, d.span.line, d.span.column, d.code))


_COLOURS = {ERROR: "\x1b[1;31m", WARNING: "\x1b[1;33m", NOTE: "\x1b[1;36m"}
_BOLD = "\x1b[1m"
_BLUE = "\x1b[1;34m"
_RESET = "\x1b[0m"
_LONGEST_LINE = 400  # characters of a source line in a finding


def _short(text: str, span: Span) -> tuple[str, Span]:
    """The part of a source line around a span, where the line is longer than a terminal shows."""
    if len(text) <= _LONGEST_LINE:
        return text, span
    start = max(0, span.column - 1 - _LONGEST_LINE // 4)
    lead, tail = "…" if start else "", "…" if start + _LONGEST_LINE < len(text) else ""
    part = f"{lead}{text[start : start + _LONGEST_LINE]}{tail}"
    return part, span._replace(column=span.column - start + len(lead)) if span.column else span


def _caret_lines(span: Span, margin: str) -> tuple[str, str] | None:
    """The source line and the carets under the span, or None without a line."""
    if not span.text or span.line <= 0:
        return None
    text, span = _short(span.text, span)
    shown = "".join(c if c == "\t" or c.isprintable() else "?" for c in text)
    if not span.column:
        return shown, ""
    lead = "".join("\t" if c == "\t" else " " for c in shown[: span.column - 1])
    room = max(1, len(shown) - span.column + 1)
    return shown, f"{margin}{lead}{'^' * max(1, min(span.length, room))}"


def render(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """The finding for a terminal: headline, place, source line with carets, notes, help."""
    d = diagnostic

    def paint(code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if colour else text

    lines = [f"{paint(_COLOURS[d.severity], f'{d.severity}[{d.code}]')}{paint(_BOLD, ': ' + visible(d.message, ''))}"]
    if d.span.file:
        lines.append(f"  {paint(_BLUE, '-->')} {visible(str(d.span), '')}")
    number = str(d.span.line)
    carets = _caret_lines(d.span, "")
    if carets is not None:
        bar = paint(_BLUE, f"{number} |")
        lines.append(f"{bar} {carets[0]}")
        if carets[1]:
            lines.append(f"{' ' * len(number)} {paint(_BLUE, '|')} {paint(_COLOURS[d.severity], carets[1])}")
    lines.extend(f"note: {visible(note, '')}" for note in d.notes)
    lines.extend(f"note: {visible(f'{place.span}: {place.message}', '')}" for place in d.related)
    if d.fix:
        lines.append(f"{paint(_BOLD, 'help')}: {visible(d.fix, '')}")
    lines.extend(f"{paint(_BOLD, 'help')}: or {visible(other.fix, '')}" for other in d.alternatives)
    return "\n".join(lines)


def plain_text(diagnostic: Diagnostic) -> str:
    """Message, notes and fixes, the likeliest first, a line each: for editors and logs, which show the place themselves."""
    d = diagnostic
    helps = [*([f"help: {d.fix}"] if d.fix else []), *[f"help: or {other.fix}" for other in d.alternatives]]
    return "\n".join([d.message, *d.notes, *helps])


def render_compiler_style(diagnostic: Diagnostic) -> str:
    """`FILE:LINE:COL: error: text [V012]`, then the source line and caret: what build logs and editors expect."""
    d = diagnostic
    place = f"{d.span}: " if d.span.file else ""
    text = d.message if not d.fix else f"{d.message} ({'; or '.join([d.fix, *[other.fix for other in d.alternatives]])})"
    lines = [visible(f"{place}{d.severity}: {text} [{d.code}]", "")]
    carets = _caret_lines(d.span, "    ")
    if carets is not None:
        lines.append(f"    {carets[0]}")
        if carets[1]:
            lines.append(carets[1])
    return "\n".join(lines)


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """The finding as plain values for `--format json`."""
    d = diagnostic
    about = {"about": [{"kind": value.kind, "name": value.name, "missing": value.missing} for value in d.about]}
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "span": span_json(d.span),
        "notes": list(d.notes),
        "fix": d.fix,
        "related": [{"span": span_json(place.span), "message": place.message} for place in d.related],
        "edits": _edits_json(d.edits),
        "alternatives": [{"fix": each.fix, "edits": _edits_json(each.edits)} for each in d.alternatives],
        **(about if d.about else {}),
    }


def _edits_json(edits: Sequence[Edit]) -> list[dict[str, object]]:
    return [{"span": span_json(edit.span), "text": edit.text} for edit in edits]


def span_json(span: Span) -> dict[str, object]:
    """A place as plain values."""
    place: dict[str, object] = {"file": span.file}
    if span.offset >= 0:
        place["offset"] = span.offset
    elif span.line:
        place |= {"line": span.line, "column": span.column, "length": span.length, "text": span.text}
    return place
