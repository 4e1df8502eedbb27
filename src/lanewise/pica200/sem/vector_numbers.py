"""Number rules of vector programs: `Words`, float24 as the hardware computes, and `Singles`, float32 as C computes."""

from __future__ import annotations

import math

from lanewise.core.numbers.binary import LT, Binary, Rules
from lanewise.core.numbers.floats import float24_from_float, float32_bits, float_from_bits, float_from_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.sem.numbers import FLOAT32, Float24
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from lanewise.pica200.sem.profile import Profile


class Words(Float24):
    """float24 words, each operation rounded as the hardware does: what `compile.vector.interpret` takes."""

    def __init__(self, profile: Profile = HARDWARE) -> None:
        super().__init__(profile)

    def known(self, value: float) -> int:
        """A number of the program as the file's constant."""
        return self.canonical(float24_from_float(value))

    def trunc(self, a: int) -> int:
        """Toward zero, by FLOR: the hardware has no operation for it."""
        return self.negate(self.floor(self.negate(a))) if self.compare(LT, a, self.known(0.0)) else self.floor(a)

    def value(self, a: int) -> float:
        return float_from_float24(a)


# 2**x = sum of (x log 2)**n / n!, for x of -0.5 to 0.5; log2(m) = sum of 2 s**(2 n + 1) / (2 n + 1) / log 2, with
# s = (m - 1) / (m + 1), for m of sqrt(0.5) to sqrt(2). Further terms are below the last place of a double.
LN2, SQRT_HALF = math.log(2), math.sqrt(0.5)
POWERS = tuple([1 / math.factorial(n) for n in range(15)])
LOGARITHMS = tuple([2 / (2 * n + 1) / LN2 for n in range(13)])


def exp2(a: float) -> float:
    """2**a in doubles, of a float32: steps that C has too, since libraries differ in the last place."""
    if not -200.0 < a < 200.0:
        return math.nan if math.isnan(a) else math.inf if a > 0 else 0.0
    whole = math.floor(a + 0.5)
    x = (a - whole) * LN2
    total = 0.0
    for term in reversed(POWERS):
        total = total * x + term
    return math.ldexp(total, whole)


def log2(a: float) -> float:
    """The logarithm in doubles, of a float32."""
    if not 0 < a < math.inf:
        return -math.inf if a == 0 else a if a > 0 else math.nan
    mantissa, exponent = math.frexp(a)
    if mantissa < SQRT_HALF:
        mantissa, exponent = 2 * mantissa, exponent - 1
    s = (mantissa - 1) / (mantissa + 1)
    square, total = s * s, 0.0
    for term in reversed(LOGARITHMS):
        total = total * square + term
    return exponent + s * total


class Singles(Binary):
    """float32 patterns: IEEE 754 to nearest, but 0 * infinity is 0, as on the hardware."""

    def __init__(self) -> None:
        super().__init__(FLOAT32, Rules(one_nan=True, zero_times_infinity=True, rsq_by_division=True))

    def known(self, value: float) -> int:
        return self.canonical(float32_bits(value))

    def value(self, a: int) -> float:
        return float_from_bits(a)

    def trunc(self, a: int) -> int:
        """Toward zero."""
        return self.negate(self.floor(self.negate(a))) if a & self._sign else self.floor(a)

    def exp2(self, a: int) -> int:
        return self.known(exp2(self.value(a)))

    def log2(self, a: int) -> int:
        return self.known(log2(self.value(a)))
