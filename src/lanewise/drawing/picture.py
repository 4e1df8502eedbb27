"""The picture of a scene: clipped, divided, culled triangles in pixels, with colours. Printers: `svg`, `png`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.record import Record
from lanewise.core.text.counting import counted
from lanewise.drawing.clip import LEAST_W, clip, clip_regions, distances, facing, flat
from lanewise.drawing.scene import colours_of
from lanewise.drawing.volume import BACK, COUNTERCLOCKWISE, FRONT, NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.drawing.clip import Clipped
    from lanewise.drawing.placement import DepthTest, Layer
    from lanewise.drawing.scene import Scene
    from lanewise.drawing.volume import Volume

    Array = NDArray[np.float64]

VIEWS = SCREEN, CLIP = ("screen", "clip")
SHADINGS = SMOOTH, FLAT = ("smooth", "flat")
FACE, DEPTH = "face", "depth"  # colours that are no outputs
_CLIP_SIZE = 480
_MOST_RANGE = 4.0
_LIGHT = np.array([-0.35, 0.55, 0.76])
_GREY = np.array([0.78, 0.82, 0.88])


class Look(Record):
    """How a scene is drawn."""

    view: str = SCREEN
    "SCREEN, or CLIP: clip space with the triangles outside the volume."
    screen: str = ""
    "Name of the volume's screens, or `WIDTHxHEIGHT` of a render target, which is not turned; empty for the default."
    cull: str = BACK
    "Faces that are left out."
    colour: str = ""
    "Output, FACE (by direction) or DEPTH; empty for the vertex colour, or FACE where that is missing or uniform."
    shading: str = SMOOTH
    "SMOOTH, or FLAT: one colour for a triangle."
    wireframe: bool = False
    "Draw edges alone."
    scale: int = 2
    "Pixels of the picture for one of the screen."


class DrawnScene(Record):
    """Triangles in pixels of the screen, cut into pieces."""

    width: int
    "Pixels of the screen."
    height: int
    "Pixels of the screen."
    scale: int
    "Pixels of the picture for one of the screen."
    points: Array
    "(pieces, 3, 2), y downward."
    depth: Array
    "(pieces, 3), nearer is less."
    inverse_w: Array
    "(pieces, 3) 1 / w, for interpolation."
    colours: Array
    "(pieces, 3, 4) red, green, blue, alpha, 0 to 1."
    source: NDArray[np.int64]
    "Number of the triangle of each piece."
    edges: NDArray[np.bool_]
    "(pieces, 3): the edge from the corner to the next is one of the triangle's."
    pale: int
    "Number of the first pieces, which are outside the volume; only the clip view shows them."
    frame: tuple[float, float, float, float] | None
    "Rectangle of the volume in the clip view: x, y, width, height; None on the screen."
    drawn: int
    "Number of triangles with an area that are inside at least in part and not culled."
    title: str
    "Line on what the picture shows."
    layers: tuple[Layer, ...] = ()
    "Draws in order; empty for one, of which the nearest piece is shown."
    strict: bool = False
    "Of pieces of one depth the first is shown, otherwise the last."


def culled(volume: Volume, position: Array, cull: str) -> NDArray[np.bool_]:
    """Which triangles (n, 3, 4) face the direction that is culled."""
    if cull == NONE:
        return np.zeros(len(position), np.bool_)
    area = facing(position)
    front = area > 0.0 if volume.front == COUNTERCLOCKWISE else area < 0.0
    back = area < 0.0 if volume.front == COUNTERCLOCKWISE else area > 0.0
    return front if cull == FRONT else back


def screen_size(volume: Volume, screen: str) -> tuple[int, int, bool]:
    """Width, height, and whether the screen is turned. Raises ValueError."""
    if not screen:
        _, width, height = volume.screens[0]
        return width, height, volume.turn
    for name, width, height in volume.screens:
        if name == screen:
            return width, height, volume.turn
    wide, by, high = screen.partition("x")
    if by and wide.isdecimal() and high.isdecimal() and 1 <= int(wide) <= 4096 and 1 <= int(high) <= 4096:
        return int(wide), int(high), False
    names = " or ".join([name for name, _, _ in volume.screens])
    raise ValueError(f"unknown screen '{screen}': use {names}, or a size such as 256x256 (1 to 4096)")


def to_pixels(position: Array, size: tuple[int, int], *, turn: bool) -> Array:
    """Clip space (..., 4) to pixels of a screen (..., 2), y downward."""
    divided = position[..., :2] / position[..., 3:]
    right, up = (-divided[..., 1], divided[..., 0]) if turn else (divided[..., 0], divided[..., 1])
    return np.stack([(right + 1.0) * (size[0] / 2), (1.0 - up) * (size[1] / 2)], axis=-1)


def in_pixels(scene: Scene, position: Array, screen: str) -> tuple[Array, tuple[int, int]]:
    """Clip space (..., 4) of a scene to pixels of its target or of a screen that is named, and the size of that. Raises
    ValueError."""
    placement = scene.placement
    if placement is None or screen:
        width, height, turn = screen_size(scene.volume, screen)
        return to_pixels(position, (width, height), turn=turn), (width, height)
    return to_pixels(placement.mapped(position), placement.shown, turn=placement.turn), placement.shown


def limits_of(scene: Scene, screen: str) -> tuple[tuple[tuple[float, float, float, float], ...], ...]:
    """The regions of the target of a scene that its scissor leaves, as planes; none for a screen that is named."""
    return scene.placement.regions if scene.placement is not None and not screen else ()


def draw(scene: Scene, look: Look) -> DrawnScene:
    """The picture of a scene. Raises ValueError for an output, screen or other choice that does not exist."""
    for value, choices, what in (
        (look.view, VIEWS, "view"),
        (look.shading, SHADINGS, "shading"),
        (look.cull, (NONE, BACK, FRONT), "cull"),
    ):
        if value not in choices:
            raise ValueError(f"unknown {what} '{value}': use {', '.join(choices)}")
    if not 1 <= look.scale <= 8:
        raise ValueError(f"scale is {look.scale}, expected 1 to 8")
    if scene.parts:
        return _target(scene, look)
    drawing = _one(scene, look)
    depth = scene.placement.depth if scene.placement is not None and not look.screen else None
    if depth is None or look.view != SCREEN:
        return drawing
    from lanewise.drawing.layers import STRICT, ordered
    from lanewise.drawing.placement import Layer

    order = ordered(drawing._replace(layers=(Layer(end=len(drawing.source), test=depth),)))
    return drawing._replace(depth=order, strict=depth.test in STRICT)


def _one(scene: Scene, look: Look) -> DrawnScene:
    """The picture of one draw."""
    finite: NDArray[np.bool_] = np.logical_and.reduce(np.isfinite(scene.position), axis=(1, 2))
    position = np.where(finite[:, np.newaxis, np.newaxis], scene.position, -1.0)
    colours = _colours(scene, look, position)
    hidden = culled(scene.volume, position, look.cull)
    planes = distances(scene.volume)
    inside = _kept(clip_regions(position, planes, limits_of(scene, look.screen)), hidden)
    seen = np.unique(inside.source)
    drawn = len(seen) - int(np.count_nonzero(flat(position[seen])))
    title = f"{drawn} of {counted(scene.triangles, 'triangle')}"
    if look.view == SCREEN:
        points, size = in_pixels(scene, inside.position, look.screen)
        return _drawing(size, look, [inside], [points], colours, None, drawn, title)
    reach = _reach(position)
    guard = tuple([(a, b, c, reach) for a, b, c, _ in planes if not c])
    everything = _kept(clip(position, guard), hidden)
    size = (_CLIP_SIZE, _CLIP_SIZE)
    points = [to_pixels(part.position * (1, 1, 1, reach), size, turn=False) for part in (everything, inside)]
    edge = _CLIP_SIZE / 2 * (1 - 1 / reach)
    frame = (edge, edge, _CLIP_SIZE / reach, _CLIP_SIZE / reach)
    return _drawing(size, look, [everything, inside], points, colours, frame, drawn, title)


def _target(scene: Scene, look: Look) -> DrawnScene:
    """The picture of several draws. Raises ValueError for what is about one draw."""
    from lanewise.drawing.layers import merged

    if look.view != SCREEN or look.screen:
        raise ValueError("the view and the screen of several draws are those of their target: leave out --view and --screen")
    drawings: list[DrawnScene] = []
    tests: list[DepthTest] = []
    for number, part in enumerate(scene.parts):
        if part.placement is None or part.placement.depth is None:
            unknown = "viewport" if part.placement is None else "depth test"
            raise ValueError(f"draw {number} of the target, counted from 0, has no known {unknown}: draw it alone")
        drawings.append(_one(part, look._replace(cull=part.placement.cull or look.cull)))
        tests.append(part.placement.depth)
    return merged(drawings, tests, scene.triangles)


def _kept(parts: Clipped, hidden: NDArray[np.bool_]) -> Clipped:
    keep = ~hidden[parts.source]
    return type(parts)(parts.position[keep], parts.weights[keep], parts.source[keep])


def _reach(position: Array) -> float:
    """How far the clip view goes from the middle, in units of w."""
    ahead = position[position[..., 3] >= LEAST_W]
    if not len(ahead):
        return 1.15
    return float(np.clip(1.1 * np.quantile(np.abs(ahead[:, :2] / ahead[:, 3:]).max(axis=1), 0.98), 1.15, _MOST_RANGE))


def _drawing(
    size: tuple[int, int],
    look: Look,
    parts: Sequence[Clipped],
    points: Sequence[Array],
    colours: Array,
    frame: tuple[float, float, float, float] | None,
    drawn: int,
    title: str,
) -> DrawnScene:
    position = np.concatenate([part.position for part in parts])
    weights = np.concatenate([part.weights for part in parts])
    source = np.concatenate([part.source for part in parts])
    pale = len(parts[0].source) if len(parts) > 1 else 0
    found = np.einsum("pcv,pvk->pck", weights, colours[source]) if len(source) else np.zeros((0, 3, 4))
    if look.shading == FLAT:
        found = np.broadcast_to(colours[source].mean(axis=1)[:, np.newaxis, :], found.shape)
    nowhere = np.abs(weights) < 1e-9  # an edge on which a corner of the triangle has no weight is one of the triangle's
    edges = np.stack([(nowhere[:, corner] & nowhere[:, (corner + 1) % 3]).any(axis=1) for corner in range(3)], axis=1)
    w = position[..., 3]
    return DrawnScene(
        width=size[0],
        height=size[1],
        scale=look.scale,
        points=np.concatenate(points),
        depth=position[..., 2] / w,
        inverse_w=1.0 / w,
        colours=found,
        source=source,
        edges=edges,
        pale=pale,
        frame=frame,
        drawn=drawn,
        title=title,
    )


def _colours(scene: Scene, look: Look, position: Array) -> Array:
    """The colour of each corner, (triangles, 3, 4). Raises ValueError."""
    name = look.colour
    if not name:
        name = scene.volume.colour
        if name not in scene.outputs or not scene.triangles or _same(colours_of(scene, name)[..., :3]):
            name = FACE
    if name in scene.outputs:
        return colours_of(scene, name)
    if name == FACE:
        shade = _faces(position)[:, np.newaxis, np.newaxis]
    elif name == DEPTH:
        shade = _depths(position)[..., np.newaxis]
    else:
        raise ValueError(f"unknown colour '{name}': use {', '.join([*scene.outputs, FACE, DEPTH])}")
    found = np.ones((scene.triangles, 3, 4))
    found[..., :3] = shade * _GREY
    return found


def _same(colours: Array) -> bool:
    return bool(np.ptp(colours.reshape(-1, colours.shape[-1]), axis=0).max() < 1 / 255)


def _faces(position: Array) -> Array:
    """Brightness of each triangle by its direction: as if a lamp stood beside the viewer."""
    x, y, z, w = np.moveaxis(position, -1, 0)
    depth = -w
    if w.size and np.ptp(w) <= 1e-3 * max(1e-30, float(np.abs(w).max())):  # a parallel projection: the extent of z is arbitrary
        spread = float(np.ptp(z)) or 1.0
        depth = -z / spread * max(float(np.ptp(x)), float(np.ptp(y)))
    space = np.stack([x, y, depth], axis=-1)
    normal = np.cross(space[:, 1] - space[:, 0], space[:, 2] - space[:, 0])
    length = np.linalg.norm(normal, axis=1)
    cosine = np.abs(normal @ _LIGHT) / np.where(length > 0.0, length, 1.0)
    return 0.25 + 0.75 * np.minimum(cosine, 1.0)


def _depths(position: Array) -> Array:
    """Brightness of each corner by its depth: near is bright."""
    w = position[..., 3]
    ahead = w >= LEAST_W
    far = np.where(ahead, position[..., 2] / np.where(ahead, w, 1.0), np.nan)
    if not ahead.any():
        return np.ones_like(w)
    low, high = np.nanquantile(far, (0.01, 0.99))
    return np.where(ahead, 1.0 - 0.8 * np.clip((far - low) / max(float(high - low), 1e-12), 0.0, 1.0), 1.0)
