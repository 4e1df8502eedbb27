"""The number rules: the two formats that programs are run in, and which of them a profile asks for.

`Float24` is the hardware's format. What is measured of its arithmetic and what is chosen are the rows of `isa.facts`; with the
choices of the preset `hardware` every result is the exact one cut toward zero, no zero has a sign and there is one NaN. `Float32` is
what emulators compute in: float32 from end to end.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from lanewise.core.numbers.binary import ORDERED, Binary, Format
from lanewise.core.numbers.floats import (
    BIAS,
    EXPONENT_MAX,
    FRACTION,
    HIDDEN,
    INFINITY,
    MAGNITUDE,
    MANTISSA_BITS,
    NAN,
    SIGN,
    ZERO,
)
from lanewise.pica200.sem.algebra import GE
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.sem.profile import Profile

FLOAT24 = Format("float24", 7, 16, NAN, NAN)
# The NaN that x86 makes has its sign set.
FLOAT32 = Format("float32", 8, 23, 0x7FC00000, 0xFFC00000)


class Float32(Binary):
    """float32 patterns, rounded to nearest, ties to even; with the choices of an emulator IEEE 754 but for 0 * inf = 0."""

    def __init__(self, profile: Profile = HARDWARE) -> None:
        super().__init__(FLOAT32, profile, nearest=True, largest_on_overflow=False)
        self._float24 = Binary(FLOAT24, profile, nearest=False, largest_on_overflow=False)

    def from_float24(self, word: int) -> int:
        """A float24 word, such as a constant of a file, as a register holds it: exact. Raises ValueError for more than 24 bits."""
        self._float24.canonical(word)
        if word & FRACTION and not word & INFINITY and self.profile.constant_subnormals == "hidden-bit":
            return (word & SIGN) << 8 | (127 - BIAS) << 23 | (word & FRACTION) << (23 - MANTISSA_BITS)
        return self.convert(word, self._float24)


class Float24(Binary):
    """float24 words. The methods here are short ways for the commonest operands; `Binary` has the whole truth."""

    def __init__(self, profile: Profile = HARDWARE) -> None:
        super().__init__(
            FLOAT24, profile, nearest=profile.rounding == "nearest", largest_on_overflow=profile.overflow == "largest"
        )
        self._single = Float32(profile) if profile.precision == "float32" else None
        self._plain_zero = self._flushes and not self._signed

    def from_float24(self, word: int) -> int:
        """A word from outside as a register holds it. Raises ValueError for more than 24 bits."""
        return self.canonical(word)

    def add(self, a: int, b: int) -> int:
        exponent, other = a >> MANTISSA_BITS & EXPONENT_MAX, b >> MANTISSA_BITS & EXPONENT_MAX
        if EXPONENT_MAX in (exponent, other):
            return super().add(a, b)
        if not exponent or not other:
            if not self._plain_zero:
                return super().add(a, b)
            return a if exponent else b if other else ZERO
        x, y = a & FRACTION | HIDDEN, b & FRACTION | HIDDEN
        if a & SIGN:
            x = -x
        if b & SIGN:
            y = -y
        if exponent >= other:
            total = (x << (exponent - other)) + y
            exponent = other
        else:
            total = x + (y << (other - exponent))
        size = -total if total < 0 else total
        shift = size.bit_length() - (MANTISSA_BITS + 1)
        top = exponent + shift
        if self._nearest or not 0 < top < EXPONENT_MAX or not total:
            return self._round(total < 0, size, exponent - BIAS - MANTISSA_BITS)
        size = size >> shift if shift >= 0 else size << -shift
        return (SIGN if total < 0 else 0) | top << MANTISSA_BITS | size & FRACTION

    def mul(self, a: int, b: int) -> int:
        exponent, other = a >> MANTISSA_BITS & EXPONENT_MAX, b >> MANTISSA_BITS & EXPONENT_MAX
        if EXPONENT_MAX in (exponent, other):
            return super().mul(a, b)
        if not exponent or not other:
            return ZERO if self._plain_zero else super().mul(a, b)
        product = (a & FRACTION | HIDDEN) * (b & FRACTION | HIDDEN)  # 33 or 34 bits
        carry = product >> (2 * MANTISSA_BITS + 1)
        top = exponent + other - BIAS + carry
        if self._nearest or not 0 < top < EXPONENT_MAX:
            return self._round((a ^ b) & SIGN, product, exponent + other - 2 * (BIAS + MANTISSA_BITS))
        return (a ^ b) & SIGN | top << MANTISSA_BITS | product >> (MANTISSA_BITS + carry) & FRACTION

    def compare(self, op: int, a: int, b: int) -> bool:
        if op > GE or a & MAGNITUDE > INFINITY or b & MAGNITUDE > INFINITY:
            return super().compare(op, a, b)
        return ORDERED[op](a if a < SIGN else SIGN - a, b if b < SIGN else SIGN - b)

    def rcp(self, a: int) -> int:
        return super().rcp(a) if self._single is None else self._as_float32(self._single, "rcp", a)

    def rsq(self, a: int) -> int:
        return super().rsq(a) if self._single is None else self._as_float32(self._single, "rsq", a)

    def exp2(self, a: int) -> int:
        return super().exp2(a) if self._single is None else self._as_float32(self._single, "exp2", a)

    def log2(self, a: int) -> int:
        return super().log2(a) if self._single is None else self._as_float32(self._single, "log2", a)

    def _as_float32(self, single: Float32, function: str, a: int) -> int:
        """A function's value as float32, rounded once more."""
        taken = self.flush(a) if self._flushes else a
        return self.convert(getattr(single, function)(single.convert(taken, self)), single)


Rule = TypeVar("Rule")
ROUNDINGS: Mapping[str, type[Float24] | type[Float32]] = {"zero": Float24, "nearest": Float24, "float32": Float32}


@cache
def number_rule(profile: Profile) -> Float24 | Float32:
    """The words of a profile; they keep nothing of what they compute. Raises ValueError for an unknown rounding."""
    return known_rounding(profile, ROUNDINGS)(profile)


def known_rounding(profile: Profile, rules: Mapping[str, Rule]) -> Rule:
    """What stands for a profile's rounding. Raises ValueError where nothing does: another rule would give other numbers."""
    found = rules.get(profile.rounding)
    if found is None:
        raise ValueError(f"unknown rounding '{profile.rounding}': known are {', '.join(rules)}")
    return found
