"""A trace as plain values for programs. Every number is there as a value and as the word of the profile's format."""

from __future__ import annotations

from lanewise.core.plain import plain_number
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.emission_report import drawn_order, emitted_at, lacking
from lanewise.pica200.ir.labels import action_text, question_text
from lanewise.pica200.isa.table import COMPONENTS, INDEX_NAMES, mask_text, selector_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.run_tracing import EmittedVertex, Run, Taken
    from lanewise.pica200.api.tracing import Explanation, Trace
    from lanewise.pica200.engine.provenance import Decision
    from lanewise.pica200.engine.trace import Operand, TraceStep, Write
    from lanewise.pica200.isa.program import Emission
    from lanewise.pica200.sem.components import Component


def as_json(trace: Trace) -> dict[str, object]:
    """The whole trace; `fault` is null where it reached `end`. A run of a geometry shader has `given` and `primitives`, a
    vertex `outputs`."""
    fault = trace.fault
    return {
        **_subject(trace),
        "profile": trace.profile.describe(),
        "entry": trace.shader.interface.entry,
        "steps": [_step(trace, step) for step in trace.steps],
        **(_run(trace, trace.run) if trace.run else {"outputs": _outputs(trace, *trace.outputs[:2])}),
        "fault": fault and {"code": fault.code, "message": fault.message, "step": fault.step, **_place(trace, fault.pc)},
    }


def _subject(trace: Trace) -> dict[str, object]:
    return {
        "isa": "pica200",
        "shader": trace.shader.name,
        "stage": trace.shader.stage,
        "run" if trace.run else "vertex": trace.lane,
    }


def _outputs(trace: Trace, outputs: Sequence[Sequence[int]], written: Sequence[int]) -> list[dict[str, object]]:
    return [
        {"register": f"o{number}", "name": trace.name(f"o{number}"), "mask": mask_text(mask), **_numbers(trace, words)}
        for number, (words, mask) in enumerate(zip(outputs, written, strict=True))
        if mask
    ]


def _run(trace: Trace, run: Run) -> dict[str, object]:
    """What a run was given and what it sent. `from` is the vertex and its output that a register came from; `was` what a
    uniform held before."""
    registers: list[dict[str, object]] = []
    for register, taken in run.taken.items():
        held = trace.given.inputs if register[0] == "v" else trace.given.floats
        before = run.overwritten.get(register)
        registers.append(
            {
                "register": register,
                "name": trace.name(register),
                **_numbers(trace, held[int(register[1:])]),
                "from": _taken(taken),
                "was": None if before is None else _numbers(trace, before),
            }
        )
    return {
        "given": {
            "vertex_shader": run.vertex_shader,
            "mode": run.mode,
            "vertices": list(run.vertices),
            "registers": registers,
            "b15": run.b15,
            "setemit": _setting(run.emission),
        },
        "primitives": [_primitive(trace, vertex) for vertex in run.primitives],
    }


def _setting(emission: Emission) -> dict[str, object]:
    return {"slot": emission.vertex, "primitive": emission.primitive, "inverted": emission.invert}


def _taken(taken: Taken) -> dict[str, object]:
    """`vertex` and `output` are null for the number of vertices."""
    counted = taken.vertex is None
    return {
        "run": taken.run,
        "vertex": taken.vertex,
        "output": None if counted else taken.output,
        "name": None if counted else taken.name,
    }


def _primitive(trace: Trace, vertex: EmittedVertex) -> dict[str, object]:
    """`emits` fill the slots 0, 1, 2, null where nothing has; `drawn` are the slots in the order in which the rasterizer gets
    them."""
    emits = [place and {"run": place.run, "emit": place.number} for place in vertex.corners]
    return {"emits": emits, "inverted": vertex.record.emission.invert, "drawn": list(drawn_order(trace, vertex))}


def _emitted(trace: Trace, vertex: EmittedVertex) -> dict[str, object]:
    """`outputs` are what the run had written in that bank; `held` is false for a vertex that has no slot."""
    record = vertex.record
    return {
        "number": vertex.number,
        **_setting(record.emission),
        "held": record.held,
        "outputs": _outputs(trace, record.vertex.outputs, record.vertex.written),
        "not_written": [f"o{register}.{mask_text(mask)}" for register, mask in lacking(trace, vertex)],
        "sends": _primitive(trace, vertex) if vertex.corners else None,
    }


def _step(trace: Trace, step: TraceStep) -> dict[str, object]:
    result = step.result
    computed: dict[str, object] = {}
    if "dst" in result:
        computed["dst"] = _numbers(trace, result["dst"])
    if "cmp" in result:
        computed["cmp"] = list(result["cmp"])
    if "a0" in result:
        computed["a0"] = list(result["a0"])
    slots = zip(step.state.loops, step.loops.counters, step.loops.saved, strict=True)
    return {
        "step": step.number,
        **_place(trace, step.pc),
        "read": [_operand(trace, step.pc, operand) for operand in step.operands],
        "never_written": [str(component) for component in step.unwritten],
        "computed": computed,
        "wrote": [_write(trace, step.pc, write) for write in step.writes],
        "answers": [
            {
                "question": question_text(question, trace.labels),
                "kind": type(question).__name__,
                **question._asdict(),
                "answer": answer,
            }
            for question, answer in step.answers
        ],
        "actions": [
            {"action": action_text(action, trace.labels), "kind": type(action).__name__, **action._asdict()}
            for action in step.actions
        ],
        "setemit": _setting(step.result["setemit"]) if "setemit" in step.result else None,
        "emit": _emitted(trace, vertex) if (vertex := emitted_at(trace, step)) else None,
        "next": None if step.ended else step.state.pc,
        "cmp": list(step.cmp),
        "a0": list(step.a0),
        "aL": step.loops.al,
        "calls": [slot._asdict() for slot in step.state.calls],
        "ifs": [slot._asdict() for slot in step.state.ifs],
        "loops": [{**slot._asdict(), "counter": counter, "saved_aL": saved} for slot, counter, saved in slots],
    }


def _place(trace: Trace, pc: int) -> dict[str, object]:
    span = trace.span(pc)
    source = {"file": span.file, "line": span.line, "column": span.column, "text": span.text} if span.line else None
    return {"word": pc, "instruction": trace.instruction(pc) or None, "source": source}


def _operand(trace: Trace, pc: int, operand: Operand) -> dict[str, object]:
    """`register` is the one that was read, after indexing; `values` are as the instruction saw them; `used` are the slots that
    count."""
    source = operand.source
    return {
        "register": operand.register,
        "name": trace.name(operand.register, pc),
        "selector": selector_text(source.selector),
        "negated": source.negate,
        "index": INDEX_NAMES[source.relative] if operand.indexed else None,
        "used": "".join(COMPONENTS[slot] for slot in operand.used),
        **_numbers(trace, operand.words),
    }


def _write(trace: Trace, pc: int, write: Write) -> dict[str, object]:
    entry: dict[str, object] = {"register": write.register, "mask": mask_text(write.mask)}
    if write.register in ("a0", "cmp"):
        return {**entry, "old": list(write.old), "new": list(write.new)}
    return {
        **entry,
        "name": trace.name(write.register, pc),
        "old": _numbers(trace, write.old),
        "new": _numbers(trace, write.new),
    }


def _numbers(trace: Trace, words: Sequence[int]) -> dict[str, object]:
    return {"values": [plain_number(trace.number(word)) for word in words], "words": list(words)}


def explained(explanation: Explanation) -> dict[str, object]:
    """The steps that made a component, what was given, what was never written, and the decisions of the flow on the way."""
    trace, found = explanation.trace, explanation.origins
    return {
        **_subject(trace),
        "profile": trace.profile.describe(),
        "component": explanation.component,
        "register": str(found.component),
        "emit": explanation.emitted and _emitted(trace, explanation.emitted),
        "value": plain_number(trace.number(explanation.word)),
        "word": explanation.word,
        "steps": [
            {
                **_step(trace, step),
                "made": {str(component): [str(source) for source in step.made.get(component, ())] for component in components},
            }
            for step, components in found.causes
        ],
        "given": [_given(trace, component) for component in found.given],
        "never_written": [str(component) for component in explanation.never_written],
        "left_before": [str(component) for component in explanation.left_before],
        "decisions": [_decision(trace, decision) for decision in found.decisions],
    }


def _given(trace: Trace, component: Component) -> dict[str, object]:
    """A component at the start; `from` says which vertex a run of a geometry shader has it from, null where it is from none."""
    value = trace.value(component)
    taken = trace.run.taken.get(f"{component.file}{component.number}") if trace.run else None
    numbers: dict[str, object] = (
        {"value": value} if component.file == "i" else {"value": plain_number(trace.number(value)), "word": value}
    )
    return {"register": str(component), **numbers, **({"from": taken and _taken(taken)} if trace.run else {})}


def _decision(trace: Trace, decision: Decision) -> dict[str, object]:
    step, question, answer, set_by = decision
    asked = question_text(question, trace.labels)
    return {"step": step.number, **_place(trace, step.pc), "question": asked, "answer": answer, "set_by": list(set_by)}
