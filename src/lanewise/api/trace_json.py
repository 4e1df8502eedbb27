"""A trace as plain values for programs. Every number is there as a value and as the word of the profile's format."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lanewise.ir.wording import action_text, question_text
from lanewise.isa.pica200 import COMPONENTS, INDEX_NAMES, mask_text, selector_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.api.tracing import Explanation, Trace
    from lanewise.engine.origins import Decision
    from lanewise.engine.trace import Operand, TraceStep, Write
    from lanewise.engine.unwritten import Cell


def as_json(trace: Trace) -> dict[str, object]:
    """The whole trace; `fault` is null where the vertex reached `end`."""
    fault = trace.fault
    return {
        "shader": trace.shader.name,
        "vertex": trace.lane,
        "profile": trace.profile.describe(),
        "entry": trace.shader.interface.entry,
        "steps": [_step(trace, step) for step in trace.steps],
        "outputs": [
            {"register": f"o{number}", "name": trace.name(f"o{number}"), "mask": mask_text(mask), **_numbers(trace, words)}
            for number, (words, mask) in enumerate(zip(trace.outputs.outputs, trace.outputs.written, strict=True))
            if mask
        ],
        "fault": fault and {"code": fault.code, "message": fault.message, "step": fault.step, **_place(trace, fault.pc)},
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
    slots = zip(step.shape.loops, step.loops.counters, step.loops.saved, strict=True)
    return {
        "step": step.number,
        **_place(trace, step.pc),
        "read": [_operand(trace, operand) for operand in step.operands],
        "never_written": [str(cell) for cell in step.unwritten],
        "computed": computed,
        "wrote": [_write(trace, write) for write in step.writes],
        "answers": [
            {
                "question": question_text(question, trace.wording),
                "kind": type(question).__name__,
                **question._asdict(),
                "answer": answer,
            }
            for question, answer in step.answers
        ],
        "actions": [
            {"action": action_text(action, trace.wording), "kind": type(action).__name__, **action._asdict()}
            for action in step.actions
        ],
        "next": None if step.ended else step.shape.pc,
        "cmp": list(step.cmp),
        "a0": list(step.a0),
        "aL": step.loops.al,
        "calls": [slot._asdict() for slot in step.shape.calls],
        "ifs": [slot._asdict() for slot in step.shape.ifs],
        "loops": [{**slot._asdict(), "counter": counter, "saved_aL": saved} for slot, counter, saved in slots],
    }


def _place(trace: Trace, pc: int) -> dict[str, object]:
    span = trace.span(pc)
    source = {"file": span.file, "line": span.line, "column": span.column, "text": span.text} if span.line else None
    return {"word": pc, "instruction": trace.instruction(pc) or None, "source": source}


def _operand(trace: Trace, operand: Operand) -> dict[str, object]:
    """`register` is the one that was read, after indexing; `values` are as the instruction saw them; `used` are the slots that count."""
    source = operand.source
    return {
        "register": operand.register,
        "name": trace.name(operand.register),
        "selector": selector_text(source.selector),
        "negated": source.negate,
        "index": INDEX_NAMES[source.relative] if operand.indexed else None,
        "used": "".join(COMPONENTS[slot] for slot in operand.used),
        **_numbers(trace, operand.words),
    }


def _write(trace: Trace, write: Write) -> dict[str, object]:
    entry: dict[str, object] = {"register": write.register, "mask": mask_text(write.mask)}
    if write.register in ("a0", "cmp"):
        return {**entry, "old": list(write.old), "new": list(write.new)}
    return {**entry, "name": trace.name(write.register), "old": _numbers(trace, write.old), "new": _numbers(trace, write.new)}


def _numbers(trace: Trace, words: Sequence[int]) -> dict[str, object]:
    return {"values": [_plain(trace.number(word)) for word in words], "words": list(words)}


def _plain(number: float) -> float | str:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def explained(explanation: Explanation) -> dict[str, object]:
    """The steps that made a component, what was given, what was never written, and the decisions of the flow on the way."""
    trace, found = explanation.trace, explanation.origins
    return {
        "shader": trace.shader.name,
        "vertex": trace.lane,
        "profile": trace.profile.describe(),
        "component": explanation.component,
        "register": str(found.cell),
        **_component(trace, found.cell),
        "steps": [
            {**_step(trace, step), "made": {str(cell): [str(source) for source in step.made.get(cell, ())] for cell in cells}}
            for step, cells in found.causes
        ],
        "given": [{"register": str(cell), **_component(trace, cell)} for cell in found.given],
        "never_written": [str(cell) for cell in found.unwritten],
        "decisions": [_decision(trace, decision) for decision in found.decisions],
    }


def _component(trace: Trace, cell: Cell) -> dict[str, object]:
    value = trace.value(cell)
    return {"value": value} if cell.file == "i" else {"value": _plain(trace.number(value)), "word": value}


def _decision(trace: Trace, decision: Decision) -> dict[str, object]:
    step, question, answer, set_by = decision
    asked = question_text(question, trace.wording)
    return {"step": step.number, **_place(trace, step.pc), "question": asked, "answer": answer, "set_by": list(set_by)}
