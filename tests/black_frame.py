"""The recording of docs/tutorials/black-screen.md, examples/black.ctf: three draws, and none of them is seen.

Draw 0 lacks its colour: the default attribute was never set. Draw 1 has the rows of its matrix in reverse. Draw 2 draws
only faces that look away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpus import REPOSITORY
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.api.file import assemble_texts
from pica200_frames import FLOAT, Recorder

if TYPE_CHECKING:
    from collections.abc import Sequence

    Matrix = tuple[tuple[float, ...], ...]

PATH = REPOSITORY / "examples" / "black.ctf"
# As Mtx_PerspTilt of citro3d: the screen of the console is turned, near is 0.1 and far 100, depth is -1 to 0.
_PROJECTION = ((0.0, 1.7, 0.0, 0.0), (-1.02, 0.0, 0.0, 0.0), (0.0, 0.0, -0.001, -0.1), (0.0, 0.0, -1.0, 0.0))
_TURNED = ((0.8, 0.0, -0.6, 0.0), (-0.24, 0.914, -0.32, -0.1), (0.55, 0.4, 0.73, -3.0), (0.0, 0.0, 0.0, 1.0))
_AHEAD = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -3.0), (0.0, 0.0, 0.0, 1.0))
_FLOOR = ((-1.0, -0.4, 1.0), (1.0, -0.4, 1.0), (1.0, -0.4, -1.0), (-1.0, -0.4, -1.0))
_CORNERS = ((-1.0, -0.4, 0.5), (-0.125, -0.4, 0.5), (-0.125, -0.4, -0.5), (-1.0, -0.4, -0.5), (-0.5625, 0.6, 0.0))
_SIDES = (
    ((0, 1, 4), (1.0, 0.75, 0.25)),
    ((1, 2, 4), (0.75, 0.5, 0.125)),
    ((2, 3, 4), (0.5, 0.25, 0.0)),
    ((3, 0, 4), (0.75, 0.5, 0.125)),
)
_SIGN = ((0.25, 0.5, 0.0), (1.25, 0.5, 0.0), (1.25, 0.875, 0.0), (0.25, 0.875, 0.0))


def black_frame() -> bytes:
    """One frame of three draws, as CiTrace."""
    recorder = Recorder().state()
    for register, value in ((0x41, 120.0), (0x43, 200.0)):  # the upper screen, 240 x 400
        recorder.write(register, float24_from_float(value))
    recorder.write(0x68, 0).write(0x65, 0).write(0x40, 2).write(0x6D, 1)
    source = REPOSITORY / "examples" / "black.v.pica"
    recorder.program(assemble_texts([(source.name, source.read_text())]))

    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(_times(_PROJECTION, _TURNED), wide=True)
    recorder.vertices(_FLOOR).elements([0, 1, 2, 0, 2, 3]).submit()

    colored = [(*_CORNERS[corner], *color, 1.0) for corners, color in _SIDES for corner in corners]
    recorder.attributes((FLOAT, 3), (FLOAT, 4)).vertices(colored)
    recorder.uniforms([row[::-1] for row in _times(_PROJECTION, _TURNED)], wide=True).arrays(len(colored)).submit()

    recorder.write(0x40, 1).uniforms(_times(_PROJECTION, _AHEAD), wide=True)
    recorder.vertices([(*corner, 0.25, 0.75, 0.5, 1.0) for corner in _SIGN]).elements([0, 1, 2, 0, 2, 3]).submit()
    return recorder.end().citrace()


def _times(left: Matrix, right: Matrix) -> Sequence[Sequence[float]]:
    columns = list(zip(*right, strict=True))
    return [[sum([a * b for a, b in zip(row, column, strict=True)]) for column in columns] for row in left]
