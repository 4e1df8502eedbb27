"""Number rules: arithmetic in float24 and float32, and the choice of a profile.

`Float24` is the hardware's format. The measured facts about its arithmetic and the choices are the rows of `isa.facts`; with
the choices of the preset `hardware` every result is the exact one cut toward zero, no zero has a sign and there is one NaN.
`Float32` is the arithmetic of emulators: float32 throughout.
"""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.numbers.binary import GE, GT, LE, LT, ORDERED, Binary, Format, Rules
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
from lanewise.core.record import TYPE_CHECKING, TypeVar
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.profile import Profile

_INTEGER_MAX = 0x7FFFFFFF

FLOAT24 = Format(name="float24", exponent_bits=7, mantissa_bits=16, one_nan=NAN, default_nan=NAN)
# The NaN that x86 makes has its sign set.
FLOAT32 = Format(name="float32", exponent_bits=8, mantissa_bits=23, one_nan=0x7FC00000, default_nan=0xFFC00000)


def rules_of(profile: Profile, *, nearest: bool, largest_on_overflow: bool = False) -> Rules:
    """The number rules that a profile chooses."""
    return Rules(
        nearest=nearest,
        largest_on_overflow=largest_on_overflow,
        flushes=profile.subnormal_arithmetic == "flush",
        flushes_in_floor=profile.subnormal_floor == "flush",
        signed_zero=profile.negative_zero == "ieee",
        one_nan=profile.nan_pattern == "one",
        zero_times_infinity=True,  # 3dbrew, fp-tests 20, 21
        signed_reciprocal=profile.zero_reciprocal == "signed",
        rsq_by_division=profile.precision == "float32",
        mad_once=profile.mad_rounding == "once",
        dot_order=profile.dot_order,
        max_takes_infinity=profile.max_zero_neg_inf == "-inf",
        unordered_ne=profile.compare_nan == "ne",
    )


class Numbers(Binary):
    """The algebra over one format under a profile: binary numbers, and what only PICA200 makes of them (LITP, MOVA, flags)."""

    def __init__(self, form: Format, profile: Profile, rules: Rules) -> None:
        super().__init__(form, rules)
        self.profile = profile

    def at_least(self, a: int, low: int) -> int:
        if self.profile.litp_nan == "through":
            return low if self.compare(LT, a, low) else a
        return a if self.compare(GT, a, low) else low

    def at_most(self, a: int, high: int) -> int:
        if self.profile.litp_nan == "through":
            return high if self.compare(GT, a, high) else a
        return a if self.compare(LT, a, high) else high

    def compare(self, op: int, a: int, b: int) -> bool:
        return op > GE or super().compare(op, a, b)

    def not_negative(self, a: int) -> bool:
        return not a & self._sign if self.profile.litp_flags == "sign" else self.compare(LE, 0, a)

    def select(self, condition: bool, a: int, b: int) -> int:
        return a if condition else b

    def boolean(self, value: bool) -> bool:
        return value

    def invert(self, a: bool) -> bool:
        return not a

    def both(self, a: bool, b: bool) -> bool:
        return a and b

    def either(self, a: bool, b: bool) -> bool:
        return a or b

    # Integers

    def to_integer(self, a: int) -> int:
        if self._is_nan(a):
            return 0
        negative = a & self._sign
        if self._is_special(a):
            value = -_INTEGER_MAX - 1 if negative else _INTEGER_MAX
        else:
            mantissa, power = self._unpack(a, flush=False)
            value = _whole(-mantissa if negative else mantissa, power, self.profile.mova_fraction)
            value = max(-_INTEGER_MAX - 1, min(value, _INTEGER_MAX))
        return (value + 128 & 255) - 128 if self.profile.mova_range == "byte" else value

    def integer(self, value: int) -> int:
        return value

    def integer_add(self, a: int, b: int) -> int:
        return a + b

    def integer_and(self, a: int, mask: int) -> int:
        return a & mask

    def integer_within(self, a: int, low: int, high: int) -> bool:
        return low <= a <= high

    def integer_select(self, condition: bool, a: int, b: int) -> int:
        return a if condition else b

    def look_up(self, rows: Sequence[Vector[int]], index: int) -> Vector[int]:
        return rows[index]


class Float32(Numbers):
    """float32 patterns, rounded to nearest, ties to even.

    With the choices of an emulator this is IEEE 754, except for 0 * inf = 0.
    """

    def __init__(self, profile: Profile = HARDWARE) -> None:
        super().__init__(FLOAT32, profile, rules_of(profile, nearest=True))
        self._float24 = Binary(FLOAT24, rules_of(profile, nearest=False))

    def from_float24(self, word: int) -> int:
        """Convert a float24 word, such as a constant of a file, to float32; exact.

        Raises ValueError for more than 24 bits.
        """
        self._float24.canonical(word)
        if word & FRACTION and not word & INFINITY and self.profile.constant_subnormals == "hidden-bit":
            return (word & SIGN) << 8 | (127 - BIAS) << 23 | (word & FRACTION) << (23 - MANTISSA_BITS)
        return self.convert(word, self._float24)


class Float24(Numbers):
    """float24 words. The methods here are fast paths for common operands; `Binary` has the definition."""

    def __init__(self, profile: Profile = HARDWARE) -> None:
        nearest, largest = profile.rounding == "nearest", profile.overflow == "largest"
        super().__init__(FLOAT24, profile, rules_of(profile, nearest=nearest, largest_on_overflow=largest))
        self._single = Float32(profile) if profile.precision == "float32" else None
        self._plain_zero = self._flushes and not self._signed

    def from_float24(self, word: int) -> int:
        """The canonical form of a float24 word. Raises ValueError for more than 24 bits."""
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
    """The operations of a profile, without state. Raises ValueError for an unknown rounding."""
    return known_rounding(profile, ROUNDINGS)(profile)


def known_rounding(profile: Profile, rules: Mapping[str, Rule]) -> Rule:
    """The entry of `rules` for a profile's rounding.

    Raises ValueError if there is none: another rule would give other numbers.
    """
    found = rules.get(profile.rounding)
    if found is None:
        raise ValueError(f"unknown rounding '{profile.rounding}': known are {', '.join(rules)}")
    return found


def _whole(mantissa: int, power: int, how: str) -> int:
    """The integer for `mantissa * 2**power`: `zero` cuts toward 0, `floor` goes down, `nearest` takes the even one of two."""
    if power >= 0:
        return mantissa << power
    below = mantissa >> -power
    rest, one = mantissa - (below << -power), 1 << -power
    if how == "floor":
        up = False
    elif how == "nearest":
        up = 2 * rest > one or (2 * rest == one and bool(below & 1))
    else:
        up = mantissa < 0 and rest > 0
    return below + up
