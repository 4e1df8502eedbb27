"""A smaller case that still shows what a large one does: fewer vertices and instructions, plainer operands, data and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.reducing import smallest
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import ARITHMETIC, BY_NAME, END, IDENTITY, JUMP, LOOP, Descriptor
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.pica200.engine.random_programs import Case, Vector
    from lanewise.pica200.isa.codec import Inst

_ZEROS: Vector = (0, 0, 0, 0)
_NOP = BY_NAME["nop"].opcode << 26
PLAIN = Descriptor.MASK.insert(0xF) | sum(selector.insert(IDENTITY) for selector in Descriptor.SELECTOR)


def reduced(one: Case, differs: Callable[[Case], bool]) -> Case:
    """The smallest case found for which `differs` still holds; it must hold for `one`."""
    return smallest(one, _STEPS, differs)


def _fewer_lanes(one: Case) -> Iterator[Case]:
    if one.lanes == 1:
        return
    for lane in range(one.lanes):
        yield _lanes(one, range(lane, lane + 1))
    half = one.lanes // 2
    yield _lanes(one, range(half))
    yield _lanes(one, range(half, one.lanes))
    for lane in range(one.lanes):
        yield _lanes(one, [other for other in range(one.lanes) if other != lane])


def _lanes(one: Case, kept: range | list[int]) -> Case:
    inputs = tuple(rows if len(rows) <= 1 else tuple(rows[lane] for lane in kept) for rows in one.inputs)
    return one._replace(inputs=inputs, lanes=len(kept))


def _fewer_words(one: Case) -> Iterator[Case]:
    size = len(one.words)
    for count in (16, 8, 4, 2, 1):
        if count < size:
            for first in range(0, size - count + 1, max(count // 2, 1)):
                yield one._replace(words=without(one.words, first, count))


def without(words: tuple[int, ...], first: int, count: int) -> tuple[int, ...]:
    """Remove words from code; targets of flow instructions stay the same words."""

    def moved(address: int) -> int:
        return address if address <= first else max(first, address - count)

    found: list[int] = []
    for address, word in enumerate(words):
        inst = decode(word)
        if first <= address < first + count:
            continue
        if inst.op.opens_block or "target" in inst.op.operands:
            to = inst.field("dst")
            # A loop has its last word as target, other instructions the next word.
            last = inst.op.kind == LOOP
            start = max(moved(to + 1) - 1, 0) if last else moved(to)
            changed = {"dst": start}
            if not last and inst.op.kind != JUMP:
                changed["num"] = max(moved(to + inst.field("num")) - start, 0)
            word = encode(inst.replace(**changed))  # noqa: PLW2901
        found.append(word)
    return tuple(found)


def _plainer_words(one: Case) -> Iterator[Case]:
    for address, word in enumerate(one.words):
        inst = decode(word)
        if word == _NOP or inst.op.kind == END:
            continue
        yield _with_word(one, address, _NOP)
        for simpler in _simpler(inst):
            yield _with_word(one, address, encode(simpler))


def _simpler(inst: Inst) -> Iterator[Inst]:
    fields = [field.name for field in inst.op.format.fields if field.name != "opcode" and not field.reserved]
    if inst.op.kind == ARITHMETIC:
        for name in ("idx", "dst", "desc", "src1", "src2", "src3", "cmpx", "cmpy"):
            if name in fields and inst.field(name):
                yield inst.replace(**{name: 0})


def _with_word(one: Case, address: int, word: int) -> Case:
    return one._replace(words=(*one.words[:address], word, *one.words[address + 1 :]))


def _plainer_descriptors(one: Case) -> Iterator[Case]:
    for number, value in enumerate(one.descriptors):
        simpler = [PLAIN, *(field.insert(IDENTITY) | value & ~field.mask for field in Descriptor.SELECTOR)]
        simpler += [value & ~field.mask for field in Descriptor.NEGATE]
        simpler.append(value | Descriptor.MASK.mask)
        for candidate in simpler:
            yield one._replace(descriptors=(*one.descriptors[:number], candidate, *one.descriptors[number + 1 :]))
    used = [inst.field("desc") for inst in map(decode, one.words) if inst.has("desc")]
    yield one._replace(descriptors=one.descriptors[: max(used, default=-1) + 1])


def _fewer_uniforms(one: Case) -> Iterator[Case]:
    for count in (96, 24, 6, 1):
        for first in range(0, 96, count):
            if any(map(any, one.floats[first : first + count])):
                yield one._replace(floats=(*one.floats[:first], *[_ZEROS] * count, *one.floats[first + count :]))


def _plainer_data(one: Case) -> Iterator[Case]:
    unit = number_rule(one.profile).constant(1.0)
    for register, vector in enumerate(one.floats):
        for simpler in _component_by_component(vector, unit):
            yield one._replace(floats=(*one.floats[:register], simpler, *one.floats[register + 1 :]))
    for register, vector in enumerate(one.integers):
        for simpler in (_ZEROS, *_component_by_component(vector, 1)):
            yield one._replace(integers=(*one.integers[:register], simpler, *one.integers[register + 1 :]))
    for number, value in enumerate(one.booleans):
        if value:
            yield one._replace(booleans=(*one.booleans[:number], False, *one.booleans[number + 1 :]))
    for register, rows in enumerate(one.inputs):
        if not rows:
            continue
        yield _with_input(one, register, ())
        yield _with_input(one, register, rows[:1])
        yield _with_input(one, register, tuple((*row, 0, 0, 0)[:4] for row in rows))
        for lane, row in enumerate(rows):
            for component, word in enumerate(row):
                for simpler in (0, unit):
                    if word not in (0, simpler):
                        changed = (*row[:component], simpler, *row[component + 1 :])
                        yield _with_input(one, register, (*rows[:lane], changed, *rows[lane + 1 :]))


def _component_by_component(vector: Vector, other: int) -> Iterator[Vector]:
    for component, word in enumerate(vector):
        for simpler in (0, other):
            if word not in (0, simpler):
                x, y, z, w = (*vector[:component], simpler, *vector[component + 1 :])
                yield x, y, z, w


def _with_input(one: Case, register: int, rows: tuple[tuple[int, ...], ...]) -> Case:
    return one._replace(inputs=(*one.inputs[:register], rows, *one.inputs[register + 1 :]))


def _plainer_rules(one: Case) -> Iterator[Case]:
    for name in one.profile.differences():
        if name != "rounding":  # words of another format would be other numbers
            yield one._replace(profile=one.profile.replace(**{name: CHOICES[name].default}))
    if one.profile.rounding == "nearest":
        yield one._replace(profile=one.profile.replace(rounding="zero"))


_STEPS = (_fewer_lanes, _fewer_words, _plainer_words, _plainer_rules, _fewer_uniforms, _plainer_data, _plainer_descriptors)
