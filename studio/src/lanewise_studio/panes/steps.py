"""The panes of time: the steps of a vertex, its registers at any of them, the step that changes a place, and where a value came
from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.core.plain import plain_number
from lanewise.core.trace import Trace
from lanewise.debugger.causes import causes, expression_of, place_of
from lanewise.debugger.explaining import WIDTHS, Explanation
from lanewise.debugger.queries import nearest, query
from lanewise.debugger.stops import wrong
from lanewise.graph.svg import as_svg
from lanewise.pica200.api.debugging import GeometryRuns

from lanewise_studio.numbers import short
from lanewise_studio.places import finding_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.debugging import Debuggee, Register
    from lanewise.core.source import Span
    from lanewise.core.trace import Step, Value
    from lanewise.debugger.queries import Holds
    from lanewise.debugger.recording import Recording
    from lanewise.debugger.session import Session

    from lanewise_studio.reading import Reading
    from lanewise_studio.stop import Stop

MOST_STEPS = 5_000  # in one message
_MOST_SEARCHED = 200_000
_MOST_NODES = 2_000
_DEEPEST = 150  # nodes of an explanation one below the other: readers of JSON nest as deep
_PIECE = 256


def _place(span: Span | None) -> dict[str, object]:
    if span is None or not span.line:
        return {"file": "", "line": 0, "column": 0, "length": 0}
    return {"file": span.file, "line": span.line, "column": span.column, "length": span.length if span.column else 0}


def _value(value: Value | None) -> dict[str, object] | None:
    return None if value is None else {"value": plain_number(value.number), "bits": value.bits}


def _extended(recording: Recording, count: int, stop: Stop) -> None:
    """Do steps until there are so many, or no more."""
    while len(recording) < count and not recording.ended:
        stop.check()
        recording.extend(min(count, len(recording) + _PIECE))


def time(evaluation: Reading, thread: int, first: int = 0, stage: str = "") -> dict[str, object]:
    """The steps of a thread from the first on, as many as one message takes."""
    session, first = evaluation.session_with(thread, stage), max(0, first)
    debuggee, recording = session.debuggee, session.recording(thread)
    _extended(recording, first + MOST_STEPS, evaluation.stop)
    report = evaluation.stop.progress("steps")
    steps: list[Step] = []
    last = min(len(recording), first + MOST_STEPS)
    for number in range(first, last):
        if number % _PIECE == 0:
            report(number - first, last - first)
        step = recording.step(number)
        steps.append(step._replace(number=number, span=session.span(step.address) or step.span))
    trace = Trace(
        debuggee.isa,
        debuggee.name,
        debuggee.title(thread),
        steps,
        variant=debuggee.variant,
        format=debuggee.format,
        width=WIDTHS.get(debuggee.format, 32),
        what=debuggee.what,
    )
    machine = recording.at(0)
    fault = recording.fault if recording.ended else None
    return {
        "thread": thread,
        "subject": trace.subject,
        "variant": trace.variant,
        "format": trace.format,
        "what": trace.what,
        "first": first,
        "steps": [_step(trace, step, recording) for step in trace.steps],
        "total": len(recording),
        "complete": recording.ended and last == len(recording),
        "fault": None if fault is None else finding_json(fault),
        "given": {
            place: {"kind": given.kind, "name": given.name or place, **(_value(given.value) or {})}
            for place, given in machine.given.items()
        },
        "results": dict(debuggee.results),
        "threads": len(debuggee.threads),
        "sources": _sources(debuggee, thread),
    }


def _sources(debuggee: Debuggee, thread: int) -> list[dict[str, object]]:
    """The vertices that a run of a geometry shader takes."""
    vertices = debuggee.vertices(thread) if isinstance(debuggee, GeometryRuns) else ()
    return [{"thread": vertex, "title": f"vertex {vertex}"} for vertex in vertices]


def _step(trace: Trace, step: Step, recording: Recording) -> dict[str, object]:
    return {
        **trace.step_json(step),
        "depth": recording.depths[step.number],
        "unset": [*step.unset],
        "made": {place: [*sources] for place, sources in step.made.items()},
    }


def step(evaluation: Reading, thread: int, position: int, stage: str = "") -> dict[str, object]:
    """All registers in front of a step, and what the step before has changed."""
    session = evaluation.session_with(thread, stage)
    session.goto(thread, position)
    at = session.at(thread)
    return {
        "thread": thread,
        "position": at.step,
        "total": len(session.recording(thread)),
        "address": at.address,
        "instruction": at.instruction,
        "ended": at.ended,
        "fault": None if at.fault is None else finding_json(at.fault),
        **_place(at.span),
        "changed": [each.place for each in session.changes(thread)],
        "groups": [
            {"name": group.name, "registers": [_register(row) for row in group.registers]} for group in session.scopes(thread)
        ],
        "frames": [{"name": frame.name, "address": frame.address, **_place(frame.span)} for frame in at.frames],
        "loops": [{"name": loop.name, "iteration": loop.iteration, "of": loop.total} for loop in at.loops],
    }


def _register(row: Register) -> dict[str, object]:
    return {
        "name": row.name,
        "label": row.label,
        "components": row.components,
        "format": row.format,
        "missing": row.missing,
        "values": [None if value is None else plain_number(value.number) for value in row.values],
        "bits": [None if value is None else value.bits for value in row.values],
    }


def seek(evaluation: Reading, thread: int, position: int, asked: Mapping[str, Any]) -> dict[str, object]:
    """The next position, or the one before, for which a query holds, or at which a line or word is next. Raises InputError,
    InputFailure, UsageError."""
    session = evaluation.session_with(thread, str(asked.get("stage", "")))
    recording, back = session.recording(thread), bool(asked.get("back"))
    session.goto(thread, position)
    position = session.stop(thread).step
    holds, what = _sought(evaluation, session, thread, asked)

    def interrupted() -> bool:
        evaluation.stop.check()
        return False

    found = nearest(recording, holds, position, back=back, most=_MOST_SEARCHED, interrupted=interrupted)
    if found is None:
        reason = f"not {'before' if back else 'after'} this step: {what}"
        return {"thread": thread, "position": position, "found": False, "reason": reason}
    return {"thread": thread, "position": found.position, "found": True, "reason": found.text}


def _sought(evaluation: Reading, session: Session, thread: int, asked: Mapping[str, Any]) -> tuple[Holds, str]:
    """What a message looks for, and that in words. Raises InputError, InputFailure, UsageError."""
    recording = session.recording(thread)
    text = asked.get("query")
    if isinstance(text, str) and text.strip():
        return query(session, thread, text).holds, text.strip()
    line, word = asked.get("line"), asked.get("word")
    if not isinstance(line, int) and not isinstance(word, int):
        raise wrong("D001", "nothing to look for", "give a query, a line or a word")
    in_file = isinstance(line, int)
    where = session.addresses(f"{asked.get('file') or evaluation.program.name}:{line}" if in_file else f"@{word}")
    what = f"line {line}" if in_file else f"word {word}"
    return lambda n: what if n < len(recording) and recording.addresses[n] in where else "", what


def explain(evaluation: Reading, thread: int, position: int | None, name: str, stage: str = "") -> dict[str, object]:
    """Where what a place holds at a position came from, as a tree, each value with those that it was computed from, and as a
    small graph."""
    session = evaluation.session_with(thread, stage)
    recording = session.recording(thread)
    if position is None:
        _extended(recording, _MOST_SEARCHED, evaluation.stop)
        position = len(recording)
    session.goto(thread, position)
    found = session.explain(thread, name)
    return {
        "thread": thread,
        "position": position,
        "name": found.name,
        "place": found.place,
        "value": _value(found.value),
        "complete": found.complete,
        "text": found.text(),
        "tree": _tree(found, session, thread),
        "graph": _graph(session, thread, found),
    }


def _graph(session: Session, thread: int, found: Explanation) -> dict[str, object]:
    """The explanation as a small graph: the drawing, and its nodes in the order of the boxes."""
    graph = causes(session, thread, found)
    svg = as_svg(graph.picture(f"where {found.place} comes from", short), session.source_map)
    return {"svg": svg if isinstance(svg, str) else "", **graph.to_json()}


def _tree(found: Explanation, session: Session, thread: int) -> dict[str, object]:
    """The explanation as nodes: a step that wrote a place, with the places that it read; a value that was given; or one that
    nothing has written. Where there are too many, `cut` is a step whose own explanation goes on."""
    given = dict(found.given)
    seen: set[tuple[int, str]] = set()
    count = 0

    def node(place: str, before: int, depth: int) -> dict[str, object]:
        nonlocal count
        count += 1
        cause = next((each for each in reversed(found.causes) if each.step.number < before and place in each.places), None)
        if cause is None:
            start = given.get(place)
            if start is not None:
                return {
                    "kind": start.kind,
                    "place": place,
                    "name": start.name or place,
                    "children": [],
                    **_from(session.debuggee, thread, place),
                    **(_value(start.value) or {}),
                }
            return {"kind": "unset", "place": place, "name": place, "children": []}
        step = cause.step
        value = next(
            (new for write in step.writes for name, new in zip(write.places, write.new, strict=True) if name == place), None
        )
        own: dict[str, object] = {
            "kind": "step",
            "place": place,
            "name": place,
            "step": step.number,
            "address": step.address,
            "instruction": step.instruction,
            **_place(place_of(session, step) or step.span),
            **(_value(value) or {}),
        }
        expression = expression_of(session, step.address)
        if expression is not None:
            own["expression"] = expression.text
        if (step.number, place) in seen:
            return {**own, "again": True, "children": []}
        sources = dict.fromkeys(step.made.get(place, ()))
        if sources and (depth == _DEEPEST or count > _MOST_NODES):
            return {**own, "cut": True, "children": []}
        seen.add((step.number, place))
        return {**own, "children": [node(source, step.number, depth + 1) for source in sources]}

    return node(found.place, 1 << 62, 0)


def _from(debuggee: Debuggee, thread: int, place: str) -> dict[str, object]:
    """The output of a vertex that a place of a geometry shader was given."""
    register, _, letter = place.partition(".")
    found = debuggee.source(thread, register) if isinstance(debuggee, GeometryRuns) and register[1:].isdecimal() else None
    return {"from": {"thread": found[0], "place": f"{found[1]}.{letter}"}} if found is not None else {}


__all__ = ["MOST_STEPS", "explain", "seek", "step", "time"]
