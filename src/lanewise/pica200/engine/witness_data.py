"""Random data with boundary values for `engine.witness`."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from lanewise.arrays.lists import table
from lanewise.core.extras import numpy_installed
from lanewise.core.numbers.floats import float24_from_float, float32_bits
from lanewise.core.record import Record
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.isa.program import Emission

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.pica200.sem.profile import Profile

    Word4 = tuple[int, int, int, int]
    Rows = Callable[[int, float], NDArray[np.uint32]]

PLAIN, FEW = 0.0, 0.9  # styles of data


class Start(Record):
    """The registers at the start, by number."""

    temporaries: tuple[Word4, ...]
    "r registers as words."
    outputs: tuple[Word4, ...]
    "o registers as words."
    cmp: tuple[bool, bool]
    "Flags x and y."
    a0: tuple[int, int]
    "Components x and y."
    al: int
    "aL."
    emission: Emission
    "Setting of EMIT."


class Data(Record):
    """Values of registers, by the numbers of the first program, also of those that it presets.

    Floats are words of the profile's format.
    """

    inputs: tuple[NDArray[np.uint32], ...]
    "16 arrays of (vertices, 4) words."
    floats: tuple[Word4, ...]
    "96 c registers."
    integers: tuple[Word4, ...]
    "4 i registers."
    booleans: tuple[bool, ...]
    "16 b registers."
    overwritten: bool
    "The application has set the constants of the files too."
    start: Start | None = None
    "Registers that another program has left before the first vertex or run; None: zeros."

    def of(self, lanes: slice | Sequence[int]) -> Data:
        return self._replace(inputs=tuple([column[lanes] for column in self.inputs]))


def data(
    seed: str, vertices: int, profile: Profile, *, overwritten: bool, style: float | None = None, started: bool = False
) -> Data:
    """Random data with boundary values, with `started` also at the start. `style` is `PLAIN`, without, `FEW`, few words, zeros
    and tiny numbers, or None, another for each input."""
    rng = random.Random(seed)
    wide = profile.rounding == "float32"
    rows_of = _arrays(rng.getrandbits(64), wide=wide) if numpy_installed() else _lists(rng.getrandbits(64), wide=wide)
    inputs = tuple([rows_of(vertices, rng.random() if style is None else style) for _ in range(16)])
    floats = _vectors(rows_of(96, rng.random() if style is None else style))
    integers = tuple(
        [(rng.choice((0, 0, 1, 1, 2, 3, 7)), rng.choice((0, 0, 1, 2, 5)), rng.choice((0, 1, 1, 2, 255)), 0) for _ in range(4)]
    )
    booleans = tuple([rng.random() < 0.5 for _ in range(16)])
    return Data(
        inputs=inputs,
        floats=floats,
        integers=integers,
        booleans=booleans,
        overwritten=overwritten,
        start=_start(rng, rows_of) if started else None,
    )


def _start(rng: random.Random, rows_of: Rows) -> Start:
    vectors = _vectors(rows_of(32, rng.random()))
    a0 = rng.choice((-3, -1, -64, 2, 5, 0)), rng.choice((-100, -1, 3, 95, 1, 0))
    emission = Emission(rng.randrange(4), rng.random() < 0.5, rng.random() < 0.5)
    return Start(
        temporaries=vectors[:16],
        outputs=vectors[16:],
        cmp=(rng.random() < 0.5, rng.random() < 0.5),
        a0=a0,
        al=rng.choice((1, 2, 100, 0)),
        emission=emission,
    )


def _vectors(rows: NDArray[np.uint32]) -> tuple[Word4, ...]:
    return tuple([(x, y, z, w) for x, y, z, w in rows.tolist()])


def _share(style: float) -> float:
    """The share of boundary values."""
    return 0.0 if style < 0.4 else 0.1 if style < 0.8 or style >= FEW else 0.6


def _arrays(seed: int, *, wide: bool) -> Rows:
    """Return a function that makes (rows, 4) words: numbers, small integers and boundary values, in shares of a style."""
    import numpy as np

    from lanewise.pica200.engine.float24 import encode_all

    numbers = np.random.default_rng(seed)
    edges = np.array(EDGES_FLOAT32 if wide else EDGES, np.uint32)

    def made(rows: int, style: float) -> NDArray[np.uint32]:
        plain = numbers.normal(0, 2, (rows, 4)).astype(np.float32)
        whole = numbers.integers(-3, 8, (rows, 4)).astype(np.float32)
        values = np.where(numbers.random((rows, 4)) < (0.2 if style < 0.7 else 0.8), whole, plain)
        words = values.view(np.uint32) if wide else encode_all(values)
        if style >= FEW:  # few words, among them zeros of both signs, and any words, half of them tiny
            sign = np.uint32(1 << (31 if wide else 23))
            any_word = numbers.integers(0, 2 * int(sign), (rows, 4)).astype(np.uint32)
            tiny = any_word & np.uint32(int(sign) | (0x1FFFFFF if wide else 0x3FFFF))
            few = numbers.choice(np.array([0, sign, words[0, 0], words[0, 1]], np.uint32), (rows, 4))
            kind = numbers.integers(0, 8, (rows, 1))
            words = np.where(kind < 4, few, np.where(kind < 6, tiny, np.where(kind < 7, any_word, words)))
        return np.where(numbers.random((rows, 4)) < _share(style), numbers.choice(edges, (rows, 4)), words)

    return made


def _lists(seed: int, *, wide: bool) -> Rows:
    """The same without NumPy, of another generator: searches are of the same kind, and their examples are others."""
    rng = random.Random(seed)
    edges = EDGES_FLOAT32 if wide else EDGES
    sign = 1 << (31 if wide else 23)

    def number(style: float) -> int:
        value = rng.randrange(-3, 8) if rng.random() < (0.2 if style < 0.7 else 0.8) else rng.gauss(0, 2)
        return float32_bits(value) if wide else float24_from_float(value)

    def row(style: float, few: Sequence[int]) -> list[int]:
        kind = rng.randrange(8) if style >= FEW else 7
        words: list[int] = []
        for _ in range(4):
            any_word = rng.randrange(2 * sign)
            tiny = any_word & (sign | (0x1FFFFFF if wide else 0x3FFFF))
            word = rng.choice(few) if kind < 4 else tiny if kind < 6 else any_word if kind < 7 else number(style)
            words.append(rng.choice(edges) if rng.random() < _share(style) else word)
        return words

    def made(rows: int, style: float) -> NDArray[np.uint32]:
        few = 0, sign, number(style), number(style)
        return table([row(style, few) for _ in range(rows)], "u", 4)

    return made
