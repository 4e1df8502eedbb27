"""A drawing as SVG: a polygon for each triangle, far ones first; smooth colours as many small polygons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.diagnostics import PortableError
from lanewise.drawing.raster import grid, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from lanewise.drawing.picture import DrawnScene

    Array = NDArray[np.float64]

MOST_POLYGONS = 200_000
GROUND, FRAME, WIRE, PALE = "#1d2330", "#f2b84b", "#8fc7ff", "#5a6378"
_MANY = 4000  # triangles from which on those that are covered are left out
_PALE_OPACITY = 0.55
_STEP, _SMALL = 14 / 255, 4.0  # the difference of colours that is visible, the area in pixels that is not divided
_MOST_DIVIDED = 60_000
_SAMPLES = 3


class TooManyPolygons(PortableError):
    """A drawing that no viewer opens."""

    def __init__(self, count: int) -> None:
        super().__init__(f"an SVG of {count} polygons is too large to open: draw a .png, or fewer triangles")


def as_svg(drawing: DrawnScene, *, wireframe: bool = False) -> str:
    """Draw as SVG. Raises TooManyPolygons."""
    width, height, scale = drawing.width, drawing.height, drawing.scale
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" viewBox="0 0 {width} '
            f'{height}" role="img">'
        ),
        f"<title>{drawing.title}</title>",
        f"<desc>{_about(drawing, wireframe)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>',
    ]
    layers = [(0, drawing.pale), (drawing.pale, len(drawing.points))] if drawing.pale else [(0, len(drawing.points))]
    for first, last in layers:
        pale = last <= drawing.pale
        if wireframe:
            lines += _wires(drawing, first, last, PALE if pale else WIRE)
        elif last > first:
            lines += _filled(drawing, first, last, pale=pale)
    if drawing.frame is not None:
        x, y, wide, high = (f"{number:.4g}" for number in drawing.frame)
        lines.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="none" stroke="{FRAME}" stroke-width="1"/>')
    return "\n".join([*lines, "</svg>", ""])


def _about(drawing: DrawnScene, wireframe: bool) -> str:
    """A description for those who do not see the picture. Its ground is dark in both colour schemes: shaders that light things
    give colours near white."""
    looks = "edges of triangles" if wireframe else "filled triangles, far ones first"
    if drawing.frame is not None:
        looks += "; the rectangle is the view volume, triangles outside are grey"
    rows, columns = drawing.height, drawing.width
    if not len(drawing.points):
        return f"{columns} by {rows} pixels, empty."
    low, high = drawing.points.min(axis=(0, 1)), drawing.points.max(axis=(0, 1))
    (left, top), (right, bottom) = np.clip(low, 0, (columns, rows)), np.clip(high, 0, (columns, rows))
    return f"{columns} by {rows} pixels: {looks}; x {left:.0f} to {right:.0f}, y {top:.0f} to {bottom:.0f} of them."


def _filled(drawing: DrawnScene, first: int, last: int, *, pale: bool) -> Iterator[str]:
    chosen = np.arange(first, last)
    samples = grid(drawing, _SAMPLES) if last - first > _MANY else 0
    if samples:
        shown = nearest(drawing, first, last, samples).piece
        chosen = np.unique(shown[shown >= 0])
    points, colours, depth = _divided(drawing, chosen)
    if len(points) > MOST_POLYGONS:
        raise TooManyPolygons(len(points))
    order = np.argsort(-depth, kind="stable")
    if drawing.strict:  # what is drawn last is seen
        order = len(depth) - 1 - np.argsort(-depth[::-1], kind="stable")
    opacity = f' opacity="{_PALE_OPACITY}"' if pale else ""
    yield f'<g stroke-width="0.35" stroke-linejoin="round"{opacity}>'
    fills = [PALE] * len(order) if pale else ["#{:02x}{:02x}{:02x}".format(*colour) for colour in colours[order].tolist()]
    before, path = "", list[str]()
    for shape, fill in zip(_shapes(points[order]), fills, strict=True):
        if fill != before and path:
            yield f'<path d="{"".join(path)}" fill="{before}" stroke="{before}"/>'
            path = []
        before = fill
        path.append(shape)
    if path:
        yield f'<path d="{"".join(path)}" fill="{before}" stroke="{before}"/>'
    yield "</g>"


def _shapes(points: Array) -> Iterator[str]:
    """The path of each triangle, in tenths of a pixel, with steps from corner to corner."""
    tenths = np.rint(points * 10).astype(np.int64)
    steps = np.diff(tenths, axis=1)
    for (x, y), ((a, b), (c, d)) in zip(tenths[:, 0].tolist(), steps.tolist(), strict=True):
        yield f"M{_tenth(x)} {_tenth(y)}l{_tenth(a)} {_tenth(b)} {_tenth(c)} {_tenth(d)}z"


def _tenth(number: int) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    whole, rest = divmod(number, 10)
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"


def _divided(drawing: DrawnScene, chosen: NDArray[np.int64]) -> tuple[Array, NDArray[np.int64], Array]:
    """Triangles of one colour: points (n, 3, 2), colours (n, 3) of 0 to 255, depths (n). Those with smooth colours are cut into
    four, again and again."""
    shares = np.tile(np.eye(3), (len(chosen), 1, 1))
    owner = chosen
    done: list[tuple[Array, Array, Array]] = []
    while len(owner):
        points = np.einsum("pcv,pvk->pck", shares, drawing.points[owner])
        depth = np.einsum("pcv,pv->p", shares, drawing.depth[owner]) / 3.0
        colours = _at(drawing, owner, shares)
        middle = _at(drawing, owner, shares.mean(axis=1, keepdims=True))[:, 0]
        first, second = points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]
        area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2.0
        coarse = (np.ptp(colours, axis=1).max(axis=1) > _STEP) & (area > _SMALL)
        room = _MOST_DIVIDED - sum(len(part) for part, _, _ in done)
        if 4 * np.count_nonzero(coarse) + np.count_nonzero(~coarse) > max(room, len(chosen)):
            coarse[:] = False
        done.append((points[~coarse], middle[~coarse], depth[~coarse]))
        owner, shares = _quartered(owner[coarse], shares[coarse])
    parts = (
        [np.concatenate(column) for column in zip(*done, strict=True)]
        if done
        else [np.zeros((0, 3, 2)), np.zeros((0, 3)), np.zeros(0)]
    )
    return parts[0], np.rint(np.clip(parts[1], 0.0, 1.0) * 255).astype(np.int64), parts[2]


def _at(drawing: DrawnScene, owner: NDArray[np.int64], shares: Array) -> Array:
    """Red, green and blue at places of pieces, correct in perspective where 1 / w is a number other than 0."""
    scaled = shares * drawing.inverse_w[owner][:, np.newaxis, :]
    total = scaled.sum(axis=2, keepdims=True)
    right = np.isfinite(total) & (total != 0)
    weights = np.divide(scaled, total, out=shares.astype(scaled.dtype), where=right)
    return np.einsum("pcv,pvk->pck", weights, drawing.colours[owner][..., :3])


def _quartered(owner: NDArray[np.int64], shares: Array) -> tuple[NDArray[np.int64], Array]:
    a, b, c = shares[:, 0], shares[:, 1], shares[:, 2]
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    parts = [np.stack(corners, axis=1) for corners in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return np.tile(owner, 4), np.concatenate(parts)


def edges_of(drawing: DrawnScene, first: int, last: int) -> Array:
    """The edges of the triangles of some pieces, each once: (edges, 2, 2) in pixels."""
    points, real = drawing.points[first:last], drawing.edges[first:last]
    found = np.concatenate(
        [np.stack([points[:, corner], points[:, (corner + 1) % 3]], axis=1)[real[:, corner]] for corner in range(3)]
    )
    tenths = np.rint(found * 10).astype(np.int64)
    swap = (tenths[:, 0, 0] > tenths[:, 1, 0]) | ((tenths[:, 0, 0] == tenths[:, 1, 0]) & (tenths[:, 0, 1] > tenths[:, 1, 1]))
    tenths[swap] = tenths[swap, ::-1]
    return np.unique(tenths.reshape(-1, 4), axis=0).reshape(-1, 2, 2) / 10.0


def _wires(drawing: DrawnScene, first: int, last: int, colour: str) -> Iterator[str]:
    edges = edges_of(drawing, first, last)
    if len(edges) > MOST_POLYGONS:
        raise TooManyPolygons(len(edges))
    tenths = np.rint(edges * 10).astype(np.int64).reshape(-1, 4).tolist()
    path = "".join([f"M{_tenth(x)} {_tenth(y)}L{_tenth(a)} {_tenth(b)}" for x, y, a, b in tenths])
    yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="0.5" stroke-linecap="round"/>'
