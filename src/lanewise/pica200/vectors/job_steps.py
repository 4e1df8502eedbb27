"""The steps of a lane of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.vectors.making import shortened
from lanewise.core.vectors.model import GEOMETRY
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.trace import trace_steps
from lanewise.pica200.isa.table import END, IDENTITY
from lanewise.pica200.vectors import running
from lanewise.pica200.vectors.random_jobs import MNEMONICS, case_of
from lanewise.pica200.vectors.running import variant_profile

if TYPE_CHECKING:
    from lanewise.core.vectors.model import Job
    from lanewise.pica200.engine.trace import TraceStep


def steps(one: Job, variant: str, lane: int) -> list[str]:
    """The steps of a lane, a line each, from the first that writes something or asks a question."""
    profile = variant_profile(variant)
    program = Reference(
        one.code, one.descriptors, one.entry, profile=profile, budget=running.BUDGET, geometry=one.kind == GEOMETRY
    )
    case = case_of(one, profile)
    machine = None
    for before in range(lane + 1):
        inputs = {register: rows[before] for register, rows in one.inputs.items()}
        machine = program.start(inputs, case.floats, case.integers, case.booleans, machine)
        if before < lane:
            machine.run()
    if machine is None:
        return []
    digits = 8 if running.is_wide(profile) else 6
    found = shortened([text for step in trace_steps(program, machine) if (text := _line(step, digits))])
    return [*found, *([f"stops: {machine.fault.code}"] if machine.fault is not None else [])]


def _line(step: TraceStep, digits: int) -> str:
    """One step; empty for NOP and END."""
    inst = step.inst
    if inst is None or inst.op.kind == END or inst.op.name not in MNEMONICS:
        return ""
    read = [
        f"{operand.register}{'' if operand.source.selector == IDENTITY else '.' + _selected(operand.source.selector)}"
        f"{' negated' if operand.source.negate else ''} = {_hex(operand.words, digits)}"
        for operand in step.operands
    ]
    found = [f"{write.register}{_mask(write.mask)} := {_new(write.register, write.new, digits)}" for write in step.writes]
    asked = [f"{'taken' if yes else 'not taken'}" for _, yes in step.answers[:1]]
    next_pc = [] if step.state.pc == step.pc + 1 else [f"goes to {step.state.pc}"]
    return f"{step.pc}: {inst.op.name} " + "; ".join([*read, *found, *asked, *next_pc])


def _selected(selector: int) -> str:
    return "".join(["xyzw"[selector >> shift & 3] for shift in (6, 4, 2, 0)])


def _mask(mask: int) -> str:
    return "" if mask == 0xF else "." + "".join(["xyzw"[n] for n in range(4) if mask & 8 >> n])


def _new(register: str, values: tuple[int, ...], digits: int) -> str:
    return ", ".join([str(int(value)) for value in values]) if register in ("a0", "cmp") else _hex(values, digits)


def _hex(words: tuple[int, ...], digits: int) -> str:
    return ", ".join([f"0x{word:0{digits}X}" for word in words])
