"""Which triangle is nearest at each pixel: a depth buffer in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.drawing.picture import DrawnScene

    Array = NDArray[np.float64]

DIGITS = 9  # of a depth, far below a step of a buffer of 24 bits: triangles of one depth are equal
_AT_ONCE = 1 << 21  # pixels that are looked at together
_MOST = 1 << 26  # pixels of all boxes around triangles: beyond it a coarser grid is taken
_MOST_AT_ALL = 1 << 28  # and beyond this none: about half a minute


class Nearest(NamedTuple):
    """The piece that is nearest at each pixel, -1 for none, (height, width), and the weights of its corners there, (height,
    width, 3)."""

    piece: NDArray[np.int64]
    weights: Array


def grid(drawing: DrawnScene, wanted: int) -> int:
    """Samples for a pixel of the screen along each axis: those wanted, or fewer where the triangles overlap very often; 0 where
    even one takes too long."""
    points = np.clip(drawing.points, 0, (drawing.width, drawing.height))
    area = float(np.ptp(points, axis=1).prod(axis=1).sum()) if len(points) else 0.0
    while wanted > 1 and area * wanted * wanted > _MOST:
        wanted -= 1
    return wanted if area <= _MOST_AT_ALL else 0


def nearest(drawing: DrawnScene, first: int, last: int, samples: int) -> Nearest:
    """The nearest of the pieces `first` to `last` - 1 at each of `samples` * `samples` points of a pixel. Weights are correct
    in perspective."""
    width, height = drawing.width * samples, drawing.height * samples
    points = drawing.points[first:last] * samples
    depth = drawing.depth[first:last]
    piece = np.full(width * height, -1, np.int64)
    buffer = np.full(width * height, np.inf)
    weights = np.zeros((width * height, 3))
    low = np.clip(np.ceil(points.min(axis=1) - 0.5), 0, (width, height)).astype(np.int64)
    high = np.clip(np.floor(points.max(axis=1) - 0.5) + 1, 0, (width, height)).astype(np.int64)
    extent = np.maximum(high - low, 0)
    sizes = extent.prod(axis=1)
    ends = np.cumsum(sizes)
    begin = 0
    while begin < len(sizes):
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _AT_ONCE, side="right")))
        _fill(points, depth, low, extent, sizes, (begin, end), width, (piece, buffer, weights), strict=drawing.strict)
        begin = end
    found = piece >= 0
    scaled = weights[found] * drawing.inverse_w[first:last][piece[found]]
    weights[found] = scaled / scaled.sum(axis=1, keepdims=True)
    piece[found] += first
    return Nearest(piece.reshape(height, width), weights.reshape(height, width, 3))


def _fill(
    points: Array,
    depth: Array,
    low: NDArray[np.int64],
    extent: NDArray[np.int64],
    sizes: NDArray[np.int64],
    part: tuple[int, int],
    width: int,
    buffers: tuple[NDArray[np.int64], Array, Array],
    *,
    strict: bool,
) -> None:
    """Draw some pieces into the buffers; `strict`: what is as near as a piece before is not drawn."""
    piece, buffer, weights = buffers
    begin, end = part
    owner = np.repeat(np.arange(begin, end), sizes[begin:end])
    if not len(owner):
        return
    start = np.cumsum(sizes[begin:end]) - sizes[begin:end]
    local = np.arange(len(owner)) - np.repeat(start, sizes[begin:end])
    rows = extent[owner, 0]
    x = low[owner, 0] + local % rows
    y = low[owner, 1] + local // rows
    shares = _shares(points[begin:end])[owner - begin]
    at = np.stack([x + 0.5, y + 0.5, np.ones(len(x))], axis=1)
    share = np.einsum("pij,pj->pi", shares, at)
    inside = np.flatnonzero((share >= 0.0).all(axis=1))
    owner, share = owner[inside], share[inside]
    pixel = y[inside] * width + x[inside]
    far: Array = np.asarray(np.einsum("pi,pi->p", share, depth[owner]), np.float64).round(DIGITS)
    was = buffer[pixel]
    np.minimum.at(buffer, pixel, far)
    front = np.flatnonzero((far <= buffer[pixel]) & (far < was) if strict else far <= buffer[pixel])
    front = front[::-1] if strict else front  # the last that is written to a pixel stays
    piece[pixel[front]] = owner[front]
    weights[pixel[front]] = share[front]


def _shares(points: Array) -> Array:
    """For each triangle the matrix that gives the weights of its corners at (x, y, 1); NaN where it has no area."""
    (ax, ay), (bx, by), (cx, cy) = (np.moveaxis(points[:, corner], -1, 0) for corner in range(3))
    rows = [
        (by - cy, cx - bx, bx * cy - cx * by),
        (cy - ay, ax - cx, cx * ay - ax * cy),
        (ay - by, bx - ax, ax * by - bx * ay),
    ]
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.moveaxis(np.array(rows), -1, 0) / area[:, np.newaxis, np.newaxis]
