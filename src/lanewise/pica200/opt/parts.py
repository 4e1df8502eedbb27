"""H004: instructions that do the same in different components, as one."""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Dest
from lanewise.pica200.isa.table import ARITHMETIC, EMIT, NOP, SETEMIT, TEMPORARY
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import (
    Candidate,
    broadcasts,
    channels_of,
    componentwise,
    selector_of,
    sources_of,
    with_sources,
)
from lanewise.pica200.opt.values import letters
from lanewise.pica200.sem.components import slots_used
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lanewise.pica200.isa.program import Operation, Source
    from lanewise.pica200.opt.values import Values

LARGEST = 128  # words of a program in which instructions of different blocks are joined
MOST_APART = 24  # words between two that are joined


def parts(values: Values) -> Iterator[Candidate]:
    """H004: instructions that do the same in different components."""
    context = values.context
    alike: dict[tuple[object, ...], list[int]] = {}
    for pc, instruction in values.resolved.items():
        if componentwise(instruction) or broadcasts(instruction):
            key = (
                context.op(pc),
                instruction.dest.register,
                instruction.immediates,
                *[(source.register, source.negate, source.relative) for source in instruction.sources],
            )
            alike.setdefault(key, []).append(pc)
    done: set[int] = set()
    for group in alike.values():
        group.sort()
        for n, pc in enumerate(group):
            if pc in done:
                continue
            run, at = [pc], pc
            for other in group[n + 1 :]:
                place = _joined_at(values, run, at, other) if other not in done else None
                if place is not None:
                    run.append(other)
                    at = place
            found = _joining(values, run, at)
            if found is not None:
                done.update(run)
                yield found
                continue
            for other in group[n + 1 :] if len(context.operations) <= LARGEST else ():  # in other blocks: the proof decides
                if other - pc <= MOST_APART and _alike(values, [pc], other) and values.places[pc] != values.places[other]:
                    both = (_joining(values, [pc, other], at) for at in (pc, other))
                    yield from [candidate for candidate in both if candidate is not None]


def _joining(values: Values, run: Sequence[int], at: int) -> Candidate | None:
    """One instruction at `at` in place of several; None where there is none."""
    joined = _joined(values, run) if len(run) > 1 else None
    if joined is None or sources_fault(joined.op, sources_of(joined)) is not None:
        return None
    pc = run[0]
    dest = values.resolved[pc].dest
    mask = letters(sorted({channel for found in _masks(values, run).values() for channel in channels_of(found)}))
    name = values.written_name(dest.register)
    message = f"{len(run)} instructions compute components of {name} from the same registers"
    where = "" if at == pc else f" in {values.context.place(at)}"
    fix = f"write one `{joined.op.name}` to {name}{mask}{where}, with the components of its sources in that order"
    return Candidate(
        "H004", Finding(message=message, fix=fix, pc=pc), Edit(tuple([one for one in run if one != at]), ((at, joined),))
    )


def _alike(values: Values, run: Sequence[int], pc: int) -> bool:
    """Whether an instruction at `pc` computes other components than those of `run`, in a manner that one instruction can."""
    one, other = values.resolved[run[0]], values.resolved[pc]
    mask = 0
    for word in run:
        mask |= values.mask(word)
    mine = values.mask(pc)
    if not mask or not mine or mask & mine:
        return False
    return componentwise(one) or all(
        SLOTS[one.sources[n].selector][slot] == SLOTS[other.sources[n].selector][slot] for n, slot in slots_used(one)
    )


def _masks(values: Values, run: Sequence[int]) -> dict[int, int]:
    """Map each of some instructions to the channels that it writes of their common destination: its mask, or only those with an
    effect where the instructions overwrite each other."""
    masks = {pc: values.resolved[pc].dest.mask for pc in run}
    mask = 0
    for found in masks.values():
        if mask & found:
            return {pc: values.mask(pc) for pc in run}
        mask |= found
    return masks


def _joined_at(values: Values, run: Sequence[int], at: int, pc: int) -> int | None:
    """Where one instruction can take the places of those of `run`, now at `at`, and that at `pc`; None if it cannot."""
    if pc - at > MOST_APART or values.places[at] != values.places[pc] or not _alike(values, run, pc):
        return None
    inside = set(run)
    between = [word for word in range(at + 1, pc) if word not in inside]
    if passes(values, run, between) and not values.context.effect(pc).reads & _writes(values, run):
        return pc
    if passes(values, [pc], between) and not _writes(values, run) & values.context.effect(pc).reads:
        return at
    return None


def _writes(values: Values, words: Iterable[int]) -> int:
    found = 0
    for pc in words:
        found |= values.context.effect(pc).writes
    return found


def passes(values: Values, moving: Sequence[int], between: Iterable[int]) -> bool:
    """Whether some instructions can move past others: none of these reads or writes what they write, or writes what they
    read."""
    context = values.context
    writes = _writes(values, moving)
    reads = 0
    for pc in moving:
        reads |= context.effect(pc).reads
    sends = any(values.resolved[pc].dest.register < TEMPORARY for pc in moving)
    for pc in between:
        effect, kind = context.effect(pc), context.kind(pc)
        if kind not in (ARITHMETIC, NOP) and (sends or kind not in (EMIT, SETEMIT)):
            return False
        if effect.reads & writes or effect.writes & (reads | writes):
            return False
    return True


def _joined(values: Values, run: Sequence[int]) -> Operation | None:
    """One operation that does what a run of them does."""
    operation = values.context.operations[run[0]]
    mask, owners = 0, dict[int, int]()
    for at, found in _masks(values, run).items():
        mask |= found
        owners.update(dict.fromkeys(channels_of(found), at))
    joined = operation._replace(
        operands=tuple(
            [operand._replace(mask=mask) if isinstance(operand, Dest) else operand for operand in operation.operands]
        ),
        descriptor=-1,
    )
    if not componentwise(values.resolved[run[0]]):
        return joined
    changed: dict[int, Source] = {}
    for n, source in enumerate(sources_of(operation)):
        channels = [SLOTS[sources_of(values.context.operations[owners.get(c, run[0])])[n].selector][c] for c in range(4)]
        changed[n] = source._replace(selector=selector_of(channels))
    return with_sources(joined, changed)


__all__ = ["LARGEST", "MOST_APART", "parts", "passes"]
