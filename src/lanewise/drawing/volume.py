"""What a rasterizer keeps of clip space: `Volume`."""

from __future__ import annotations

from lanewise.core.record import Record

CULLS = NONE, BACK, FRONT = ("none", "back", "front")
COUNTERCLOCKWISE, CLOCKWISE = "counterclockwise", "clockwise"


class Volume(Record):
    """The clip volume of a rasterizer, and its conventions.

    A vertex is inside with -w <= x <= w, -w <= y <= w and `nearest` * w <= z <= `farthest` * w. x grows to the right and y
    upward; a triangle whose corners run in the direction `front` is a front face. `turn`: the screen shows y as its x, from
    right to left, and x as its y, as the screens of a console that are built in sideways do. `screens` are width and height in
    pixels of what a viewer sees, by name; the first is the default. `colour` is the output of the vertex colour; `absolute`
    says that colours are min(|c|, 1), otherwise they are clamped to 0 to 1. `wrong_range` is a range of z / w that only
    matrices for another depth range give: `depth_range` is the fix then. `winding` and `blending` are the fixes for scenes that
    fail there; `blending` is empty where an alpha of 0 hides nothing by default.
    """

    name: str
    nearest: float
    farthest: float
    front: str
    turn: bool
    screens: tuple[tuple[str, int, int], ...]
    colour: str
    absolute: bool
    wrong_range: tuple[float, float]
    depth_range: str
    winding: str
    blending: str

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
    """A plane of a volume: `outside` is the condition of the vertices that it cuts off, `axis` the component that decides."""

    name: str
    outside: str
    place: str
    axis: int
    distance: tuple[float, float, float, float]


def _beyond(side: str) -> str:
    where = {"top": "above the upper", "bottom": "below the lower", "left": "left of the left", "right": "right of the right"}
    return f"{where[side]} edge of the screen"


def _times_w(factor: float) -> str:
    return {0.0: "0", 1.0: "w", -1.0: "-w"}[factor]
