"""The order in which the values of a block should be computed: a processor that looks ahead over some hundred instructions
finds work in it.

Values are ordered as a machine would issue them that starts one operation at a time, the one with the longest chain behind it
among those whose operands are there. A root and what waits for it then have the rest of the program between them, wherever the
program has them.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from lanewise.pica200.ir.ssa import OPERATIONS, arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanewise.pica200.ir.passes import Live
    from lanewise.pica200.ir.ssa import Block, Function, Value

# Cycles until a result is there, and those for which an operation keeps others from starting, of a vector of 512 bits; others
# take `_OTHER`. Orders of magnitude are enough: times between half and double these give orders that are as fast.
_LATENCY: Mapping[str, int] = {
    "input": 30,
    "mul": 5,
    "add": 5,
    "max": 4,
    "min": 4,
    "compare": 4,
    "select": 3,
    "rsq": 50,
    "rcp": 30,
    "exp2": 80,
    "log2": 80,
}
_BUSY: Mapping[str, float] = {"rsq": 6.0, "rcp": 4.0, "exp2": 40.0, "log2": 40.0}
_OTHER = 0.5
_TO_NEAREST = 3.0  # of a sum or product with this rounding, which is several operations; the others take 1


def ordered(function: Function, needs: Live) -> tuple[tuple[Value, ...], ...]:
    """The needed nodes of each block, each after its arguments."""
    each = _TO_NEAREST if function.profile.rounding == "nearest" else 1.0
    busy = {**_BUSY, "mul": each, "add": each}
    return tuple(_order(block, needed, busy) for block, needed in zip(function.blocks, needs.nodes, strict=True))


def _order(block: Block, needed: Iterable[Value], busy: Mapping[str, float]) -> tuple[Value, ...]:
    values = list(needed)
    users: dict[Value, list[Value]] = {value: [] for value in values}
    waiting: dict[Value, int] = {}
    for value in values:
        given = set(arguments(block.nodes[value]))
        waiting[value] = len(given)
        for argument in given:
            users[argument].append(value)
    ops = {value: str(block.nodes[value][0]) for value in values}
    chain: dict[Value, int] = {}
    for value in reversed(values):
        chain[value] = _LATENCY.get(ops[value], 0) + max([chain[user] for user in users[value]], default=0)
    ready = [(-chain[value], value) for value in values if not waiting[value]]
    heapify(ready)
    coming: list[tuple[float, Value]] = []  # with the time at which their operands are there
    there = dict.fromkeys(values, 0.0)
    found: list[Value] = []
    time = 0.0
    while ready or coming:
        while coming and (not ready or coming[0][0] <= time):
            start, value = heappop(coming)
            time = max(time, start) if not ready else time
            heappush(ready, (-chain[value], value))
        value = heappop(ready)[1]
        found.append(value)
        done = time + _LATENCY.get(ops[value], 0)
        time += busy.get(ops[value], _OTHER) if OPERATIONS[ops[value]][1] else 0.0
        for user in users[value]:
            there[user] = max(there[user], done)
            waiting[user] -= 1
            if not waiting[user]:
                heappush(coming, (there[user], user))
    return tuple(found)
