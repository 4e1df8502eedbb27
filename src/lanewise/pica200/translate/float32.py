"""The float32 operations of translated programs, as emulators have them, written in the part of Python that `functions` prints.

Names in capitals are choices of the number rules, as in `float24`. Addition, comparisons and division are those of the target.
"""

from __future__ import annotations

import math

from lanewise.translating.words import BOOL, F32, I32

# The choices of the preset `azahar`; `functions` replaces them by those of a profile.
FINITE = False
SIGNED_RECIPROCAL = True
MAX_TAKES_INFINITY = False
UNORDERED_NE = True
LITP_NAN_THROUGH = False
LITP_FLAGS_SIGN = False
MOVA_FLOOR = False
MOVA_NEAREST = False
MOVA_BYTE = False


def truncated(a: float) -> int:
    return int(a)


def sqrt(a: float) -> float:
    return math.sqrt(a)


def rounded_down(a: float) -> float:
    return float(math.floor(a))


def power_of_two(a: float) -> float:
    return 2.0**a


def logarithm(a: float) -> float:
    return math.log2(a)


def float_bits(a: float) -> int:
    import struct

    return struct.unpack("<I", struct.pack("<f", a))[0]


def infinity() -> float:
    return math.inf


def is_nan(a: F32) -> BOOL:
    return a != a  # noqa: PLR0124 - what other languages have for it


def add(a: F32, b: F32) -> F32:
    return a + b


def product_of_infinity(a: F32, b: F32, product: F32) -> F32:
    """Of two numbers whose product is NaN: one is an infinity, the other 0."""
    if not is_nan(a) and not is_nan(b):
        return 0.0
    return product


def mul(a: F32, b: F32) -> F32:
    """0 * infinity is 0."""
    product: F32 = a * b
    if not FINITE and is_nan(product):
        return product_of_infinity(a, b, product)
    return product


def mad(a: F32, b: F32, c: F32) -> F32:
    """The product is rounded before the addition."""
    product: F32 = mul(a, b)
    return product + c


def negate(a: F32) -> F32:
    return -a


def flush(a: F32) -> F32:
    """Zero where the number is subnormal."""
    if (float_bits(a) & 0x7F800000) == 0:
        return a * 0.0
    return a


def eq(a: F32, b: F32) -> BOOL:
    return a == b


def ne(a: F32, b: F32) -> BOOL:
    if UNORDERED_NE:
        return a != b
    return a < b or a > b


def lt(a: F32, b: F32) -> BOOL:
    return a < b


def le(a: F32, b: F32) -> BOOL:
    return a <= b


def gt(a: F32, b: F32) -> BOOL:
    return a > b


def ge(a: F32, b: F32) -> BOOL:
    return a >= b


def larger(a: F32, b: F32) -> F32:
    if MAX_TAKES_INFINITY and (float_bits(b) & 0x7FFFFFFF) == 0x7F800000:
        return b
    return a if a > b else b


def smaller(a: F32, b: F32) -> F32:
    return a if a < b else b


def at_least(a: F32, low: F32) -> F32:
    if LITP_NAN_THROUGH:
        return low if a < low else a
    return a if a > low else low


def at_most(a: F32, high: F32) -> F32:
    if LITP_NAN_THROUGH:
        return high if a > high else a
    return a if a < high else high


def not_negative(a: F32) -> BOOL:
    if LITP_FLAGS_SIGN:
        return (float_bits(a) & 0x80000000) == 0
    return a >= 0.0


def floor(a: F32) -> F32:
    return rounded_down(a)


def to_integer(a: F32) -> I32:
    """The integer that MOVA makes of a number."""
    if not FINITE and is_nan(a):
        return 0
    whole: F32 = a
    if MOVA_FLOOR:
        whole = rounded_down(a)
    if MOVA_NEAREST:
        whole = rounded_down(a + 0.5)
        if whole - a == 0.5 and rounded_down(whole * 0.5) * 2.0 != whole:
            whole = whole - 1.0
    found: I32 = 0
    if whole >= 2147483648.0:
        found = 0x7FFFFFFF
    elif whole < -2147483648.0:
        found = -0x7FFFFFFF - 1
    else:
        found = truncated(whole)
    if MOVA_BYTE:
        return ((found + 128) & 255) - 128
    return found


def rcp(a: F32) -> F32:
    if not SIGNED_RECIPROCAL and a == 0.0:
        return infinity()
    return 1.0 / a


def rsq(a: F32) -> F32:
    if not SIGNED_RECIPROCAL and a == 0.0:
        return infinity()
    return 1.0 / sqrt(a)


def exp2(a: F32) -> F32:
    return power_of_two(a)


def log2(a: F32) -> F32:
    return logarithm(a)
