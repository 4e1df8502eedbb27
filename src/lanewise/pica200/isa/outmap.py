"""Output map: the registers that assign outputs to properties of the rasterizer.

The table is the one that libctru writes: source/gpu/shbin.c, DVLE_GenerateOutmap, and shaderProgram.c,
shaderProgramMergeOutmaps and shaderProgramConfigure. The pairing of outputs and words: 3dbrew, GPU/Pitfalls, "Output mapping in
GPUREG_SH_OUTMAP_MASK".
"""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.isa.table import SEMANTICS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.isa.program import Interface, Output

WORDS = 7  # GPUREG_SH_OUTMAP_O0 to O6
EMPTY = 0x1F1F1F1F  # a word that wires nothing
_MASK_BITS = 8  # libctru keeps the mask of outputs in a byte (shbin.h, outmapMask)


class Property(Record):
    """A property that the rasterizer reads.

    `first` is the number of its first component in the table; `clock` its bit of OUTATTR_CLOCK.
    """

    name: str
    first: int
    letters: str
    clock: int


# By the semantic of an SHBIN. Numbers: 3dbrew, GPUREG_SH_OUTMAP_Oi; clocks: libctru shbin.c.
PROPERTIES = {
    0: Property("position",   0x00, "xyzw", 0),
    1: Property("normalquat", 0x04, "xyzw", 24),
    2: Property("color",      0x08, "rgba", 1),
    3: Property("texcoord0",  0x0C, "uv",   8),
    4: Property("texcoord0w", 0x10, "w",    16),
    5: Property("texcoord1",  0x0E, "uv",   9),
    6: Property("texcoord2",  0x16, "uv",   10),
    8: Property("view",       0x12, "xyz",  24),
}  # fmt: skip
_POSITION, _TEXTURES = 0, (3, 4, 5, 6)
# Property and component of each number of the table.
COMPONENTS = {row.first + place: (row, place) for row in PROPERTIES.values() for place in range(len(row.letters))}


class Slot(Record):
    """A word of the table and the output paired with it.

    `register` is the output of the last stage (`o` number) that arrives here, -1 if the stage has too few; `semantics` are
    those of its x, y, z and w, such as `texcoord0.u`, or empty; `stages` names those that declare them: `vertex`, `geometry`,
    both or, where nothing is wired, none.
    """

    register: int
    word: int
    semantics: tuple[str, ...]
    stages: tuple[str, ...]


class OutputMap(Record):
    """Values of the output registers for a vertex shader, or with a geometry shader."""

    total: int
    "GPUREG_SH_OUTMAP_TOTAL."
    words: tuple[int, ...]
    "GPUREG_SH_OUTMAP_O0 to O6."
    mode: int
    "GPUREG_SH_OUTATTR_MODE."
    clock: int
    "GPUREG_SH_OUTATTR_CLOCK."
    vertex_mask: int
    "GPUREG_VSH_OUTMAP_MASK."
    vertex_total: int
    "Outputs that go on from the vertex shader; GPUREG_VSH_OUTMAP_TOTAL1 and 2 hold one less."
    geometry_mask: int | None
    "GPUREG_GSH_OUTMAP_MASK; None without that stage."
    merged: bool
    "Both stages share the table."
    slots: tuple[Slot, ...]
    "The first `total` words, at most seven, each with the output that it is for."
    diagnostics: tuple[Diagnostic, ...]
    "Outputs that do not fit together."


class _Stage(Record):
    """The table of one stage."""

    name: str
    "vertex or geometry."
    total: int
    "Number of outputs."
    mask: int
    "Bit n is set for o register n."
    words: tuple[int, ...]
    "One for each register, without a limit."
    mode: int
    "Textures and other properties, as GPUREG_SH_OUTATTR_MODE has them."
    clock: int
    "Clocks of the properties, as GPUREG_SH_OUTATTR_CLOCK has them."
    outputs: tuple[Output, ...]
    "Outputs of the shader in the order of its file."


def output_map(vertex: Interface, geometry: Interface | None = None, file: str = "") -> OutputMap:
    """The output map of a pipeline.

    The stages share one table if the geometry shader has `merge_outputs`, which `dummy` outputs set. A shared table has the
    words of both stages in the order of the geometry shader, then those of only the geometry shader, then those of only the
    vertex shader. Emitted outputs are paired with them in the order of their registers, so the `dummy` outputs of a geometry
    shader, declared last, carry the properties that only the vertex shader declares. Otherwise the table is the last stage's.
    """
    first = _stage(vertex, "vertex")
    last = first if geometry is None else _stage(geometry, "geometry")
    merged = geometry is not None and geometry.merge_outputs
    table = _merged(first, last) if merged else list(last.words[:WORDS])
    total = len(table) if merged else last.total
    words = tuple([*table, *[EMPTY] * WORDS][:WORDS])
    sharing = (first, last) if merged else (last,)
    enabled = [number for number in range(16) if number in {output.register for output in last.outputs}]
    slots: list[Slot] = []
    for number in range(min(total, WORDS)):
        word = words[number]
        stages = tuple([stage.name for stage in sharing if word != EMPTY and word in stage.words])
        register = enabled[number] if number < len(enabled) else -1
        slots.append(Slot(register, word, semantics_of(word), stages))
    found = [*_too_many(table, first, last, file), *_twice(slots, file), *_misplaced(slots, last, file)]
    if merged:
        found += [*_cut(first, last, file), *_uneven(total, len(enabled), slots, file)]
    return OutputMap(
        total=total,
        words=words,
        mode=last.mode | (first.mode if merged else 0),
        clock=last.clock | (first.clock if merged else 0),
        vertex_mask=first.mask,
        vertex_total=first.total,
        geometry_mask=None if geometry is None else last.mask,
        merged=merged,
        slots=tuple(slots),
        diagnostics=tuple(found),
    )


def wired_components(semantic: int, mask: int) -> int:
    """The components of an output that its semantic takes; masks have x in bit 0, as in an SHBIN.

    libctru wires the first two of a texture coordinate, one of `texcoord0w`, three of `view` and four of the others (shbin.c,
    DVLE_GenerateOutmap). `dummy` outputs, and semantics without a property, take none.
    """
    row = PROPERTIES.get(semantic)
    places = [1 << place for place in range(4) if mask >> place & 1]
    return sum(places[: len(row.letters)]) if row else 0


def semantics_of(word: int) -> tuple[str, ...]:
    """The properties of x, y, z and w of a word: `color.r`, `texcoord0.w`; empty if unused."""
    found: list[str] = []
    for shift in (0, 8, 16, 24):
        row, place = COMPONENTS.get(word >> shift & 0xFF, (None, 0))
        if row is None:
            found.append("")
        else:
            name = row.name[:-1] if row.letters == "w" else row.name  # texcoord0.w
            found.append(f"{name}.{row.letters[place]}")
    return tuple(found)


def carried(word: int) -> list[tuple[str, str]]:
    """The properties of a word, each with the components of the output that go there: (`texcoord0`, `xy`)."""
    found: dict[str, str] = {}
    for place, letter in enumerate("xyzw"):
        row, _ = COMPONENTS.get(word >> 8 * place & 0xFF, (None, 0))
        if row is not None:
            found[row.name] = found.get(row.name, "") + letter
    return list(found.items())


def semantics_by_register(mask: int, total: int, words: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """The semantics of output registers: those enabled are paired with the words of the output map, in order.

    Components that do not carry those of a semantic from its first one on, in order, have no form in a file and are left out.
    """
    registers = [register for register in range(16) if mask >> register & 1]
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for register, word in zip(registers, words[:total], strict=False):
        rows: dict[str, list[tuple[str, int]]] = {}
        for place, letter in enumerate("xyzw"):
            component = COMPONENTS.get(word >> 8 * place & 0x1F)
            if component is not None:
                rows.setdefault(component[0].name, []).append((letter, component[1]))
        for semantic, parts in rows.items():
            in_order = [number for _, number in parts] == list(range(len(parts)))
            if in_order and semantic in SEMANTICS and semantic not in seen:
                seen.add(semantic)
                found.append((f"o{register}.{''.join([letter for letter, _ in parts])}", semantic))
    return tuple(found)


def _stage(interface: Interface, name: str) -> _Stage:
    words = [EMPTY] * 16
    total = mask = mode = clock = 0
    for semantic, register, components, *_ in interface.outputs:
        if register >= _MASK_BITS or not mask >> register & 1:
            total += 1  # beyond its byte libctru cannot see that a register has come before
        mask |= 1 << register
        row = PROPERTIES.get(semantic)
        if row is None:
            continue
        wired = wired_components(semantic, components)
        chosen = [place for place in range(4) if wired >> place & 1]
        for number, place in enumerate(chosen):
            words[register] = words[register] & ~(0xFF << 8 * place) | row.first + number << 8 * place
        mode |= semantic in _TEXTURES
        if semantic != _POSITION or len(chosen) >= 3:
            clock |= 1 << row.clock
    return _Stage(
        name=name,
        total=total,
        mask=mask & (1 << _MASK_BITS) - 1,
        words=tuple(words),
        mode=mode,
        clock=clock,
        outputs=interface.outputs,
    )


def _merged(vertex: _Stage, geometry: _Stage) -> list[int]:
    """The words of both: common, the geometry shader's, the vertex shader's. Each list ends at its first empty word."""
    own, others = _until_empty(geometry.words), vertex.words[:WORDS]
    common = [word for word in own if word in others]
    return [
        *common,
        *[word for word in own if word not in common],
        *[word for word in _until_empty(others) if word not in common],
    ]


def _until_empty(words: Sequence[int]) -> tuple[int, ...]:
    words = tuple(words[:WORDS])
    return words[: words.index(EMPTY)] if EMPTY in words else words


# What does not fit together


def _named(word: int) -> str:
    """`color`, or `texcoord0 and texcoord1`."""
    return " and ".join(name for name, _ in carried(word)) or "nothing"


def _span(stage: _Stage, register: int, file: str) -> Span:
    return next((output.span for output in stage.outputs if output.register == register and output.span), Span(file=file))


def _too_many(table: Sequence[int], vertex: _Stage, last: _Stage, file: str) -> Iterator[Diagnostic]:
    for stage in dict.fromkeys((vertex, last)):
        for register in range(WORDS, 16):
            if stage.words[register] != EMPTY and stage is last:
                yield Diagnostic(
                    code="B017",
                    severity=WARNING,
                    message=f"{_named(stage.words[register])} is o{register}, but the table ends at o{WORDS - 1}",
                    span=_span(stage, register, file),
                    notes=(),
                    fix=f"wire properties to o0-o{WORDS - 1}",
                )
        high = [output.register for output in stage.outputs if output.register >= _MASK_BITS]
        if high:
            yield Diagnostic(
                code="B016",
                severity=WARNING,
                message=f"o{high[0]} of the {stage.name} shader is not enabled by libctru: its mask ends at o7",
                span=_span(stage, high[0], file),
                notes=(),
                fix="use o0-o7, or write GPUREG_VSH_OUTMAP_MASK yourself",
            )
    if len(table) > WORDS:
        yield Diagnostic(
            code="B017",
            severity=WARNING,
            message=f"both stages together have {len(table)} outputs, but the table has {WORDS} words",
            span=Span(file=file),
            notes=(),
            fix="wire an output identically in both stages, or two properties to one register",
        )


def _twice(slots: Sequence[Slot], file: str) -> Iterator[Diagnostic]:
    """The same component in two words: the stages wire it differently."""
    seen: dict[str, int] = {}
    reported: set[tuple[int, int]] = set()
    for number, slot in enumerate(slots):
        for name in filter(None, slot.semantics):
            before = seen.setdefault(name, number)
            if before == number or (before, number) in reported:
                continue
            reported.add((before, number))
            both = [f"0x{slots[n].word:08X} (O{n}, {' and '.join(slots[n].stages)})" for n in (before, number)]
            yield Diagnostic(
                code="B017",
                severity=WARNING,
                message=f"{name} is in the table twice: {both[0]} and {both[1]}",
                span=Span(file=file),
                notes=(),
                fix=f"wire {_named(slot.word)} once in a stage, and in both stages to the same components",
            )


def _cut(vertex: _Stage, geometry: _Stage, file: str) -> Iterator[Diagnostic]:
    for stage in (geometry, vertex):
        kept = _until_empty(stage.words)
        other = geometry.words if stage is vertex else ()
        for register in range(len(kept), WORDS):
            word = stage.words[register]
            if word != EMPTY and word not in other:
                yield Diagnostic(
                    code="B016",
                    severity=WARNING,
                    message=f"{_named(word)} (o{register} of the {stage.name} shader) is not in the merged table: it ends at "
                    f"o{len(kept)}, which has no property",
                    span=_span(stage, register, file),
                    notes=(),
                    fix="declare dummy outputs after all others, without gaps between registers",
                )


def _misplaced(slots: Sequence[Slot], last: _Stage, file: str) -> Iterator[Diagnostic]:
    """Outputs that are paired with the word of another property."""
    for number, slot in enumerate(slots):
        own = last.words[slot.register] if slot.register >= 0 else EMPTY
        if own not in (EMPTY, slot.word):
            note = f"GPUREG_SH_OUTMAP_O{number} is paired with enabled output {number}, which is o{slot.register}"
            yield Diagnostic(
                code="B016",
                severity=WARNING,
                message=f"o{slot.register} of the {last.name} shader is {_named(own)}, but arrives as {_named(slot.word)}",
                span=_span(last, slot.register, file),
                notes=(note,),
                fix="use o0, o1, ... without gaps: first the outputs of both stages, then those of only the geometry shader, "
                "then dummy outputs",
            )


def _uneven(total: int, emitted: int, slots: Sequence[Slot], file: str) -> Iterator[Diagnostic]:
    lacking = [f"{_named(slot.word)} (O{number})" for number, slot in enumerate(slots) if slot.register < 0]
    if lacking:
        yield Diagnostic(
            code="B016",
            severity=WARNING,
            message=f"nothing arrives for {', '.join(lacking)}: the geometry shader has {emitted} outputs, the table {total}",
            span=Span(file=file),
            notes=(),
            fix="declare a dummy output for each property of only the vertex shader, and write it before `emit`",
        )
    elif emitted > total:
        yield Diagnostic(
            code="B016",
            severity=WARNING,
            message=f"the geometry shader has {emitted} outputs, the merged table {total}",
            span=Span(file=file),
            notes=("the console's treatment of the rest is unknown",),
            fix="remove the surplus dummy outputs",
        )
