"""Instruction scheduling: few cycles within the available registers.

The list scheduler is that of `shadercore.isa.schedule`. There are several heuristics for the next instruction, which look at live
values too; the caller takes the best schedule that fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.isa.schedule import Pace, Task, heights, list_schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from lanewise.compile.code import Code
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.schedule import Choice


class Schedule(NamedTuple):
    """Nodes that are instructions in the order in which they issue, and the cycle in which END does."""

    order: tuple[int, ...]
    cycles: int
    most_alive: int


# What to take of the instructions that are ready: (cycle, change of live values, height, node) -> the least wins.
WAYS: tuple[Callable[[int, int, int, int], Choice], ...] = (
    lambda cycle, grows, height, node: (cycle, grows, -height, node),
    lambda cycle, grows, height, node: (cycle, -height, node),
    lambda cycle, grows, height, node: (cycle, node),
    lambda cycle, grows, height, node: (grows, cycle, node),
)


def in_order(code: Code, device: Device, placed: Set[int]) -> Schedule:
    """The order in which the code was written."""
    return _counted(code, device, placed, [n for n, node in enumerate(code.nodes) if not node.is_leaf])


def schedule(code: Code, device: Device, placed: Set[int], way: Callable[[int, int, int, int], Choice]) -> Schedule:
    """An order found in one of the `WAYS`. `placed` are the nodes that are outputs, which need no register besides."""
    pace = Pace(device)
    tasks = _tasks(code)
    tall = heights(tasks, pace)
    operands = [{ref.node for ref in node.sources} for node in code.nodes]
    left = [0] * len(code.nodes)  # users that have not issued
    for found in operands:
        for s in found:
            left[s] += 1
    held = [[s for s in found if not code.nodes[s].is_leaf and s not in placed] for found in operands]

    def key(cycle: int, n: int) -> Choice:
        freed = 0
        for s in held[n]:
            freed += left[s] == 1
        return way(cycle, (n not in placed) - freed, tall[n], n)

    def issued(n: int) -> None:
        for s in operands[n]:
            left[s] -= 1

    order = list_schedule(tasks, pace, key, issued)
    return Schedule(tuple(order), pace.earliest("end", 0), peak_live(code, order, placed))


def _counted(code: Code, device: Device, placed: Set[int], order: Sequence[int]) -> Schedule:
    pace = Pace(device)
    readable = [0] * len(code.nodes)
    for n in order:
        node = code.nodes[n]
        cycle = pace.earliest(node.op, max([readable[ref.node] for ref in node.sources], default=0))
        readable[n] = pace.issue(node.op, cycle)
    return Schedule(tuple(order), pace.earliest("end", 0), peak_live(code, order, placed))


def peak_live(code: Code, order: Sequence[int], placed: Set[int]) -> int:
    """The largest number of temporaries that are live at once."""
    last = last_uses(code, order)
    ends: dict[int, int] = {}
    most = now = 0
    for place, n in enumerate(order):
        now -= ends.pop(place, 0)
        if n not in placed:
            now += 1
            ends[last.get(n, place)] = ends.get(last.get(n, place), 0) + 1
        most = max(most, now)
    return most


def last_uses(code: Code, order: Sequence[int]) -> dict[int, int]:
    """The place in the order at which each node is read last."""
    return {ref.node: place for place, n in enumerate(order) for ref in code.nodes[n].sources}


def _tasks(code: Code) -> list[Task | None]:
    """The nodes that are instructions, which read other instructions; None for leaves."""
    return [
        None
        if node.is_leaf
        else Task(node.op, tuple({ref.node: 0 for ref in node.sources if not code.nodes[ref.node].is_leaf}))
        for node in code.nodes
    ]
