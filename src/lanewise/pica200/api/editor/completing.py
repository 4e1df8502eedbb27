"""What may stand at a place of a source, and the operands of what stands there. Works on the line at the place, whatever state
it is in."""

from __future__ import annotations

import re

from lanewise.core.editor import Completion, Signature
from lanewise.core.occurrences import (
    ALIAS,
    CONSTANT,
    DIRECTIVE,
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
from lanewise.pica200.api.services.reference import op_page
from lanewise.pica200.isa.table import REGISTER_FILES
from lanewise.pica200.text.vocabulary import KINDS, PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Analysis
    from lanewise.core.occurrences import Occurrence
    from lanewise.pica200.api.editor.analysing import State
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.vocabulary import Vocabulary

_LABELS = re.compile(r"\s*(?:[A-Za-z_$][\w$]*\s*:\s*)*", re.ASCII)
_WORD = re.compile(r"\.?[\w$]*", re.ASCII)
_SWIZZLED = ("dst", "src", "wide", "register")
_COMPONENTS = ("x", "y", "z", "w", "xy", "xyz", "xyzw")
_ORDER = {OUTPUT: 0, INPUT: 0, UNIFORM: 1, CONSTANT: 1, ALIAS: 0, REGISTER: 2}
_CHOICES = {
    "mode": ("point", "variable", "fixed"),
    "truth": ("true", "false"),
    "as": ("as",),
    "if": ("if",),
    "until": ("until",),
}
_LETTERS = {"input": "v", "output": "o", "float": "c", "int": "i", "bool": "b"}
_COUNTS = {letter: count for letter, _, count, *_ in REGISTER_FILES}


class Where(Record):
    """A place in a line."""

    word: str
    "Mnemonic or directive before it; empty where one is being written."
    number: int
    "Number of the operand, from 0."
    operand: str
    "Text of the operand up to the place."
    start: int
    "Column where the word at the place begins, from 0."
    operands: tuple[str, ...] = ()
    "Texts of the operands up to the place, that of `operand` last."


def where(text: str, line: int, column: int, words: Vocabulary) -> Where | None:
    """What is at a place; None in a comment or outside the text."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return None
    before = lines[line - 1][: max(column - 1, 0)]
    if any(mark in before for mark in words.comments):
        return None
    labels = _LABELS.match(before)
    at = labels.end() if labels is not None else 0
    statement = before[at:]
    word = _WORD.match(statement)
    name = word[0] if word is not None else ""
    if len(statement) == len(name):
        return Where(word="", number=0, operand=statement, start=at)
    rest = statement[len(name) :]
    parts = re.split(r"\s+", rest.lstrip()) if name.lower() in words.spaced else rest.split(",")
    operand = parts[-1].lstrip()
    return Where(
        word=name,
        number=len(parts) - 1,
        operand=operand,
        start=len(before) - len(operand),
        operands=tuple([part.strip() for part in parts]),
    )


def complete(analysis: Analysis, state: State, file: str, text: str, line: int, column: int) -> list[Completion]:
    """The texts that may stand at a place, the likely ones first."""
    words = state.vocabulary
    place = where(text, line, column, words)
    if place is None:
        return []
    shown = text.split("\n")[line - 1]
    start = place.start
    if not place.word:
        span = _span(file, line, start, column, shown)
        return [*_mnemonics(words, span), *_directives(words, span)]
    kind = _kind(place, words)
    if not kind:
        return []
    operand = place.operand
    bracket = operand.rfind("[")
    if bracket > operand.rfind("]"):
        inside = operand[bracket + 1 :]
        span = _span(file, line, start + len(operand) - len(inside.lstrip()), column, shown)
        return [
            Completion(text=name, kind=REGISTER, span=span, detail="index register", order=n)
            for n, name in enumerate(words.indices)
        ]
    point = operand.rfind(".")
    if point >= 0 and kind in _SWIZZLED:
        span = _span(file, line, start + point + 1, column, shown)
        return [
            Completion(text=letters, kind=MODIFIER, span=span, detail="components", order=n)
            for n, letters in enumerate(_COMPONENTS)
        ]
    tested = kind in ("cond", "test")
    joined = max(operand.rfind("&"), operand.rfind("|")) + 1 if tested else 0
    part = operand[joined:]
    begin = joined + len(part) - len(part.lstrip(" \t" if tested else "-! \t"))
    names = _visible(analysis, file)
    return list(_operands(kind, place, names, _span(file, line, start + begin, column, shown), words))


def _visible(analysis: Analysis, file: str) -> list[Occurrence]:
    """The definitions that a file sees: those of its own scope, which it may share with files that it includes or is included
    by, and those of all files."""
    scopes = {file, *[_scope(o) for o in analysis.occurrences if o.span.file == file]}
    return [o for o in analysis.occurrences if o.definition and (_scope(o) in scopes or o.symbol == f"{o.kind} {o.name}")]


def _scope(occurrence: Occurrence) -> str:
    """The file to which a name belongs; empty for one of all files."""
    rest = occurrence.symbol.partition(" ")[2]
    return rest[: -len(occurrence.name) - 1] if rest.endswith(f"/{occurrence.name}") else ""


def _kind(place: Where, words: Vocabulary) -> str:
    """The kind of the operand or argument at a place; empty for none that can be completed."""
    if place.word.startswith("."):
        return words.arguments.get((place.word.lower(), place.number), "")
    kinds = words.operands(place.word)
    return kinds[place.number] if place.number < len(kinds) else ""


def _span(file: str, line: int, start: int, column: int, text: str) -> Span:
    return Span(file=file, line=line, column=start + 1, length=column - 1 - start, text=text)


def _mnemonics(words: Vocabulary, span: Span) -> Iterator[Completion]:
    for name in words.words:
        rows, kinds = words.rows(name), words.operands(name)
        fields = [f"${{{n}:{_called(kind, kinds, n - 1)}}}" for n, kind in enumerate(kinds, 1)]
        snippet = f"{name} {(' ' if name in words.spaced else ', ').join(fields)}" if fields else name
        if words.closing(name):
            snippet += f"\n\t$0\n{words.closing(name)}"
        detail = rows[0].summary if rows else "ends or divides a block"
        yield Completion(
            text=name,
            kind=INSTRUCTION,
            span=span,
            detail=detail,
            about=_page(rows) if rows else None,
            snippet=snippet if snippet != name else "",
        )


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


def _directives(words: Vocabulary, span: Span) -> Iterator[Completion]:
    for name, known in words.directives.items():
        given = [argument for argument, _ in known.arguments if argument[0] != "["]
        fields = " ".join([f"${{{n}:{argument}}}" for n, argument in enumerate(given, 1)])
        snippet = f"{name} {fields}" if fields else ""
        if name == ".proc":
            snippet += "\n\t$0\n.end"
        yield Completion(
            text=name, kind=DIRECTIVE, span=span, detail=known.usage(name), about=None, snippet=snippet, order=1 + known.ours
        )


def _operands(kind: str, place: Where, names: Sequence[Occurrence], span: Span, words: Vocabulary) -> Iterator[Completion]:
    """What may be an operand or argument of a kind."""
    if kind == "dst":
        yield from _lettered(names, span, "or")
        yield from _numbered(span, "ro")
    elif kind in ("src", "wide"):
        yield from _sources(kind, place, names, span)
    elif kind in _LETTERS:
        yield from _lettered(names, span, _LETTERS[kind])
        yield from _numbered(span, _LETTERS[kind])
    elif kind == "register":
        yield from _given(names, span, (INPUT, OUTPUT, UNIFORM, CONSTANT, ALIAS))
        yield from _numbered(span, words.letters)
    elif kind in ("cond", "test"):
        yield from _listed(words.flags, REGISTER, span, "flag of cmp")
        if kind == "test":
            yield from _lettered(names, span, "b")
    elif kind == "procedure":
        yield from _given(names, span, (PROCEDURE,))
    elif kind == "label":
        yield from _given(names, span, (LABEL,))
    elif kind == "adr":
        yield from _listed(("a0.x", "a0.y", "a0.xy"), REGISTER, span, "address register")
    elif kind == "cmp":
        yield from _listed(words.operators, MODIFIER, span, "comparison operator")
    elif kind == "vertex":
        yield from _listed(("0", "1", "2"), MODIFIER, span, "vertex")
    elif kind == "semantic":
        for n, (name, about) in enumerate(PROPERTIES.items()):
            yield Completion(text=name, kind=SEMANTIC, span=span, detail=about, order=n)
    elif kind in _CHOICES:
        yield from _listed(_CHOICES[kind], MODIFIER, span, KINDS[kind][1] if kind in KINDS else "")


def _sources(kind: str, place: Where, names: Sequence[Occurrence], span: Span) -> Iterator[Completion]:
    """Registers that a source may be beside the sources before it: one uniform and one input register for an instruction."""
    registers = {o.name: o.register for o in names}
    others = [part.lstrip("-").partition(".")[0].partition("[")[0] for part in place.operands[1:-1]]
    taken = [registers.get(name, name) for name in others]
    inputs = sorted({name for name in taken if name[:1] == "v"})
    wide = kind == "wide" and not any(name[:1] == "c" for name in taken)
    for found in _lettered(names, span, "vrc" if wide else "vr"):
        if not inputs or found.detail[:1] != "v" or found.detail.partition(" ")[0] in inputs:
            yield found
    yield from _numbered(span, "r")
    yield from (
        [Completion(text=name, kind=REGISTER, span=span, detail="register", order=4) for name in inputs]
        if inputs
        else _numbered(span, "v")
    )


def _listed(texts: Iterable[str], kind: str, span: Span, detail: str) -> Iterator[Completion]:
    for n, text in enumerate(texts):
        yield Completion(text=text, kind=kind, span=span, detail=detail, order=n)


def _given(names: Iterable[Occurrence], span: Span, kinds: Sequence[str]) -> Iterator[Completion]:
    """Names of the source of some kinds, each once."""
    done: set[str] = set()
    for name in names:
        if name.kind in kinds and name.name not in done:
            done.add(name.name)
            detail = f"{name.register} {name.kind}".strip()
            yield Completion(text=name.name, kind=name.kind, span=span, detail=detail, order=_ORDER.get(name.kind, 0))


def _lettered(names: Iterable[Occurrence], span: Span, letters: str) -> Iterator[Completion]:
    """Names of the source for registers of some files."""
    yield from [c for c in _given(names, span, (INPUT, OUTPUT, UNIFORM, CONSTANT, ALIAS)) if c.detail[:1] in letters]


def _numbered(span: Span, letters: str) -> Iterator[Completion]:
    for letter in letters:
        for number in range(_COUNTS[letter]):
            yield Completion(text=f"{letter}{number}", kind=REGISTER, span=span, detail="register", order=4)


def signature(state: State, text: str, line: int, column: int) -> Signature | None:
    """The operands of the instruction or directive at a place."""
    words = state.vocabulary
    place = where(text, line, column, words)
    if place is None or not place.word:
        return None
    if place.word.startswith("."):
        known = words.directives.get(place.word.lower())
        if known is None or not known.arguments:
            return None
        return Signature(known.usage(place.word), known.arguments, min(place.number, len(known.arguments) - 1))
    kinds = words.operands(place.word)
    if not kinds:
        return None
    parts = tuple([(_called(kind, kinds, n), KINDS[kind][1]) for n, kind in enumerate(kinds)])
    separator = " " if place.word.lower() in words.spaced else ", "
    label = f"{place.word} {separator.join([name for name, _ in parts])}"
    rows = words.rows(place.word)
    return Signature(label, parts, min(place.number, len(parts) - 1), _page(rows) if rows else None)
