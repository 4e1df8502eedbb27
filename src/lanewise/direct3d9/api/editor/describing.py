"""Pages about the names of a Direct3D 9 source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.document import Fixed, Heading, Items, Paragraph
from lanewise.core.occurrences import (
    DIRECTIVE,
    FILE,
    INSTRUCTION,
    LABEL,
    MACRO,
    MODIFIER,
    PARAMETER,
    REGISTER,
    SAMPLER,
    SEMANTIC,
)
from lanewise.core.source import Span
from lanewise.core.text.cursor import line_numbers
from lanewise.core.text.numbers import float32_text
from lanewise.direct3d9.api.editor.analysing import State
from lanewise.direct3d9.api.services.reference import find_op, op_page, slots_of, syntax
from lanewise.direct3d9.check.register_rules import limit_of
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.slots import limits
from lanewise.direct3d9.isa.table import BY_VERSION_NAME, has, register_name
from lanewise.direct3d9.text.names import find_register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Analysis
    from lanewise.core.occurrences import Occurrence
    from lanewise.direct3d9.isa.table import Op

_HOLDS = {
    isa.TEMP: "a temporary",
    isa.INPUT: "an input",
    isa.CONST: "a constant of four numbers, set by the application or by def",
    isa.RASTOUT: "an output for the rasterizer",
    isa.ATTROUT: "a colour for the pixel shader",
    isa.CONSTINT: "four integers, set by the application or by defi: counts, start and step of loops",
    isa.COLOROUT: "a colour of the render target",
    isa.DEPTHOUT: "the depth of the pixel",
    isa.SAMPLER: "a texture with its filter, set by the application",
    isa.CONSTBOOL: "a boolean, set by the application or by defb",
    isa.LOOP: "the counter of the loop around",
    isa.MISC: "the pixel's place, or which face is seen",
    isa.LABEL: "a subroutine",
    isa.PREDICATE: "a predicate of four booleans, written by setp",
}
_MODIFIERS = {
    "_sat": "results below 0 become 0, those above 1 become 1",
    "_pp": "partial precision is enough",
    "_centroid": "sampled inside of the primitive",
    "_x2": "multiplied by 2",
    "_x4": "multiplied by 4",
    "_x8": "multiplied by 8",
    "_d2": "divided by 2",
    "_d4": "divided by 4",
    "_d8": "divided by 8",
    "_abs": "the absolute value",
    "_bias": "less 0.5",
    "_bx2": "less 0.5, times 2: from 0 to 1, to -1 to 1",
    "_dz": "divided by z",
    "_db": "divided by z",
    "_dw": "divided by w",
    "_da": "divided by w",
}
DIRECTIVES = {
    "#define": ("#define NAME c4", "a name for a text; with parameters, #define NAME(n) c[a0.x+n]"),
    "#undef": ("#undef NAME", "the name means nothing from here on"),
    "#ifdef": ("#ifdef NAME", "the lines up to #else or #endif count if the name is defined"),
    "#ifndef": ("#ifndef NAME", "the lines up to #else or #endif count unless the name is defined"),
    "#if": ("#if NUMBER", "the lines up to #else or #endif count unless the number is 0; `defined NAME` and `!` are possible"),
    "#elif": ("#elif NUMBER", "another condition"),
    "#else": ("#else", "otherwise"),
    "#endif": ("#endif", "the end of a condition"),
    "#include": ('#include "common.vsh"', "the text of another file"),
    "#line": ("#line 10", "the number that messages give the next line"),
    "#pragma": ("#pragma", "is not looked at"),
    ".dword": (".dword 0x02000001, 0x800F0000", "raw words"),
    ".comment": (".comment 0x42415443", "the words of a comment"),
    ".end": (".end none", "the end token, another one, or none"),
    ".byte": (".byte 0x41, 0x42", "up to three bytes after the last word"),
}
_MOST_LINES = 12  # of a macro's text


def describe(analysis: Analysis, occurrence: Occurrence) -> Sequence[Block]:
    """The page of a name."""
    kind, name = occurrence.kind, occurrence.name
    if kind == INSTRUCTION:
        op = find_op(occurrence.symbol.partition(" ")[2])
        return _instruction(analysis, op) if op is not None else ()
    if kind == DIRECTIVE:
        return _directive(name.lower())
    if kind == MODIFIER:
        parts = [f"_{part}" for part in name.lower().split("_") if part]
        return [Heading(1, name), Items(tuple([(part, _MODIFIERS[part]) for part in parts if part in _MODIFIERS]))]
    if kind == FILE:
        return [Heading(1, name), Items((("file", occurrence.symbol.partition(" ")[2]),))]
    if kind == PARAMETER:
        return [Heading(1, name), Items((("parameter of", occurrence.symbol.partition(" ")[2].partition("/")[0]),))]
    blocks: list[Block] = _macro(analysis, occurrence) if kind == MACRO else []
    if kind in (REGISTER, SAMPLER, LABEL, SEMANTIC, MACRO) and occurrence.register and isinstance(analysis.state, State):
        blocks += _register(analysis, analysis.state, occurrence.register)
    return blocks


def _instruction(analysis: Analysis, op: Op) -> list[Block]:
    """The page of an instruction, with what it is in the version of the source first."""
    head, *rest = op_page(op)
    state = analysis.state
    if not isinstance(state, State):
        return [head, *rest]
    version = state.version
    if not has(op, version):
        return [head, Paragraph(f"{version.name} does not have it."), *rest]
    slots = slots_of(op, version)
    return [
        head,
        Paragraph(
            f"`{syntax(op, version)}` in {version.name}"
            + (f", {slots} slot{'' if slots == 1 else 's'}" if slots is not None else "")
        ),
        *rest,
    ]


def _directive(name: str) -> list[Block]:
    version = BY_VERSION_NAME.get(name.replace(".", "_"))
    if version is not None:
        most = limits(version)
        rows = [(field, str(value)) for field, value in most._asdict().items() if value]
        return [Heading(1, version.name), Items((("token", f"0x{version.token:08X}"), *rows))]
    if name not in DIRECTIVES:
        return []
    syntax, about = DIRECTIVES[name]
    return [Heading(1, name), Items((("syntax", f"`{syntax}`"), ("meaning", about)))]


def _macro(analysis: Analysis, occurrence: Occurrence) -> list[Block]:
    """The definition of a macro, as it is written."""
    lines: list[str] = []
    for one in analysis.occurrences:
        if one.symbol == occurrence.symbol and one.definition and len(lines) < _MOST_LINES:
            lines.append(one.span.text.strip())
    return [Heading(1, occurrence.name), Fixed(tuple(lines))]


def _register(analysis: Analysis, state: State, name: str) -> list[Block]:
    """The use of a register in this version, its declaration in the source, and where it is live."""
    context, version = state.context, state.version
    found = find_register(version, name)
    if found is None or found[1] is None:
        return []
    file, number = found[0], found[1]
    holds = _HOLDS.get(file, "")
    if file == isa.ADDR:
        holds = "an address register: integers that index constants" if context.vertex else "a texture coordinate"
    elif file == isa.TEXCRDOUT:
        holds = "an output" if context.model >= 3 else "a texture coordinate for the pixel shader"
    elif file == isa.MISC:
        holds = "the place of the pixel on the screen" if number == 0 else "the face: negative for the back"
    points = [("holds", holds)]
    limit = limit_of(context, file)
    letters = name.rstrip("0123456789")
    if limit is not None and limit > 1 and letters != name:
        points.append(("registers", f"{version.name} has {letters}0 to {letters}{limit - 1}"))
    places: dict[tuple[str, int], list[Occurrence]] = {}
    for one in analysis.occurrences:
        places.setdefault((one.span.file, one.span.line), []).append(one)
    uses = [one for one in analysis.occurrences if one.register.lower() == name.lower() and one.kind != SEMANTIC]
    for one in uses:
        if one.definition and one.kind in (REGISTER, SAMPLER):
            statement = one.span.text.split(";")[0].split("//")[0].strip()
            points.append(("declared", f"`{statement}` in line {one.span.line}"))
    points += _values(state, file, number)
    symbol = symbol_of(state, file, number)
    points += [("name", symbol)] if symbol else []
    names = dict.fromkeys(one.name for one in uses if one.kind == MACRO and one.definition)
    points += [("names", ", ".join(names))] if names else []
    plain = [one for one in uses if not one.definition]
    written, read = (
        line_numbers(one.span.line for one in plain if one.written),
        line_numbers([*(one.span.line for one in plain if not one.written), *_matrix_lines(state, file, number)]),
    )
    points += [("written", written)] if written else []
    points += [("called" if file == isa.LABEL else "read", read)] if read else []
    live = _live(state, (file, number))
    points += [("live", live)] if live else []
    return [Heading(1, register_name(version, file, number) or name), Items(tuple(points))]


def _matrix_lines(state: State, file: int, number: int) -> list[int]:
    """The lines of the matrix instructions that read a constant because an earlier one is named."""
    found: list[int] = []
    for _, inst in state.context.code:
        if inst.op.rows and inst.sources and inst.place is not None:
            first = inst.sources[-1]
            if first.file == file and not first.is_relative and first.number < number < first.number + inst.op.rows:
                found.append(inst.place.line)
    return found


def _values(state: State, file: int, number: int) -> list[tuple[str, str]]:
    """The values of a constant that the source defines."""
    for _, inst in state.context.definitions:
        if inst.dest is not None and (inst.dest.file, inst.dest.number) == (file, number):
            words = inst.payload
            if file == isa.CONSTINT:
                return [("value", ", ".join([str(word - (word >> 31 << 32)) for word in words]))]
            if file == isa.CONSTBOOL:
                return [("value", "true" if words[0] else "false")]
            return [("value", ", ".join(map(float32_text, words)))]
    return []


def symbol_of(state: State, file: int, number: int) -> str:
    """The name that the constant table of a source gives a register, `World[2]`; empty where it gives none."""
    for (first, start), (symbol, count) in state.symbols.items():
        if first == file and start <= number < start + count:
            return symbol + (f"[{number - start}]" if count > 1 else "")
    return ""


def _live(state: State, key: tuple[int, int]) -> str:
    """`in lines 4 to 9, and 12 to 13`: where a register holds a value that is still needed; empty for one that is not
    followed."""
    if state.live is None or state.damage or key[0] not in (isa.TEMP, isa.ADDR, isa.PREDICATE):
        return ""
    lines: list[tuple[Span, Span]] = []
    begun: Span | None = None
    last = Span(file="")
    for number, inst in enumerate(state.context.insts):
        place = inst.place or last
        if key in state.live[number]:
            begun = begun or place
        elif begun is not None:
            lines.append((begun, place))
            begun = None
        last = place
    if begun is not None:
        lines.append((begun, last))
    return "in lines " + ", and ".join([f"{first.line} to {end.line}" for first, end in lines[:8]]) if lines else ""
