"""Clipping of many triangles at once, in homogeneous coordinates (Sutherland and Hodgman)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.drawing.volume import Volume

    Array = NDArray[np.float64]
    Distance = Sequence[float]

# The least w that is left of a triangle that reaches behind the viewer, as in Azahar (sw_rasterizer.cpp, EPSILON).
LEAST_W = 1e-5
_FLAT = 1e-9  # an area that counts as none, relative to the size of the triangle


class Clipped(NamedTuple):
    """The parts of triangles inside planes: (pieces, 3, 4) in clip space, (pieces, 3, 3) barycentric weights of the triangle's
    corners, and its number."""

    position: Array
    weights: Array
    source: NDArray[np.int64]


def distances(volume: Volume) -> tuple[tuple[float, float, float, float], ...]:
    """The planes of a volume as coefficients of x, y, z, w, and of what is behind the viewer."""
    return tuple([plane.distance for plane in volume.planes])


def clip(position: Array, planes: Sequence[Distance]) -> Clipped:
    """Cut triangles (n, 3, 4) at planes, and at the least w. Positions are finite."""
    count = len(position)
    inside = _distance(position, planes)
    whole = np.flatnonzero((inside >= 0.0).all(axis=(0, 2)) & (position[..., 3] >= LEAST_W).all(axis=1))
    outside = (inside < 0.0).all(axis=2).any(axis=0) | (position[..., 3] < LEAST_W).all(axis=1)
    cut = np.ones(count, np.bool_)
    cut[whole] = False
    cut &= ~outside
    weights, owner = _cut(position, np.flatnonzero(cut), planes)
    fans, source = _fans(owner)
    corners = weights[fans]
    pieces = np.einsum("pcv,pvk->pck", corners, position[source]) if len(source) else np.zeros((0, 3, 4))
    return Clipped(
        np.concatenate([position[whole], pieces]),
        np.concatenate([np.broadcast_to(np.eye(3), (len(whole), 3, 3)), corners]),
        np.concatenate([whole, source]),
    )


def clip_regions(position: Array, planes: Sequence[Distance], regions: Sequence[Sequence[Distance]]) -> Clipped:
    """Cut triangles at planes, and to what is in one of the regions, which do not overlap; without regions to the planes
    alone."""
    parts = [clip(position, (*planes, *region)) for region in regions] or [clip(position, planes)]
    return Clipped(*[np.concatenate(arrays) for arrays in zip(*parts, strict=True)]) if len(parts) > 1 else parts[0]


def _distance(position: Array, planes: Sequence[Distance]) -> Array:
    """(planes, triangles, corners)."""
    if not planes:
        return np.zeros((0, *position.shape[:2]))
    return np.moveaxis(position @ np.array(planes, np.float64).T, -1, 0)


def _cut(position: Array, which: NDArray[np.int64], planes: Sequence[Distance]) -> tuple[Array, NDArray[np.int64]]:
    """Clipped triangles: the corners of all polygons, one after another, as weights (corners, 3), and the triangle
    of each."""
    weights = np.tile(np.eye(3), (len(which), 1))
    owner = np.repeat(which, 3)
    for number in range(len(planes) + 1):
        if not len(owner):
            break
        last = number == len(planes)
        coefficients = np.array((0.0, 0.0, 0.0, 1.0) if last else planes[number])
        reach = np.einsum("cv,cv->c", weights, position[owner] @ coefficients) - (LEAST_W if last else 0.0)
        before = np.arange(-1, len(owner) - 1)
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        before[first] = np.append(first[1:], len(owner)) - 1
        inside = reach >= 0.0
        crossing = np.flatnonzero(inside != inside[before])
        kept = np.flatnonzero(inside)
        there, here = reach[before[crossing]], reach[crossing]
        share = (there / (there - here))[:, np.newaxis]
        cuts = weights[before[crossing]] * (1.0 - share) + weights[crossing] * share
        order = np.argsort(np.concatenate([crossing * 2, kept * 2 + 1]), kind="stable")
        weights = np.concatenate([cuts, weights[kept]])[order]
        owner = np.concatenate([owner[crossing], owner[kept]])[order]
    return weights, owner


def _fans(owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Polygons as triangles around their first corner: places of corners (pieces, 3), and the owner of each."""
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    sizes = np.diff(np.append(first, len(owner)))
    pieces = np.maximum(sizes - 2, 0)
    start = np.repeat(first, pieces)
    step = np.arange(len(start)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    fans = np.stack([start, start + step + 1, start + step + 2], axis=1)
    return fans.reshape(-1, 3), owner[start] if len(start) else np.zeros(0, np.int64)


def facing(position: Array) -> Array:
    """The signed area of triangles (n, 3, 4) in homogeneous coordinates: positive where they run counterclockwise, zero where
    they have no area."""
    x, y, w = position[..., 0], position[..., 1], position[..., 3]
    with np.errstate(over="ignore", invalid="ignore"):
        return (
            x[:, 0] * (y[:, 1] * w[:, 2] - y[:, 2] * w[:, 1])
            - y[:, 0] * (x[:, 1] * w[:, 2] - x[:, 2] * w[:, 1])
            + w[:, 0] * (x[:, 1] * y[:, 2] - x[:, 2] * y[:, 1])
        )


def flat(position: Array) -> NDArray[np.bool_]:
    """Which triangles (n, 3, 4) of finite numbers have no area."""
    size = np.abs(position[..., (0, 1, 3)]).max(axis=(1, 2))
    return np.abs(facing(position / np.maximum(size, 1e-300)[:, np.newaxis, np.newaxis])) <= _FLAT**2
