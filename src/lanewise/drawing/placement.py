"""Where the clip volume of a scene is in its target: viewport and scissor, as an application sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.record import Record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Rectangle = tuple[float, float, float, float]
    Plane = tuple[float, float, float, float]


NEVER, ALWAYS, EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL = (
    "never",
    "always",
    "equal",
    "less",
    "less or equal",
    "greater",
    "greater or equal",
)


class DepthTest(Record):
    """How the depth of a draw is compared with the one that is stored."""

    scale: float
    "Factor of z / w."
    offset: float
    "What is added; the sum is 0 to 1."
    test: str
    "Such as `less`: the new depth is drawn if it is less."
    written: bool
    "Whether depths that pass are stored."


class Layer(Record):
    """The pieces of one of several draws."""

    end: int
    "Number of the piece after its last."
    test: DepthTest
    "How they are compared with those before."


class Placement(Record):
    """A target with a viewport. Rectangles are x, y, width and height in pixels from the lower left corner."""

    size: tuple[int, int]
    "Width and height of the target in pixels."
    viewport: Rectangle
    "Where the clip volume is; its width and height are above 0."
    scissor: Rectangle | None = None
    "Only what is inside is drawn; None for everything."
    without: Rectangle | None = None
    "What is inside is not drawn; None for nothing."
    turn: bool = False
    "The target is shown turned, as the screens of a 3DS are built in."
    cull: str = ""
    "Faces that are left out; empty for the default."
    depth: DepthTest | None = None
    "Test of the depth; None for the nearest triangle at each pixel."
    hidden: str = ""
    "Why no pixel of the target changes, with the fix after `; `; empty if some may."

    @property
    def shown(self) -> tuple[int, int]:
        """Width and height as a viewer sees the target."""
        return (self.size[1], self.size[0]) if self.turn else self.size

    def mapped(self, position: Array) -> Array:
        """Positions (..., 4) for a viewport that is the whole target."""
        found = np.array(position, np.float64)
        for axis in range(2):
            factor, offset = self._scale(axis)
            found[..., axis] = position[..., axis] * factor + position[..., 3] * offset
        return found

    @property
    def regions(self) -> tuple[tuple[Plane, ...], ...]:
        """The parts of the target that may be drawn: convex ones that do not overlap, each as its limits, which are factors of
        x, y, z and w whose sum is negative outside."""
        whole = tuple([plane for rectangle in self._rectangles for plane in self._planes(rectangle)])
        if self.without is None:
            return (whole,)
        left_out = self._planes(self.without)
        return tuple([(*whole, *left_out[:side], _opposite(plane)) for side, plane in enumerate(left_out)])

    @property
    def _rectangles(self) -> tuple[Rectangle, ...]:
        whole = (0.0, 0.0, float(self.size[0]), float(self.size[1]))
        return (whole,) if self.scissor is None else (whole, self.scissor)

    def _scale(self, axis: int) -> tuple[float, float]:
        start, length, size = self.viewport[axis], self.viewport[axis + 2], self.size[axis]
        return length / size, (2 * start + length) / size - 1.0

    def _planes(self, rectangle: Rectangle) -> list[Plane]:
        found: list[Plane] = []
        for axis in range(2):
            factor, offset = self._scale(axis)
            for sign, edge in ((1.0, rectangle[axis]), (-1.0, rectangle[axis] + rectangle[axis + 2])):
                plane = [0.0, 0.0, 0.0, sign * (offset - (2 * edge / self.size[axis] - 1.0))]
                plane[axis] = sign * factor
                found.append((plane[0], plane[1], plane[2], plane[3]))
        return found


def _opposite(plane: Plane) -> Plane:
    x, y, z, w = plane
    return -x, -y, -z, -w
