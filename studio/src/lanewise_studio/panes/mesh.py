"""The pane of the mesh: places in object, clip and screen space, colours, and what becomes of vertices and triangles, as one
binary frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from lanewise.core.plain import plain_number
from lanewise.drawing.camera_matrices import matrix
from lanewise.drawing.picture import screen_size, to_pixels
from lanewise.drawing.scene import as_colours

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.drawing.camera import Camera
    from lanewise.drawing.scene import Scene
    from lanewise.drawing.visibility import Fates
    from lanewise.drawing.volume import Volume
    from numpy.typing import NDArray

    from lanewise_studio.controls import Control
    from lanewise_studio.evaluation import Evaluation

    Arrays = Mapping[str, NDArray[Any]]

NAN, INFINITE, BEHIND, OUTSIDE, STOPPED = 1, 2, 4, 8, 16  # bits of the flags of a vertex
VISIBLE = 255  # the fate of a triangle that reaches the screen
POSITION = "position"


def flags_of(position: NDArray[np.float32], volume: Volume) -> NDArray[np.uint8]:
    """The flags of vertices (n, 4) in clip space."""
    columns = np.ascontiguousarray(position.T)
    x, y, z, w = columns
    with np.errstate(invalid="ignore", over="ignore"):
        total = x + y + z + w  # finite where all are, but for sums that are too large
        odd = ~np.isfinite(total)
        outside = (np.abs(x) > w) | (np.abs(y) > w) | (z < volume.nearest * w) | (z > volume.farthest * w)
        found = np.where(w <= 0.0, BEHIND, 0) | np.where(outside, OUTSIDE, 0)
    if odd.any():
        nan = np.logical_or.reduce(np.isnan(columns), axis=0)
        infinite = np.logical_or.reduce(np.isinf(columns), axis=0) & ~nan
        found = found | np.where(nan, NAN, 0) | np.where(infinite, INFINITE, 0)
        found[nan] &= NAN
    return found.astype(np.uint8)


def colours(outputs: Arrays, chosen: str, volume: Volume, count: int) -> NDArray[np.float32]:
    """The colours of vertices: an output, the vertex colour by default, white where there is neither."""
    name = chosen if chosen in outputs else volume.colour
    if name not in outputs:
        return np.ones((count, 4), np.float32)
    return as_colours(np.asarray(outputs[name], np.float32).reshape(count, -1), name, volume)


def hot(evaluation: Evaluation, outputs: Arrays, wanted: list[str] | None) -> dict[str, NDArray[Any]]:
    """The arrays that change while a uniform is dragged."""
    volume = evaluation.subject.volume
    found: dict[str, NDArray[Any]] = {}
    position = np.asarray(outputs[POSITION], np.float32) if POSITION in outputs else None
    names = wanted if wanted is not None else ["position", "color", "flags"]
    for name in names:
        if name == "position" and position is not None:
            found[name] = position
        elif name == "color" and volume is not None:
            found[name] = colours(outputs, evaluation.state.color, volume, evaluation.vertices)
        elif name == "flags" and position is not None and volume is not None:
            found[name] = flags_of(position, volume)
        elif name == "screen" and position is not None and volume is not None:
            found[name] = pixels(evaluation, position, volume)
        elif name.startswith("output:") and name.removeprefix("output:") in outputs:
            found[name] = np.asarray(outputs[name.removeprefix("output:")], np.float32)
    return found


def pixels(evaluation: Evaluation, position: NDArray[np.float32], volume: Volume) -> NDArray[np.float32]:
    """Places on the screen in pixels, y downward; NaN behind the viewer."""
    width, height, turn = screen_size(volume, evaluation.state.screen)
    with np.errstate(all="ignore"):
        found = to_pixels(np.asarray(position, np.float64), (width, height), turn=turn).astype(np.float32)
    found[~(position[:, 3] > 0.0)] = np.nan
    return found


def fate_numbers(found: Fates) -> NDArray[np.uint8]:
    """The fate of each triangle as the page has it."""
    return np.where(found.number < 0, VISIBLE, found.number).astype(np.uint8)


def followed(rows: Sequence[Control]) -> bool:
    """Whether the picture is that of the camera: a projection follows it."""
    return any("projection" in control.camera for control in rows)


def frustum(camera: Camera, volume: Volume, size: tuple[int, int]) -> list[list[float]]:
    """The corners of the clip volume in the space of the object, as the camera sees it: four of the near plane,
    counterclockwise from the lower left, then four of the far plane."""
    back = np.linalg.inv(matrix("modelviewprojection", camera, volume, size))
    found: list[list[float]] = []
    for depth in (volume.nearest, volume.farthest):
        for right, up in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
            place = back @ np.array([up, -right, depth, 1.0] if volume.turn else [right, up, depth, 1.0])
            found.append([float(number) for number in place[:3] / place[3]])
    return found


def _of_vertices(evaluation: Evaluation) -> tuple[dict[str, NDArray[Any]], list[dict[str, object]]]:
    """The outputs of all vertices by name, and what they are."""
    ports = evaluation.result.ports
    rows: list[dict[str, object]] = [
        {"name": port.name, "register": port.register, "components": port.components} for port in ports
    ]
    return {port.name: evaluation.result.outputs[port.name] for port in ports}, rows


def _of_corners(scene: Scene) -> tuple[dict[str, NDArray[Any]], list[dict[str, object]]]:
    """The same of the corners of triangles that a geometry shader emits."""
    outputs = {name: array.reshape(-1, array.shape[-1]) for name, array in scene.outputs.items()}
    return outputs, [{"name": name, "register": "", "components": "xyzw"[: array.shape[1]]} for name, array in outputs.items()]


def _volume(volume: Volume) -> dict[str, object]:
    """A clip volume, for the page."""
    return {
        "name": volume.name,
        "nearest": volume.nearest,
        "farthest": volume.farthest,
        "front": volume.front,
        "turn": volume.turn,
        "colour": volume.colour,
        "absolute": volume.absolute,
        "screens": [{"name": name, "width": wide, "height": high} for name, wide, high in volume.screens],
    }


def _undrawn(evaluation: Evaluation, why: str) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
    """The outputs of all vertices, for the table, of a program that gives nothing to draw."""
    head: dict[str, object] = {
        "pane": "mesh",
        "hot": False,
        "reason": why,
        "triangles": 0,
        "visible": 0,
        "fates": [],
        "counts": {},
    }
    if evaluation.subject.emits:
        return {**head, "vertices": 0, "whole": False, "outputs": []}, {}
    outputs, ports = _of_vertices(evaluation)
    count = evaluation.vertices
    found = {f"output:{name}": np.asarray(array, np.float32) for name, array in outputs.items()}
    return {**head, "vertices": count, "lanes": count, "whole": True, "outputs": ports}, found


def mesh(evaluation: Evaluation) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
    """The head and the arrays of the pane; the head has a reason where there is nothing to draw."""
    subject = evaluation.subject
    volume, scene, fate = subject.volume, evaluation.scene, evaluation.fates
    place = evaluation.mesh.arrays["position"]
    if volume is None or scene is None or fate is None:
        why = "a pixel shader has no triangles" if subject.stage == "pixel" else "no output is a position with x, y, z and w"
        return _undrawn(evaluation, why)
    whole = not subject.emits
    outputs, ports = _of_vertices(evaluation) if whole else _of_corners(scene)
    if whole:
        index, numbers = evaluation.faces, np.arange(evaluation.vertices)
    else:
        runs = scene.runs if scene.runs is not None else np.zeros(scene.triangles, np.int64)
        index, numbers = np.arange(3 * scene.triangles).reshape(-1, 3), np.repeat(runs, 3)
    position = np.asarray(outputs[POSITION], np.float32)
    flags = flags_of(position, volume)
    if len(scene.stopped):
        flags[np.isin(numbers, scene.stopped)] |= STOPPED
    fates_ = fate_numbers(fate)
    counts = {code: int(count) for code, count in zip(fate.codes, np.bincount(fates_, minlength=256), strict=False) if count}
    width, height, _ = screen_size(volume, evaluation.state.screen)
    head: dict[str, object] = {
        "pane": "mesh",
        "hot": False,
        "vertices": len(position),
        "triangles": len(index),
        "lanes": evaluation.vertices,
        "whole": whole,
        "outputs": ports,
        "volume": _volume(volume),
        "screen": {"name": evaluation.state.screen or volume.screens[0][0], "width": width, "height": height},
        "fates": [*fate.codes],
        "counts": counts,
        "visible": fate.visible,
        "frustum": frustum(evaluation.state.camera, volume, evaluation.size) if followed(evaluation.controls) else None,
        "bounds": [[plain_number(float(number)) for number in edge(place, axis=0)] for edge in (np.min, np.max)],
    }
    arrays: dict[str, NDArray[Any]] = {
        "position": position,
        "color": colours(outputs, evaluation.state.color, volume, len(position)),
        "screen": pixels(evaluation, position, volume),
        "flags": flags,
        "index": index.astype(np.uint32),
        "fate": fates_,
        "vertex": numbers.astype(np.uint32),
        **{f"output:{name}": np.asarray(array, np.float32) for name, array in outputs.items()},
    }
    if whole:
        arrays["object"] = np.asarray(place, np.float32)
    return head, arrays


__all__ = ["BEHIND", "INFINITE", "NAN", "OUTSIDE", "STOPPED", "VISIBLE", "colours", "flags_of", "hot", "mesh", "pixels"]
