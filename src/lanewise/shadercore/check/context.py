"""Analysis context of the ShaderCore rules.

A program on a device: its instructions up to END, its writes, its timing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import Edit, Related
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.table import COMPONENTS, END, SLOTS, C
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.shadercore.isa.codec import Inst, Source
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Damage, Program
    from lanewise.shadercore.isa.timing import Timing

Place = tuple[str, int, int]  # file, number, component: of a register of r, v, x or o


class AnalysisContext:
    """A program on a device. `insts` are those that can run: up to the first END, or all without END.

    `damage` are the statements that could not be read: rules find nothing that one of them may explain.
    """

    damaged: int
    declarations_damaged: bool

    def __init__(self, program: Program, device: Device, damage: Sequence[Damage] = ()) -> None:
        self.program = program
        self.device = device
        self.damage = damage
        self.damaged = min(
            [one.slot for one in damage if one.words], default=len(program.words)
        )  # the first slot that is not known
        self.declarations_damaged = any(not one.words for one in damage)
        decoded = program.insts
        last = next((number for number, inst in enumerate(decoded) if inst.op is END), len(decoded))
        self.insts: tuple[Inst, ...] = tuple(decoded[: last + 1])

    @cached_property
    def timing(self) -> Timing:
        return time_program(self.insts, self.device)

    def sources(self, slot: int) -> tuple[Source, ...]:
        """The sources that the instruction has."""
        inst = self.insts[slot]
        return inst.operands

    def unused(self, slot: int) -> tuple[Source, ...]:
        """The source fields that the instruction does not use."""
        inst = self.insts[slot]
        return inst.fields[inst.op.sources :]

    def reads(self, slot: int) -> list[Place]:
        """The components of r, v, x and o that an instruction computes with."""
        return [place for place in map(register, self.sources(slot)) if place is not None]

    def target(self, slot: int) -> Place | None:
        """The register that an instruction writes on the device: for NOP, opcode 14 and END only if the device writes their
        destination."""
        inst = self.insts[slot]
        if not inst.op.dests and self.device.value("nop_dest") == "ignored":
            return None
        return written(inst.dest)

    def may_write(self, file: str, number: int, before: int = SLOTS) -> bool:
        """Whether a damaged statement before a slot may write a register."""
        return any(
            one.words and one.slot < before and (one.writes is None or (file, number) in one.writes) for one in self.damage
        )

    def may_read(self, file: str, number: int, after: int) -> bool:
        """Whether a damaged statement after a slot may read a register."""
        return any(one.words and one.slot > after and (one.reads is None or (file, number) in one.reads) for one in self.damage)

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
        anything = False  # a damaged instruction may have written anything
        damage = {one.slot: one for one in self.damage if one.words}
        for slot, target in enumerate(self.targets):
            if slot in damage:
                written = damage[slot].writes
                anything = anything or written is None
                known |= {(file, number, n): True for file, number in written or () for n in range(4)}
            same = all(place is None or known.get(place, anything) for place in map(register, self.sources(slot)))
            found.append(same)
            if target is not None:
                known[target] = same
        return tuple(found)

    def declared(self, file: str, number: int) -> Span | None:
        """The place where a source declares an input or output."""
        return next((d.place for d in self.program.declared if (d.file, d.number) == (file, number)), None)

    def place(self, slot: int) -> Span | None:
        """The statement of a slot in the source; None for a file of words."""
        span = self.program.places[slot] if slot < len(self.program.places) else None
        return span if span is not None and span.line else None

    def rewritten(self, slot: int, statement: str) -> tuple[Edit, ...]:
        """The edit that writes another statement in place of that of a slot; nothing where a comment has its word, as in
        listings."""
        span = self.place(slot)
        if span is None or "0x" in span.text[span.column + span.length - 1 :].lower():
            return ()
        return (Edit(span, statement),)

    def because_of(self, slot: int, message: str) -> tuple[Related, ...]:
        """The statement of a slot as a related place."""
        span = self.place(slot)
        return (Related(span, message),) if span is not None else ()

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
