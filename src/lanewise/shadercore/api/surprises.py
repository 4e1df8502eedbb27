"""Findings of `lanewise check` that `asm` and `run` show too: an instruction reads something else than it says."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.table import ONE, C

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

CODES = ("V214", "V215")


def may_surprise(insts: Iterable[Inst]) -> bool:
    """Whether a program has what the warnings are about; the rules take longer to load than a program to assemble."""
    return any(
        any(source.file == ONE for source in inst.operands) or sum(source.file == C for source in inst.operands) > 1
        for inst in insts
    )


def surprises(program: Program, device: Device, name: str) -> list[Diagnostic]:
    """The warnings about the register 1 and about two constants in one instruction on a device."""
    from lanewise.core.ignoring import is_ignored
    from lanewise.shadercore.api.checking import check_program, shown

    found = [each for each in check_program(program, device, name) if each.code in CODES and not is_ignored(each)]
    return found if all(each.span.line for each in found) else shown(found, program)
