"""Floors of a program: the cycles that its instructions take on a device in any order, for three reasons, and those of a draw.

A wave issues one instruction after the other, so three things hold for every order that keeps each reader behind what it reads:

- **issue**: from an instruction to the next are at least the cycles of its interval. The instruction that issues last may be
  any; then END issues, or the last result lands, whichever is later.
- **pipe**: the same for the instructions of one pipe only. Its results land later than those of others may, so that this can
  be more than the first.
- **chain**: a reader issues no earlier than the latency of what it reads, and the delay of the device, allow. The longest chain
  of readers is the least time from its first instruction to the end.

A floor is the greatest of them. An order that takes as many cycles is the best; where a program takes more, another order may
take fewer, and where it does not, only fewer instructions can. A draw adds what comes before and after each wave, and

- **memory**: each DWORD of each vertex is fetched, and each line of the vertex cache misses once at least, as it begins empty.

`tests/unit/shadercore/isa/test_floors.py` compares all of them with `time_program` on random programs and devices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.shadercore.isa.schedule import tasks_of
from lanewise.shadercore.isa.table import QUADS
from lanewise.shadercore.isa.vertex_cache import hit_cycles, lines_needed, miss_cycles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Issue, Timing
    from lanewise.shadercore.isa.vertex_cache import Descriptor

ISSUE, PIPE, CHAIN = "issue", "pipe", "chain"
_MOST_VERTICES = 1 << 16


class Bound(Record):
    """One reason why a wave takes so many cycles at least."""

    kind: str
    "`ISSUE`, `PIPE` or `CHAIN`."
    cycles: int
    "Cycles from the first issue to the last write, in any order."
    slots: tuple[int, ...]
    "The instructions that need them: all but END, those of the pipe, or the chain from its first to its last."
    last: int
    "Cycles from the issue of the last of them to the end. Others take their intervals, those of a chain their latencies."
    pipe: str = ""
    "The pipe of a bound of kind `PIPE`."


class Floor(Record):
    """The bounds of a wave of a program, the greatest first; of equal ones issue before pipe before chain."""

    bounds: tuple[Bound, ...]

    @property
    def cycles(self) -> int:
        return self.bounds[0].cycles


class MemoryFloor(Record):
    """The least cycles of the fetch of a draw."""

    dwords: int
    "DWORDs that are fetched."
    hits: int
    "Cycles of the fetch if the cache has all of them."
    lines: int | None
    "Lines of the cache that they are in, each of which misses once; None without a cache, and where they are not counted."
    missing: int
    "Cycles of the misses; 0 where the latency of the memory is not known."

    @property
    def cycles(self) -> int:
        return self.hits + self.missing


def floor_of(timing: Timing) -> Floor | None:
    """The floor of a program; None for one that does not end."""
    if timing.total_cycles is None:
        return None
    work = timing.issues[:-1]
    by_pipe: dict[str, list[Issue]] = {}
    for issue in work:
        if timing.insts[issue.number].op.dests:
            by_pipe.setdefault(timing.device.pipe(timing.insts[issue.number].op), []).append(issue)
    found = [_together(timing, work, ISSUE)]
    found += [_together(timing, issues, PIPE, pipe) for pipe, issues in by_pipe.items()]
    found += [_chain(timing)] if work else []
    return Floor(tuple(sorted(found, key=lambda bound: -bound.cycles)))


def _together(timing: Timing, issues: Sequence[Issue], kind: str, pipe: str = "") -> Bound:
    """The bound of instructions that issue one after the other, any of them last: those before it take their intervals."""
    every = sum([issue.interval for issue in issues])
    ends = [every - issue.interval + _end(timing, issue) for issue in issues]
    cycles = min(ends, default=_ended(timing.device))
    last = cycles - every + issues[ends.index(cycles)].interval if ends else cycles
    return Bound(kind=kind, cycles=cycles, slots=tuple([issue.number for issue in issues]), last=last, pipe=pipe)


def _chain(timing: Timing) -> Bound:
    """The longest chain of instructions of which each reads the result of the one before."""
    starts: list[int] = []
    before: list[int | None] = []
    delay = timing.device.cycles("read_delay")
    for task in tasks_of(timing):
        ready = [(starts[n] + max(timing.issues[n].latency + delay, timing.issues[n].interval), n) for n in task.reads]
        start, writer = max(ready, default=(0, None))
        starts.append(start)
        before.append(writer)
    cycles, number = max([(start + _end(timing, timing.issues[n]), -n) for n, start in enumerate(starts)])
    slots: list[int] = []
    at: int | None = -number
    while at is not None:
        slots.insert(0, at)
        at = before[at]
    return Bound(kind=CHAIN, cycles=cycles, slots=tuple(slots), last=cycles - starts[slots[-1]])


def _end(timing: Timing, issue: Issue) -> int:
    """The least cycles from the issue of an instruction to the end of the wave."""
    ended = issue.interval + _ended(timing.device)
    if timing.target(issue) is None:
        return ended
    return max(ended, QUADS - 1 + issue.latency + timing.device.cycles("drain_delay"))


def _ended(device: Device) -> int:
    """The least cycles from the issue of END to the end of the wave."""
    return 1 + device.cycles("drain_least")


def memory_floor(device: Device, streams: Sequence[Descriptor], indices: Sequence[int]) -> MemoryFloor | None:
    """The floor of the fetch of a draw of the vertices `indices`; None where the device does not define the fetch.

    Lines of more than 2^16 vertices, which no index names, are not counted.
    """
    hits = hit_cycles(device, len(indices), [(stream.dwords, stream.color) for stream in streams])
    if hits is None:
        return None
    lines = lines_needed(device, streams, indices) if len(indices) <= _MOST_VERTICES else None
    each = miss_cycles(device)
    dwords = sum([stream.dwords for stream in streams]) * len(indices)
    return MemoryFloor(dwords=dwords, hits=hits, lines=lines, missing=(lines or 0) * (each or 0))


def counts(timing: Timing, slots: Iterable[int]) -> dict[int, int]:
    """How many of some instructions have each interval, the most frequent first."""
    found: dict[int, int] = {}
    for slot in slots:
        interval = timing.issues[slot].interval
        found[interval] = found.get(interval, 0) + 1
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))
