"""The pane of comparisons: two states on the same vertices, which of them differ, and the first step at which one vertex goes
another way."""

from __future__ import annotations

from difflib import SequenceMatcher
from math import copysign, isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from lanewise.core.plain import plain_number

from lanewise_studio.panes.mesh import colours, pixels
from lanewise_studio.state import refused
from lanewise_studio.subject import CoreSubject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.trace import Step, Value
    from lanewise.debugger.session import Session
    from numpy.typing import NDArray

    from lanewise_studio.evaluation import Evaluation

POSITION = "position"
_MOST_STEPS = 5_000
_MOST_LISTED = 2_000  # vertices that differ


def compare(
    evaluation: Evaluation, other: Evaluation, *, rounded: bool = False
) -> tuple[dict[str, object], dict[str, Any], dict[str, NDArray[Any]]]:
    """The pane, and the head and the arrays of its frame. `rounded`: results in float32 are rounded to float24, toward zero,
    where those of the other are in float24, as a comparison of the whole frame does."""
    if evaluation.vertices != other.vertices:
        raise refused(f"the two have {evaluation.vertices} and {other.vertices} vertices", "choose one mesh for both")
    if evaluation.subject.emits or other.subject.emits:
        return _primitives(evaluation, other, rounded=rounded)
    first, second = evaluation.result, other.result
    rounds = rounded and first.format != second.format
    one, two = (_rounded(result.outputs) if rounds else result.outputs for result in (first, second))
    shared = [port.name for port in first.ports if port.name in second.outputs]
    if not shared:
        raise refused("the two have no output in common")
    rows, differs = _differences(shared, one, two, evaluation.vertices)
    count = int(differs.sum())
    head: dict[str, Any] = {"pane": "compare", "differ": count}
    arrays: dict[str, NDArray[Any]] = {"differs": differs.astype(np.uint8)}
    volume = other.subject.volume
    if volume is not None and "position" in second.outputs:
        arrays["position"] = np.asarray(second.outputs["position"], np.float32)
        arrays["color"] = colours(second.outputs, other.state.color, volume, other.vertices)
    text = (
        f"all {evaluation.vertices:,} vertices are equal, {'in float24' if rounds else 'bit for bit'}"
        if not count
        else f"{count:,} of {evaluation.vertices:,} vertices differ{' in float24' if rounds else ''}"
    )
    only = sorted({port.name for port in first.ports} ^ {port.name for port in second.ports})
    pane: dict[str, object] = {
        "text": text,
        "names": _names(evaluation, other),
        "vertices": evaluation.vertices,
        "differ": count,
        "outputs": rows,
        "only": only,
        "verdict": None,
        "first": _first(evaluation, other, int(np.argmax(differs)), rows) if count else None,
        "list": _listed(rows, one, two, differs),
        "cycles": _cycles(evaluation, other),
        "seen": _seen(evaluation, one, two) if count else None,
    }
    return pane, head, arrays


def _seen(evaluation: Evaluation, one: Mapping[str, NDArray[Any]], two: Mapping[str, NDArray[Any]]) -> dict[str, object] | None:
    """How much of the differences is on the screen: how far a vertex moves, in pixels, of those that are on it in both, and how
    much of a colour changes, in steps of 1/255; None where nothing is drawn."""
    volume, count = evaluation.subject.volume, evaluation.vertices
    if volume is None or POSITION not in one or POSITION not in two:
        return None
    width, height = evaluation.size
    first, second = [pixels(evaluation, np.asarray(each[POSITION], np.float32), volume) for each in (one, two)]
    on_screen = ((first >= 0) & (first <= [width, height]) & np.isfinite(second)).all(axis=1)
    moved = np.hypot(*(first - second)[on_screen].T.astype(np.float64))
    shades = [colours(each, evaluation.state.color, volume, count).astype(np.float64) for each in (one, two)]
    changed = np.abs(shades[0] - shades[1])[on_screen]
    return {
        "width": width,
        "height": height,
        "pixels": plain_number(float(np.max(moved, initial=0.0))),
        "colour": plain_number(float(np.nanmax(changed, initial=0.0)) * 255),
    }


def _differences(
    names: Sequence[str], first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]], count: int
) -> tuple[list[dict[str, object]], NDArray[np.bool_]]:
    """A row for each component that differs in some of `count` vertices, and which vertices differ at all."""
    differs = np.zeros(count, np.bool_)
    rows: list[dict[str, object]] = []
    for name in names:
        one, two = _columns(first[name]), _columns(second[name])
        for column in range(min(one.shape[1], two.shape[1])):
            apart = _apart(one[:, column], two[:, column])
            differs |= apart
            if apart.any():
                with np.errstate(all="ignore"):
                    largest = float(np.max(np.abs(one[apart, column].astype(np.float64) - two[apart, column])))
                rows.append(
                    {"name": name, "component": "xyzw"[column], "vertices": int(apart.sum()), "largest": plain_number(largest)}
                )
    return rows, differs


def _listed(
    rows: Sequence[Mapping[str, object]],
    first: Mapping[str, NDArray[Any]],
    second: Mapping[str, NDArray[Any]],
    differs: NDArray[np.bool_],
) -> list[dict[str, object]]:
    """The first vertices that differ, each with its first component that does and the values of both."""
    columns = [(str(row["name"]), str(row["component"])) for row in rows]
    pairs = [tuple([_columns(each[name])[:, "xyzw".index(letter)] for each in (first, second)]) for name, letter in columns]
    apart = np.array([_apart(one, two) for one, two in pairs])
    found: list[dict[str, object]] = []
    for vertex in np.flatnonzero(differs)[:_MOST_LISTED].tolist():
        place = int(np.argmax(apart[:, vertex]))
        one, two = pairs[place]
        found.append(
            {
                "vertex": vertex,
                "place": ".".join(columns[place]),
                "components": int(apart[:, vertex].sum()),
                "left": plain_number(float(one[vertex])),
                "right": plain_number(float(two[vertex])),
            }
        )
    return found


def _rounded(outputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    from lanewise.pica200.engine import float24  # other instruction sets have one format

    return {name: float24.decode(float24.encode(array)) for name, array in outputs.items()}


def _primitives(
    evaluation: Evaluation, other: Evaluation, *, rounded: bool
) -> tuple[dict[str, object], dict[str, Any], dict[str, NDArray[Any]]]:
    """The same of what geometry shaders emit: triangles take the place of vertices."""
    first, second = evaluation.scene, other.scene
    if first is None or second is None:
        raise refused("one of the two has no triangles")
    count = min(first.triangles, second.triangles)
    shared = [name for name in first.outputs if name in second.outputs]
    outputs = [{name: scene.outputs[name][:count].reshape(3 * count, -1) for name in shared} for scene in (first, second)]
    if rounded and evaluation.result.format != other.result.format:
        outputs = [_rounded(each) for each in outputs]
    rows, differs = _differences(shared, outputs[0], outputs[1], 3 * count)
    total = int(differs.sum())
    text = f"{total:,} of {3 * count:,} corners differ"
    if first.triangles != second.triangles:
        text = f"{first.triangles} and {second.triangles} triangles; {total} corners of the first {count} differ"
    pane: dict[str, object] = {
        "text": text,
        "names": _names(evaluation, other),
        "vertices": 3 * count,
        "differ": total,
        "outputs": rows,
        "only": [],
        "list": _listed(rows, outputs[0], outputs[1], differs),
        "first": None,
        "verdict": None,
        "cycles": None,
    }
    return pane, {"pane": "compare", "differ": total}, {"differs": differs.astype(np.uint8)}


def _cycles(evaluation: Evaluation, other: Evaluation) -> list[int] | None:
    """The time of a wave in both; None where one of them has no timing."""
    subjects = [each.subject for each in (evaluation, other)]
    timed = [subject.code.time(subject.device).total_cycles for subject in subjects if isinstance(subject, CoreSubject)]
    found = [cycles for cycles in timed if cycles is not None]
    return found if len(found) == len(subjects) else None


def _names(evaluation: Evaluation, other: Evaluation) -> list[str]:
    """What the two are called: their profiles or devices where these differ."""
    variants = [evaluation.result.variant, other.result.variant]
    return variants if variants[0] != variants[1] else ["this version", "kept version"]


def _columns(array: NDArray[Any]) -> NDArray[np.float32]:
    found = np.ascontiguousarray(array, np.float32)
    return found.reshape(len(found), -1)


def _apart(one: NDArray[np.float32], two: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where numbers differ in a bit; two NaN are equal."""
    first, second = np.ascontiguousarray(one), np.ascontiguousarray(two)
    return (first.view(np.uint32) != second.view(np.uint32)) & ~(np.isnan(first) & np.isnan(second))


def _first(evaluation: Evaluation, other: Evaluation, vertex: int, rows: list[dict[str, object]]) -> dict[str, object]:
    """The first step at which a vertex computes something else; for programs that are not alike, the first among those that an
    output that differs depends on."""
    sessions = evaluation.session_with(vertex), other.session_with(vertex)
    alike = evaluation.loaded.isa == other.loaded.isa and list(evaluation.loaded.words) == list(other.loaded.words)
    steps = [_steps(session, vertex, each) for session, each in zip(sessions, (evaluation, other), strict=True)]
    if alike:
        for one, two in zip(*steps, strict=False):
            if one.address != two.address or _numbers(one) != _numbers(two):
                return _found(vertex, one.number, (one, two), sessions, "")
        return _found(vertex, None, (None, None), sessions, "")
    for row in rows:
        name = f"{row['name']}.{row['component']}"
        last = [
            _writer(listed, session.debuggee.results.get(name, "")) for listed, session in zip(steps, sessions, strict=True)
        ]
        one, two = _number(evaluation, vertex, row), _number(other, vertex, row)
        if one != two and any(last):
            first, second = (
                _behind(session, vertex, session.debuggee.results.get(name, name), len(listed))
                for listed, session in zip(steps, sessions, strict=True)
            )
            early = _departure(first, second)
            if early is not None:
                return _found(vertex, early[0].number, early, sessions, "")
            return _found(vertex, last[0].number if last[0] is not None else None, (last[0], last[1]), sessions, name)
    return _found(vertex, None, (None, None), sessions, "")


def _number(evaluation: Evaluation, vertex: int, row: Mapping[str, object]) -> float:
    return float(_columns(evaluation.result.outputs[str(row["name"])])[vertex, "xyzw".index(str(row["component"]))])


def _steps(session: Session, vertex: int, evaluation: Evaluation) -> list[Step]:
    recording = session.recording(vertex)
    recording.extend(_MOST_STEPS)
    found: list[Step] = []
    for number in range(min(len(recording), _MOST_STEPS)):
        if number % 64 == 0:
            evaluation.stop.check()
        found.append(recording.step(number)._replace(number=number))
    return found


def _numbers(step: Step) -> list[tuple[str, object]]:
    """What a step writes, as numbers: the formats of the two may differ."""
    return [(place, _same(value)) for write in step.writes for place, value in zip(write.places, write.new, strict=True)]


def _same(value: Value) -> object:
    """What is equal for equal numbers; zeros of both signs are two, all NaN are one."""
    return "NaN" if isnan(value.number) else (value.number, copysign(1.0, value.number))


def _writer(steps: list[Step], place: str) -> Step | None:
    return next((step for step in reversed(steps) if any(place in write.places for write in step.writes)), None)


def _behind(session: Session, vertex: int, place: str, end: int) -> list[tuple[Step, tuple[object, ...]]]:
    """The steps that the last value of a place is computed from, in their order, each with the values that count."""
    session.goto(vertex, end)
    causes = sorted(session.explain(vertex, place).causes, key=lambda cause: cause.step.number)
    return [
        (cause.step, tuple([_same(value) for where, value in _placed(cause.step) if where in cause.places])) for cause in causes
    ]


def _departure(
    first: list[tuple[Step, tuple[object, ...]]], second: list[tuple[Step, tuple[object, ...]]]
) -> tuple[Step, Step] | None:
    """The first steps, one of each program, where the values that they compute part; None where one of the two has none
    there."""
    matcher = SequenceMatcher(None, [values for _, values in first], [values for _, values in second], autojunk=False)
    for tag, left, after, right, beyond in matcher.get_opcodes():
        if tag != "equal":
            return (first[left][0], second[right][0]) if left < after and right < beyond else None
    return None


def _found(
    vertex: int, step: int | None, pair: tuple[Step | None, Step | None], sessions: tuple[Session, Session], name: str
) -> dict[str, object]:
    left, right = (
        _side(one, two, session, name)
        for one, two, session in ((pair[0], pair[1], sessions[0]), (pair[1], pair[0], sessions[1]))
    )
    return {"vertex": vertex, "step": step, "left": left, "right": right}


def _side(step: Step | None, twin: Step | None, session: Session, name: str) -> dict[str, object]:
    """What one of the two does in that step: its instruction, its line, and the value of the first component that differs."""
    if step is None:
        return {"step": None, "text": "", "file": None, "line": None, "place": None, "value": None}
    span = session.span(step.address) or step.span
    theirs = dict(_placed(twin)) if twin is not None else {}
    own = session.debuggee.results.get(name, "")
    chosen = next(
        (
            (place, value)
            for place, value in _placed(step)
            if (place == own if own else place not in theirs or _same(theirs[place]) != _same(value))
        ),
        None,
    )
    return {
        "step": step.number,
        "text": step.instruction,
        "file": span.file if span is not None and span.line else None,
        "line": span.line if span is not None and span.line else None,
        "place": name or (chosen[0] if chosen is not None else None),
        "value": plain_number(chosen[1].number) if chosen is not None else None,
    }


def _placed(step: Step) -> list[tuple[str, Value]]:
    return [(place, value) for write in step.writes for place, value in zip(write.places, write.new, strict=True)]


__all__ = ["compare"]
