"""Matrices of a camera, as rows, for the clip volume of any rasterizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lanewise.drawing.volume import Volume
    from numpy.typing import NDArray

    from lanewise_studio.state import Camera

    Array = NDArray[np.float64]

BINDINGS = ("projection", "view", "model", "modelview", "viewprojection", "modelviewprojection", "normal")


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


__all__ = ["BINDINGS", "matrix", "model", "projection", "view"]
