"""Cost of a ShaderCore program: slots, registers, cycles per wave."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.usage import Used
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.table import C
from lanewise.shadercore.isa.timing import Timing, time_program
from lanewise.shadercore.sem.steps import X7X

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.sem.steps import Register

_COMPONENTS = 4


class WaveCost(NamedTuple):
    """`uses` count slots, and components of registers that instructions name (inputs, outputs and constants: registers)."""

    name: str
    uses: tuple[Used, ...]
    timing: Timing


def cost(program: Program, device: Device, name: str) -> WaveCost:
    """The cost of a program on a device; instructions after END count only as slots."""
    timing = time_program(program.insts, device)
    named = {("c", source.number) for inst in timing.insts for source in inst.operands if source.file == C}
    components: set[tuple[str, int, int]] = set()
    for inst, issue in zip(timing.insts, timing.issues, strict=False):
        places = [register(source) for source in inst.operands]
        components |= {place for place in (*places, timing.target(issue)) if place is not None}
    registers = named | {(file, number) for file, number, _ in components}

    lost: set[Register] = {X7X} if device.value("x7x") == "cleared" else set()  # it holds nothing

    def count(file: str) -> int:
        return sum(place[0] == file for place in components - lost)

    def whole(file: str) -> int:
        return sum(place[0] == file for place in registers)

    uses = (
        Used("slots", len(program.words), device.cycles("slots")),
        Used("inputs", whole("v"), 8),
        Used("outputs", whole("o"), 8),
        Used("constants", whole("c"), device.cycles("c_registers")),
        Used("components of r", count("r"), device.cycles("r_registers") * _COMPONENTS),
        Used("components of x", count("x"), max(0, device.cycles("x_registers") * _COMPONENTS - len(lost))),
    )
    return WaveCost(name, uses, timing)
