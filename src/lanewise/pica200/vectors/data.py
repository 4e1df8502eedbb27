"""Numbers for test vectors, in the format of a profile."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.vectors.running import is_wide

if TYPE_CHECKING:
    from random import Random

    from lanewise.core.vectors.model import Lanes, Vector
    from lanewise.pica200.sem.profile import Profile

# Of the special numbers, those that every comparison has to tell apart.
_FEW = (0, 1, 2, 3, 4, 6, 10, 11, 12, 13, 16, 22, 23, 25, 26, 27, 28)
_FEW_FLOAT32 = (0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 18, 19, 21, 22, 23, 24)


class Numbers:
    """The numbers of a format: float24, or float32 patterns where a profile computes in float32."""

    wide: bool
    edges: tuple[int, ...]
    few: tuple[int, ...]

    def __init__(self, profile: Profile) -> None:
        self.wide = is_wide(profile)
        self.bits, self.mantissa, self.bias = (32, 23, 127) if self.wide else (24, 16, 63)
        self.infinity = (1 << self.bits - 1) - (1 << self.mantissa)
        self.edges = EDGES_FLOAT32 if self.wide else EDGES
        self.few = tuple([self.edges[n] for n in (_FEW_FLOAT32 if self.wide else _FEW)])

    def of(self, value: float) -> int:
        """The word of a number."""
        return struct.unpack("<I", struct.pack("<f", value))[0] if self.wide else float24_from_float(value)

    def vector(self, *values: float) -> Vector:
        x, y, z, w = (self.of(value) for value in values)
        return x, y, z, w

    def plain(self, rng: Random, reach: int = 6) -> int:
        """A number that is not special, of either sign, from 2**-reach to 2**reach."""
        bits = self.mantissa
        mantissa = rng.choice((rng.getrandbits(bits), rng.getrandbits(bits), 0, (1 << bits) - 1, 1 << rng.randrange(bits)))
        exponent = self.bias + rng.randrange(-reach, reach + 1)
        return rng.getrandbits(1) << (self.bits - 1) | exponent << bits | mantissa

    def any(self, rng: Random) -> int:
        """Any number of the format, now and then a special one."""
        return rng.choice(self.edges) if rng.random() < 0.2 else rng.getrandbits(self.bits)

    def plain_vector(self, rng: Random, reach: int = 3) -> Vector:
        return self.plain(rng, reach), self.plain(rng, reach), self.plain(rng, reach), self.plain(rng, reach)

    def packed(self, words: list[int]) -> Lanes:
        """Words four by four; the last are repeated."""
        filled = [*words, *words[:1] * (-len(words) % 4)]
        return tuple([(filled[n], filled[n + 1], filled[n + 2], filled[n + 3]) for n in range(0, len(filled), 4)])


# Of each source that `operands` uses: numbers in which a lost component, sign or digit shows.
SHOWN = ((1.5, -2.25, 3.125, -5.0), (0.75, 7.0, -0.625, 2.5), (-11.0, 0.375, 6.5, 1.25), (3.0, -4.0, 5.5, -6.75))
