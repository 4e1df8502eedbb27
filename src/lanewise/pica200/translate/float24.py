"""The float24 operations of translated programs on 32-bit integers, written in the part of Python that `functions` prints.

Names in capitals are choices of the number rules: `choices` has their values, and what they exclude is left out of the text.
The functions run in Python too, where tests compare them with `core.numbers.binary`. No step needs more than 32 bits, as GLSL
ES and WGSL have no wider integers. A number on its way to a result is a mantissa and a power of two; the last bit of a long
mantissa is set where digits below it were cut, which is enough for one rounding.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.translating.words import (
    BOOL,
    I32,
    U32,
    bits,
    i32,
    inverse_root,
    nearest,
    shifted_high,
    shifted_next,
    u32,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.numbers.binary import Rules

# The choices of the preset `hardware`; `functions` replaces them by those of a profile.
NEAREST = False
LARGEST_ON_OVERFLOW = False
FLUSHES = True
FLUSHES_IN_FLOOR = True
SIGNED_ZERO = False
ONE_NAN = True
SIGNED_RECIPROCAL = False
MAX_TAKES_INFINITY = False
UNORDERED_NE = True
LITP_NAN_THROUGH = False
LITP_FLAGS_SIGN = False
MOVA_FLOOR = False
MOVA_NEAREST = False
MOVA_BYTE = False


def choices(rules: Rules, litp_nan: str, litp_flags: str, mova_fraction: str, mova_range: str) -> Mapping[str, bool]:
    """The values of the names in capitals."""
    return {
        "NEAREST": rules.nearest,
        "LARGEST_ON_OVERFLOW": rules.largest_on_overflow,
        "FLUSHES": rules.flushes,
        "FLUSHES_IN_FLOOR": rules.flushes_in_floor,
        "SIGNED_ZERO": rules.signed_zero,
        "ONE_NAN": rules.one_nan,
        "SIGNED_RECIPROCAL": rules.signed_zero and rules.signed_reciprocal,
        "MAX_TAKES_INFINITY": rules.max_takes_infinity,
        "UNORDERED_NE": rules.unordered_ne,
        "LITP_NAN_THROUGH": litp_nan == "through",
        "LITP_FLAGS_SIGN": litp_flags == "sign",
        "MOVA_FLOOR": mova_fraction == "floor",
        "MOVA_NEAREST": mova_fraction == "nearest",
        "MOVA_BYTE": mova_range == "byte",
    }


# log2(1 + 2**-k) for k = 1 to 60 in steps of 2**-62, cut: the upper and the lower 32 bits.
def _logarithms() -> tuple[tuple[int, ...], tuple[int, ...]]:
    from lanewise.core.numbers.transcendental import log2

    found: list[int] = []
    for k in range(1, 61):
        _, digits, power = log2(0, (1 << k) + 1, k, 66 - k)
        shift = power + 62
        found.append(digits << shift if shift >= 0 else digits >> -shift)
    return tuple([value >> 32 for value in found]), tuple([value & 0xFFFFFFFF for value in found])


LOG_HIGH, LOG_LOW = _logarithms()


def is_nan(a: U32) -> BOOL:
    return (a & 0x7FFFFF) > 0x7F0000


def is_special(a: U32) -> BOOL:
    """Infinity or NaN."""
    return (a & 0x7F0000) == 0x7F0000


def nan(a: U32) -> U32:
    """The NaN that an operation on this NaN gives."""
    if ONE_NAN:
        return 0x7F8000
    return a | 0x8000


def zero(sign: U32) -> U32:
    """Zero with a sign, where there is a -0."""
    if SIGNED_ZERO:
        return sign
    return 0


def canonical(a: U32) -> U32:
    """A word of 24 bits as a register holds it."""
    if ONE_NAN and is_nan(a):
        return 0x7F8000
    if not SIGNED_ZERO and a == 0x800000:
        return 0
    return a


def rounded(sign: U32, mantissa: U32, power: I32) -> U32:
    """mantissa * 2**power with a sign, rounded once; flushing comes before rounding."""
    if mantissa == 0:
        return zero(sign)
    top: I32 = power + bits(mantissa) - 1
    if FLUSHES and top <= -63:
        return zero(sign)
    if top > 64:
        return sign | overflow()
    place: I32 = top - 16 if top > -62 else -78
    drop: I32 = place - power
    cut: U32 = 0
    if drop <= 0:
        cut = mantissa << u32(-drop)
    elif drop < 32:
        cut = mantissa >> u32(drop)
        if NEAREST:
            cut = nearest(mantissa, drop)
    if cut == 0:
        return zero(sign)
    size: U32 = (u32(place + 78) << 16) + cut
    if size >= 0x7F0000:
        size = overflow()
    return sign | size


def overflow() -> U32:
    """The size of a result that is too large."""
    if LARGEST_ON_OVERFLOW:
        return 0x7EFFFF
    return 0x7F0000


def mantissa_of(a: U32) -> U32:
    """The 17 digits of a number; fewer for subnormals, 0 where they count as zeros."""
    if (a & 0x7F0000) != 0:
        return (a & 0xFFFF) | 0x10000
    if FLUSHES:
        return 0
    return a & 0xFFFF


def power_of(a: U32) -> I32:
    """The power of two of the last digit of `mantissa_of`."""
    exponent: I32 = i32((a >> 16) & 0x7F)
    return exponent - 79 if exponent != 0 else -78


def negate(a: U32) -> U32:
    if ONE_NAN and is_nan(a):
        return a
    if not SIGNED_ZERO and a == 0:
        return a
    return a ^ 0x800000


def flush(a: U32) -> U32:
    if (a & 0x7F0000) == 0:
        return zero(a & 0x800000)
    return a


def add(a: U32, b: U32) -> U32:
    if is_special(a) or is_special(b):
        if is_nan(a):
            return nan(a)
        if is_nan(b):
            return nan(b)
        if (a ^ b) == 0x800000:
            return 0x7F8000
        if is_special(a):
            return a
        return b
    big: U32 = a
    small: U32 = b
    if (a & 0x7FFFFF) < (b & 0x7FFFFF):
        big = b
        small = a
    x: U32 = mantissa_of(big) << 8
    y: U32 = mantissa_of(small) << 8
    apart: U32 = u32(power_of(big) - power_of(small))
    if apart > 25:
        y = 1 if y != 0 else 0
    else:
        lost: U32 = y & ((1 << apart) - 1)
        y = (y >> apart) | (1 if lost != 0 else 0)
    total: U32 = x + y
    if ((a ^ b) & 0x800000) != 0:
        total = x - y
    if total == 0:
        return zero(a & b & 0x800000)
    return rounded(big & 0x800000, total, power_of(big) - 8)


def mul(a: U32, b: U32) -> U32:
    sign: U32 = (a ^ b) & 0x800000
    x: U32 = mantissa_of(a)
    y: U32 = mantissa_of(b)
    if is_special(a) or is_special(b):
        if is_nan(a):
            return nan(a)
        if is_nan(b):
            return nan(b)
        if x == 0 or y == 0:
            return 0
        return sign | 0x7F0000
    power: I32 = power_of(a) + power_of(b)
    if not FLUSHES:
        p: I32 = 17 - bits(x)
        q: I32 = 17 - bits(y)
        if x != 0 and y != 0:
            x = x << u32(p)
            y = y << u32(q)
            power = power - p - q
    low: U32 = x * (y & 0xFF)
    product: U32 = x * (y >> 8) + (low >> 8)
    return rounded(sign, product | (1 if (low & 0xFF) != 0 else 0), power + 8)


def mad(a: U32, b: U32, c: U32) -> U32:
    return add(mul(a, b), c)


def ordered(a: U32) -> I32:
    """An integer that is in the order of the numbers."""
    if a < 0x800000:
        return i32(a)
    return 0x800000 - i32(a)


def unordered(a: U32, b: U32) -> BOOL:
    return is_nan(a) or is_nan(b)


def eq(a: U32, b: U32) -> BOOL:
    return not unordered(a, b) and ordered(a) == ordered(b)


def ne(a: U32, b: U32) -> BOOL:
    if UNORDERED_NE:
        return unordered(a, b) or ordered(a) != ordered(b)
    return not unordered(a, b) and ordered(a) != ordered(b)


def lt(a: U32, b: U32) -> BOOL:
    return not unordered(a, b) and ordered(a) < ordered(b)


def le(a: U32, b: U32) -> BOOL:
    return not unordered(a, b) and ordered(a) <= ordered(b)


def gt(a: U32, b: U32) -> BOOL:
    return not unordered(a, b) and ordered(a) > ordered(b)


def ge(a: U32, b: U32) -> BOOL:
    return not unordered(a, b) and ordered(a) >= ordered(b)


def larger(a: U32, b: U32) -> U32:
    if MAX_TAKES_INFINITY and (b & 0x7FFFFF) == 0x7F0000:
        return b
    return a if gt(a, b) else b


def smaller(a: U32, b: U32) -> U32:
    return a if lt(a, b) else b


def at_least(a: U32, low: U32) -> U32:
    if LITP_NAN_THROUGH:
        return low if lt(a, low) else a
    return a if gt(a, low) else low


def at_most(a: U32, high: U32) -> U32:
    if LITP_NAN_THROUGH:
        return high if gt(a, high) else a
    return a if lt(a, high) else high


def not_negative(a: U32) -> BOOL:
    if LITP_FLAGS_SIGN:
        return (a & 0x800000) == 0
    return ge(a, 0)


def floor(a: U32) -> U32:
    if is_nan(a):
        return nan(a)
    if (a & 0x7FFFFF) == 0 or is_special(a):
        return a
    sign: U32 = a & 0x800000
    if FLUSHES_IN_FLOOR and (a & 0x7F0000) == 0:
        return zero(sign)
    power: I32 = power_of(a)
    if power >= 0:
        return a
    mantissa: U32 = a & 0xFFFF
    if (a & 0x7F0000) != 0:
        mantissa = mantissa | 0x10000
    if power < -17:
        return rounded(sign, 1 if sign != 0 else 0, 0)
    whole: U32 = mantissa >> u32(-power)
    if sign != 0 and (whole << u32(-power)) != mantissa:
        whole = whole + 1
    if whole == 0:
        return zero(0)
    return rounded(sign, whole, 0)


def to_integer(a: U32) -> I32:
    """The integer that MOVA makes of a number."""
    if is_nan(a):
        return 0
    negative: BOOL = (a & 0x800000) != 0
    power: I32 = power_of(a)
    found: I32 = 0
    if is_special(a) or power > 14:
        found = -0x7FFFFFFF - 1 if negative else 0x7FFFFFFF
    else:
        mantissa: U32 = a & 0xFFFF
        if (a & 0x7F0000) != 0:
            mantissa = mantissa | 0x10000
        whole: U32 = 0
        rest: U32 = mantissa
        middle: U32 = 0x80000000
        if power >= 0:
            whole = mantissa << u32(power)
            rest = 0
        elif power > -31:
            whole = mantissa >> u32(-power)
            rest = mantissa - (whole << u32(-power))
            middle = 1 << u32(-power - 1)
        if MOVA_FLOOR and negative and rest != 0:
            whole = whole + 1
        if MOVA_NEAREST and (rest > middle or (rest == middle and (whole & 1) == 1)):
            whole = whole + 1
        found = -i32(whole) if negative else i32(whole)
    if MOVA_BYTE:
        return ((found + 128) & 255) - 128
    return found


def reciprocal_of_zero(a: U32) -> U32:
    if SIGNED_RECIPROCAL:
        return (a & 0x800000) | 0x7F0000
    return 0x7F0000


def rcp(a: U32) -> U32:
    sign: U32 = a & 0x800000
    if is_nan(a):
        return nan(a)
    if is_special(a):
        return zero(sign)
    mantissa: U32 = mantissa_of(a)
    if mantissa == 0:
        return reciprocal_of_zero(a)
    power: I32 = power_of(a)
    shift: I32 = 17 - bits(mantissa)
    mantissa = mantissa << u32(shift)
    power = power - shift
    # 2**46 / mantissa in two steps of long division.
    first: U32 = 0x80000000 // mantissa
    rest: U32 = (0x80000000 - first * mantissa) << 15
    second: U32 = rest // mantissa
    quotient: U32 = (first << 15) + second
    return rounded(sign, quotient | (1 if rest != second * mantissa else 0), -46 - power)


def rsq(a: U32) -> U32:
    if is_nan(a):
        return nan(a)
    mantissa: U32 = mantissa_of(a)
    if not is_special(a) and mantissa == 0:
        return reciprocal_of_zero(a)
    if (a & 0x800000) != 0:
        return 0x7F8000
    if is_special(a):
        return 0
    power: I32 = power_of(a)
    shift: I32 = 17 - bits(mantissa)
    power = power - shift
    if (power & 1) != 0:
        shift = shift + 1
        power = power - 1
    mantissa = mantissa << u32(shift)
    # The root of 2**54 / mantissa.
    return rounded(0, inverse_root(mantissa, 0x4000, 20), -28 - (power >> 1))


def exp2(a: U32) -> U32:
    if is_nan(a):
        return nan(a)
    negative: BOOL = (a & 0x800000) != 0
    mantissa: U32 = mantissa_of(a)
    if is_special(a):
        return 0 if negative else 0x7F0000
    if mantissa == 0:
        return 0x3F0000
    exponent: I32 = power_of(a) + 16
    if exponent < -18:
        return rounded(0, 0x7FFFF if negative else 0x80001, -19)
    if exponent > 6:
        return rounded(0, 1, -252 if negative else 126)
    # The whole part, and the fraction in steps of 2**-62.
    whole: I32 = 0
    fraction: U32 = mantissa
    if exponent >= 0:
        whole = i32(mantissa >> u32(16 - exponent))
        fraction = mantissa & ((1 << u32(16 - exponent)) - 1)
    if fraction == 0:
        return rounded(0, 1, -whole if negative else whole)
    places: U32 = u32(exponent + 46)
    high: U32 = 0
    low: U32 = 0
    if places >= 32:
        high = fraction << (places - 32)
    else:
        high = fraction >> (32 - places)
        low = wrapped(fraction << places)
    if negative:
        # 2**-f = 2**(1 - f) / 2
        whole = -whole - 1
        high = 0x40000000 - high - (1 if low != 0 else 0)
        low = wrapped(0 - low)
    # 2**f is the product of the factors 1 + 2**-k whose logarithms have the sum f.
    y_high: U32 = 0x40000000
    y_low: U32 = 0
    for k in range(60):
        t_high: U32 = LOG_HIGH[k]
        t_low: U32 = LOG_LOW[k]
        if high > t_high or (high == t_high and low >= t_low):
            high = high - t_high - (1 if low < t_low else 0)
            low = wrapped(low - t_low)
            part_high: U32 = shifted_high(y_high, u32(k + 1))
            part_low: U32 = shifted_next(y_high, y_low, u32(k + 1))
            y_low = wrapped(y_low + part_low)
            y_high = y_high + part_high + (1 if y_low < part_low else 0)
    return rounded(0, y_high | 1, whole - 30)


def log2(a: U32) -> U32:
    if is_nan(a):
        return nan(a)
    mantissa: U32 = mantissa_of(a)
    if not is_special(a) and mantissa == 0:
        return 0xFF0000
    if (a & 0x800000) != 0:
        return 0x7F8000
    if is_special(a):
        return a
    shift: I32 = 17 - bits(mantissa)
    whole: I32 = power_of(a) - shift + 16
    if mantissa << u32(shift) == 0x10000:
        return rounded(0x800000 if whole < 0 else 0, u32(-whole if whole < 0 else whole), 0)
    # The factors 1 + 2**-k that take the mantissa to 2; the sum of their logarithms is 1 - log2(mantissa).
    y_high: U32 = (mantissa << u32(shift)) << 14
    y_low: U32 = 0
    high: U32 = 0
    low: U32 = 0
    for k in range(60):
        part_high: U32 = shifted_high(y_high, u32(k + 1))
        part_low: U32 = shifted_next(y_high, y_low, u32(k + 1))
        next_low: U32 = wrapped(y_low + part_low)
        next_high: U32 = y_high + part_high + (1 if next_low < part_low else 0)
        if next_high < 0x80000000:
            y_high = next_high
            y_low = next_low
            low = wrapped(low + LOG_LOW[k])
            high = high + LOG_HIGH[k] + (1 if low < LOG_LOW[k] else 0)
    if whole >= 0:
        high = 0x40000000 - high - (1 if low != 0 else 0)
        low = wrapped(0 - low)
    else:
        whole = -whole - 1
    sign: U32 = 0x800000 if power_of(a) - shift + 16 < 0 else 0
    if whole > 0:
        return rounded(sign, (u32(whole) << 24) | (high >> 6) | 1, -24)
    lift: U32 = u32(32 - bits(high))
    if lift > 0:
        high = (high << lift) | (low >> (32 - lift))
    return rounded(sign, high | 1, -30 - i32(lift))


def from_float_bits(a: U32) -> U32:
    """The word for the bits of a float32, cut toward zero."""
    sign: U32 = (a >> 8) & 0x800000
    size: U32 = a & 0x7FFFFFFF
    if size > 0x7F800000:
        return 0x7F8000
    top: I32 = i32(size >> 23) - 127
    if top > 63:
        return sign | 0x7F0000
    mantissa: U32 = (size & 0x7FFFFF) | 0x800000
    if top > -63:
        return sign | (u32(top + 63) << 16) | ((mantissa >> 7) & 0xFFFF)
    drop: I32 = -55 - top
    if drop > 23:
        return zero(sign)
    return sign | (mantissa >> u32(drop))


def to_float_bits(a: U32) -> U32:
    """The bits of the float32 that a word is."""
    sign: U32 = (a & 0x800000) << 8
    if is_nan(a):
        return 0x7FC00000
    if is_special(a):
        return sign | 0x7F800000
    mantissa: U32 = a & 0xFFFF
    exponent: I32 = i32((a >> 16) & 0x7F)
    if exponent == 0:
        if mantissa == 0:
            return sign
        shift: I32 = 17 - bits(mantissa)
        mantissa = (mantissa << u32(shift)) & 0xFFFF
        exponent = 1 - shift
    return sign | (u32(exponent + 64) << 23) | (mantissa << 7)
