"""Instruction scheduling: a list scheduler that counts cycles as `shadercore.isa.timing` does, and faster orders of whole
programs.

The compiler schedules operations before they have registers; `faster_order` reorders the slots of a program and keeps every
dependence: an instruction stays after those whose results it reads or overwrites, and after those that read what it overwrites.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.codec import encode, register, written
from lanewise.shadercore.isa.table import BY_NAME, NOP, QUADS, SPEC
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing

Choice = tuple[int, ...]
Place = tuple[str, int, int]
X7X: Place = ("x", 7, 0)
_LATEST = 1 << 62
_BEFORE = QUADS - 2  # a write so many cycles before an instruction's own still falls into the cycle before them


_MOST_DEVICES = 16
_PACES: dict[Device, tuple[Mapping[str, int], Mapping[str, int]]] = {}


def _paces(device: Device) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Intervals and latencies of a device, by the names of instructions; kept for some devices."""
    found = _PACES.get(device)
    if found is None:
        if len(_PACES) >= _MOST_DEVICES:
            _PACES.clear()
        ops = BY_NAME | {op.name: op for op in device.added}
        intervals = {name: device.interval(op) for name, op in ops.items()}
        found = _PACES[device] = intervals, {name: device.latency(op) for name, op in ops.items()}
    return found


class Pace:
    """How instructions follow each other on a device: the rules of `shadercore.isa.timing`, without a list of all that has
    issued."""

    next: int

    def __init__(self, device: Device) -> None:
        self._read_delay = device.cycles("read_delay")
        self._window = device.value("write_port") == "window"
        self._intervals, self._latencies = _paces(device)
        self._writes: list[int] = []  # cycle and latency of the last instructions, added, in ascending order
        self.next = 0

    def latency(self, op: str) -> int:
        return self._latencies[op]

    def earliest(self, op: str, ready: int) -> int:
        """The first cycle in which an instruction can issue whose sources can be read from the cycle `ready` on."""
        return self.earliest_after(self._latencies[op], ready)

    def earliest_after(self, latency: int, ready: int) -> int:
        """The same for any instruction of this latency."""
        cycle = max(self.next, ready)
        for ends in self._writes:
            if ends - latency - _BEFORE <= cycle <= ends - latency + QUADS:
                cycle = ends - latency + QUADS + 1
        return cycle

    def issue(self, op: str, cycle: int, *, writes: bool = True) -> int:
        """Note that an instruction has issued; gives the cycle from which its result can be read. `writes`: it writes a
        register."""
        latency = self._latencies[op]
        if self._window and writes:
            while self._writes and self._writes[0] < cycle - QUADS:
                del self._writes[0]
            self._writes.append(cycle + latency)
            self._writes.sort()
        self.next = cycle + self._intervals[op]
        return cycle + latency + self._read_delay


class Task(Record):
    """An instruction to schedule: the tasks whose results it reads, those that only have to issue before it, and whether it
    writes a register."""

    op: str
    reads: tuple[int, ...]
    after: tuple[int, ...] = ()
    writes: bool = True


def heights(tasks: Sequence[Task | None], pace: Pace) -> list[int]:
    """The length of the critical path from the issue of each task, to tasks that come later in the list."""
    found = [0] * len(tasks)
    for n in range(len(tasks) - 1, -1, -1):
        task = tasks[n]
        if task is not None:
            found[n] += pace.latency(task.op) + 1
            for before in (*task.reads, *task.after):
                found[before] = max(found[before], found[n])
    return found


def list_schedule(
    tasks: Sequence[Task | None], pace: Pace, ranks: Sequence[Choice], place: int, issued: Callable[[int], None] | None = None
) -> list[int]:
    """The tasks in the order in which they issue: of those that can come next, the one with the least rank with its cycle.

    The cycle is put into the rank of a task at `place`; no two ranks are equal. None is not a task. `issued` is called with
    each task that has been taken, and may change the ranks of others. In each step only the least of the tasks of one latency
    that wait for nothing is looked at.
    """
    waiting = [0] * len(tasks)
    users: list[list[int]] = [[] for _ in tasks]
    latencies = [0 if task is None else pace.latency(task.op) for task in tasks]
    for n, task in enumerate(tasks):
        if task is not None:
            for before in {*task.reads, *task.after}:
                users[before].append(n)
                waiting[n] += 1
    readable = [0] * len(tasks)
    # what could come next: by latency what can be issued when the device can, and what waits for a cycle from which all that it
    # reads is there
    ready: dict[int, set[int]] = {latency: set() for latency in latencies}
    late: dict[int, int] = {}
    for n, task in enumerate(tasks):
        if task is not None and not waiting[n]:
            ready[latencies[n]].add(n)
    order: list[int] = []
    rank_of = ranks.__getitem__
    while True:
        now = pace.next
        if late:
            for n in [n for n, since in late.items() if since <= now]:
                ready[latencies[n]].add(n)
                del late[n]
        best: tuple[Choice, int, int] | None = None
        first = _LATEST
        for latency, group in ready.items():
            if not group:
                continue
            cycle = pace.earliest_after(latency, now)
            if not place and cycle > first:
                continue
            first = cycle
            n = min(group, key=rank_of)
            choice = _with_cycle(ranks[n], cycle, place)
            if best is None or choice < best[0]:
                best = choice, cycle, n
        for n, since in late.items():
            if not place and since > first:
                continue
            rank = ranks[n]
            if best is not None and (*rank[:place], since) > best[0]:
                continue
            cycle = pace.earliest_after(latencies[n], since)
            choice = _with_cycle(rank, cycle, place)
            if best is None or choice < best[0]:
                best, first = (choice, cycle, n), cycle
        if best is None:
            return order
        _, cycle, n = best
        task = tasks[n]
        assert task is not None
        readable[n] = pace.issue(task.op, cycle, writes=task.writes)
        ready[latencies[n]].discard(n)
        late.pop(n, None)
        order.append(n)
        if issued is not None:
            issued(n)
        for user in users[n]:
            waiting[user] -= 1
            following = tasks[user]
            if not waiting[user] and following is not None:
                late[user] = max([readable[before] for before in following.reads], default=0)


def _with_cycle(rank: Choice, cycle: int, place: int) -> Choice:
    return (cycle, *rank) if not place else (*rank[:place], cycle, *rank[place:])


class Reordering(Record):
    """Another order of a program's slots: `order` has the slot of the program for each new one, END last; `timing` is that of
    the new order."""

    order: tuple[int, ...]
    timing: Timing


# What to take of the instructions that are ready: the least (height, slot) -> rank, with the cycle at a place of it.
RANKS: tuple[tuple[Callable[[int, int], Choice], int], ...] = (
    (lambda height, slot: (-height, slot), 0),
    (lambda height, slot: (slot,), 0),
    (lambda height, slot: (-height, slot), 1),
)


def faster_order(timing: Timing, same: Callable[[Sequence[Inst]], bool]) -> Reordering | None:
    """An order that takes fewer cycles; None where none is found, or where results depend on the cycles (`depends_on_cycles`).

    Each order is timed by `time_program`; `same` says whether its instructions leave the same in every register, which every
    order that is given must.
    """
    if timing.total_cycles is None or depends_on_cycles(timing):
        return None
    tasks = tasks_of(timing)
    best: Reordering | None = None
    least = timing.total_cycles
    tall = heights(tasks, Pace(timing.device))
    for rank, place in RANKS:
        found = list_schedule(tasks, Pace(timing.device), [rank(height, n) for n, height in enumerate(tall)], place)
        order = (*found, len(tasks))
        insts = [timing.insts[slot] for slot in order]
        faster = time_program(insts, timing.device)
        if faster.total_cycles is None or faster.total_cycles >= least or _undefined(faster, timing):
            continue
        if same(insts):
            best, least = Reordering(order, faster), faster.total_cycles
    return best


def depends_on_cycles(timing: Timing) -> bool:
    """Whether the results of a program depend on the cycles in which its instructions issue, as on the public hardware they
    can.

    Idle slots write x7.x, and a result of SPEC may land in an instruction that no pipe computes (reference 2b).
    """
    device = timing.device
    if device.value("x7x") == "cleared" and any(written(inst.dest) == X7X for inst in timing.insts):
        return True
    empty = [inst for inst in timing.insts if not inst.op.dests or not inst.op.built]
    lands = device.value("stray_special") == "lands" and any(device.pipe(inst.op) == SPEC for inst in timing.insts)
    return lands and any(written(inst.dest) is not None for inst in empty)


def idle_nops(timing: Timing) -> tuple[frozenset[int], int, int] | None:
    """(slots of NOPs, the cycles that they cost, the cycles of the program without them); None where they cost none.

    None, too, where they write a register, or results depend on the cycles.
    """
    nops = frozenset([issue.number for issue in timing.issues if timing.insts[issue.number].op is NOP])
    if (
        not nops
        or timing.total_cycles is None
        or depends_on_cycles(timing)
        or any(timing.target(issue) is not None for issue in timing.issues if issue.number in nops)
    ):
        return None
    without = time_program([inst for slot, inst in enumerate(timing.insts) if slot not in nops], timing.device)
    if without.total_cycles is None or without.total_cycles >= timing.total_cycles or _undefined(without, timing):
        return None
    return nops, timing.total_cycles - without.total_cycles, without.total_cycles


def tasks_of(timing: Timing) -> list[Task]:
    """The instructions before END with their dependences, by the registers that they wait for and write on the device."""
    both = timing.device.value("hazard_fields") == "both"
    writer: dict[Place, int] = {}
    readers: dict[Place, list[int]] = {}
    tasks: list[Task] = []
    for issue in timing.issues[:-1]:
        inst = timing.insts[issue.number]
        sources = inst.fields if both else inst.operands
        wanted = {found for source in sources if (found := register(source)) is not None}
        reads = {writer[place] for place in wanted if place in writer}
        target = timing.target(issue)
        after: set[int] = set()
        if target is not None:
            after = {*readers.get(target, ()), *([writer[target]] if target in writer else [])} - reads
        tasks.append(Task(inst.op.name, tuple(sorted(reads)), tuple(sorted(after)), target is not None))
        for place in wanted:
            readers.setdefault(place, []).append(issue.number)
        if target is not None:
            writer[target] = issue.number
            readers[target] = []
    return tasks


def _undefined(after: Timing, before: Timing) -> bool:
    """Whether results overtake each other that did not before."""
    names = [
        {(encode(timing.insts[earlier]), encode(timing.insts[later])) for earlier, later in timing.overtaken}
        for timing in (after, before)
    ]
    return bool(names[0] - names[1])
