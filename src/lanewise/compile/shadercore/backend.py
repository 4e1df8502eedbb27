"""Compiler back end: passes, scheduling, register allocation, machine words.

The best of several schedules that fit is chosen. Every stage can be printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.allocate import TooMany, allocate
from lanewise.compile.shadercore.code import CONSTANT, without_dead
from lanewise.compile.shadercore.constants import Pool, pool
from lanewise.compile.shadercore.emit import emit
from lanewise.compile.shadercore.own_instructions import with_own_instructions
from lanewise.compile.shadercore.passes import fit_constants, join_saturation, patterns_used, place_outputs
from lanewise.compile.shadercore.schedule import Schedule, in_order, schedules
from lanewise.core.diagnostics import PortableError
from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.shadercore.code import Code
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.sem.steps import Register


class Finished(Record):
    """A program with the stages on the way to it."""

    insts: tuple[Inst, ...]
    "The instructions, END included."
    pool: Pool
    "The constants that they need."
    code: Code
    "The code that was scheduled."
    schedule: Schedule
    "The order in which its nodes issue, the best of several."
    registers: Mapping[int, Register]
    "The register of each node that is an instruction."
    lines: tuple[int, ...]
    "The source line of each instruction; -1 for END."

    @property
    def used(self) -> set[Register]:
        """The registers that instructions write."""
        return set(self.registers.values())


class TooLong(PortableError):
    """More instructions than there are slots."""

    slots: int
    most: int

    def __init__(self, slots: int, most: int) -> None:
        super().__init__(f"{slots} slots, but the device has {most}")
        self.slots, self.most = slots, most


def finish(
    code: Code,
    device: Device,
    defined: Mapping[int, tuple[int, int, int, int]] | None = None,
    reserved: frozenset[int] = frozenset(),
    *,
    optimise: bool = True,
) -> Finished:
    """Instructions for code. `defined` and `reserved` are as in `constants.pool`. Without `optimise` the order is unchanged.

    Raises TooMany, TooLong, NoRoom.
    """
    joined = join_saturation(without_dead(code)) if optimise else code
    own = _with_own(joined, device) if optimise else joined
    try:
        return _finish(own, device, defined, reserved, optimise=optimise)
    except TooMany:
        if own is joined:
            raise
        return _finish(joined, device, defined, reserved, optimise=optimise)


def _finish(
    code: Code,
    device: Device,
    defined: Mapping[int, tuple[int, int, int, int]] | None,
    reserved: frozenset[int],
    *,
    optimise: bool,
) -> Finished:
    code = _placed(code, device)
    slots = code.slots + 1
    if slots > device.cycles("slots"):
        raise TooLong(slots, device.cycles("slots"))
    placed = {output.value.node: output for output in code.outputs}
    orders = [in_order(code, device, placed.keys())]
    if optimise:
        orders += schedules(code, device, placed.keys())
    failure: TooMany | None = None
    for candidate in sorted(orders, key=lambda one: (one.cycles, one.most_alive)):
        try:
            registers = allocate(code, candidate.order, placed, device)
        except TooMany as reason:
            failure = failure if failure and failure.needed <= reason.needed else reason
            continue
        uniforms = {node.number for node in code.nodes if node.op == CONSTANT}
        places = pool(patterns_used(code), defined or {}, reserved | uniforms, device.cycles("c_registers"))
        insts = emit(code, candidate.order, registers, places, device)
        lines = (*(code.nodes[n].line for n in candidate.order), -1)
        return Finished(insts=tuple(insts), pool=places, code=code, schedule=candidate, registers=registers, lines=lines)
    assert failure is not None
    raise failure


def prepared(code: Code, device: Device) -> Code:
    """Code ready for scheduling: each node but leaves is an instruction, and each output is a separate one."""
    return _placed(_with_own(join_saturation(without_dead(code)), device), device)


def _placed(code: Code, device: Device) -> Code:
    return fit_constants(place_outputs(code), device)


def _with_own(code: Code, device: Device) -> Code:
    """The code with instructions that the device adds."""

    def cost(each: Code) -> tuple[int, int]:
        each = _placed(each, device)
        return each.slots, min([one.cycles for one in schedules(each, device, {output.value.node for output in each.outputs})])

    return with_own_instructions(code, device, cost) if device.added else code
