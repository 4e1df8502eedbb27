"""Dependences between the instructions of a ShaderCore program on a device, with the cycles that they cost.

A program has no branches, so dependences are those of one list of instructions. Where a device waits for a field that an
instruction does not use, for the write port, or lets a result of SPEC land in another register (`isa.devices`), these are
dependences too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.table import END, QUADS
from lanewise.shadercore.isa.timing import strays, target_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Issue, Timing
    from lanewise.shadercore.sem.steps import Register

RAW = "raw"  # read after write: the later instruction computes with what the earlier one has written
WAR = "war"  # write after read: the later one overwrites what the earlier one reads
WAW = "waw"  # write after write: both write one register
UNUSED = "unused"  # the later one waits for a field that it does not use
STRAY = "stray"  # a result of SPEC lands in what the later one writes
PORT = "port"  # the later one waits for the write port
DRAIN = "drain"  # END waits until the earlier one has written


class Dependence(Record):
    """An instruction that depends on an earlier one."""

    kind: str
    "The reason: `RAW`, `WAR`, `WAW`, `UNUSED`, `STRAY`, `PORT` or `DRAIN`."
    earlier: int
    "The number of the earlier instruction."
    later: int
    "The number of the instruction that depends on it."
    place: Register | None
    "The component because of which it depends; None for the write port and for END."
    cycles: int
    "Cycles that `later` waits because of it; it may wait for several instructions at once."

    @property
    def carries(self) -> bool:
        """Whether a value goes from one instruction to the other."""
        return self.kind in (RAW, STRAY)


def dependences(timing: Timing) -> tuple[Dependence, ...]:
    """The dependences of a program on its device, by the later instruction.

    WAR and WAW that follow from other dependences are left out: those keep the order anyway.
    """
    device = timing.device
    found: list[Dependence] = []
    writer: dict[Register, int] = {}
    readers: dict[Register, list[int]] = {}
    before: list[int] = []  # by instruction: those that it depends on, directly or not, as bits
    for number, inst in enumerate(timing.insts):
        issue = timing.issues[number] if number < len(timing.issues) else None  # None: it never issues
        own = [*_reads(number, inst, issue, writer, timing), *_strays(number, inst, timing), *_port(issue)]
        if inst.op is END:
            own += _drain(number, timing)
        target = target_of(inst, device)
        if target is not None:
            names = [(WAR, reader) for reader in readers.get(target, ()) if reader != number]
            if target in writer:
                names.append((WAW, writer[target]))
            own += _not_implied(names, number, target, [dependence.earlier for dependence in own], before)
        before.append(_bits([dependence.earlier for dependence in own], before))
        found += own
        for place in places_read(inst):
            readers.setdefault(place, []).append(number)
        if target is not None:
            writer[target] = number
            readers[target] = []
    return tuple(found)


def places_read(inst: Inst) -> list[Register]:
    """The components of r, v, x and o that an instruction computes with, each once."""
    places = [register(source) for source in inst.operands]
    return [place for place in dict.fromkeys(places) if place is not None]


def _reads(number: int, inst: Inst, issue: Issue | None, writer: dict[Register, int], timing: Timing) -> list[Dependence]:
    used = places_read(inst)
    fields = [place for source in inst.fields if (place := register(source)) is not None]
    found: list[Dependence] = []
    for place in dict.fromkeys([*used, *fields]):
        earlier = writer.get(place)
        if earlier is None:
            continue
        cycles = 0 if issue is None else _waits(issue, timing.issues[earlier], timing.device)
        if place in used:
            found.append(Dependence(kind=RAW, earlier=earlier, later=number, place=place, cycles=cycles))
        elif cycles and timing.device.value("hazard_fields") == "both":
            found.append(Dependence(kind=UNUSED, earlier=earlier, later=number, place=place, cycles=cycles))
    return found


def _waits(issue: Issue, earlier: Issue, device: Device) -> int:
    """The cycles in which an instruction waits before a source that an earlier one writes is there, whatever else it waits for
    then."""
    there = earlier.cycle + earlier.latency + device.cycles("read_delay")
    return max(0, min(there, issue.cycle) - issue.ready)


def _port(issue: Issue | None) -> list[Dependence]:
    if issue is None:
        return []
    return [
        Dependence(kind=PORT, earlier=wait.writer, later=issue.number, place=None, cycles=wait.cycles)
        for wait in issue.waits
        if wait.kind == "o"
    ]


def _strays(number: int, inst: Inst, timing: Timing) -> list[Dependence]:
    target = target_of(inst, timing.device)
    if target is None or number >= len(timing.issues):
        return []
    return [
        Dependence(kind=STRAY, earlier=earlier, later=number, place=target, cycles=0) for earlier, _ in strays(timing, number)
    ]


def _drain(number: int, timing: Timing) -> list[Dependence]:
    """END waits for the write that comes last."""
    if timing.run_cycles is None or not timing.drain_cycles:
        return []
    last: dict[int, int] = {}
    for issue in timing.issues:
        if timing.target(issue) is not None and issue.number != number:
            done = issue.cycle + QUADS - 1 + issue.latency + timing.device.cycles("drain_delay")
            last[issue.number] = max(0, done - timing.run_cycles)
    return [
        Dependence(kind=DRAIN, earlier=n, later=number, place=None, cycles=cycles)
        for n, cycles in last.items()
        if cycles == timing.drain_cycles
    ]


def _not_implied(
    names: Sequence[tuple[str, int]], number: int, place: Register, needed: Sequence[int], before: Sequence[int]
) -> list[Dependence]:
    """Of dependences that only keep an order, those that no other ones imply."""
    every = [*needed, *(earlier for _, earlier in names)]
    found: list[Dependence] = []
    seen = set(needed)
    for kind, earlier in names:
        implied = any(before[other] >> earlier & 1 for other in every if other != earlier)
        if earlier not in seen and not implied:
            found.append(Dependence(kind=kind, earlier=earlier, later=number, place=place, cycles=0))
        seen.add(earlier)
    return found


def _bits(earlier: Sequence[int], before: Sequence[int]) -> int:
    bits = 0
    for number in earlier:
        bits |= before[number] | 1 << number
    return bits
