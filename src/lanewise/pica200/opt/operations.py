"""Parts that moves share: candidates, rows, and operations with other sources."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.check import dataflow
from lanewise.pica200.isa.program import Dest, Operation, Source
from lanewise.pica200.isa.table import EXCHANGED, FLOAT, MIRRORED, TEMPORARY, YES
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.sem.components import component_of, index_component
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.finding import Finding
    from lanewise.pica200.opt.editing import Edit
    from lanewise.pica200.opt.values import Use, Value, Values
    from lanewise.pica200.sem.instruction import ResolvedInst


class Candidate(Record):
    """An edit with the finding that proposes it; `code` is that of a hint, or empty for what other rules report."""

    code: str
    finding: Finding
    edit: Edit


class Move(Record):
    """A row of the moves."""

    name: str
    "Name by which `--report` lists it."
    code: str
    "Code of its hint, or empty."
    find: Callable[[Values], Iterator[Candidate]]
    "Edits that it proposes."
    title: str
    "Noun phrase for headings."
    rests_on: tuple[str, ...] = ()
    "Facts that it rests on without being measured."
    in_place: bool = False
    "Operations that it changes leave the same results in the same components, and nothing else."
    by_hand: bool = False
    "What compilers write seldom has it, and proofs in vain take seconds: not tried with `Options.patience`."


def sources_of(operation: Operation) -> tuple[Source, ...]:
    return tuple([operand for operand in operation.operands if isinstance(operand, Source)])


def with_sources(operation: Operation, changed: dict[int, Source]) -> Operation:
    """An operation with other sources, by their numbers from 0."""
    operands = list(operation.operands)
    places = [n for n, operand in enumerate(operands) if isinstance(operand, Source)]
    for number, source in changed.items():
        operands[places[number]] = source
    return operation._replace(operands=tuple(operands), descriptor=-1)


def encodable(operation: Operation) -> Operation | None:
    """An operation, its first two sources exchanged where only that can be encoded; None for one that cannot."""
    return operation if sources_fault(operation.op, sources_of(operation)) is None else exchanged(operation)


def exchanged(operation: Operation) -> Operation | None:
    """An operation with its first two sources exchanged, and its comparisons mirrored; None where their order matters, or that
    cannot be encoded."""
    sources = sources_of(operation)
    if operation.op.commutes not in (YES, MIRRORED) or len(sources) < 2:
        return None
    other = with_sources(operation, {0: sources[1], 1: sources[0]})
    if operation.op.commutes == MIRRORED:
        operands = [EXCHANGED[operand] if isinstance(operand, int) else operand for operand in other.operands]
        other = other._replace(operands=tuple(operands))
    return other if sources_fault(other.op, sources_of(other)) is None else None


def composed(outer: Source, inner: Source) -> Source:
    """A source that reads by `outer` what `inner` has put into its register."""
    channels = [SLOTS[inner.selector][channel] for channel in SLOTS[outer.selector]]
    return Source(inner.register, selector_of(channels), outer.negate != inner.negate, inner.relative)


def selector_of(channels: Sequence[int]) -> int:
    return channels[0] << 6 | channels[1] << 4 | channels[2] << 2 | channels[3]


def channels_of(mask: int) -> list[int]:
    return [n for n in range(4) if mask >> (3 - n) & 1]


def componentwise(instruction: ResolvedInst) -> bool:
    """Whether each component of the result depends on the same component of the selected sources only, in the same manner."""
    every = written(instruction._replace(dest=instruction.dest._replace(mask=0xF)))
    return len(every) == 4 and all(
        what == "dst" and {slot for _, slot in slots} == {channel} for (what, channel), slots in every.items()
    )


def broadcasts(instruction: ResolvedInst) -> bool:
    """Whether all components of the result are one value."""
    every = written(instruction._replace(dest=instruction.dest._replace(mask=0xF)))
    return len(every) == 4 and all(what == "dst" for what, _ in every) and len({*every.values()}) == 1


def retargeted(operation: Operation, instruction: ResolvedInst, register: int, slots: dict[int, int]) -> Operation | None:
    """An instruction that writes to `register` what a mov by `slots` (channel of the destination to that of the result) puts
    there."""
    mine = channels_of(instruction.dest.mask)
    wanted = {channel: slot for channel, slot in slots.items() if slot in mine}
    mask = sum([8 >> channel for channel in wanted])
    moved = operation._replace(operands=(Dest(register, mask), *operation.operands[1:]), descriptor=-1)
    if all(channel == slot for channel, slot in wanted.items()) or broadcasts(instruction):
        return moved
    if not componentwise(instruction):
        return None
    changed: dict[int, Source] = {}
    for n, source in enumerate(sources_of(moved)):
        old = SLOTS[source.selector]
        changed[n] = source._replace(selector=selector_of([old[wanted.get(channel, channel)] for channel in range(4)]))
    return with_sources(moved, changed)


def depends(value: Value, source: Source) -> int:
    """The components that what a source puts into the channels of a value depends on."""
    found = dataflow.bit(index_component(source.relative)) if source.relative else 0
    if TEMPORARY <= source.register < FLOAT:
        found |= dataflow.bits([component_of(source.register, SLOTS[source.selector][channel]) for channel in value.channels])
    return found


def reading_instead(values: Values, uses: Sequence[Use] | None, source: Source) -> tuple[tuple[int, Operation], ...]:
    """The readers of a value with a source instead; none if one of them cannot be encoded."""
    found: list[tuple[int, Operation]] = []
    for use in uses or ():
        operation = values.context.operations[use.pc]
        changed = encodable(with_sources(operation, {n: composed(sources_of(operation)[n], source) for n in use.sources}))
        if changed is None:
            return ()
        found.append((use.pc, changed))
    return tuple(found)


def by_channel(operation: Operation, instruction: ResolvedInst) -> dict[int, object]:
    """Map each channel of the destination to a key of its value: equal for equal computations on the same registers."""
    sources, each = sources_of(operation), componentwise(instruction)
    return {
        channel: (
            operation.op.name,
            *[source._replace(selector=SLOTS[source.selector][channel]) if each else source for source in sources],
        )
        for channel in channels_of(instruction.dest.mask)
    }


__all__ = [
    "Candidate",
    "Move",
    "broadcasts",
    "by_channel",
    "channels_of",
    "componentwise",
    "composed",
    "depends",
    "encodable",
    "exchanged",
    "reading_instead",
    "retargeted",
    "selector_of",
    "sources_of",
    "with_sources",
]
