"""The part of clip space that a rasterizer keeps: `Volume`."""

from __future__ import annotations

from lanewise.core.record import Record

CULLS = NONE, BACK, FRONT = ("none", "back", "front")
COUNTERCLOCKWISE, CLOCKWISE = "counterclockwise", "clockwise"


class Volume(Record):
    """The clip volume of a rasterizer, and its conventions.

    A vertex is inside with -w <= x <= w, -w <= y <= w and `nearest` * w <= z <= `farthest` * w. x grows to the right and y
    upward.
    """

    name: str
    "Name of the rasterizer in messages."
    nearest: float
    "z / w of the near plane."
    farthest: float
    "z / w of the far plane."
    front: str
    "Direction in which the corners of a front face run."
    turn: bool
    "The screen shows y as its x, from right to left, and x as its y, as screens that are built in sideways do."
    screens: tuple[tuple[str, int, int], ...]
    "Name, width and height in pixels of each screen as a viewer sees it; the first is the default."
    colour: str
    "Name of the output of the vertex colour."
    absolute: bool
    "Colours are min(|c|, 1); otherwise they are clamped to 0 to 1."
    wrong_range: tuple[float, float]
    "Range of z / w that only matrices for another depth range give."
    depth_range: str
    "The fix for a scene in `wrong_range`."
    winding: str
    "The fix for a scene whose faces are all culled."
    blending: str
    "The fix for a scene with an alpha of 0; empty where that hides nothing by default."

    @property
    def depth_text(self) -> str:
        """The range of z, such as `-w <= z <= 0`."""
        return f"{_times_w(self.nearest)} <= z <= {_times_w(self.farthest)}"

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The planes, each as the coefficients of the distance of (x, y, z, w): negative is outside."""
        sides = ("top", "bottom", "left", "right") if self.turn else ("right", "left", "top", "bottom")
        return (
            Plane(
                name="near",
                outside=f"z < {_times_w(self.nearest)}",
                place="nearer than the near plane",
                axis=2,
                distance=(0.0, 0.0, 1.0, -self.nearest),
            ),
            Plane(
                name="far",
                outside=f"z > {_times_w(self.farthest)}",
                place="farther than the far plane",
                axis=2,
                distance=(0.0, 0.0, -1.0, self.farthest),
            ),
            Plane(name=sides[0], outside="x > w", place=_beyond(sides[0]), axis=0, distance=(-1.0, 0.0, 0.0, 1.0)),
            Plane(name=sides[1], outside="x < -w", place=_beyond(sides[1]), axis=0, distance=(1.0, 0.0, 0.0, 1.0)),
            Plane(name=sides[2], outside="y > w", place=_beyond(sides[2]), axis=1, distance=(0.0, -1.0, 0.0, 1.0)),
            Plane(name=sides[3], outside="y < -w", place=_beyond(sides[3]), axis=1, distance=(0.0, 1.0, 0.0, 1.0)),
        )


class Plane(Record):
    """A plane of a volume."""

    name: str
    "Noun phrase for messages."
    outside: str
    "Condition of the vertices that it cuts off."
    place: str
    "Where these vertices are, for messages."
    axis: int
    "Component that decides: 0 for x."
    distance: tuple[float, float, float, float]
    "Factors of x, y, z and w whose sum is negative outside."


def _beyond(side: str) -> str:
    where = {"top": "above the upper", "bottom": "below the lower", "left": "left of the left", "right": "right of the right"}
    return f"{where[side]} edge of the screen"


def _times_w(factor: float) -> str:
    return {0.0: "0", 1.0: "w", -1.0: "-w"}[factor]
