"""The meshes that come with the studio: formulas on grids, each with positions, normals, texture coordinates and colours."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from lanewise.arrays.mesh import Mesh

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_DETAIL = 1_000_000
_STEP = 1e-4  # of the parameters, for the derivatives that give normals


class Shape(NamedTuple):
    """A mesh of the studio: `make` takes about how many vertices it has."""

    name: str
    title: str
    usual: int
    make: Callable[[int], Mesh]


class _Part(NamedTuple):
    position: Array
    normal: Array
    texcoord: Array
    faces: NDArray[np.int64]


def _grid(columns: int, rows: int) -> tuple[Array, Array, NDArray[np.int64]]:
    """Parameters u and v from 0 to 1 of (columns + 1) * (rows + 1) vertices, and the triangles, counterclockwise where u goes
    right and v up."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, columns + 1), np.linspace(0.0, 1.0, rows + 1))
    corner = (np.arange(rows)[:, np.newaxis] * (columns + 1) + np.arange(columns)).reshape(-1)
    right, up = corner + 1, corner + columns + 1
    faces = np.stack([corner, right, up + 1, corner, up + 1, up], axis=1).reshape(-1, 3)
    return u.reshape(-1), v.reshape(-1), faces


def _surface(place: Callable[[Array, Array], Array], columns: int, rows: int) -> _Part:
    """A surface over a grid. Its outside is where the u direction turns counterclockwise to the v direction; corners that fall
    together make no triangle."""
    u, v, faces = _grid(columns, rows)
    inside = np.clip(v, _STEP, 1.0 - _STEP)  # at a pole the direction of u has no length
    along = place(u + _STEP, inside) - place(u - _STEP, inside)
    up = place(u, inside + _STEP) - place(u, inside - _STEP)
    normal = np.cross(along, up)
    position = place(u, v)
    corners = position[faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return _Part(position, _unit(normal), np.stack([u, v], axis=1), faces[area > 1e-12])


def _unit(vectors: Array) -> Array:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)


def _mesh(name: str, parts: Sequence[_Part]) -> Mesh:
    """One mesh of parts, with colours by place."""
    starts = np.cumsum([0, *[len(part.position) for part in parts]])
    position = np.concatenate([part.position for part in parts])
    low, high = position.min(axis=0), position.max(axis=0)
    colour = np.ones((len(position), 4))
    colour[:, :3] = 0.15 + 0.85 * (position - low) / np.where(high > low, high - low, 1.0)
    arrays = {
        "position": position,
        "normal": np.concatenate([part.normal for part in parts]),
        "texcoord": np.concatenate([part.texcoord for part in parts]),
        "color": colour,
    }
    faces = np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)])
    return Mesh(name, {key: np.ascontiguousarray(array, np.float32) for key, array in arrays.items()}, faces)


def _sides(vertices: int, ratio: float) -> tuple[int, int]:
    """Columns and rows of a grid of about so many vertices, `ratio` times as many columns as rows."""
    rows = max(3, round((vertices / ratio) ** 0.5) - 1)
    return max(3, round(vertices / (rows + 1)) - 1), rows


def torus(vertices: int) -> Mesh:
    """A ring around the y axis."""

    def place(u: Array, v: Array) -> Array:
        around, tube = 2 * np.pi * u, 2 * np.pi * v
        distance = 0.72 + 0.28 * np.cos(tube)
        return np.stack([distance * np.sin(around), 0.28 * np.sin(tube), distance * np.cos(around)], axis=1)

    return _mesh("torus", [_surface(place, *_sides(vertices, 2.0))])


def cube(vertices: int) -> Mesh:
    """Six faces, whose corners have their own normals."""
    count = max(1, round((vertices / 6) ** 0.5) - 1)
    u, v, faces = _grid(count, count)
    parts: list[_Part] = []
    for axis in range(3):
        for side in (1.0, -1.0):
            normal, right = np.zeros(3), np.zeros(3)
            normal[axis], right[(axis + 1) % 3] = side, 1.0
            up = np.cross(normal, right)
            position = 0.7 * (normal + np.outer(2 * u - 1, right) + np.outer(2 * v - 1, up))
            parts.append(_Part(position, np.tile(normal, (len(u), 1)), np.stack([u, v], axis=1), faces))
    return _mesh("cube", parts)


def icosphere(vertices: int) -> Mesh:
    """A sphere of triangles that are nearly equal: the faces of an icosahedron, divided."""
    parts = max(1, round((max(vertices - 2, 10) / 10) ** 0.5))
    golden = (1 + 5**0.5) / 2
    corners = np.array(
        [
            (-1, golden, 0),
            (1, golden, 0),
            (-1, -golden, 0),
            (1, -golden, 0),
            (0, -1, golden),
            (0, 1, golden),
            (0, -1, -golden),
            (0, 1, -golden),
            (golden, 0, -1),
            (golden, 0, 1),
            (-golden, 0, -1),
            (-golden, 0, 1),
        ]
    )
    distances = np.linalg.norm(corners[:, np.newaxis] - corners, axis=2)
    near = np.abs(distances - 2.0) < 1e-9
    triangles = [(a, b, c) for a in range(12) for b in range(a) for c in range(b) if near[a, b] and near[b, c] and near[a, c]]
    turned = [
        (a, b, c) if np.dot(np.cross(corners[b] - corners[a], corners[c] - corners[a]), corners[a]) > 0 else (a, c, b)
        for a, b, c in triangles
    ]
    i, j = (index.reshape(-1) for index in np.meshgrid(np.arange(parts + 1), np.arange(parts + 1), indexing="ij"))
    kept = i + j <= parts
    number = np.full((parts + 2, parts + 2), -1, np.int64)
    i, j = i[kept], j[kept]
    number[i, j] = np.arange(len(i))
    whole = np.stack([number[i, j], number[i + 1, j], number[i, j + 1]], axis=1)[i + j < parts]
    other = np.stack([number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]], axis=1)[i + j < parts - 1]
    weights = np.stack([parts - i - j, i, j], axis=1) / parts
    places = _unit((weights @ corners[np.array(turned)]).reshape(-1, 3))
    faces = (np.concatenate([whole, other]) + np.arange(20)[:, np.newaxis, np.newaxis] * len(i)).reshape(-1, 3)
    _, first, same = np.unique(np.round(places, 9), axis=0, return_index=True, return_inverse=True)
    position = places[first]
    texcoord = np.stack(
        [np.arctan2(position[:, 0], position[:, 2]) / (2 * np.pi) + 0.5, np.arcsin(position[:, 1]) / np.pi + 0.5], axis=1
    )
    return _mesh("icosphere", [_Part(0.95 * position, position, texcoord, same.reshape(-1)[faces])])


# The outline of a pot from its foot to the tip of its lid: distance from the axis, and height.
_OUTLINE = np.array([
    (0.0, -0.55), (0.34, -0.55), (0.42, -0.5), (0.6, -0.3), (0.68, -0.05), (0.62, 0.2), (0.46, 0.36), (0.4, 0.4), (0.4, 0.43),
    (0.3, 0.5),
    (0.12, 0.56), (0.06, 0.62), (0.1, 0.68), (0.08, 0.75), (0.0, 0.77),
])  # fmt: skip


def _tube(path: Callable[[Array], Array], width: Callable[[Array], Array]) -> Callable[[Array, Array], Array]:
    """A tube of circles across a path in the plane of x and y."""

    def place(u: Array, v: Array) -> Array:
        middle = path(v)
        along = path(v + _STEP) - path(v - _STEP)
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
        across = np.stack([along[:, 1], -along[:, 0], np.zeros_like(v)], axis=1)
        angle = -2 * np.pi * u
        return middle + width(v)[:, np.newaxis] * (
            np.cos(angle)[:, np.newaxis] * across + np.sin(angle)[:, np.newaxis] * np.array([0.0, 0.0, 1.0])
        )

    return place


def pot(vertices: int) -> Mesh:
    """A pot with a lid on a lathe, a spout and a handle."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(_OUTLINE, axis=0), axis=1))])

    def body(u: Array, v: Array) -> Array:
        at = np.clip(v, 0.0, 1.0) * lengths[-1]
        radius = cast("Array", np.interp(at, lengths, _OUTLINE[:, 0]))
        height = cast("Array", np.interp(at, lengths, _OUTLINE[:, 1]))
        angle = 2 * np.pi * u
        return np.stack([radius * np.sin(angle), height, radius * np.cos(angle)], axis=1)

    def spout(v: Array) -> Array:
        return np.stack([0.5 + 0.55 * v, -0.2 + 0.2 * v + 0.4 * v**2, np.zeros_like(v)], axis=1)

    def handle(v: Array) -> Array:
        angle = np.pi * (0.5 + v)
        return np.stack([-0.5 + 0.42 * np.cos(angle), 0.03 + 0.28 * np.sin(angle), np.zeros_like(v)], axis=1)

    most = _surface(body, *_sides(int(vertices * 0.7), 1.0))
    thin = _sides(int(vertices * 0.15), 0.75)
    beak = _surface(_tube(spout, lambda v: 0.16 - 0.09 * v), *thin)
    grip = _surface(_tube(handle, lambda v: 0.055 + 0.0 * v), *thin)
    return _mesh("pot", [most, beak, grip])


def grid(vertices: int) -> Mesh:
    """A flat square in the plane of x and z, seen from above."""
    count = max(1, round(vertices**0.5) - 1)
    u, v, faces = _grid(count, count)
    position = np.stack([2 * u - 1, np.zeros_like(u), 1 - 2 * v], axis=1)
    return _mesh("grid", [_Part(position, np.tile([0.0, 1.0, 0.0], (len(u), 1)), np.stack([u, v], axis=1), faces)])


SHAPES = (
    Shape("torus", "Ring", 1200, torus),
    Shape("cube", "Cube", 24, cube),
    Shape("icosphere", "Sphere", 642, icosphere),
    Shape("pot", "Pot", 1600, pot),
    Shape("grid", "Grid", 441, grid),
)


@lru_cache(8)
def shape(name: str, vertices: int = 0) -> Mesh:
    """A mesh by its name, of about so many vertices (0: its usual number). Raises ValueError for an unknown one."""
    for row in SHAPES:
        if row.name == name:
            return row.make(min(max(vertices, 4), MOST_DETAIL) if vertices else row.usual)
    raise ValueError(f"unknown mesh '{name}': use {', '.join([row.name for row in SHAPES])}")


__all__ = ["MOST_DETAIL", "SHAPES", "Shape", "shape"]
