"""Blocks and calls of a program as its words encode them, reached or not."""

from __future__ import annotations

from bisect import bisect_left

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Target
from lanewise.pica200.isa.table import CALL, CONDITIONAL, END, LOOP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Operation

_MOST_NESTED = 64  # no language writes more than 32; words that are no program could open a block each

_Range = tuple[int, int]  # (first word, size) of what a call runs


class Nest(Record):
    """A part that the instruction at `opener` runs: words `start` up to the one before `end`."""

    loop: bool
    opener: int
    start: int
    end: int


def target_of(operation: Operation) -> Target | None:
    """The target of a flow instruction, or None."""
    last = operation.operands[-1] if operation.operands else None
    return last if isinstance(last, Target) else None


def nests(code: Sequence[Operation]) -> tuple[tuple[Nest, ...], ...]:
    """The blocks around each word, the innermost last."""
    nest: list[Nest] = []
    found: list[tuple[Nest, ...]] = []
    for pc, operation in enumerate(code):
        while nest and nest[-1].end <= pc:
            nest.pop()
        found.append(tuple(block for block in nest if block.start <= pc))
        target = target_of(operation)
        if target is None or len(nest) > _MOST_NESTED:
            continue
        if operation.op.kind == LOOP:
            nest.append(Nest(True, pc, pc + 1, target.address + 1))
        elif operation.op.kind == CONDITIONAL:
            if target.num:
                nest.append(Nest(False, pc, target.address, target.address + target.num))
            nest.append(Nest(False, pc, pc + 1, target.address))
    return tuple(found)


def recursive_calls(code: Sequence[Operation], reached: Sequence[int]) -> list[int]:
    """The addresses of reached calls that lead back to their own procedure.

    One call for each cycle.
    """
    calls = _calls(code, reached)
    found: list[int] = []
    done: set[_Range] = set()
    for root in sorted(calls):
        path: list[tuple[_Range, int]] = [] if root in done else [(root, 0)]
        while path:
            procedure, number = path[-1]
            callees = calls[procedure]
            if number == len(callees):
                done.add(procedure)
                path.pop()
                continue
            path[-1] = (procedure, number + 1)
            pc, callee = callees[number]
            if any(callee == under_way for under_way, _ in path):
                found.append(pc)
            elif callee not in done:
                path.append((callee, 0))
    return sorted(set(found))


def _calls(code: Sequence[Operation], reached: Sequence[int]) -> dict[_Range, list[tuple[int, _Range]]]:
    """The calls inside each called range: the address of the call and the range it calls."""
    calls: list[tuple[int, _Range]] = []
    for pc in reached:
        target = target_of(code[pc]) if pc < len(code) and code[pc].op.kind == CALL else None
        if target is not None:
            calls.append((pc, (target.address, target.num & 0xFF)))
    calls.sort()
    places = [pc for pc, _ in calls]
    found: dict[_Range, list[tuple[int, _Range]]] = {}
    for start, size in {callee for _, callee in calls}:
        found[start, size] = calls[bisect_left(places, start) : bisect_left(places, start + size)]
    return found


def by_addresses(code: Sequence[Operation], entry: int) -> set[int]:
    """The words that may be reached, by the next address and by every target address.

    May contain unreachable words, never too few.
    """
    reached: set[int] = set()
    waiting = [entry]
    while waiting:
        pc = waiting.pop()
        if pc in reached or not 0 <= pc < len(code):
            continue
        reached.add(pc)
        target = target_of(code[pc])
        if code[pc].op.kind != END:
            waiting.append(pc + 1)
        if target is not None:
            waiting += (target.address, target.address + (target.num & 0xFF))
    return reached
