"""A drawing as PNG: the nearest triangle of each pixel by a depth buffer, with Pillow for lines, reduction and the file."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.extras import extra
from lanewise.drawing.layers import needs_layers
from lanewise.drawing.layers import shown as seen
from lanewise.drawing.raster import grid, nearest
from lanewise.drawing.svg import FRAME, GROUND, PALE, WIRE, edges_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.drawing.picture import DrawnScene

_FINER = 2  # samples along an axis for a pixel of the picture


class NoPillow(Exception):
    """Pillow is not installed."""


class TooDense(Exception):
    """Triangles that cover each other so often that finding the nearest takes minutes."""


def as_png(drawing: DrawnScene, *, wireframe: bool = False) -> bytes:
    """Draw as PNG. Raises NoPillow, TooDense."""
    try:
        image_module: Any = import_module("PIL.Image")  # by name, as it may not be there
        draw_module: Any = import_module("PIL.ImageDraw")
    except ImportError:
        raise NoPillow(f"writing PNG needs Pillow: {extra('picture')}, or draw an .svg") from None
    wanted = drawing.scale * _FINER
    samples = wanted if wireframe else grid(drawing, wanted)
    if not samples:
        raise TooDense("the triangles cover each other too often to find the nearest: draw with --wireframe, or fewer of them")
    pixels = np.empty((drawing.height * samples, drawing.width * samples, 3), np.uint8)
    pixels[:] = _rgb(GROUND)
    if not wireframe:
        for first, last in ((0, drawing.pale), (drawing.pale, len(drawing.points))):
            if last > first:
                _paint(drawing, first, last, samples, pixels, pale=last <= drawing.pale)
    image = image_module.fromarray(pixels)
    pen: Any = draw_module.Draw(image)
    if wireframe:
        for first, last, colour in ((0, drawing.pale, PALE), (drawing.pale, len(drawing.points), WIRE)):
            for line in (edges_of(drawing, first, last) * samples).reshape(-1, 4).tolist():
                pen.line(line, fill=colour, width=max(1, samples // 2))
    if drawing.frame is not None:
        x, y, wide, high = (number * samples for number in drawing.frame)
        pen.rectangle((x, y, x + wide, y + high), outline=FRAME, width=samples)
    image = image.resize((drawing.width * drawing.scale, drawing.height * drawing.scale), image_module.Resampling.BOX)
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _paint(drawing: DrawnScene, first: int, last: int, samples: int, pixels: NDArray[np.uint8], *, pale: bool) -> None:
    layered = drawing.layers and needs_layers(drawing)
    shown = seen(drawing, samples) if layered else nearest(drawing, first, last, samples)
    there = shown.piece >= 0
    if pale:
        pixels[there] = (pixels[there] * 0.5 + np.array(_rgb(PALE)) * 0.5).astype(np.uint8)
        return
    colours = np.einsum("pv,pvk->pk", shown.weights[there], drawing.colours[shown.piece[there]][..., :3])
    pixels[there] = np.rint(np.clip(colours, 0.0, 1.0) * 255).astype(np.uint8)


def _rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
