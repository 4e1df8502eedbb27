"""The order of instructions: as few cycles as the device allows, within the registers that there are.

A list scheduler that counts cycles as `shadercore.isa.timing` does. Which of the instructions that could come next is taken is a matter of
taste, so there are several ways, and the caller takes the best order that fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.isa.table import BY_NAME, QUADS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from lanewise.compile.code import Code, Node
    from lanewise.shadercore.isa.devices import Device


class Pace:
    """How instructions follow each other on a device: the rules of `shadercore.isa.timing` for instructions that all write a register."""

    def __init__(self, device: Device) -> None:
        self._read_delay = device.cycles("read_delay")
        self._window = device.value("write_port") == "window"
        self._intervals = {name: device.interval(op) for name, op in BY_NAME.items()}
        self._latencies = {name: device.latency(op) for name, op in BY_NAME.items()}
        self._writes: list[int] = []  # cycle and latency of the last instructions, added
        self.next = 0

    def latency(self, op: str) -> int:
        return self._latencies[op]

    def earliest(self, op: str, ready: int) -> int:
        """The first cycle in which an instruction can issue whose sources can be read from the cycle `ready` on."""
        cycle = max(self.next, ready)
        if self._window:
            latency = self._latencies[op]
            while any(-QUADS <= ends - cycle - latency <= QUADS - 2 for ends in self._writes):
                cycle += 1
        return cycle

    def issue(self, op: str, cycle: int) -> int:
        """Note that an instruction has issued; gives the cycle from which its result can be read."""
        latency = self._latencies[op]
        if self._window:
            self._writes = [ends for ends in self._writes if ends >= cycle - QUADS]
            self._writes.append(cycle + latency)
        self.next = cycle + self._intervals[op]
        return cycle + latency + self._read_delay


class Schedule(NamedTuple):
    """Nodes that are instructions in the order in which they issue, and the cycle in which END does."""

    order: tuple[int, ...]
    cycles: int
    most_alive: int


Choice = tuple[int, ...]
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
    heights = _heights(code, pace)
    waiting, users = _dependences(code)
    left = [len(found) for found in users]
    operands = [{ref.node for ref in node.sources} for node in code.nodes]
    held = [[s for s in found if not code.nodes[s].is_leaf and s not in placed] for found in operands]
    readable = [0] * len(code.nodes)
    # what could come next, and the cycle from which all that it is made of can be read
    ready = {n: 0 for n, count in enumerate(waiting) if not count and not code.nodes[n].is_leaf}
    order: list[int] = []
    while ready:
        best: tuple[Choice, int, int] | None = None
        for n, since in ready.items():
            cycle = pace.earliest(code.nodes[n].op, since)
            freed = 0
            for s in held[n]:
                freed += left[s] == 1
            key = way(cycle, (n not in placed) - freed, heights[n], n)
            if best is None or key < best[0]:
                best = key, cycle, n
        assert best is not None
        _, cycle, n = best
        readable[n] = pace.issue(code.nodes[n].op, cycle)
        del ready[n]
        order.append(n)
        for s in operands[n]:
            left[s] -= 1
        for user in users[n]:
            waiting[user] -= 1
            if not waiting[user]:
                ready[user] = max([readable[s] for s in operands[user]])
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
    """How many values that are no outputs are alive at once, at most."""
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


def _dependences(code: Code) -> tuple[list[int], list[list[int]]]:
    """For each node how many instructions it is made of, and which are made of it."""
    waiting = [0] * len(code.nodes)
    users: list[list[int]] = [[] for _ in code.nodes]
    for n, node in enumerate(code.nodes):
        for source in {ref.node for ref in node.sources}:
            users[source].append(n)
            waiting[n] += not code.nodes[source].is_leaf
    return waiting, users


def _heights(code: Code, pace: Pace) -> list[int]:
    """How long the way is from the issue of a node to the last of what is made of it."""
    heights = [0] * len(code.nodes)
    for n in range(len(code.nodes) - 1, -1, -1):
        node: Node = code.nodes[n]
        if node.is_leaf:
            continue
        heights[n] += pace.latency(node.op) + 1
        for ref in node.sources:
            heights[ref.node] = max(heights[ref.node], heights[n])
    return heights
