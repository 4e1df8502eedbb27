"""Meshes for programs that no matrix of the camera moves: what passes positions on, or scales them as pixels of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from lanewise.arrays.mesh import Mesh
from lanewise.drawing.camera_matrices import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.drawing.camera import Camera
    from lanewise.drawing.volume import Volume
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_SIZE = 0.8  # of the half of the screen
_MARGIN = 0.1  # of the depth of the volume, on both sides
_LEAST = 1e-6  # of a scale that counts


def probes(mesh: Mesh) -> Mesh:
    """A mesh of four vertices: the origin and a step of 1 along each axis, with the other properties of the first vertex."""
    arrays = {name: np.repeat(array[:1], 4, axis=0) for name, array in mesh.arrays.items()}
    position = np.zeros((4, 3), np.float32)
    position[1:] = np.eye(3)
    return Mesh(mesh.path, {**arrays, "position": position}, None)


def placed(mesh: Mesh, answers: Array, camera: Camera, volume: Volume, size: tuple[int, int]) -> Mesh | None:
    """The mesh, turned as the camera sees it, where a program that gives `answers` (4, 4) for its probes shows it whole; None
    for one that moves its vertices otherwise."""
    if not np.isfinite(answers).all() or np.ptp(answers[:, 3]) > _LEAST or answers[0, 3] <= 0.0:
        return None
    moved = answers[:, :3] / answers[0, 3]
    steps = (moved[1:] - moved[0]).T  # column k: what a step along axis k does
    if np.abs(steps[:2]).max() < _LEAST:
        return None
    turn = view(camera)[:3, :3]
    wanted = _on_screen(np.asarray(mesh.arrays["position"], np.float64) @ turn.T, volume, size)
    back = cast("Array", np.linalg.pinv(steps, rcond=_LEAST))  # pyright: ignore[reportUnknownMemberType]
    arrays = {**mesh.arrays, "position": np.ascontiguousarray((wanted - moved[0]) @ back.T, np.float32)}
    if "normal" in arrays:
        arrays["normal"] = np.ascontiguousarray(np.asarray(arrays["normal"], np.float64) @ turn.T, np.float32)
    return Mesh(mesh.path, arrays, mesh.faces)


def _on_screen(place: Array, volume: Volume, size: tuple[int, int]) -> Array:
    """Places with x to the right, y up and z to the viewer as x, y and z of clip space with w = 1."""
    radius = float(np.abs(place).max()) or 1.0
    x, y, z = (place / radius).T
    x = x * _SIZE * min(1.0, size[1] / size[0])
    y = y * _SIZE * min(1.0, size[0] / size[1])
    share = _MARGIN + (1.0 - 2.0 * _MARGIN) * (1.0 - z) / 2.0
    depth = volume.nearest + (volume.farthest - volume.nearest) * share
    return np.stack([y, -x, depth] if volume.turn else [x, y, depth], axis=1)


def transposed(run: Callable[[bool], Array], expected: Array) -> bool:
    """Whether a program multiplies vectors by matrices from the left: with matrices turned over, and not as they are, it puts
    vertices where the camera sees them."""
    return not _alike(run(False), expected) and _alike(run(True), expected)


def _alike(found: Array, expected: Array) -> bool:
    return found.shape == expected.shape and bool(np.allclose(found, expected, rtol=1e-2, atol=1e-2))


__all__ = ["placed", "probes", "transposed"]
