"""Matrices of a camera, as rows, for the clip volume of any rasterizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.drawing.camera import BINDINGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.drawing.camera import Camera
    from lanewise.drawing.volume import Volume

    Array = NDArray[np.float64]


def fitted(camera: Camera, low: Array, high: Array) -> Camera:
    """A camera that sees a box whole, whatever its turn: the sphere around it fills most of the height of the view."""
    target, radius = (low + high) / 2, float(np.linalg.norm((high - low) / 2))
    if not np.isfinite([*target, radius]).all() or radius == 0.0:
        return camera
    distance = 1.05 * radius / float(np.sin(np.radians(camera.fov) / 2))
    x, y, z = map(float, target)
    near, far = min(camera.near, (distance - radius) / 4), max(camera.far, 4 * distance)
    return camera._replace(target=(x, y, z), distance=distance, near=near, far=far)


def projection(camera: Camera, volume: Volume, size: tuple[int, int]) -> Array:
    """A perspective projection of a viewer who looks along -z to clip space: w is the distance, z from near to far as the
    volume has it.

    On a turned screen x is up and -y is right, as `Mtx_PerspTilt` of citro3d does it (source/maths/mtx_persptilt.c).
    """
    upright = 1.0 / np.tan(np.radians(camera.fov) / 2)
    wide = upright * size[1] / size[0]
    near, far = camera.near, camera.far
    slope = (volume.farthest * far - volume.nearest * near) / (near - far)
    right, up = [wide, 0.0, 0.0, 0.0], [0.0, upright, 0.0, 0.0]
    rows = [up, [-wide, 0.0, 0.0, 0.0]] if volume.turn else [right, up]
    return np.array([*rows, [0.0, 0.0, slope, volume.nearest * near + slope * near], [0.0, 0.0, -1.0, 0.0]])


def view(camera: Camera) -> Array:
    """From the world to the viewer, who is around the target and looks at it."""
    around, above = camera.yaw, camera.pitch
    back = np.array([np.cos(above) * np.sin(around), np.sin(above), np.cos(above) * np.cos(around)])
    right = np.array([np.cos(around), 0.0, -np.sin(around)])
    rows = np.array([right, np.cross(back, right), back])
    found = np.eye(4)
    found[:3, :3] = rows
    found[:3, 3] = -rows @ (np.array(camera.target) + camera.distance * back)
    return found


def model(camera: Camera) -> Array:
    """The turn of the object about x, then y, then z."""
    found = np.eye(4)
    for axis, degrees in enumerate(camera.model):
        cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        first, second = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(4)
        turn[first, first] = turn[second, second] = cosine
        turn[first, second], turn[second, first] = -sine, sine
        found = turn @ found
    return found


def matrix(binding: str, camera: Camera, volume: Volume, size: tuple[int, int]) -> Array:
    """The matrix that a name of `BINDINGS` means, four rows. Raises ValueError for another name."""
    if binding == "projection":
        return projection(camera, volume, size)
    if binding in ("view", "model"):
        return view(camera) if binding == "view" else model(camera)
    if binding in ("modelview", "normal"):
        return view(camera) @ model(camera)
    if binding == "viewprojection":
        return projection(camera, volume, size) @ view(camera)
    if binding == "modelviewprojection":
        return projection(camera, volume, size) @ view(camera) @ model(camera)
    raise ValueError(f"unknown matrix '{binding}' of the camera: use {', '.join(BINDINGS)}")


__all__ = ["fitted", "matrix", "model", "projection", "view"]
