"""Instruction scheduling: few cycles within the available registers.

The list scheduler is that of `shadercore.isa.schedule`. There are several heuristics for the next instruction, which look at
live values too; the caller takes the best schedule that fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.isa.schedule import Pace, Task, heights, list_schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from lanewise.compile.shadercore.code import Code
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.schedule import Choice


class Schedule(NamedTuple):
    """Nodes that are instructions in the order in which they issue, and the cycle in which END does."""

    order: tuple[int, ...]
    cycles: int
    most_alive: int


# What to take of the instructions that are ready: the least (change of live values, height, node) -> rank, with the cycle at a
# place of it.
WAYS: tuple[tuple[Callable[[int, int, int], Choice], int], ...] = (
    (lambda grows, height, node: (grows, -height, node), 0),
    (lambda grows, height, node: (-height, node), 0),
    (lambda grows, height, node: (node,), 0),
    (lambda grows, height, node: (grows, node), 1),
)


def in_order(code: Code, device: Device, placed: Set[int]) -> Schedule:
    """The order in which the code was written."""
    return _counted(code, device, placed, [n for n, node in enumerate(code.nodes) if not node.is_leaf])


def schedules(code: Code, device: Device, placed: Set[int]) -> list[Schedule]:
    """Orders found in each of the `WAYS`. `placed` are the nodes that are outputs, which need no register besides."""
    nodes = code.nodes
    tasks = _tasks(code)
    tall = heights(tasks, Pace(device))
    operands = [{ref.node for ref in node.sources} for node in nodes]
    users: list[list[int]] = [[] for _ in nodes]
    for n, found in enumerate(operands):
        for s in found:
            users[s].append(n)
    held = [
        not node.is_leaf and n not in placed for n, node in enumerate(nodes)
    ]  # what needs a register until its last user has issued
    last = [[s for s in found if held[s] and len(users[s]) == 1] for found in operands]
    grows = [(n not in placed) - len(found) for n, found in enumerate(last)]
    return [_scheduled(code, device, placed, rank, place, tasks, tall, grows, operands, users, held) for rank, place in WAYS]


def _scheduled(
    code: Code,
    device: Device,
    placed: Set[int],
    rank: Callable[[int, int, int], Choice],
    place: int,
    tasks: Sequence[Task | None],
    tall: Sequence[int],
    grows: Sequence[int],
    operands: Sequence[Set[int]],
    users: Sequence[Sequence[int]],
    held: Sequence[bool],
) -> Schedule:
    """The order found in one of the `WAYS`. `grows` has the change of live values that each node causes where it is first."""
    growing = list(grows)
    ranks = [rank(growing[n], tall[n], n) for n in range(len(growing))]
    left = [len(found) for found in users]  # users that have not issued
    done = [False] * len(left)

    def issued(n: int) -> None:
        done[n] = True
        for s in operands[n]:
            left[s] -= 1
            if left[s] == 1 and held[s]:
                user = next(user for user in users[s] if not done[user])
                growing[user] -= 1
                ranks[user] = rank(growing[user], tall[user], user)

    pace = Pace(device)
    order = list_schedule(tasks, pace, ranks, place, issued)
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
