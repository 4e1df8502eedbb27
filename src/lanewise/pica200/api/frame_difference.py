"""What differs between two draws of recorded frames: set-up, registers, uniforms, attributes, data, programs."""

from __future__ import annotations

from lanewise.arrays.words import Words
from lanewise.core.comparison import DIFFERS, EQUAL, Comparison
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.counting import counted
from lanewise.pica200.api.frame_review import hash_of, numbers_text, stages_of, uses_geometry
from lanewise.pica200.frame.commands import BYTES
from lanewise.pica200.frame.registers import PASSING, name_of, rows
from lanewise.pica200.frame.state import GEOMETRY, VERTEX, WIDE, components
from lanewise.pica200.frame.vertices import DEFAULT, TYPES, feeds_of, numbers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.document import Block
    from lanewise.pica200.api.drawn import DrawData
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.frame.state import UnitState, Vector
    from lanewise.pica200.frame.vertices import Feed

SETUP, REGISTERS, UNIFORMS, ATTRIBUTES, DATA, PROGRAMS = "setup", "registers", "uniforms", "attributes", "data", "programs"
PARTS = (SETUP, REGISTERS, UNIFORMS, ATTRIBUTES, DATA, PROGRAMS)
NOT_KNOWN, ABSENT = "?", "-"
_BOOLEANS, _INTEGERS, _ENTRY = 0x0, 0x1, 0xA
_WORD, _HALF = 15, 3  # masks of known bytes
_UNIT = 0x30
_WIDE = 16  # bits of a field less one, from which on it is an address, a pattern or float24
_COMPARED = "registers, uniforms, attributes, vertices, indices and programs are the same; textures are not compared"


class Change(Record):
    """A value in which two draws differ."""

    part: str
    "A name of `PARTS`."
    name: str
    "Register, uniform or input, with its unit where it is that of the geometry shader."
    field: str
    "Field of the register or property of the attribute; empty for the whole value."
    first: str
    "Value in the first draw; `?` is not known, `-` not there."
    second: str
    "Value in the second draw, as the first."


class DrawComparison(Comparison):
    """Whether two draws are equal, and each value in which they differ; `programs` is the comparison of shaders of which only
    the words differ."""

    changes: tuple[Change, ...]
    programs: Comparison | None

    def __init__(self, names: tuple[str, str], changes: Sequence[Change], programs: Comparison | None) -> None:
        told = Comparison(EQUAL, names, used=() if changes else (_COMPARED,)) if programs is None else programs
        settled = DIFFERS if [change for change in changes if change.part != PROGRAMS] else told.verdict
        missing = [change for change in changes if change.part == PROGRAMS and ABSENT in (change.first, change.second)]
        super().__init__(
            DIFFERS if missing else settled,
            names,
            used=told.used,
            unmatched=told.unmatched,
            reason=told.reason,
            example=told.example,
        )
        self.changes, self.programs = tuple(changes), programs

    def page(self) -> tuple[Block, ...]:
        """The comparison as text."""
        if not self.changes:
            return super().page()
        first, second = self.names
        verdict = {EQUAL: "are equal", DIFFERS: "differ"}.get(self.verdict, "may be equal: only their programs differ")
        blocks: list[Block] = [Paragraph(f"{first} and {second} {verdict}.")]
        for part in PARTS:
            table = [(each.name, each.field, each.first, each.second) for each in self.changes if each.part == part]
            if table:
                blocks += [Heading(2, part.capitalize()), Table(("name", "field", "first", "second"), tuple(table))]
        return (*blocks, *(self.programs.page() if self.programs is not None else ()))

    def to_json(self) -> dict[str, object]:
        """The document of `lanewise diff --format json`, with `draws` by part."""
        parts = {
            part: [
                {"name": each.name, "field": each.field, "first": each.first, "second": each.second}
                for each in self.changes
                if each.part == part
            ]
            for part in PARTS
        }
        return {**super().to_json(), "draws": parts}


def changes_of(first: Draw, second: Draw, data: tuple[DrawData | None, DrawData | None]) -> list[Change]:
    """Everything in which two draws differ; `data` is theirs as a run takes it, None for a draw without."""
    found = [*_setup(first, second), *_registers(first, second), *_uniforms(first, second), *_attributes(first, second)]
    if data[0] is not None and data[1] is not None:
        found += _data(data[0], data[1])
    return [*found, *_programs(first, second)]


def _change(part: str, name: str, field: str, first: object, second: object) -> Iterator[Change]:
    if first != second:
        yield Change(part=part, name=name, field=field, first=str(first), second=str(second))


def _setup(first: Draw, second: Draw) -> Iterator[Change]:
    yield from _change(SETUP, "draw", "kind", first.kind, second.kind)
    yield from _change(SETUP, "draw", "vertices", numbers_of(first).asked, numbers_of(second).asked)


# Registers

_OF_UNIFORMS = frozenset([unit + number for unit in (VERTEX, GEOMETRY) for number in range(5)])
_OF_PROGRAMS = frozenset([VERTEX + _ENTRY, GEOMETRY + _ENTRY])


def _registers(first: Draw, second: Draw) -> Iterator[Change]:
    if (first.registers, first.known) == (second.registers, second.known):
        return
    skipped: set[int] = {*PASSING, *_OF_UNIFORMS, *_OF_PROGRAMS}
    if not (uses_geometry(first) or uses_geometry(second)):
        skipped.update(range(GEOMETRY, GEOMETRY + _UNIT))
    for number, (one, other) in enumerate(zip(first.registers, second.registers, strict=True)):
        known = first.known[number], second.known[number]
        if number in skipped or (one & BYTES[known[0]], known[0]) == (other & BYTES[known[1]], known[1]):
            continue
        name, row = name_of(number), rows().get(number)
        changed = [
            change
            for field, low, high in (row.fields if row is not None else ())
            for change in _change(REGISTERS, name, field, _bits(one, known[0], low, high), _bits(other, known[1], low, high))
        ]
        common = BYTES[known[0] & known[1]]
        if not changed and (
            row is None or one & common != other & common
        ):  # bits that no field names, such as those of blending
            changed = [*_change(REGISTERS, name, "", _whole(one, known[0]), _whole(other, known[1]))]
        yield from changed


def _bits(value: int, known: int, low: int, high: int) -> str:
    """A field as a number, a wide one in hexadecimal; `?` if one of its bytes is not known."""
    mask = (1 << high - low + 1) - 1 << low
    if BYTES[known] & mask != mask:
        return NOT_KNOWN
    number = (value & mask) >> low
    return f"0x{number:X}" if high - low >= _WIDE else str(number)


def _whole(value: int, known: int) -> str:
    """A register in hexadecimal, `??` for each byte that is not known."""
    if not known:
        return NOT_KNOWN
    return "0x" + "".join([f"{value >> 8 * byte & 0xFF:02X}" if known >> byte & 1 else "??" for byte in (3, 2, 1, 0)])


# Uniforms


def _uniforms(first: Draw, second: Draw) -> Iterator[Change]:
    yield from _unit(first, second, VERTEX, first.vertex, second.vertex, "")
    if uses_geometry(first) and uses_geometry(second):
        yield from _unit(first, second, GEOMETRY, first.geometry, second.geometry, "geometry ")


def _unit(first: Draw, second: Draw, base: int, one: UnitState, other: UnitState, stage: str) -> Iterator[Change]:
    if one.uniforms != other.uniforms:
        for number, (old, new) in enumerate(zip(one.uniforms, other.uniforms, strict=True)):
            yield from _vectors(UNIFORMS, f"{stage}c{number}", "", old, new)
    for number in range(4):
        old, new = (_integer(draw, base + _INTEGERS + number) for draw in (first, second))
        yield from _change(UNIFORMS, f"{stage}i{number}", "", old, new)
    for number in range(16):
        old, new = (_boolean(draw, base + _BOOLEANS, number) for draw in (first, second))
        yield from _change(UNIFORMS, f"{stage}b{number}", "", old, new)


def _vectors(part: str, name: str, field: str, old: Vector | None, new: Vector | None) -> Iterator[Change]:
    """A vector that differs; where its numbers are written the same, with its bits."""
    if (old is None) == (new is None) and (old is None or new is None or _pattern(old) == _pattern(new)):
        return
    texts = [NOT_KNOWN if vector is None else numbers_text(vector) for vector in (old, new)]
    if texts[0] == texts[1] and old is not None and new is not None:
        texts = [f"{text} {_words(vector)}" for text, vector in zip(texts, (old, new), strict=True)]
    yield from _change(part, name, field, *texts)


def _pattern(vector: Vector) -> tuple[bool, tuple[int | None, ...]]:
    return vector[0] == WIDE, components(vector)


def _words(vector: Vector) -> str:
    wide = vector[0] == WIDE
    words = ["?" if word is None else f"{word:0{8 if wide else 6}X}" for word in components(vector)]
    return f"[{'float32' if wide else 'float24'} {' '.join(words)}]"


def _integer(draw: Draw, number: int) -> str:
    if draw.known[number] != _WORD:
        return NOT_KNOWN
    return f"({', '.join([str(draw.registers[number] >> 8 * place & 0xFF) for place in range(3)])})"


def _boolean(draw: Draw, register: int, number: int) -> str:
    if draw.known[register] & _HALF != _HALF:
        return NOT_KNOWN
    return "true" if draw.registers[register] >> number & 1 else "false"


# Attributes and data


def _attributes(first: Draw, second: Draw) -> Iterator[Change]:
    feeds = [{feed.register: feed for feed in feeds_of(draw)} for draw in (first, second)]
    properties: tuple[tuple[str, Callable[[Feed], object]], ...] = (
        ("attribute", lambda feed: feed.attribute),
        ("source", lambda feed: feed.source),
        ("type", lambda feed: f"{TYPES[feed.kind]}*{feed.elements}" if feed.elements else ABSENT),
        ("address", lambda feed: f"0x{feed.address:08X}" if feed.elements else ABSENT),
        ("stride", lambda feed: feed.stride if feed.elements else ABSENT),
    )
    for register in sorted({*feeds[0], *feeds[1]}):
        one, other = (each.get(register) for each in feeds)
        name = f"v{register}"
        if one is None or other is None:
            told = [ABSENT if feed is None else feed.source for feed in (one, other)]
            yield from _change(ATTRIBUTES, name, "source", *told)
            continue
        for field, value in properties:
            yield from _change(ATTRIBUTES, name, field, value(one), value(other))
        if one.source == other.source == DEFAULT:
            vectors = first.defaults[one.attribute], second.defaults[other.attribute]
            yield from _vectors(ATTRIBUTES, name, "default", *vectors)


def _data(one: DrawData, other: DrawData) -> Iterator[Change]:
    """Inputs and index lists with other values, in the order of vertices; nothing where their number differs."""
    import numpy as np

    if len(one.vertices) == len(other.vertices):
        for name in [name for name in one.inputs if name in other.inputs]:
            old, new = (_patterns(data.inputs[name]) for data in (one, other))
            if len(old) < len(one.vertices) or len(new) < len(old):  # a default, which is an attribute
                continue
            rows = np.flatnonzero((old != new).any(1)).tolist()
            if rows:
                differ = f"{len(rows)} of {counted(len(old), 'vertex', 'vertices')} differ, first {rows[0]}"
                yield from _change(DATA, name, differ, *(_row(data.inputs[name], rows[0]) for data in (one, other)))
    old_list, new_list = one.indices, other.indices
    if old_list is not None and new_list is not None and len(old_list) == len(new_list):
        places = np.flatnonzero(old_list != new_list).tolist()
        if places:
            at = places[0]
            differ = f"{len(places)} of {len(old_list)} differ, first {at}"
            yield Change(part=DATA, name="indices", field=differ, first=str(old_list[at]), second=str(new_list[at]))


def _patterns(values: NDArray[Any] | Words) -> NDArray[Any]:
    """Rows of an input as bits."""
    return values.array if isinstance(values, Words) else values.view("u4")


def _row(values: NDArray[Any] | Words, row: int) -> str:
    if isinstance(values, Words):
        return " ".join([f"{word:06X}" for word in values.array[row].tolist()])
    return f"({', '.join([f'{number:.9g}' for number in values[row].tolist()])})"


# Programs


def _programs(first: Draw, second: Draw) -> Iterator[Change]:
    pairs = [{stage.name: stage for stage in stages_of(draw)} for draw in (first, second)]
    for name in dict.fromkeys([*pairs[0], *pairs[1]]):
        stages = [stages.get(name) for stages in pairs]
        texts = [ABSENT if stage is None else f"{hash_of(stage.unit)}@{stage.entry}" for stage in stages]
        yield from _change(PROGRAMS, name, "", *texts)
