"""`lanewise opt` for ShaderCore programs: fewer slots and cycles on a device."""

from __future__ import annotations

from lanewise.core.diagnostics import listed
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, InputFailure
from lanewise.core.source import encode_text
from lanewise.optimising.report import Report, answer, progress_of
from lanewise.shadercore.api.services import floors
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.surprises import of_device
from lanewise.shadercore.container.header import write_binary
from lanewise.shadercore.isa.devices import RTL, nearest
from lanewise.shadercore.isa.floors import floor_of
from lanewise.shadercore.isa.program import lacking
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.opt.editing import edited_source
from lanewise.shadercore.opt.program import least_slots, optimised_program
from lanewise.shadercore.text.printer import print_program

if TYPE_CHECKING:
    from lanewise.core.service import Answer, Request
    from lanewise.shadercore.api.services.loaded import ShaderCoreFile
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Timing


def optimised(loaded: ShaderCoreFile, request: Request) -> Answer:
    """The program with fewer slots and cycles, and what was done. Raises UsageError, InputFailure, InputError."""
    program, device = loaded.content, device_of(request)
    source = request.flag("source") or request.text("output").lower().endswith(".sc")
    edits = source and loaded.loaded.source
    try:
        found = optimised_program(program, device, progress_of(request), reorders=not edits)
    except ValueError as error:
        raise InputFailure(f"{loaded.name}: {error}: there is nothing to keep") from None
    output, remarks = request.text("output"), list[str]()
    files: tuple[tuple[str, bytes], ...] = ()
    remarks += [f"{message}: {fix}" for _, message, fix in lacking(found.program.insts, device)]
    remarks += _elsewhere(program, found.program, device)
    if source:
        text = edited_source(loaded.text, loaded.name, program, found) if edits else print_program(found.program)
        if text is None:
            text = print_program(found.program)
            remarks.append("written anew, without comments and layout: a statement has others beside it, or comes from a macro")
        files = ((output or STDIO, encode_text(text, loaded.data if edits else b"")),)
    elif output:
        files = ((output, write_binary(found.program)),)
        if program.constants:
            names = listed([f"c{constant.number}" for constant in program.constants])
            remarks.append(f"constants not in the file: {names}; `-o FILE.sc` keeps them")
    before, after = [time_program(each.insts, device) for each in (program, found.program)]
    floor_before, floor_after = floor_of(before), floor_of(after)
    assert floor_before is not None
    assert floor_after is not None
    sizes = [("slots", len(program.words), len(found.program.words)), ("cycles", _cycles(before), _cycles(after))]
    report = Report(
        name=loaded.name,
        steps=found.steps,
        places=program.places or [None] * len(program.words),
        sizes=sizes,
        rules=[device.describe()],
        proofs=found.proofs,
        refused=found.refused,
        least=least_slots(program.insts, device),
        notes=[floors.of_slots(after, floor_after)],
        more={"floor": {"before": floors.to_json(floor_before), "after": floors.to_json(floor_after)}},
    )
    return answer(request, report, files, remarks)


def _elsewhere(before: Program, after: Program, device: Device) -> list[str]:
    """The remark about a program that was optimised for another device, and that the public hardware computes otherwise since
    then."""
    if nearest(device) is RTL:
        return []
    known = {each.code for each in of_device(before, RTL, "", 0)}
    new = [each for each in of_device(after, RTL, "", 0) if each.code not in known]
    return [f"the result is for {device.describe()}, and not for rtl, the public hardware: {new[0].message}"] if new else []


def _cycles(timing: Timing) -> int:
    """The cycles of a program that ends."""
    assert timing.total_cycles is not None
    return timing.total_cycles
