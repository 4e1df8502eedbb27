"""The page of a name in a source: an instruction's reference, a register's meaning and where its value is needed."""

from __future__ import annotations

from lanewise.core.document import Fixed, Heading, Items, Paragraph
from lanewise.core.occurrences import (
    ALIAS,
    CONSTANT,
    DIRECTIVE,
    FILE,
    INPUT,
    INSTRUCTION,
    LABEL,
    OUTPUT,
    PROCEDURE,
    SEMANTIC,
    UNIFORM,
)
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.cursor import line_numbers
from lanewise.pica200.api.editor.liveness import live_after
from lanewise.pica200.api.services.reference import facts_of, op_page, word_text
from lanewise.pica200.check import dataflow
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, INTEGER, REGISTER_FILES, SEMANTICS
from lanewise.pica200.sem.components import Component
from lanewise.pica200.text.spelling import float_text
from lanewise.pica200.text.vocabulary import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Analysis, Placed
    from lanewise.core.occurrences import Occurrence
    from lanewise.pica200.api.editor.analysing import State

_TITLES = {INPUT: "input", OUTPUT: "output", UNIFORM: "uniform", CONSTANT: "constant", ALIAS: "alias"}
_FILES: Mapping[str, tuple[str, str]] = {
    "v": ("input register", "read by the shader; the vertex loader, or the primitive engine, writes it"),
    "o": ("output register", "written by the shader, once for each vertex"),
    "r": ("temporary register", "four float24 components"),
    "c": ("float uniform", "four float24 components, set by the application or by constants of the file; may be indexed"),
    "i": ("integer uniform", "bytes: iterations minus one, start, step; read by loops"),
    "b": ("boolean uniform", "read by conditions"),
    "a0": ("address registers", "a0.x and a0.y, written by `mova`, add to the number of a float uniform"),
    "aL": ("loop register", "set and stepped by loops, adds to the number of a float uniform"),
    "cmp": ("flags", "cmp.x and cmp.y, written by `cmp`, tested by conditions"),
}


def describe(analysis: Analysis, state: State, place: Occurrence) -> list[Block]:
    """The page of a name."""
    if place.kind == INSTRUCTION:
        return _instruction(state, analysis, place)
    if place.kind == DIRECTIVE:
        return _directive(state, place)
    if place.kind in (LABEL, PROCEDURE):
        return _code(analysis, state, place)
    if place.kind == SEMANTIC:
        name = SEMANTICS[int(place.symbol.rpartition(" ")[2])]
        return [Heading(1, f"output property {name}"), Paragraph(PROPERTIES.get(name, "unknown"))]
    if place.kind == FILE:
        return [Heading(1, f"included file {place.symbol.partition(' ')[2]}")]
    if place.register or place.kind in _TITLES:
        return _register(analysis, state, place)
    return [Heading(1, f"{place.kind} {place.name}")]


def _instruction(state: State, analysis: Analysis, place: Occurrence) -> list[Block]:
    word = place.symbol.partition(" ")[2]
    rows = state.vocabulary.rows(word)
    blocks: list[Block] = []
    here = _at(analysis, place)
    if here is not None and not here.damaged and here.address < len(state.made.encoded.words):
        words, descriptors = state.made.encoded
        row = decode(words[here.address]).op
        rows = [row] if row in rows or row.base in [other.name for other in rows] else rows
        number = decode(words[here.address]).field("desc") if "src" in row.operands else -1
        descriptor = descriptors[number] if 0 <= number < len(descriptors) else None
        text = f"word {here.address:#x}: {words[here.address]:#010x}"
        if descriptor is not None:
            text += f", operand descriptor {number}: {descriptor:#010x}"
        blocks = [Fixed((text, word_text(words[here.address], descriptor)))]
    for row in rows:
        page = op_page(row)
        facts = facts_of(row)
        blocks = [*page[:2], *blocks, *page[2:]]
        if facts:
            blocks.append(Items(tuple([(fact.known, f"{fact.topic}. Source: {fact.source}") for fact in facts])))
    return blocks or [Heading(1, f"instruction {word}")]


def _at(analysis: Analysis, place: Occurrence) -> Placed | None:
    """The word that the statement of a name makes."""
    span = place.span
    return next((p for p in analysis.placed if p.span.line == span.line and p.span.file == span.file), None)


def _directive(state: State, place: Occurrence) -> list[Block]:
    name = place.symbol.partition(" ")[2]
    known = state.vocabulary.directives.get(name)
    if known is None:
        return [Heading(1, f"directive {name}")]
    blocks: list[Block] = [Heading(1, name), Fixed((known.usage(name),)), Paragraph(known.about)]
    if known.arguments:
        blocks.append(Items(known.arguments))
    if known.ours:
        blocks.append(Paragraph(f"An extension of lanewise: {state.dialect.title} itself does not know it."))
    return blocks


def _code(analysis: Analysis, state: State, place: Occurrence) -> list[Block]:
    program = state.made.program
    points: list[tuple[str, str]] = []
    procedure = next((p for p in program.procedures if p.name == place.name and place.kind == PROCEDURE), None)
    if procedure is not None:
        points.append(("words", f"{procedure.size}, from {procedure.start:#x} on"))
    elif place.kind == LABEL and place.name in program.labels:
        points.append(("word", f"{program.labels[place.name]:#x}"))
    uses = [other for other in analysis.occurrences if other.symbol == place.symbol and not other.definition]
    points.append(("named", _lines(uses) if uses else "nowhere else"))
    if any(
        entry.span.line and entry.name in ("", place.name) and _is_definition(analysis, entry.span, place)
        for entry in analysis.entries
    ):
        points.append(("entry", "the shader starts here"))
    return [Heading(1, f"{place.kind} {place.name}"), *_declared(analysis, place), Items(tuple(points))]


def _is_definition(analysis: Analysis, span: object, place: Occurrence) -> bool:
    return any(other.definition and other.symbol == place.symbol and other.span == span for other in analysis.occurrences)


def _declared(analysis: Analysis, place: Occurrence) -> list[Block]:
    """The lines that declare a name."""
    found = [other for other in analysis.occurrences if other.definition and other.symbol == place.symbol]
    return [Fixed(tuple(dict.fromkeys([other.span.text.strip() for other in found])))] if found else []


def _lines(places: Iterable[Occurrence]) -> str:
    return line_numbers(place.span.line for place in places)


def _known_as(analysis: Analysis, symbols: Iterable[str]) -> tuple[set[str], list[Occurrence]]:
    """Symbols with the aliases of them, and their uses in instructions: a declaration is not a use."""
    declared = {(o.span.file, o.span.line): o for o in analysis.occurrences if o.definition and o.kind in _TITLES}
    known = set(symbols)
    uses: list[Occurrence] = []
    waiting = [*known]
    while waiting:
        symbol = waiting.pop()
        for other in analysis.occurrences:
            if other.symbol != symbol or other.definition:
                continue
            alias = declared.get((other.span.file, other.span.line))
            if alias is None:
                uses.append(other)
            elif alias.symbol not in known:
                known.add(alias.symbol)
                waiting.append(alias.symbol)
    return known, uses


def _register(analysis: Analysis, state: State, place: Occurrence) -> list[Block]:
    definition = next((o for o in analysis.occurrences if o.definition and o.symbol == place.symbol), place)
    register = place.register or definition.register
    title = f"{_TITLES[place.kind]} {place.name}" if place.kind in _TITLES else f"register {place.name}"
    letter = register.rstrip("0123456789") if register not in _FILES else register
    points: list[tuple[str, str]] = []
    if register:
        what, about = _FILES.get(letter, ("register", "unknown"))
        points.append((register, f"{what}: {about}"))
    points += _meaning(state, place, register)
    symbols = {place.symbol}
    if place.kind not in _TITLES and register:
        symbols |= {o.symbol for o in analysis.occurrences if o.definition and o.kind in _TITLES and o.register == register}
    known, uses = _known_as(analysis, symbols)
    names = [o.name for o in analysis.occurrences if o.definition and o.symbol in known and o.symbol != place.symbol]
    if names:
        points.append(("names", ", ".join(dict.fromkeys(names))))
    written, read = [o for o in uses if o.written], [o for o in uses if not o.written]
    if letter not in "vcib":
        points.append(("written", _lines(written) if written else "nowhere"))
    if letter != "o":
        points.append(("read", _lines(read) if read else "nowhere"))
    points += _live(state, register)
    limits = next((row for row in REGISTER_FILES if row[0] == letter), None)
    if limits is not None:
        points.append(("registers", f"{letter}0 to {letter}{limits[2] - 1}"))
    return [Heading(1, title), *_declared(analysis, place), Items(tuple(points))]


def _meaning(state: State, place: Occurrence, register: str) -> list[tuple[str, str]]:
    """The size of a uniform, the value of a constant, the property of an output, by the program's interfaces."""
    points: list[tuple[str, str]] = []
    for interface in state.made.program.interfaces:
        sized = [u for u in (*interface.uniforms, *interface.inputs) if u.name == place.name and u.size > 1]
        points += [("size", f"{uniform.size} registers") for uniform in sized]
        for output in interface.outputs:
            if register == f"o{output.register}" and place.name in (output.name, register):
                mask = "".join(COMPONENTS[n] for n in range(4) if output.mask >> n & 1)
                points.append(("property", f"{SEMANTICS[output.semantic]}, components {mask}"))
        for constant in interface.constants:
            number = constant.register
            if FLOAT <= number < INTEGER and register == f"c{number - FLOAT}":
                points.append(("value", f"({', '.join(float_text(word & 0xFFFFFF) for word in constant.values)})"))
            elif number >= INTEGER and register == f"i{number - INTEGER}":
                points.append(("value", f"({', '.join(map(str, constant.values))})"))
    return list(dict.fromkeys(points))


def _live(state: State, register: str) -> list[tuple[str, str]]:
    """The words after which a register holds a value that is used later."""
    if register[:1] != "r" and register not in ("a0", "cmp", "aL"):
        return []
    number = int(register[1:]) if register[:1] == "r" else 0
    count = {"a0": 2, "cmp": 2, "aL": 1}.get(register, 4)
    file = "r" if register[:1] == "r" else register
    bits = dataflow.bits([Component(file, number, channel) for channel in range(count)])
    live = sorted(pc for pc, found in live_after(state.contexts).items() if found & bits)
    return [("live", f"after {_ranges(live)}" if live else "nowhere: no value in it is used later")]


def _ranges(words: Sequence[int]) -> str:
    """Addresses as ranges: `words 0x1 to 0x4, 0x9`."""
    runs: list[list[int]] = []
    for pc in words:
        if runs and pc == runs[-1][1] + 1:
            runs[-1][1] = pc
        else:
            runs.append([pc, pc])
    parts = [f"{first:#x}" if first == last else f"{first:#x} to {last:#x}" for first, last in runs]
    return f"word{'s' if len(words) > 1 else ''} {', '.join(parts)}"
