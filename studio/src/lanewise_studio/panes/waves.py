"""The panes of waves: which lanes do each instruction how often, and when each instruction issues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.core.service import UsageError
from lanewise.shadercore.api.services.floors import because, memory_text, verdict
from lanewise.shadercore.api.services.waits import register_name, why
from lanewise.shadercore.api.stream_layouts import KINDS
from lanewise.shadercore.api.streams import MOST_STREAMS
from lanewise.shadercore.isa.floors import memory_floor
from lanewise.shadercore.isa.vertex_cache import Descriptor

from lanewise_studio.subject import CoreSubject
from lanewise_studio.tables import title_of

if TYPE_CHECKING:
    from lanewise.core.debugging import Debuggee
    from lanewise.shadercore.api.timing import ProgramTiming

    from lanewise_studio.evaluation import Evaluation

_LANES = 16
_MOST_STEPS = 20_000  # of a lane
_LEAST = "least possible"  # what the page calls a floor


def wave(evaluation: Evaluation, thread: int, stage: str = "") -> dict[str, object]:
    """The lanes of the wave of a thread: how often each has done each instruction, and how often it wrote something.

    A processor without waves has its vertices one after the other: 16 of them are shown side by side.
    """
    debuggee = evaluation.session_of(stage).debuggee
    first = thread - thread % _LANES
    lanes = [number for number in range(first, first + _LANES) if number in debuggee.threads]
    if not lanes:
        raise UsageError(f"{debuggee.title(thread)} does not exist: there are {len(debuggee.threads)}")
    executed: dict[int, list[int]] = {}
    wrote: dict[int, list[int]] = {}
    totals: list[int] = []
    paths: dict[tuple[int, ...], int] = {}
    own: list[int] = []
    for place, number in enumerate(lanes):
        evaluation.stop.progress("lanes")(place, len(lanes))
        machine = debuggee.machine(number, {})
        addresses: list[int] = []
        while not machine.finished and len(addresses) < _MOST_STEPS:
            address = machine.address
            step = machine.step()
            if step is None:
                break
            addresses.append(address)
            executed.setdefault(address, [0] * len(lanes))[place] += 1
            wrote.setdefault(address, [0] * len(lanes))[place] += bool(step.writes)
        totals.append(len(addresses))
        own.append(paths.setdefault(tuple(addresses), len(paths)))
    rows = [
        {
            **_row(evaluation, debuggee, address),
            "steps": executed[address],
            "writes": wrote[address],
            "diverges": len(set(executed[address])) > 1 or len(set(wrote[address])) > 1,
        }
        for address in sorted(executed)
    ]
    return {
        "lanes": lanes,
        "rows": rows,
        "steps": totals,
        "paths": own,
        "together": debuggee.group > 1,
        "what": debuggee.what,
        "one": debuggee.one,
    }


def _row(evaluation: Evaluation, debuggee: Debuggee, address: int) -> dict[str, object]:
    """An instruction with its place in the source."""
    span = evaluation.span(address)
    return {
        "address": address,
        "instruction": debuggee.instruction(address),
        "file": span.file if span is not None else "",
        "line": span.line if span is not None else 0,
    }


def timeline(evaluation: Evaluation) -> dict[str, object]:
    """When each instruction of a wave issues, what it waits for, and where its quads are."""
    subject = evaluation.subject
    if not isinstance(subject, CoreSubject):
        return {"reason": f"{evaluation.program.package.title} programs have no timing: a timeline is for ShaderCore"}
    timing = subject.code.time(subject.device)
    debuggee = evaluation.session.debuggee
    rows: list[dict[str, Any]] = []
    for issue in timing.issues:
        target = timing.target(issue)
        starts = timing.starts(issue)
        rows.append(
            {
                **_row(evaluation, debuggee, issue.number),
                "pipe": timing.device.pipe(timing.insts[issue.number].op),
                "cycle": issue.cycle,
                "ready": issue.ready,
                "latency": issue.latency,
                "interval": issue.interval,
                "quads": [*starts],
                "end": starts[-1] + issue.latency if len(starts) else issue.cycle,
                "writes": register_name(target) if target is not None else "",
                "stalls": issue.stalls,
                "waits": [
                    {
                        "kind": "value" if wait.kind == "i" else "port",
                        "cycles": wait.cycles,
                        "register": register_name(wait.register),
                        "address": wait.writer,
                    }
                    for wait in issue.waits
                ],
                "why": why(issue, timing),
            }
        )
    return {
        "device": _called(evaluation, timing.device.describe()),
        "rows": rows,
        "cycles": timing.total_cycles,
        "run": timing.run_cycles,
        "stalls": timing.output_stalls + timing.input_stalls,
        "ended": timing.ended,
        "svg": timing.svg(evaluation.program.name),
        **_floor(evaluation, timing),
    }


def _called(evaluation: Evaluation, device: str) -> str:
    """A device with the title that newcomers know: `the public hardware (rtl)`."""
    title = title_of(evaluation.program.package.name, device.partition(",")[0])
    return f"the {title} ({device})" if title else device


def _floor(evaluation: Evaluation, timing: ProgramTiming) -> dict[str, object]:
    """The least cycles of the instructions in any order, by reason, and of the fetch of the mesh with floats in buffers."""
    floor = timing.floor
    if floor is None:
        return {"floor": None}
    bounds = [
        {"name": bound.pipe or bound.kind, "cycles": bound.cycles, "text": because(timing, bound), "slots": [*bound.slots]}
        for bound in floor.bounds
    ]
    streams = [KINDS[f"float{row.values.shape[1]}"] for row in evaluation.inputs[:MOST_STREAMS]]
    descriptors = [Descriptor(kind.dwords, kind.color, kind.dwords) for kind in streams]
    memory = memory_floor(timing.device, descriptors, evaluation.faces.reshape(-1).tolist())
    text = "" if memory is None else memory_text(memory, streams=True)
    return {"floor": {"cycles": floor.cycles, "verdict": verdict(timing, floor, _LEAST), "bounds": bounds, "memory": text}}


__all__ = ["timeline", "wave"]
