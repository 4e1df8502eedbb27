"""Analysis context of the ShaderCore rules.

A program on a device: its instructions up to END, its writes, its timing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.table import COMPONENTS, END, C
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.source import Span
    from lanewise.shadercore.isa.codec import Inst, Source
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Timing

Place = tuple[str, int, int]  # file, number, component: of a register of r, v, x or o


class AnalysisContext:
    """A program on a device. `insts` are those that can run: up to the first END, or all without END."""

    def __init__(self, program: Program, device: Device) -> None:
        self.program = program
        self.device = device
        decoded = program.insts
        last = next((number for number, inst in enumerate(decoded) if inst.op is END), len(decoded))
        self.insts: tuple[Inst, ...] = tuple(decoded[: last + 1])

    @cached_property
    def timing(self) -> Timing:
        return time_program(self.insts, self.device)

    def sources(self, slot: int) -> tuple[Source, ...]:
        """The sources that the instruction has."""
        inst = self.insts[slot]
        return (inst.a, inst.b)[: inst.op.sources]

    def unused(self, slot: int) -> tuple[Source, ...]:
        """The source fields that the instruction does not use."""
        inst = self.insts[slot]
        return (inst.a, inst.b)[inst.op.sources :]

    def reads(self, slot: int) -> list[Place]:
        """The components of r, v, x and o that an instruction computes with."""
        return [place for place in map(register, self.sources(slot)) if place is not None]

    def target(self, slot: int) -> Place | None:
        """The register that an instruction writes on the device: for NOP, opcode 14 and END only if the device writes their destination."""
        inst = self.insts[slot]
        if not inst.op.dests and self.device.value("nop_dest") == "ignored":
            return None
        return written(inst.dest)

    @cached_property
    def targets(self) -> tuple[Place | None, ...]:
        """`target` of every instruction."""
        return tuple(map(self.target, range(len(self.insts))))

    @cached_property
    def exported(self) -> frozenset[Place]:
        """The components that leave the core."""
        whole = (0, 1) if self.device.value("exports") == "fixed" else range(8)
        some = {("o", number, component) for number in whole for component in range(4)}
        return frozenset(some | {("o", 2, 0), ("o", 2, 1)})

    @cached_property
    def uniform(self) -> tuple[bool, ...]:
        """By instruction: whether all lanes get the same result, because nothing that it reads differs from lane to lane.

        Only what the program itself has written counts; a wave-level word with equal lanes has equal results.
        """
        known: dict[Place, bool] = {}
        found: list[bool] = []
        for slot, target in enumerate(self.targets):
            same = all(place is None or known.get(place, False) for place in map(register, self.sources(slot)))
            found.append(same)
            if target is not None:
                known[target] = same
        return tuple(found)

    def declared(self, file: str, number: int) -> Span | None:
        """The place where a source declares an input or output."""
        return next((d.place for d in self.program.declared if (d.file, d.number) == (file, number)), None)

    def slots(self) -> Iterator[tuple[int, Inst]]:
        return enumerate(self.insts)


def place_name(place: Place) -> str:
    """`r0.x`."""
    return f"{place[0]}{place[1]}.{COMPONENTS[place[2]]}"


def source_name(source: Source) -> str:
    """`c3.y`, without its modifier; for sources that name a register."""
    if source.file == C:
        return f"c{source.number}.{COMPONENTS[source.component]}"
    found = register(source)
    return place_name(found) if found is not None else "a fixed value"
