"""Findings of `lanewise check` that `asm` and `run` show too: an instruction reads something else than it says."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING
from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.table import LANES, LOW_BITS, ONE, QUADS, SMALLEST, SPEC, C

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Constant, Program

CODES = ("V212", "V214", "V215", "V221", "V241", "V242")
HANGS = "V212"
UNWRITTEN = "V210"
OVERWRITTEN = "V224"
OTHER_QUADS = "V220"  # where a wave has vertices there
HIDDEN = "V217"
PARTLY = "V219"
_LAST = 7
_LAST_EXPORTED = 2


def may_surprise(insts: Iterable[Inst], constants: Iterable[Constant] = ()) -> bool:
    """Whether a program has what the warnings are about; the rules take longer to load than a program to assemble."""
    return any(0 < bits < SMALLEST for constant in constants for bits in constant.values) or any(
        any(source.file == ONE for source in inst.operands)
        or sum(source.file == C for source in inst.operands) > 1
        or inst.op.name in LOW_BITS
        or inst.op.name.startswith(("bshftr", "and"))
        or (inst.op.pipe == SPEC and inst.op.name != "rcp")
        or any(register(source) == ("x", _LAST, 0) for source in inst.operands)
        for inst in insts
    )


def may_hide(program: Program, *, partly: bool = False) -> bool:
    """Whether a program declares outputs of which not every device exports all, or, `partly`, that it does not write."""
    declared = {each.number for each in program.declared if each.file == "o"}
    if not declared:
        return False
    targets = {written(inst.dest) for inst in program.insts}
    last = _LAST_EXPORTED in declared and not targets.isdisjoint((("o", _LAST_EXPORTED, 2), ("o", _LAST_EXPORTED, 3)))
    missing = partly and not declared.issubset([target[1] for target in targets if target is not None and target[0] == "o"])
    return last or missing or max(declared) > _LAST_EXPORTED


def surprises(program: Program, device: Device, name: str, vertices: int = 0) -> list[Diagnostic]:
    """The warnings about the register 1, two constants in one instruction, integers read as float32, results that a device
    does not compute and registers for which it hangs; of a run, by its vertices, about RSQ of the later quads too."""
    return _found(program, device, name, (*CODES, *([OTHER_QUADS] if vertices > LANES // QUADS else [])))


def of_device(program: Program, device: Device, name: str, vertices: int) -> list[Diagnostic]:
    """The warnings of `surprises` for a command that does not run the program, without those about a hang."""
    found = surprises(program, device, name, vertices) if may_surprise(program.insts, program.constants) else []
    if _reads_first(program):
        found = [*_found(program, device, name, (UNWRITTEN,)), *found]
    return [each for each in found if each.code != HANGS]


def hidden(program: Program, device: Device, name: str, *, partly: bool = False) -> list[Diagnostic]:
    """The first warning about declared outputs that do not leave the core, and are lacking among the results; `partly`: also
    the first about one that is not written."""
    if not may_hide(program, partly=partly):
        return []
    found = _found(program, device, name, (HIDDEN, PARTLY) if partly else (HIDDEN,))
    return [next(each for each in found if each.code == code) for code in dict.fromkeys([each.code for each in found])]


def unwritten(program: Program, device: Device, name: str, initial: Iterable[str]) -> list[Diagnostic]:
    """The warnings about registers that are read before they are written, but for those that have `initial` values, and about
    results that are overwritten before they are read."""
    lost = _found(program, device, name, (OVERWRITTEN,)) if _overwrites(program) else []
    lost = [each for each in lost if each.severity == WARNING]  # not those of NULL
    if not _reads_first(program):
        return lost
    held = frozenset(each.partition(".")[0] for each in initial)
    return [
        each._replace(notes=(*each.notes, "0 in the first wave of this run"))
        for each in _found(program, device, name, (UNWRITTEN,))
        if each.message.partition(".")[0] not in held
    ] + lost


def _overwrites(program: Program) -> bool:
    """Whether a register is written that no instruction has read since it was written."""
    unread: set[tuple[str, int, int]] = set()
    for inst in program.insts:
        unread.difference_update(place for place in map(register, inst.operands) if place)
        target = written(inst.dest) if inst.op.dests else None
        if target in unread:
            return True
        if target is not None:
            unread.add(target)
    return False


def _reads_first(program: Program) -> bool:
    """Whether a register is read that no instruction before has written; the rule takes longer to load than this."""
    seen: set[tuple[str, int, int]] = set()
    for inst in program.insts:
        if any(place[0] != "v" and place not in seen for place in map(register, inst.operands) if place):
            return True
        target = written(inst.dest)
        if target is not None:
            seen.add(target)
    return False


def _found(program: Program, device: Device, name: str, codes: tuple[str, ...]) -> list[Diagnostic]:
    from lanewise.core.ignoring import is_ignored
    from lanewise.shadercore.api.checking import check_program, shown

    found = [each for each in check_program(program, device, name) if each.code in codes and not is_ignored(each)]
    return found if all(each.span.line for each in found) else shown(found, program)
