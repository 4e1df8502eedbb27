"""What is wrong with the set-up of a draw: findings F003 to F017."""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache

from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic
from lanewise.core.numbers.floats import float_from_bits, float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.frame.draws import ELEMENTS, IMMEDIATE
from lanewise.pica200.frame.registers import name_of
from lanewise.pica200.frame.setup import setup_of
from lanewise.pica200.frame.state import GEOMETRY, VERTEX, WIDE, components
from lanewise.pica200.frame.vertices import (
    COUNT,
    DEFAULT,
    FORMAT,
    GEOSTAGE,
    LOADED,
    LOC,
    MISSING,
    MOST_VERTICES,
    PRIMITIVE,
    SIZES,
    TYPES,
    feeds_of,
    index_place,
    loaders_of,
    missing_of,
    numbers_of,
    used_of,
)
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, RESERVED_BOOLEAN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.frame.state import UnitState, Vector
    from lanewise.pica200.frame.vertices import Feed

_INPUTS, _ENTRY, _PERMUTATION, _OUTMASK, _BOOLEANS, _INTEGERS = 0x9, 0xA, 0xB, 0xD, 0x0, 0x1
_TOTAL = 0x4F
_MISC0 = 0x252
_SCISSOR = 0x65
_INSIDE = 3
_MATRIX = 4
_POINT, _VARIABLE, _FIXED = range(3)
_USED = 2


class Stage(Record):
    """A shader of a draw, and what it reads."""

    name: str
    "vertex or geometry."
    base: int
    "First register of its unit."
    unit: UnitState
    "Its unit."
    entry: int
    "Word at which it begins."
    reads: Reads | None
    "Registers that it reads; None for an entry without code."


class Reviewed(Record):
    """A draw with what a list shows."""

    draw: Draw
    "The draw."
    feeds: tuple[Feed, ...]
    "Where its attributes come from."
    used: Sequence[int]
    "The vertices that it takes."
    asked: int
    "Number of vertices that it asks for, repeated ones included."
    stages: tuple[Stage, ...]
    "Its shaders."
    findings: tuple[Diagnostic, ...]
    "What is wrong with it."


def review(draws: Sequence[Draw], name: str) -> Iterator[Reviewed]:
    """The draws of a file with their findings. A matrix is compared with those of the draws before."""
    matrices: dict[tuple[object, ...], int] = {}
    for draw in draws:
        yield _reviewed(draw, name, matrices)


def reviewed_of(draw: Draw, before: Sequence[Draw], name: str) -> Reviewed:
    """One draw of a file after those before it, with the findings that `review` gives it."""
    matrices: dict[tuple[object, ...], int] = {}
    for each in before:
        _matrices(each, stages_of(each)[0], matrices, _Finder(name, ""))
    return _reviewed(draw, name, matrices)


def _reviewed(draw: Draw, name: str, matrices: dict[tuple[object, ...], int]) -> Reviewed:
    stages = stages_of(draw)
    feeds, numbers = tuple(feeds_of(draw)), numbers_of(draw)
    used = used_of(draw, numbers)
    finder = _Finder(f"{name}:{draw.number}", str(draw.where))
    _state(draw, finder)
    _programs(draw, stages, finder)
    _attributes(draw, stages[0], feeds, finder)
    _buffers(draw, feeds, used, finder)
    if draw.kind == ELEMENTS:
        _index_list(draw, len(numbers.listed), numbers.asked, finder)
    _outputs(draw, stages, finder)
    _visible(draw, finder)
    _matrices(draw, stages[0], matrices, finder)
    return Reviewed(draw=draw, feeds=feeds, used=used, asked=numbers.asked, stages=stages, findings=tuple(finder.findings))


class _Finder:
    """The findings about a draw."""

    def __init__(self, name: str, where: str) -> None:
        self.name, self.where = name, where
        self.findings: list[Diagnostic] = []

    def report(self, code: str, message: str, fix: str = "", severity: str = WARNING, *notes: str) -> None:
        self.findings.append(
            Diagnostic(
                code=code,
                severity=severity,
                message=message,
                span=Span(file=self.name),
                notes=(*notes, self.where),
                fix=fix,
            )
        )


def uses_geometry(draw: Draw) -> bool:
    """Whether a geometry shader runs. Source: 3dbrew, GPUREG_GEOSTAGE_CONFIG."""
    return draw.registers[GEOSTAGE] & 3 == _USED


def hash_of(unit: UnitState) -> str:
    """A name for a program: 8 hexadecimal digits of its words and operand descriptors."""
    return hash_of_words(unit.code, unit.descriptors)


@lru_cache(maxsize=256)
def hash_of_words(code: tuple[int, ...], descriptors: tuple[int, ...]) -> str:
    data = struct.pack(f"<{len(code) + len(descriptors)}I", *code, *descriptors)
    return hashlib.sha256(data).hexdigest()[:8]


def stages_of(draw: Draw) -> tuple[Stage, ...]:
    """The shaders of a draw with what they read."""
    units = [("vertex", VERTEX, draw.vertex)]
    if uses_geometry(draw):
        units.append(("geometry", GEOMETRY, draw.geometry))
    found: list[Stage] = []
    for name, base, unit in units:
        entry = draw.registers[base + _ENTRY] & 0xFFFF
        booleans = draw.registers[base + _BOOLEANS] & 0xFFFF if draw.known[base + _BOOLEANS] & 3 == 3 else None
        integers = tuple(
            [
                draw.registers[base + _INTEGERS + number] if draw.known[base + _INTEGERS + number] == 15 else None
                for number in range(4)
            ]
        )
        read = (
            _reads(unit.code, unit.descriptors, entry, booleans, integers, base == GEOMETRY) if entry < len(unit.code) else None
        )
        found.append(Stage(name=name, base=base, unit=unit, entry=entry, reads=read))
    return tuple(found)


@lru_cache(maxsize=1024)
def _reads(
    code: tuple[int, ...],
    descriptors: tuple[int, ...],
    entry: int,
    booleans: int | None,
    integers: tuple[int | None, ...],
    geometry: bool,
) -> Reads:
    known: Mapping[int, bool] = (
        {} if booleans is None else {n: bool(booleans >> n & 1) for n in range(16) if not geometry or n != RESERVED_BOOLEAN}
    )
    counts = {n: (word & 255, word >> 8 & 255, word >> 16 & 255) for n, word in enumerate(integers) if word is not None}
    return reads(code, descriptors, entry, known, integers=counts, geometry=geometry)


def _state(draw: Draw, finder: _Finder) -> None:
    """Registers that a draw needs and that the recording does not have."""
    needed = [VERTEX + _ENTRY, VERTEX + _INPUTS, VERTEX + _PERMUTATION, VERTEX + _OUTMASK, _TOTAL, PRIMITIVE]
    if draw.kind != IMMEDIATE:
        needed += [LOC, FORMAT, FORMAT + 1, COUNT]
    lacking = [number for number in needed if not draw.known[number]]
    if lacking:
        names = ", ".join(map(name_of, lacking))
        finder.report(
            "F003", f"not in the recording, taken as 0: {names}", "record from the start of the program, or its state"
        )


def _programs(draw: Draw, stages: Sequence[Stage], finder: _Finder) -> None:
    """Entries, uniforms, integers."""
    for stage in stages:
        if stage.reads is None:
            words = counted(len(stage.unit.code), "word")
            finder.report(
                "F010",
                f"the {stage.name} shader begins at word {stage.entry}, and the code that was sent has {words}",
                f"send the code before the draw, or correct {name_of(stage.base + _ENTRY)}",
            )
            continue
        fed = _fed(draw) if stage.base == GEOMETRY else range(0)
        read = [number - FLOAT for number in (*stage.reads.direct, *stage.reads.relative) if FLOAT <= number < INTEGER]
        lacking = sorted({n for n in read if stage.unit.uniforms[n] is None and n not in fed})
        if lacking:
            finder.report(
                "F009",
                f"the {stage.name} shader reads {runs_text(lacking, 'c')}, never written in the recording",
                "send these uniforms before the draw, or record from the start of the program",
            )
        for number in range(4):
            at = stage.reads.direct.get(INTEGER + number)
            if at is not None and draw.known[stage.base + _INTEGERS + number] != 15:
                finder.report(
                    "F012",
                    f"the loop at word {at} of the {stage.name} shader takes i{number}, never written in the recording",
                    f"write {name_of(stage.base + _INTEGERS + number)}",
                )
        booleans = [n - BOOLEAN for n in stage.reads.direct if n >= BOOLEAN]
        if stage.base == GEOMETRY:
            booleans = [n for n in booleans if n != RESERVED_BOOLEAN]
        if booleans and draw.known[stage.base + _BOOLEANS] & 3 != 3:
            finder.report(
                "F009",
                f"the {stage.name} shader reads {runs_text(sorted(booleans), 'b')}, never written in the recording",
                f"write {name_of(stage.base + _BOOLEANS)}",
            )


def _fed(draw: Draw) -> range:
    """The c registers of a geometry shader that vertices may arrive in."""
    mode = draw.registers[_MISC0] & 0xFF
    return range(96) if mode == _VARIABLE else range(draw.registers[_MISC0] >> 16 & 0xFF, 96) if mode == _FIXED else range(0)


def runs_text(numbers: Sequence[int], letter: str) -> str:
    """`c0, c4-c7`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join([f"{letter}{low}" if low == high else f"{letter}{low}-{letter}{high}" for low, high in found])


def _attributes(draw: Draw, vertex: Stage, feeds: Sequence[Feed], finder: _Finder) -> None:
    """Attributes that are read and not fed, that meet in one register, or that are defaults."""
    read = {number for number in vertex.reads.direct if number < 16} if vertex.reads is not None else set[int]()
    homes: dict[int, Feed] = {}
    for feed in feeds:
        before = homes.get(feed.register)
        if before is not None:
            finder.report(
                "F005",
                f"attributes {before.attribute} and {feed.attribute} both go to v{feed.register}: only one arrives",
                f"give each its own register in {name_of(VERTEX + _PERMUTATION)}",
            )
        homes[feed.register] = feed
    for register in sorted(read):
        feed = homes.get(register)
        if feed is None:
            finder.report(
                "F004",
                f"the vertex shader reads v{register}, and no attribute goes there",
                "raise the number of attributes, or correct the permutation",
            )
        elif feed.source == MISSING:
            finder.report(
                "F004",
                f"the vertex shader reads v{register}, and attribute {feed.attribute} has neither a loader nor a default",
                "add it to a buffer, or set its default attribute",
            )
        elif feed.source == DEFAULT:
            vector = draw.defaults[feed.attribute]
            if vector is None:
                finder.report(
                    "F004",
                    f"the vertex shader reads v{register}, and default attribute {feed.attribute} was never written in the "
                    "recording",
                    "set the default attribute before the draw",
                )
            else:
                finder.report(
                    "F015",
                    f"v{register} is default attribute {feed.attribute} for all vertices: {numbers_text(vector)}",
                    "",
                    NOTE,
                )


def numbers_text(vector: Vector) -> str:
    """A vector as numbers; `?` for a component that is not known."""
    wide = vector[0] == WIDE
    numbers = [
        None if word is None else float_from_bits(word) if wide else float_from_float24(word) for word in components(vector)
    ]
    parts = ["?" if number is None else f"{number:.6g}" for number in numbers]
    return f"({', '.join(parts)})"


def _buffers(draw: Draw, feeds: Sequence[Feed], used: Sequence[int], finder: _Finder) -> None:
    if draw.kind == IMMEDIATE:
        return
    loaded = {feed.loader for feed in feeds if feed.source == LOADED}
    for loader in loaders_of(draw.registers):
        if loader.number not in loaded:
            continue
        if len(used) > 1 and loader.stride < loader.size:
            what = "0: each vertex is the first one" if not loader.stride else f"{loader.stride}: vertices overlap"
            finder.report(
                "F006",
                f"buffer {loader.number} has {loader.size} bytes a vertex, and a stride of {what}",
                f"write the stride to bits 16 to 23 of {name_of(0x205 + 3 * loader.number)}",
            )
    for feed in feeds:
        if feed.source != LOADED:
            continue
        width = SIZES[feed.kind]
        if feed.address % width or (len(used) > 1 and feed.stride % width):
            what = f"address 0x{feed.address:08X}" if feed.address % width else f"stride {feed.stride}"
            finder.report(
                "F007",
                f"attribute {feed.attribute} ({TYPES[feed.kind]}) has {what}, not a multiple of {width}",
                f"align the buffer and its stride to {width} bytes",
            )
    if draw.registers[COUNT] > MOST_VERTICES:
        finder.report(
            "F008",
            f"the draw asks for {draw.registers[COUNT]} vertices; {MOST_VERTICES} are looked at",
            f"correct {name_of(COUNT)}",
        )
    for feed in missing_of(draw, feeds, used):
        finder.report(
            "F008",
            f"attribute {feed.attribute}: vertices {used[0]} to {used[-1]} from 0x{feed.address:08X} on, {feed.stride} bytes "
            "each, are not all in the recording's memory",
            "correct the index list or the buffer, or record this memory",
        )


def _index_list(draw: Draw, listed: int, count: int, finder: _Finder) -> None:
    address, size = index_place(draw)
    if address % size:
        finder.report("F007", f"the index list is at 0x{address:08X}, and an index has 2 bytes", "align it to 2 bytes")
    if listed < count:
        finder.report(
            "F008",
            f"the index list at 0x{address:08X} has {count} indices, of which {listed} are in the recording's memory",
            f"correct {name_of(COUNT)} or the address, or record this memory",
        )


def _outputs(draw: Draw, stages: Sequence[Stage], finder: _Finder) -> None:
    last = stages[-1]
    mask = draw.registers[last.base + _OUTMASK] & 0xFFFF
    if not draw.known[last.base + _OUTMASK] or last.reads is None:
        return
    enabled = [number for number in range(16) if mask >> number & 1]
    unwritten = [number for number in enabled if number not in last.reads.outputs]
    if unwritten and last.base == VERTEX:
        finder.report(
            "F011",
            f"the output map enables {runs_text(unwritten, 'o')}, which the vertex shader never writes",
            f"clear the bits in {name_of(last.base + _OUTMASK)}, or write the outputs: the GPU waits for each",
        )
    total = draw.registers[_TOTAL] & 7
    if draw.known[_TOTAL] and total > len(enabled):
        finder.report(
            "F011",
            f"the output map has {counted(total, 'word')}, and the {last.name} shader {counted(len(enabled), 'output')}",
            f"make {name_of(_TOTAL)} the number of bits in {name_of(last.base + _OUTMASK)}",
        )
    if last.base != GEOMETRY:
        return
    outputs = (draw.registers[VERTEX + _OUTMASK] & 0xFFFF).bit_count()
    misc = draw.registers[_MISC0]
    inputs = (draw.registers[GEOMETRY + _INPUTS] & 15) + 1
    if misc & 0xFF == _POINT and outputs and inputs % outputs:
        finder.report(
            "F013",
            f"the geometry shader takes {inputs} inputs, and a vertex has {outputs} outputs",
            f"make {name_of(GEOMETRY + _INPUTS)} a multiple of the outputs, less one",
        )
    if misc & 0xFF == _FIXED and (misc >> 12 & 15) + 1 != outputs:
        finder.report(
            "F013",
            f"the geometry shader takes {(misc >> 12 & 15) + 1} registers a vertex, and a vertex has {outputs} outputs",
            f"write the outputs of the vertex shader, less one, to bits 12 to 15 of {name_of(_MISC0)}",
        )


def _visible(draw: Draw, finder: _Finder) -> None:
    """Viewport, depth range and scissor that leave nothing."""
    setup = setup_of(draw)
    viewport = setup.viewport
    if viewport is not None and not (viewport.width > 0 and viewport.height > 0):
        finder.report(
            "F017",
            f"the viewport is {viewport.width:g} pixels wide and {viewport.height:g} high",
            "use C3D_SetViewport, or a target of that size with C3D_FrameDrawOn",
        )
    if setup.clamped is not None and setup.depth is not None:
        scale, offset = setup.depth
        finder.report(
            "F014",
            f"depths are {offset:g} + z * {scale:g}: all are {setup.clamped} after clamping",
            "use C3D_DepthMap(true, -1.0f, 0.0f), or near and far between 0 and 1",
        )
    if draw.known[_SCISSOR] and draw.registers[_SCISSOR] & 3 == _INSIDE:
        low, high = draw.registers[_SCISSOR + 1], draw.registers[_SCISSOR + 2]
        if high & 0x3FF < low & 0x3FF or high >> 16 & 0x3FF < low >> 16 & 0x3FF:
            finder.report("F014", "the scissor rectangle is empty: its last column or row is before the first", "correct it")


def _matrices(draw: Draw, vertex: Stage, seen: dict[tuple[object, ...], int], finder: _Finder) -> None:
    """A matrix whose rows are the reverse of the same uniform's in a draw before."""
    if vertex.reads is None:
        return
    read = sorted({number - FLOAT for number in vertex.reads.direct if FLOAT <= number < INTEGER})
    at = 0
    while at + _MATRIX <= len(read):
        first = read[at]
        rows = [vertex.unit.uniforms[first + n] for n in range(_MATRIX)] if first + _MATRIX <= 96 else []
        if read[at : at + _MATRIX] != list(range(first, first + _MATRIX)) or None in rows:
            at += 1
            continue
        kinds = {row[0] for row in rows if row is not None}
        values = tuple([components(row) for row in rows if row is not None])
        key = (vertex.unit.code, first, tuple(kinds))
        turned = tuple([row[::-1] for row in values])
        before = seen.get((*key, turned))
        if before is not None and turned != values:
            finder.report(
                "F016",
                f"each row of c{first}-c{first + 3} is the reverse of the same uniform's in draw {before}",
                "send x, y, z, w in one order in both: C3D_FVec holds w, z, y, x in memory",
                NOTE,
            )
        seen.setdefault((*key, values), draw.number)
        at += _MATRIX
