"""What the rasterizer of a draw is told: target, viewport, scissor, faces, depth. What is not in the recording is None.

Source: 3dbrew, GPU/Internal Registers; libctru 516e3a0, include/3ds/gpu/enums.h, for the numbers of choices.
"""

from __future__ import annotations

from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.pica200.frame.draws import Draw

_CULLING, _WIDTH, _HEIGHT, _CORNER = 0x40, 0x41, 0x43, 0x68
_SCALE, _OFFSET, _BUFFER = 0x4D, 0x4E, 0x6D
_SCISSOR = 0x65
_DEPTH, _COLOUR, _DIM = 0x107, 0x11D, 0x11E
_WRITE = 0x113
_FLOAT24 = 7  # mask of the bytes of a float24
CULLS = ("none", "front", "back", "none")  # GPU_CULLMODE; 3 is not known
SCISSORS = ("off", "outside", "off", "inside")  # GPU_SCISSORMODE; 2 is not known
TESTS = ("never", "always", "equal", "not equal", "less", "less or equal", "greater", "greater or equal")  # GPU_TESTFUNC
ALWAYS = TESTS[1]


class Rectangle(Record):
    """A part of a target, in pixels from its lower left corner."""

    x: float
    y: float
    width: float
    height: float


class Setup(Record):
    """The state of the rasterizer at a draw; None for what is not known."""

    address: int | None
    "Physical address of the colours."
    size: tuple[int, int] | None
    "Width and height of the target in pixels, as it is in memory: the screens of a 3DS are 240 wide."
    viewport: Rectangle | None
    "Where the clip volume is in the target."
    scissor: str | None
    "off, inside (only that is drawn) or outside."
    rectangle: Rectangle | None
    "Rectangle of the scissor test; None if it is off."
    cull: str | None
    "Faces that are not drawn: none, front or back."
    depth: tuple[float, float] | None
    "Factor of z / w, and what is added, to give the depth that is stored."
    w_buffer: bool | None
    "The depth is multiplied by w."
    depth_test: str | None
    "Comparison with the depth that is stored, of `TESTS`: greater passes if the new one is greater."
    depth_written: bool | None
    "Whether depths are stored."
    colours_written: str | None
    "Components of colours that are stored, of rgba."

    @property
    def clamped(self) -> int | None:
        """The depth of everything between near and far after clamping, 0 or 1; None where depths differ or are unknown. A
        w-buffer multiplies the sum by w, which keeps its sign."""
        if self.depth is None:
            return None
        scale, offset = self.depth
        nearest, farthest = offset - scale, offset  # z / w is -1 to 0: citro3d, source/maths/mtx_persp.c
        if max(nearest, farthest) <= 0:
            return 0
        return 1 if min(nearest, farthest) >= 1 and not self.w_buffer else None

    def to_json(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "address": self.address,
            "size": list(self.size) if self.size is not None else None,
            "viewport": _plain(self.viewport),
            "scissor": self.scissor,
            "rectangle": _plain(self.rectangle),
            "cull": self.cull,
            "depth": list(self.depth) if self.depth is not None else None,
            "w_buffer": self.w_buffer,
            "depth_test": self.depth_test,
            "depth_written": self.depth_written,
            "colours_written": self.colours_written,
        }

    def lines(self) -> list[tuple[str, str]]:
        """Each part with its value as text."""
        depth = "?"
        if self.depth is not None:
            buffer = "" if self.w_buffer is None else f", {'w' if self.w_buffer else 'z'}-buffer"
            depth = f"{self.depth[1]:g} + z / w * {self.depth[0]:g}{buffer}"
        test = "?" if self.depth_test is None else self.depth_test
        stored = {None: "", True: ", stored", False: ", not stored"}[self.depth_written]
        return [
            ("target", target_text(self)),
            ("viewport", _text(self.viewport)),
            ("scissor", (self.scissor or "?") + (f" {_text(self.rectangle)}" if self.rectangle is not None else "")),
            ("culled faces", self.cull or "?"),
            ("depth", depth),
            ("depth test", test + stored),
            ("colours stored", "?" if self.colours_written is None else self.colours_written or "none"),
        ]


def target_text(setup: Setup) -> str:
    """Address and size of the target; `?` for what is not known."""
    address = "?" if setup.address is None else f"0x{setup.address:08X}"
    return f"{address} " + ("?" if setup.size is None else f"{setup.size[0]}x{setup.size[1]}")


def setup_of(draw: Draw) -> Setup:
    """The state of the rasterizer at a draw."""
    registers, known = draw.registers, draw.known
    size = registers[_DIM]
    scissor = SCISSORS[registers[_SCISSOR] & 3] if known[_SCISSOR] & 1 else None
    low, high = registers[_SCISSOR + 1], registers[_SCISSOR + 2]
    there = scissor not in (None, "off") and known[_SCISSOR + 1] == known[_SCISSOR + 2] == 15
    test = registers[_DEPTH]
    return Setup(
        address=registers[_COLOUR] << 3 & 0x7FFFFFFF if known[_COLOUR] else None,
        size=(size & 0x7FF, (size >> 12 & 0x3FF) + 1) if known[_DIM] else None,
        viewport=_viewport(draw),
        scissor=scissor,
        rectangle=_between(low, high) if there else None,
        cull=CULLS[registers[_CULLING] & 3] if known[_CULLING] & 1 else None,
        depth=_depth(draw),
        w_buffer=not registers[_BUFFER] & 1 if known[_BUFFER] & 1 else None,
        depth_test=(TESTS[test >> 4 & 7] if test & 1 else ALWAYS) if known[_DEPTH] & 1 else None,
        depth_written=bool(test >> 12 & 1) if known[_DEPTH] & 2 else None,
        colours_written=_colours(draw),
    )


def _colours(draw: Draw) -> str | None:
    """The components of colours that are stored: a mask, and for the whole target whether colours are written."""
    mask, whole = draw.registers[_DEPTH] >> 8 & 15, draw.registers[_WRITE] & 15
    if draw.known[_WRITE] & 1 and not whole:
        return ""
    return "".join([letter for bit, letter in enumerate("rgba") if mask >> bit & 1]) if draw.known[_DEPTH] & 2 else None


def _viewport(draw: Draw) -> Rectangle | None:
    if not (draw.known[_WIDTH] & draw.known[_HEIGHT] & _FLOAT24 == _FLOAT24 and draw.known[_CORNER] == 15):
        return None
    width, height = (2 * float_from_float24(draw.registers[number] & 0xFFFFFF) for number in (_WIDTH, _HEIGHT))
    corner = draw.registers[_CORNER]
    return Rectangle(x=_signed(corner), y=_signed(corner >> 16), width=width, height=height)


def _depth(draw: Draw) -> tuple[float, float] | None:
    if draw.known[_SCALE] & draw.known[_OFFSET] & _FLOAT24 != _FLOAT24:
        return None
    scale, offset = (float_from_float24(draw.registers[number] & 0xFFFFFF) for number in (_SCALE, _OFFSET))
    return scale, offset


def _signed(bits: int) -> int:
    """A number of 10 bits with its sign."""
    return (bits & 0x3FF ^ 0x200) - 0x200


def _between(low: int, high: int) -> Rectangle:
    """The rectangle of the scissor test: both corners are inside."""
    left, bottom = low & 0x3FF, low >> 16 & 0x3FF
    return Rectangle(x=left, y=bottom, width=(high & 0x3FF) + 1 - left, height=(high >> 16 & 0x3FF) + 1 - bottom)


def _plain(rectangle: Rectangle | None) -> list[float] | None:
    return None if rectangle is None else [rectangle.x, rectangle.y, rectangle.width, rectangle.height]


def _text(rectangle: Rectangle | None) -> str:
    if rectangle is None:
        return "?"
    return f"{rectangle.width:g}x{rectangle.height:g} at ({rectangle.x:g}, {rectangle.y:g})"
