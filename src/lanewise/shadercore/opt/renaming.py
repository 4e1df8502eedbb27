"""Orders of a program whose results may be in other registers: a register that is written again keeps nothing back.

Results that leave the core stay where they are; all others go to the first register of r and x that is free when they are
written. `faster_order` keeps the registers, so that rows which follow each other in one register stay behind each other.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from lanewise.shadercore.isa.codec import Dest, Source, register, written
from lanewise.shadercore.isa.schedule import RANKS, X7X, Pace, Task, depends_on_cycles, heights, list_schedule
from lanewise.shadercore.isa.table import COMPONENTS, DEST_FILES, FILES, NULL_FILE, SOURCE_FILES, ZERO

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.steps import Register

_NOTHING = Source(ZERO, 0, 0)
_TEMPORARIES = "rx"


def renamed_orders(timing: Timing, leaving: Collection[Register]) -> Iterator[tuple[tuple[int, ...], list[Inst]]]:
    """The slots of a program in other orders, with its instructions in them, END last. `leaving` are the registers whose
    results are needed at the end.

    There is none where a register is read before it is written, where results depend on cycles, and where registers do not
    suffice.
    """
    if not timing.ended or depends_on_cycles(timing):
        return
    values = _values(timing.insts[:-1], leaving)
    if values is None:
        return
    insts, reads, stays = values
    tasks = [Task(inst.op.name, tuple(sorted({*sources.values()}))) for inst, sources in zip(insts, reads, strict=True)]
    tall = heights(tasks, Pace(timing.device))
    lost = [X7X] if timing.device.value("x7x") == "cleared" else []
    lost += [
        (file, n, c)
        for file in _TEMPORARIES
        for n in range(timing.device.cycles(f"{file}_registers"), FILES[file].size)
        for c in range(len(COMPONENTS))
    ]
    for rank, place in RANKS:
        order = list_schedule(tasks, Pace(timing.device), [rank(height, n) for n, height in enumerate(tall)], place)
        found = _allocated(order, insts, reads, stays, lost)
        if found is not None:
            yield (*order, len(tasks)), [*found, timing.insts[-1]]


def _values(
    insts: Sequence[Inst], leaving: Collection[Register]
) -> tuple[list[Inst], list[dict[int, int]], dict[int, Register]] | None:
    """The instructions without fields that they do not use; for each the slot that has made each of its sources; and the
    registers of results that leave the core."""
    writer: dict[Register, int] = {}
    plain: list[Inst] = []
    reads: list[dict[int, int]] = []
    for number, inst in enumerate(insts):
        place, sources = written(inst.dest), dict[int, int]()
        if inst.op.sources > 2 or bool(inst.op.dests) == (inst.dest.file == NULL_FILE):
            return None
        for n, source in enumerate(inst.operands):
            read = register(source)
            if read is None or read[0] == "v":
                continue
            if read not in writer:
                return None
            sources[n] = writer[read]
        fields = (inst.a, inst.b)[: inst.op.sources]
        plain.append(inst._replace(a=fields[0] if fields else _NOTHING, b=fields[1] if len(fields) == 2 else _NOTHING))
        reads.append(sources)
        if place is not None:
            writer[place] = number
    return plain, reads, {number: place for place, number in writer.items() if place in leaving}


def _allocated(
    order: Sequence[int],
    insts: Sequence[Inst],
    reads: Sequence[dict[int, int]],
    stays: dict[int, Register],
    lost: Collection[Register],
) -> list[Inst] | None:
    """The instructions in an order, each result in the first register that is free; None where there is none."""
    uses = [0] * len(insts)
    for sources in reads:
        for number in {*sources.values()}:
            uses[number] += 1
    places = [(file, n, c) for file in _TEMPORARIES for n in range(FILES[file].size) for c in range(len(COMPONENTS))]
    free = [n for n, place in enumerate(places) if place not in lost and place not in stays.values()]
    held: dict[int, int] = {}  # by slot: its register, as a number of `places`
    found: list[Inst] = []
    for number in order:
        inst, sources = insts[number], reads[number]
        fields = [inst.a, inst.b]
        for n, slot in sources.items():
            file, index, component = stays[slot] if slot in stays else places[held[slot]]
            fields[n] = Source(SOURCE_FILES.index(file), index, component, fields[n].modifier)
        for slot in {*sources.values()}:
            uses[slot] -= 1
            if not uses[slot] and slot in held:
                heappush(free, held.pop(slot))
        dest = inst.dest
        if inst.op.dests and number not in stays:
            if not free:
                return None
            held[number] = heappop(free)
            file, index, component = places[held[number]]
            dest = Dest(DEST_FILES.index(file), index, component, dest.saturate)
            if not uses[number]:
                heappush(free, held.pop(number))
        found.append(inst._replace(dest=dest, a=fields[0], b=fields[1]))
    return found


__all__ = ["renamed_orders"]
