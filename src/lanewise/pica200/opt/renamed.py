"""Instructions that do the same with other registers, as one: a value goes to a free component of the other's register.

    add r4.x, one, r1.z              add r1.z, one, r1.z
    mul r4.x, half, r4.x      ->     mul r5.xyz, half, r1.xyz
    mul r5.xy, half, r1.xy

The result of one of both is read from the other's destination afterwards. If they read different registers, what the one reads
has to be the result of an instruction that nothing else reads, which then writes the other's register. Which components are
free is decided by what is read later; the proof decides the rest.
"""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.check import dataflow
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import ARITHMETIC, FLOAT, TEMPORARY, register_name
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import (
    Candidate,
    channels_of,
    componentwise,
    composed,
    encodable,
    exchanged,
    retargeted,
    selector_of,
    sources_of,
    with_sources,
)
from lanewise.pica200.opt.parts import LARGEST, MOST_APART, passes
from lanewise.pica200.opt.values import letters
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from lanewise.pica200.isa.program import Operation
    from lanewise.pica200.opt.values import Value, Values


class _Place(Record):
    """The operand of one instruction in a register of the other: the word that computes it, as it is afterwards, and the
    channels of the operand by where they are now."""

    pc: int
    maker: Operation
    channels: Mapping[int, int]


def renamed(values: Values) -> Iterator[Candidate]:
    """Pairs of instructions that one instruction can do after a value is written to another register."""
    context = values.context
    if len(context.operations) > LARGEST:
        return
    alike: dict[tuple[object, ...], list[Value]] = {}
    for pc, value in values.all.items():
        instruction = values.resolved[pc]
        if context.kind(pc) == ARITHMETIC and componentwise(instruction):
            key = context.op(pc), instruction.immediates, tuple(values.places[pc])
            alike.setdefault(key, []).append(value)
    for group in alike.values():
        for one in group:
            for other in group:
                if one.pc != other.pc and abs(one.pc - other.pc) <= MOST_APART:
                    found = _joined(values, one, other)
                    if found is not None:
                        yield found


def _joined(values: Values, one: Value, other: Value) -> Candidate | None:
    """One instruction for two; the result of `one` goes to the register of `other`."""
    mine, theirs = channels_of(values.mask(one.pc)), channels_of(values.mask(other.pc))
    if (
        one.register == other.register
        or not theirs
        or not 1 <= len(mine) <= 4 - len(theirs)
        or one.pc in values.readers[other.pc]
        or other.pc in values.readers[one.pc]
    ):
        return None
    first, last = sorted((one.pc, other.pc))
    between = range(first + 1, last)
    at = first if passes(values, [last], between) else last if passes(values, [first], between) else None
    uses = values.uses([(one, 0)])[0]
    if at is None or not uses:
        return None
    free = _free(values, range(at, max(use.pc for use in uses)), other.register, {*theirs}, {one.pc, other.pc})
    if len(free) < len(mine):
        return None
    places = dict(zip(mine, [*[c for c in mine if c in free], *[c for c in free if c not in mine]], strict=False))
    operation = values.context.operations[one.pc]
    for operands in (operation, exchanged(operation)):
        joined = _operation(values, one, other, operands, places) if operands is not None else None
        if joined is not None:
            break
    else:
        return None
    together, maker = joined
    replaced: dict[int, Operation] = {at: together}
    if maker is not None:
        if maker.pc >= at:
            return None
        replaced[maker.pc] = maker.maker
    new = Source(other.register, selector_of([places.get(channel, places[mine[0]]) for channel in range(4)]))
    for use in uses:
        before = replaced.get(use.pc, values.context.operations[use.pc])
        reading = encodable(with_sources(before, {n: composed(sources_of(before)[n], new) for n in use.sources}))
        if reading is None or use.pc in replaced:
            return None
        replaced[use.pc] = reading
    mine_name = f"{register_name(one.register)}{letters(mine)}"
    new_name = f"{register_name(other.register)}{letters(sorted(places.values()))}"
    message = (
        f"{mine_name} is computed like {register_name(other.register)}{letters(theirs)}, in {values.listed([first, last])}"
    )
    fix = f"compute it as {new_name}, by one `{together.op.name}` in {values.context.place(at)}"
    if maker is not None:
        dest = maker.maker.operands[0]
        assert isinstance(dest, Dest)
        name = f"{register_name(dest.register)}{letters(channels_of(dest.mask))}"
        fix += f", and write {name} in {values.context.place(maker.pc)}"
    edit = Edit((first + last - at,), tuple(sorted(replaced.items())))
    return Candidate("", Finding(message=message, fix=fix, pc=one.pc), edit)


def _operation(
    values: Values, one: Value, other: Value, operation: Operation, places: Mapping[int, int]
) -> tuple[Operation, _Place | None] | None:
    """One operation that does both, with what computes its operand; None where there is none. `operation` is that of `one`."""
    own, kept = sources_of(operation), sources_of(values.context.operations[other.pc])
    maker: _Place | None = None
    theirs = channels_of(values.mask(other.pc))
    changed: dict[int, Source] = {}
    for n, (source, target) in enumerate(zip(own, kept, strict=True)):
        old, slots = SLOTS[target.selector], SLOTS[source.selector]
        channels = {channel: slots[channel] for channel in places}
        if source._replace(selector=0) != target._replace(selector=0):
            if maker is not None or source.negate != target.negate or source.relative or target.relative:
                return None
            maker = _made(values, one, source, target, [*channels.values()])
            if maker is None:
                return None
            channels = {channel: maker.channels[slot] for channel, slot in channels.items()}
        by_place = {places[channel]: slot for channel, slot in channels.items()}
        anything = old[theirs[0]]
        chosen = [old[c] if c in theirs else by_place.get(c, anything) for c in range(4)]
        changed[n] = target._replace(selector=selector_of(chosen))
    mask = sum([8 >> channel for channel in (*theirs, *places.values())])
    base = values.context.operations[other.pc]
    operands = tuple([each._replace(mask=mask) if isinstance(each, Dest) else each for each in base.operands])
    found = with_sources(base._replace(operands=operands), changed)
    return (found, maker) if sources_fault(found.op, sources_of(found)) is None else None


def _made(values: Values, one: Value, source: Source, target: Source, channels: Sequence[int]) -> _Place | None:
    """The instruction that computes the operand of `one`, with its result in the register of another operand."""
    if not (TEMPORARY <= source.register < FLOAT and TEMPORARY <= target.register < FLOAT):
        return None
    needed = sorted({*channels})
    for pc in range(one.pc - 1, -1, -1):
        value = values.all.get(pc)
        if value is None or value.register != source.register or not {*needed} & {*value.channels}:
            continue
        if not {*needed} <= {*value.channels} or values.places[pc] != values.places[one.pc]:
            return None
        if not values.only_reader(value, one.pc):
            return None
        free = _free(values, range(pc, one.pc), target.register, set(), {pc})
        if len(free) < len(needed):
            return None
        slots = dict(zip(free, needed, strict=False))
        changed = retargeted(values.context.operations[pc], values.resolved[pc], target.register, slots)
        return None if changed is None else _Place(pc, changed, {slot: channel for channel, slot in slots.items()})
    return None


def _free(values: Values, words: range, register: int, taken: AbstractSet[int], without: AbstractSet[int]) -> list[int]:
    """The components of a temporary that hold nothing after some words, and that none of these writes, besides some."""
    held = 0
    for pc in words or [words.start]:
        for number in values.places.get(pc, ()):
            held |= values.demand.after[number, pc]
        if pc not in without:
            held |= values.context.effect(pc).writes
    components = [Component("r", register - TEMPORARY, channel) for channel in range(4)]
    return [n for n, component in enumerate(components) if n not in taken and not held & dataflow.bit(component)]


__all__ = ["renamed"]
