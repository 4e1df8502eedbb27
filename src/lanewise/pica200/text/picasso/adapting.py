"""Programs of other languages as picasso can declare them."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Uniform
from lanewise.pica200.isa.table import register_name
from lanewise.pica200.text.spelling import live_selectors

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Interface, Program


def adapt(program: Program) -> tuple[Program, tuple[str, ...]]:
    """The program with operands and interfaces that picasso has words for, and what changes in its interfaces."""
    lost: list[str] = []
    adapted = program._replace(
        operations=tuple([live_selectors(o) if "src" in o.op.operands else o for o in program.operations]),
        interfaces=tuple([_adapted(interface, lost) for interface in program.interfaces]),
        encoding=None,
    )
    return adapted, tuple(lost)


def _adapted(interface: Interface, lost: list[str]) -> Interface:
    """An interface as picasso can declare it: every input that is read has a name, no name has registers of another.

    `lost` gets what changes.
    """
    inputs: dict[int, Uniform] = {}
    taken = {uniform.name for uniform in (*interface.inputs, *interface.uniforms)}
    for uniform in interface.inputs:
        if uniform.size > 1:
            lost.append(f"the array of inputs {uniform.name}: each register has a separate name")
        for offset in range(uniform.size):
            name = f"{uniform.name}_{offset}" if uniform.size > 1 else uniform.name
            register = uniform.first + offset
            if register in inputs:
                lost.append(f"the name {uniform.name}: {register_name(register)} is {inputs[register].name}")
            inputs.setdefault(register, Uniform(name=name, first=register, last=register, symbol=uniform.symbol))
    for register in range(16):
        if interface.input_mask >> register & 1 and register not in inputs:
            name = f"input{register}" + "_" * (f"input{register}" in taken)
            inputs[register] = Uniform(name=name, first=register, last=register)
    uniforms: list[Uniform] = []
    for uniform in interface.uniforms:
        other = next((u for u in uniforms if u.first <= uniform.last and uniform.first <= u.last), None)
        if other is not None:
            lost.append(f"the name {uniform.name}: it is part of {other.name}")
        else:
            uniforms.append(uniform)
    return interface._replace(inputs=tuple(inputs.values()), uniforms=tuple(uniforms), declared=())
