"""The number rule of the PICA200: the words of the algebra on float24 patterns, exact integers throughout.

What is measured and what is chosen (3dbrew, GPU/Shader Instruction Set, Floating-Point Behavior; aroulin/3ds-gpu-tests):

- Measured: 0 * inf = 0, NaN * 0 = NaN, inf - inf = NaN; results of RCP, RSQ, LG2, EX2 and FLR at their special inputs; MAX
  and MIN at NaN; arithmetic flushes subnormal inputs and results to +0, MAX and CMP do not; 2**-62 * 0.5 = 0.
- Inferred: no result shows a zero's sign, so every zero here is +0; MOV, MIN, SGE, SLT and LITP keep subnormals as MAX does.
- Unknown, chosen: every result is the exact one rounded once toward zero, RCP, RSQ, EX2 and LG2 too; 2**64 and above is
  infinity; a result that would be below 2**-62 is 0; every NaN is 0x7F8000.

Values in registers are canonical: no -0 and one NaN. `canonical` makes words from outside so; every word keeps them so.
"""

from __future__ import annotations

import operator
from math import isqrt
from typing import TYPE_CHECKING

from lanewise.core.floats import (
    BIAS,
    EXPONENT_MAX,
    FRACTION,
    HIDDEN,
    INFINITY,
    MAGNITUDE,
    MANTISSA_BITS,
    NAN,
    NEGATIVE_INFINITY,
    ONE,
    SIGN,
    ZERO,
    float24_from_float,
    float_from_float24,
    round_to_float24,
)
from lanewise.sem import transcendental
from lanewise.sem.algebra import GE, GT, LT, NE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.sem.algebra import Vector

_INTEGER_MAX = 0x7FFFFFFF
_ORDERED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)  # by comparison number
_MINUS_ONE = SIGN | ONE
_BELOW_ONE = ONE - 1
# For |x| below 2**-18 the distance of 2**x from 1 is below 2**-17, the step just below 1, and the step above is 2**-16.
_TINY_EXPONENT = BIAS - 18


def canonical(word: int) -> int:
    """A word from outside as a register holds it: -0 is 0, any NaN is 0x7F8000. Raises ValueError for more than 24 bits."""
    size = word & MAGNITUDE
    if size > INFINITY:
        word = word if word < 0 or word >> 24 else NAN
    elif word == SIGN:
        return ZERO
    if word < 0 or word >> 24:
        raise ValueError(f"{word:#x} is not a float24 word")
    return word


def _flush(word: int) -> int:
    """The rounded word as arithmetic writes it: below 2**-62 is +0."""
    return word if word & INFINITY else ZERO


class Float24:
    """The algebra on integers: a value is a canonical float24 word, a truth value a bool, an integer an int without bounds."""

    def constant(self, value: float) -> int:
        word = float24_from_float(value)
        if float_from_float24(word) != value:
            raise ValueError(f"{value!r} is not a float24")
        return canonical(word)

    def negate(self, a: int) -> int:
        # Of 0 and NaN nothing changes: a zero's sign is never seen, and there is one NaN.
        return a ^ SIGN if a and a != NAN else a

    def add(self, a: int, b: int) -> int:
        exponent, other = a >> MANTISSA_BITS & EXPONENT_MAX, b >> MANTISSA_BITS & EXPONENT_MAX
        if EXPONENT_MAX in (exponent, other):
            if NAN in (a, b):
                return NAN
            if exponent != other:
                return a if exponent == EXPONENT_MAX else b
            return a if a == b else NAN
        if not exponent or not other:  # a subnormal counts as 0
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
        exponent += shift
        if exponent <= 0 or not total:
            return ZERO
        sign = SIGN if total < 0 else 0
        if exponent >= EXPONENT_MAX:
            return sign | INFINITY
        size = size >> shift if shift >= 0 else size << -shift
        return sign | exponent << MANTISSA_BITS | size & FRACTION

    def mul(self, a: int, b: int) -> int:
        exponent, other = a >> MANTISSA_BITS & EXPONENT_MAX, b >> MANTISSA_BITS & EXPONENT_MAX
        sign = (a ^ b) & SIGN
        if EXPONENT_MAX in (exponent, other):
            if NAN in (a, b):
                return NAN
            return sign | INFINITY if exponent and other else ZERO  # 0 * inf = 0 (3dbrew, fp-tests 20, 21)
        if not exponent or not other:
            return ZERO
        product = (a & FRACTION | HIDDEN) * (b & FRACTION | HIDDEN)  # 33 or 34 bits
        carry = product >> (2 * MANTISSA_BITS + 1)
        exponent += other - BIAS + carry
        if exponent <= 0:
            return ZERO
        if exponent >= EXPONENT_MAX:
            return sign | INFINITY
        return sign | exponent << MANTISSA_BITS | product >> (MANTISSA_BITS + carry) & FRACTION

    def max(self, a: int, b: int) -> int:
        return a if self.compare(GT, a, b) else b

    def min(self, a: int, b: int) -> int:
        return a if self.compare(LT, a, b) else b

    def floor(self, a: int) -> int:
        exponent = a >> MANTISSA_BITS & EXPONENT_MAX
        places = BIAS + MANTISSA_BITS - exponent  # bits of the mantissa behind the point
        if not exponent:
            return ZERO
        if places <= 0:
            return a
        if exponent < BIAS:
            return _MINUS_ONE if a & SIGN else ZERO
        whole = a >> places << places
        if a & SIGN and whole != a:
            whole += 1 << places  # a carry into the exponent is the right answer too: -1.5 to -2
        return whole

    def rcp(self, a: int) -> int:
        exponent, mantissa = a >> MANTISSA_BITS & EXPONENT_MAX, a & FRACTION | HIDDEN
        if exponent == EXPONENT_MAX:
            return NAN if a == NAN else ZERO
        if not exponent:
            return INFINITY  # of -0 too (3dbrew)
        # The value is mantissa * 2**(exponent - 79); the quotient has 17 or 18 bits, so cutting it cuts the result.
        quotient = (1 << 33) // mantissa
        return _flush(round_to_float24(a >= SIGN, quotient, BIAS + MANTISSA_BITS - exponent - 33))

    def rsq(self, a: int) -> int:
        exponent, mantissa = a >> MANTISSA_BITS & EXPONENT_MAX, a & FRACTION | HIDDEN
        if not exponent:
            return INFINITY  # of -0 too (3dbrew)
        if a >= INFINITY:
            return ZERO if a == INFINITY else NAN  # NaN and everything negative
        power = exponent - BIAS - MANTISSA_BITS
        if power & 1:
            mantissa, power = mantissa << 1, power - 1
        # floor(2**26 / sqrt(mantissa)) has 17 bits or more: the floor of the root of the floored quotient.
        return _flush(round_to_float24(False, isqrt((1 << 52) // mantissa), -(power >> 1) - 26))

    def exp2(self, a: int) -> int:
        exponent = a >> MANTISSA_BITS & EXPONENT_MAX
        if not exponent:
            return ONE
        if a == NAN:
            return NAN
        if exponent < _TINY_EXPONENT:
            return _BELOW_ONE if a & SIGN else ONE
        if exponent > BIAS + 6:
            return ZERO if a & SIGN else INFINITY
        # A multiple of 2**-34 below 128: split into a whole number and a fraction.
        fixed = (a & FRACTION | HIDDEN) << (exponent - _TINY_EXPONENT)
        negative = bool(a & SIGN)
        whole, fraction = fixed >> transcendental.EXP2_PLACES, fixed & ((1 << transcendental.EXP2_PLACES) - 1)
        mantissa, power = transcendental.exp2(fraction, negative)
        return _flush(round_to_float24(False, mantissa, power - whole if negative else power + whole))

    def log2(self, a: int) -> int:
        exponent = a >> MANTISSA_BITS & EXPONENT_MAX
        if not exponent:
            return NEGATIVE_INFINITY
        if a >= INFINITY:
            return INFINITY if a == INFINITY else NAN  # NaN and everything negative
        return round_to_float24(*transcendental.log2(exponent - BIAS, a & FRACTION | HIDDEN))

    def compare(self, op: int, a: int, b: int) -> bool:
        if op > GE:
            return True  # 6 and 7 "seem to always return true" (3dbrew)
        if NAN in (a, b):
            return op == NE  # false but for NE: SGE and SLT are measured (fp-tests 28-35), CMP is not
        return _ORDERED[op](a if a < SIGN else SIGN - a, b if b < SIGN else SIGN - b)

    def select(self, condition: bool, a: int, b: int) -> int:
        return a if condition else b

    def to_integer(self, a: int) -> int:
        if a == NAN:
            return 0
        exponent = a >> MANTISSA_BITS & EXPONENT_MAX
        shift = exponent - BIAS - MANTISSA_BITS
        mantissa = a & FRACTION | HIDDEN
        size = mantissa << shift if shift >= 0 else mantissa >> -shift
        return max(-size, -_INTEGER_MAX - 1) if a & SIGN else min(size, _INTEGER_MAX)

    def boolean(self, value: bool) -> bool:
        return value

    def invert(self, a: bool) -> bool:
        return not a

    def both(self, a: bool, b: bool) -> bool:
        return a and b

    def either(self, a: bool, b: bool) -> bool:
        return a or b

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
