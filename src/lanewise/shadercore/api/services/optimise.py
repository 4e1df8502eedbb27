"""`lanewise opt` for ShaderCore programs: fewer slots and cycles on a device."""

from __future__ import annotations

from itertools import count

from lanewise.core.diagnostics import span_json, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, InputFailure
from lanewise.core.source import encode_text
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.container.header import write_binary
from lanewise.shadercore.opt.operands import cycles
from lanewise.shadercore.opt.program import optimised_program
from lanewise.shadercore.text.printer import print_program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.core.source import Span
    from lanewise.optimising.optimiser import Step
    from lanewise.shadercore.api.services.loaded import ShaderCoreFile


def optimised(loaded: ShaderCoreFile, request: Request) -> Answer:
    """The program with fewer slots and cycles, and what was done. Raises UsageError, InputFailure, InputError."""
    program, device = loaded.content, device_of(request)
    report, numbers = request.progress, count(1)
    progress = None if report is None else lambda: report(next(numbers), 0)
    try:
        found = optimised_program(program, device, progress)
    except ValueError as error:
        raise InputFailure(f"{loaded.name}: {error}: there is nothing to keep") from None
    output, remarks = request.text("output"), list[str]()
    files: tuple[tuple[str, bytes], ...] = ()
    if request.flag("source") or output.lower().endswith(".sc"):
        text = print_program(found.program) if found.steps else loaded.text
        files = ((output or STDIO, encode_text(text, b"")),)
        if found.steps and loaded.loaded.source:
            remarks.append("written anew, without comments and layout")
    elif output:
        files = ((output, write_binary(found.program)),)
    elif found.steps:
        remarks.append("nothing is written: name a file with -o, or ask for the source with --source")
    slots = len(program.words), len(found.program.words)
    times = cycles(program.insts, device), cycles(found.program.insts, device)
    data: dict[str, object] = {
        "name": loaded.name,
        "slots": {"before": slots[0], "after": slots[1]},
        "cycles": {"before": times[0], "after": times[1]},
        "rules": [device.describe()],
        "proofs": found.proofs,
        "refused": found.refused,
        "steps": [_step_json(step, program.places) for step in found.steps],
    }
    lines = [line for step in found.steps for line in _lines(step, program.places)] if request.flag("report") else []
    lines.append(
        f"{visible(loaded.name, '')}: {slots[0]} slots and {times[0]} cycles before, {slots[1]} and {times[1]} after; "
        f"proved on {device.describe()}"
    )
    return Answer(data, text="\n".join(lines) + "\n", remarks=tuple(remarks), files=files)


def _lines(step: Step, places: Sequence[Span]) -> list[str]:
    """A step for a reader: where, why and how."""
    first = (step.removed or step.changed)[0]
    where = f"{places[first].file}:{places[first].line}" if first < len(places) else f"slot {first}"
    return [f"{where}: {step.reason}", f"    {step.fix}"]


def _step_json(step: Step, places: Sequence[Span]) -> dict[str, object]:
    slots = [*step.removed, *step.changed]
    return {
        "move": step.move,
        "title": step.title,
        "code": "",
        "reason": step.reason,
        "fix": step.fix,
        "removed": list(step.removed),
        "changed": list(step.changed),
        "places": [span_json(places[slot]) for slot in slots if slot < len(places)],
        "rests_on": [],
    }
