"""What a picture is asked: why it is empty, what is at a pixel, a vertex or a triangle, and which path each vertex takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from lanewise.core.debugging import STOPPED
from lanewise.core.elsewhere import elsewhere
from lanewise.core.plain import plain_number
from lanewise.drawing.picture import Look, draw
from lanewise.drawing.visibility import visibility

from lanewise_studio.places import control
from lanewise_studio.state import refused
from lanewise_studio.subject import CoreSubject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.drawing.scene import Scene
    from numpy.typing import NDArray

    from lanewise_studio.evaluation import Evaluation

_MOST_SHOWN = 64  # triangles of a vertex
_MOST_STEPS = 60_000  # of all vertices together: some seconds
_MOST_PATHS = 65_534
_UNKNOWN = 65_535
_MANY = 64  # threads that can be looked at where each can start by itself


def why(evaluation: Evaluation) -> dict[str, object]:
    """What keeps triangles off the screen, and the first instruction to look at, as `--why` says it."""
    scene = evaluation.whole_scene
    if scene is None:
        return {"text": "", "reason": "no output is a position with x, y, z and w"}
    found = visibility(scene, cull=evaluation.state.cull, screen=evaluation.state.screen)
    reasons = tuple([reason._replace(fix=elsewhere(reason.fix, control)) for reason in found.reasons])
    return {"text": found.text(), **found._replace(reasons=reasons).to_json()}


def pick(evaluation: Evaluation, asked: Mapping[str, Any]) -> dict[str, object]:
    """The values of a vertex, of the corners of a triangle, or of what is nearest at a pixel of the screen."""
    scene, fate = evaluation.scene, evaluation.fates
    if scene is None or fate is None:
        raise refused("there are no triangles to pick from")
    pixel = asked.get("pixel")
    if pixel is not None:
        numbers = cast("list[object]", pixel) if isinstance(pixel, list) else []
        if len(numbers) != 2 or not all(isinstance(each, (int, float)) and abs(each) < 1e6 for each in numbers):
            raise refused("a pixel is a list of two numbers, x and y")
        x, y = (float(each) for each in cast("list[float]", numbers))
        triangle, weights = _at(scene, evaluation, x, y)
        if triangle is None:
            return {"triangle": None, "vertex": None, "pixel": [x, y]}
        corner = int(np.argmax(weights))
        chosen = _triangle(evaluation, scene, triangle)
        return {
            **chosen,
            "pixel": [x, y],
            "weights": weights,
            "corner": corner,
            "vertex": int(scene.vertices[triangle, corner]),
        }
    triangle, vertex = asked.get("triangle"), asked.get("vertex")
    if isinstance(triangle, int):
        if not 0 <= triangle < scene.triangles:
            raise refused(f"triangle {triangle} does not exist", f"there are {scene.triangles}, counted from 0")
        return {**_triangle(evaluation, scene, triangle), "vertex": int(scene.vertices[triangle, 0])}
    if not isinstance(vertex, int) or not 0 <= vertex < evaluation.vertices:
        raise refused(f"vertex {vertex} does not exist", f"there are {evaluation.vertices}, counted from 0")
    around = np.flatnonzero((scene.vertices == vertex).any(axis=1))
    return {
        "vertex": vertex,
        "triangle": int(around[0]) if len(around) else None,
        "triangles": [{"number": int(number), "fate": _fate(evaluation, int(number))} for number in around[:_MOST_SHOWN]],
        "values": values(evaluation, vertex),
    }


def _at(scene: Scene, evaluation: Evaluation, x: float, y: float) -> tuple[int | None, list[float]]:
    """The triangle that is nearest at a pixel, with the weights of its corners there; None where nothing is drawn."""
    drawn = draw(scene, Look(screen=evaluation.state.screen, cull=evaluation.state.cull, scale=1, colour="face"))
    point = np.array([np.floor(x) + 0.5, np.floor(y) + 0.5])
    low, high = drawn.points.min(axis=1), drawn.points.max(axis=1)
    near = np.flatnonzero(((low <= point) & (point <= high)).all(axis=1))
    if not len(near):
        return None, []
    corners = drawn.points[near]
    first, second, third = corners[:, 0], corners[:, 1], corners[:, 2]
    area = _cross(second - first, third - first)
    safe = np.where(area == 0.0, 1.0, area)
    shares = np.stack(
        [_cross(second - point, third - point), _cross(third - point, first - point), _cross(first - point, second - point)],
        axis=1,
    )
    shares = shares / safe[:, np.newaxis]
    inside = (shares >= 0.0).all(axis=1) & (area != 0.0)
    if not inside.any():
        return None, []
    depth = np.where(inside, (shares * drawn.depth[near]).sum(axis=1), np.inf)
    # Nearer is less, as for pictures; of two at one depth the first stays.
    best = int(np.argmin(depth))
    piece = int(near[best])
    triangle = int(drawn.source[piece])
    return triangle, _weights(scene, triangle, evaluation, point)


def _weights(scene: Scene, triangle: int, evaluation: Evaluation, point: NDArray[np.float64]) -> list[float]:
    """The weights of the corners of a triangle at a pixel, correct in perspective, from its edges in clip space."""
    volume = scene.volume
    width, height = evaluation.size
    across, down = 2 * point[0] / width - 1, 1 - 2 * point[1] / height
    turned = volume.turn and evaluation.state.screen in ("", *[name for name, _, _ in volume.screens])
    x, y = (down, -across) if turned else (across, down)
    corners = scene.position[triangle]
    rows = np.stack([corners[:, 0] - x * corners[:, 3], corners[:, 1] - y * corners[:, 3]], axis=1)
    first, second, third = rows
    shares = np.array([_cross(second, third), _cross(third, first), _cross(first, second)], np.float64)
    total = float(shares.sum())
    found = shares / total if total else np.full(3, 1 / 3)
    return [float(number) for number in found]


def _cross(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    return first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]


def _fate(evaluation: Evaluation, triangle: int) -> str:
    fates = evaluation.fates
    number = int(fates.number[triangle]) if fates is not None else -1
    return fates.codes[number] if fates is not None and number >= 0 else "visible"


def _triangle(evaluation: Evaluation, scene: Scene, triangle: int) -> dict[str, object]:
    corners = [int(number) for number in scene.vertices[triangle]]
    emitted = evaluation.subject.emits
    own = [
        {
            "vertex": number,
            **({"run": int(scene.runs[triangle])} if scene.runs is not None else {}),
            "outputs": {
                name: [plain_number(float(each)) for each in array[triangle, corner]] for name, array in scene.outputs.items()
            },
            **({} if emitted else {"inputs": values(evaluation, number)["inputs"]}),
        }
        for corner, number in enumerate(corners)
    ]
    return {"triangle": triangle, "fate": _fate(evaluation, triangle), "corners": own}


def values(evaluation: Evaluation, vertex: int) -> dict[str, Any]:
    """The inputs and the outputs of a vertex by name."""
    result = evaluation.result
    return {
        "inputs": {
            row.name: [plain_number(float(number)) for number in row.values[vertex if len(row.values) > 1 else 0]]
            for row in evaluation.inputs
        },
        "outputs": {
            port.name: [plain_number(float(number)) for number in np.asarray(result.outputs[port.name][vertex]).reshape(-1)]
            for port in result.ports
        },
    }


def paths(evaluation: Evaluation) -> tuple[dict[str, object], NDArray[np.uint16]]:
    """The path of each vertex through the program: its number among `paths`; 65,535 for vertices that were not followed."""
    debuggee = evaluation.session.debuggee
    found = np.full(evaluation.vertices, _UNKNOWN, np.uint16)
    report = evaluation.stop.progress(f"{debuggee.one}s")
    count = min(evaluation.vertices, len(debuggee.threads))
    if debuggee.samples < _MANY and evaluation.subject.emits:  # each run needs all runs before it
        count = min(count, debuggee.samples)
    alone = isinstance(evaluation.subject, CoreSubject)  # its programs have no branches
    numbers: dict[tuple[int, ...], int] = {}
    rows: list[dict[str, object]] = []
    counts: list[int] = []
    steps = 0
    for vertex in range(count):
        if vertex % 16 == 0:
            report(vertex, count)
        machine = debuggee.machine(vertex, {})
        taken: list[int] = []
        while not machine.finished:
            taken.append(machine.address)
            if machine.advance() == STOPPED:
                break
        steps += len(taken)
        key = tuple(taken)
        number = numbers.get(key)
        if number is None:
            if len(numbers) >= _MOST_PATHS:
                continue
            number = numbers[key] = len(numbers)
            rows.append(
                {"vertex": vertex, "steps": len(taken), "words": sorted(set(taken)), "stopped": machine.fault is not None}
            )
            counts.append(0)
        counts[number] += 1
        found[vertex] = number
        if alone:
            found[:], counts[0] = 0, evaluation.vertices
            break
        if steps > _MOST_STEPS:
            break
    followed = int((found != _UNKNOWN).sum())
    listed = [{**row, "vertices": count, "text": _path_text(row, rows)} for row, count in zip(rows, counts, strict=True)]
    return {"paths": listed, "followed": followed, "of": evaluation.vertices}, found


def _path_text(row: Mapping[str, Any], rows: list[dict[str, object]]) -> str:
    """What tells a path from the others: the words that it does and not all of them do."""
    common = set(cast("list[int]", row["words"]))
    for other in rows:
        common &= set(cast("list[int]", other["words"]))
    own = sorted(set(cast("list[int]", row["words"])) - common)
    return f"{row['steps']} steps" + (f", with {_ranges(own)}" if own else "") + (", stopped" if row["stopped"] else "")


def _ranges(numbers: list[int]) -> str:
    parts: list[str] = []
    start = 0
    for place, number in enumerate(numbers):
        if place + 1 == len(numbers) or numbers[place + 1] != number + 1:
            parts.append(f"{numbers[start]}" if start == place else f"{numbers[start]} to {number}")
            start = place + 1
    return "words " + ", ".join(parts[:8]) + (" …" if len(parts) > 8 else "")


__all__ = ["paths", "pick", "values", "why"]
