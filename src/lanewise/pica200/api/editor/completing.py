"""What may stand at a place of a source, and the operands of what stands there. Works on the line at the place, whatever state it is in."""

from __future__ import annotations

import re

from lanewise.core.editor import Completion, Signature
from lanewise.core.occurrences import (
    ALIAS,
    CONSTANT,
    DIRECTIVE,
    GIVEN,
    INPUT,
    INSTRUCTION,
    LABEL,
    MODIFIER,
    OUTPUT,
    PROCEDURE,
    REGISTER,
    SEMANTIC,
    UNIFORM,
)
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.api.editor.directives import PROPERTIES, directives_of
from lanewise.pica200.api.editor.vocabulary import KINDS, operands_of, rows_of, words_of
from lanewise.pica200.api.services.reference import op_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Analysis
    from lanewise.core.occurrences import Occurrence
    from lanewise.pica200.api.editor.analysing import State
    from lanewise.pica200.isa.table import Op

_LABELS = re.compile(r"\s*(?:[A-Za-z_$][\w$]*\s*:\s*)*", re.ASCII)
_COMPONENTS = ("x", "y", "z", "w", "xy", "xyz", "xyzw")
_ORDER = {OUTPUT: 0, INPUT: 0, UNIFORM: 1, CONSTANT: 1, ALIAS: 0, REGISTER: 2}
_WORDS_OF_DIRECTIVES = {
    ".out": (SEMANTIC, PROPERTIES), ".gsh": (MODIFIER, ("point", "variable", "fixed")), ".setb": (MODIFIER, ("true", "false")),
}  # fmt: skip


class Where(Record):
    """A place in a line: the mnemonic or directive before it (empty where one is being written), the number of the operand, the operand's
    text up to the place, and where the word at the place begins, from 0."""

    word: str
    number: int
    operand: str
    start: int
    operands: tuple[str, ...] = ()


def where(text: str, line: int, column: int, dialect: str) -> Where | None:
    """What is at a place; None in a comment or outside the text."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return None
    before = lines[line - 1][: max(column - 1, 0)]
    if any(mark in before for mark in ((";",) if dialect == "picasso" else (";", "//", "#"))):
        return None
    labels = _LABELS.match(before)
    at = labels.end() if labels is not None else 0
    statement = before[at:]
    word = re.match(r"\.?[\w$]*", statement, re.ASCII)
    name = word[0] if word is not None else ""
    if len(statement) == len(name):
        return Where("", 0, statement, at)
    rest = statement[len(name) :]
    spaced = (name.startswith(".") and name.lower() not in (".fvec", ".ivec", ".bool")) or (
        dialect != "picasso" and name.lower() in ("jmp", "call")
    )
    parts = re.split(r"\s+", rest.lstrip()) if spaced else rest.split(",")
    operand = parts[-1].lstrip()
    return Where(name, len(parts) - 1, operand, len(before) - len(operand), tuple([part.strip() for part in parts]))


def complete(analysis: Analysis, state: State, file: str, text: str, line: int, column: int) -> list[Completion]:
    """The texts that may stand at a place, the likely ones first."""
    dialect = state.dialect.name
    place = where(text, line, column, dialect)
    if place is None:
        return []
    shown = text.split("\n")[line - 1]
    if not place.word:
        return [*_mnemonics(dialect, _span(file, line, place.start, column, shown)), *_directives(dialect, _span(file, line, place.start, column, shown))]  # fmt: skip
    names = [
        o
        for o in analysis.occurrences
        if o.definition and (o.span.file == file or " " + o.name == o.symbol[-len(o.name) - 1 :])
    ]
    operand = place.operand
    bracket, point = operand.rfind("["), operand.rfind(".")
    if bracket > operand.rfind("]"):
        start = place.start + bracket + 1 + len(operand[bracket + 1 :]) - len(operand[bracket + 1 :].lstrip())
        span = _span(file, line, start, column, shown)
        index = ("a0.x", "a0.y", "aL") if dialect == "picasso" else ("a0", "a1", "lcnt")
        return [Completion(name, REGISTER, span, "index register", order=n) for n, name in enumerate(index)]
    if point >= 0 and not place.word.startswith(".out") and _is_operand(place, dialect):
        return _components(operand, point, _span(file, line, place.start + point + 1, column, shown))
    sign = len(operand) - len(operand.lstrip("-!&| \t"))
    joined = max(operand.rfind("&"), operand.rfind("|")) + 1
    start = place.start + max(sign, joined)
    span = _span(file, line, start + len(shown[start : column - 1]) - len(shown[start : column - 1].lstrip()), column, shown)
    if place.word.startswith("."):
        return list(_arguments(place, names, span, dialect))
    kinds = operands_of(dialect, place.word)
    if place.number >= len(kinds):
        return []
    return list(_operands(kinds[place.number], place, names, span, dialect))


def _is_operand(place: Where, dialect: str) -> bool:
    """Whether components may follow a point here."""
    if place.word.startswith("."):
        return place.word.lower() == ".alias"
    kinds = operands_of(dialect, place.word)
    return place.number < len(kinds) and kinds[place.number] in ("dst", "src", "wide")


def _span(file: str, line: int, start: int, column: int, text: str) -> Span:
    return Span(file, line, start + 1, column - 1 - start, text)


def _mnemonics(dialect: str, span: Span) -> Iterator[Completion]:
    for name in words_of(dialect):
        rows = rows_of(dialect, name)
        kinds = operands_of(dialect, name)
        fields = [f"${{{n}:{_called(kind, kinds, n - 1)}}}" for n, kind in enumerate(kinds, 1)]
        separator = " " if dialect != "picasso" and name in ("jmp", "call") else ", "
        snippet = f"{name} {separator.join(fields)}" if fields else name
        if dialect == "picasso" and rows and rows[0].opens_block:
            snippet += "\n\t$0\n.end"
        elif dialect != "picasso" and name in ("if", "loop"):
            snippet += f"\n    $0\nend{name}"
        detail = rows[0].summary if rows else "block"
        yield Completion(name, INSTRUCTION, span, detail, _page(rows) if rows else None, snippet if snippet != name else "")


def _called(kind: str, kinds: Sequence[str], n: int) -> str:
    """What an operand is called: sources have numbers where there are several."""
    name = KINDS[kind][0]
    if name in ("SRC", "OP") and sum(KINDS[other][0] == name for other in kinds) > 1:
        return f"{name}{sum(KINDS[other][0] == name for other in kinds[: n + 1])}"
    return name


def _page(rows: Sequence[Op]) -> Callable[[], Sequence[Block]]:
    def page() -> Sequence[Block]:
        return [block for row in rows for block in op_page(row)]

    return page


def _directives(dialect: str, span: Span) -> Iterator[Completion]:
    for name, known in directives_of(dialect).items():
        fields = " ".join([f"${{{n}:{argument}}}" for n, (argument, _) in enumerate(known.arguments, 1) if argument[0] != "["])
        snippet = f"{name} {fields}" if fields else ""
        if name == ".proc":
            snippet += "\n\t$0\n.end"
        yield Completion(name, DIRECTIVE, span, known.usage(name), None, snippet, 1 + known.ours)


def _components(operand: str, point: int, span: Span) -> list[Completion]:
    """Components after the point of an operand."""
    return [Completion(letters, MODIFIER, span, "components", order=n) for n, letters in enumerate(_COMPONENTS)]


def _arguments(place: Where, names: Iterable[Occurrence], span: Span, dialect: str) -> Iterator[Completion]:
    """What may follow a directive."""
    word = place.word.lower()
    if word == ".entry":
        wanted = PROCEDURE if dialect == "picasso" else LABEL
        yield from _given(names, span, (wanted,))
    elif word in _WORDS_OF_DIRECTIVES and place.number == 1 - (word == ".gsh"):
        kind, words = _WORDS_OF_DIRECTIVES[word]
        for n, name in enumerate(words):
            yield Completion(name, kind, span, PROPERTIES.get(name, ""), order=n)
    elif word == ".alias" and dialect != "picasso" and place.number >= 2:
        after = place.operands[-2] == "as" if len(place.operands) > 1 else False
        for n, name in enumerate(PROPERTIES if after else ("as",)):
            yield Completion(
                name, SEMANTIC if after else MODIFIER, span, PROPERTIES.get(name, "a property or a value follows"), order=n
            )
    elif word == ".alias" and place.number == 1:
        yield from _given(names, span, (INPUT, OUTPUT, UNIFORM, CONSTANT, ALIAS))
        yield from _numbered(span, "vorc" if dialect == "picasso" else "vocib", 16)
    elif word == ".in" and place.number == 1:
        yield from _numbered(span, "v", 15)
    elif word == ".out" and place.number == 2:
        yield from _numbered(span, "o", 16)
    elif word in (".setf", ".seti", ".setb") and place.number == 0:
        letter = {".setf": "c", ".seti": "i", ".setb": "b"}[word]
        yield from [c for c in _given(names, span, (UNIFORM, ALIAS)) if c.detail.partition(" ")[0][:1] == letter]


def _operands(kind: str, place: Where, names: Sequence[Occurrence], span: Span, dialect: str) -> Iterator[Completion]:
    """What may be an operand of an instruction."""
    if kind == "dst":
        yield from _lettered(names, span, "or")
        yield from _numbered(span, "ro", 16)
    elif kind in ("src", "wide"):
        others = [part.lstrip("-").partition(".")[0].partition("[")[0] for n, part in enumerate(place.operands[:-1]) if n]
        registers = {o.name: o.register for o in names}
        taken = [registers.get(name, name) for name in others]
        wide = kind == "wide" and not any(name[:1] == "c" for name in taken)
        inputs = {name for name in taken if name[:1] == "v"}
        letters = "vrc" if wide else "vr"
        for found in _lettered(names, span, letters):
            if not inputs or found.detail[:1] != "v" or found.detail.partition(" ")[0] in inputs:
                yield found
        yield from _numbered(span, "r", 16)
        for register in sorted(inputs) or [f"v{n}" for n in range(16)]:
            yield Completion(register, REGISTER, span, "input register", order=3)
    elif kind in ("bool", "int"):
        yield from _lettered(names, span, kind[0])
        yield from _numbered(span, kind[0], 4 if kind == "int" else 16)
    elif kind in ("cond", "test"):
        flags = ("cmp.x", "cmp.y", "!cmp.x", "!cmp.y") if kind == "cond" else ("cc.x", "cc.y", "!cc.x", "!cc.y")
        for n, flag in enumerate(flags):
            yield Completion(flag, REGISTER, span, "flag of cmp", order=n)
        if kind == "test":
            yield from _lettered(names, span, "b")
    elif kind == "target":
        yield from _given(names, span, (PROCEDURE,))
    elif kind == "label":
        yield from _given(names, span, (LABEL,))
    elif kind == "adr":
        for n, name in enumerate(("a0.x", "a0.y", "a0.xy")):
            yield Completion(name, REGISTER, span, "address register", order=n)
    elif kind == "cmp":
        operators = ("eq", "ne", "lt", "le", "gt", "ge") if dialect == "picasso" else ("==", "!=", "<", "<=", ">", ">=")
        for n, name in enumerate(operators):
            yield Completion(name, MODIFIER, span, "comparison operator", order=n)
    elif kind == "vertex":
        for n, name in enumerate(("0", "1", "2")):
            yield Completion(name, MODIFIER, span, "vertex", order=n)
    elif kind in ("if", "until"):
        yield Completion(kind, MODIFIER, span, KINDS[kind][1])


def _given(names: Iterable[Occurrence], span: Span, kinds: Sequence[str]) -> Iterator[Completion]:
    """Names of the source of some kinds, each once."""
    done: set[str] = set()
    for name in names:
        if name.kind in kinds and name.kind in GIVEN and name.name not in done:
            done.add(name.name)
            detail = f"{name.register} {name.kind}".strip()
            yield Completion(name.name, name.kind, span, detail, order=_ORDER.get(name.kind, 0))


def _lettered(names: Iterable[Occurrence], span: Span, letters: str) -> Iterator[Completion]:
    """Names of the source for registers of some files."""
    yield from [c for c in _given(names, span, (INPUT, OUTPUT, UNIFORM, CONSTANT, ALIAS)) if c.detail[:1] in letters]


def _numbered(span: Span, letters: str, count: int) -> Iterator[Completion]:
    for letter in letters:
        limit = 96 if letter == "c" else 4 if letter == "i" else count
        for number in range(limit):
            yield Completion(f"{letter}{number}", REGISTER, span, "register", order=4)


def signature(state: State, text: str, line: int, column: int) -> Signature | None:
    """The operands of the instruction or directive at a place."""
    dialect = state.dialect.name
    place = where(text, line, column, dialect)
    if place is None or not place.word:
        return None
    if place.word.startswith("."):
        known = directives_of(dialect).get(place.word.lower())
        if known is None or not known.arguments:
            return None
        return Signature(known.usage(place.word), known.arguments, min(place.number, len(known.arguments) - 1))
    kinds = operands_of(dialect, place.word)
    if not kinds:
        return None
    parts = tuple([(_called(kind, kinds, n), KINDS[kind][1]) for n, kind in enumerate(kinds)])
    separator = " " if dialect != "picasso" and place.word.lower() in ("jmp", "call") else ", "
    label = f"{place.word} {separator.join([name for name, _ in parts])}"
    rows = rows_of(dialect, place.word)
    return Signature(label, parts, min(place.number, len(parts) - 1), _page(rows) if rows else None)
