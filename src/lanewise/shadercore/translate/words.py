"""The operations of ShaderCore devices on 32-bit integers, written in the part of Python that `translating.functions` prints.

Names in capitals are choices of a device: `choices` has their values, and what they exclude is left out of the text. The
functions run in Python too, where tests compare them with `shadercore.sem.numbers`. No step needs more than 32 bits.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.sem.special import RCP_OFFSETS, RCP_SLOPES, RSQ_OFFSETS, RSQ_SLOPES
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

    from lanewise.shadercore.isa.devices import Device

# The choices of the device of the specification.
FLUSHES = False
SIGNED_NAN = False
RAW = False
FLOOR_ADD = False
CUT_MUL = False
FIXED_FRACTION = False
UNSIGNED_23 = False
AWAY_16 = False
CUT_UNORM = False
CUT_HALF = False
CUT_UNSIGNED = False
RCP_TABLE = False
RSQ_TABLE = False
TERMS = 84  # of the sums of logarithms


def choices(device: Device) -> Mapping[str, bool]:
    """The values of the names in capitals."""
    on = device.choose
    return {
        "FLUSHES": on("subnormals", {"kept": False, "flushed": True}),
        "SIGNED_NAN": on("nan", {"one": False, "signed": True}),
        "RAW": on("compare", {"ieee": False, "raw": True}),
        "FLOOR_ADD": on("add", {"nearest": False, "floor": True}),
        "CUT_MUL": on("mul", {"nearest": False, "zero": True}),
        "FIXED_FRACTION": on("frc", {"exact": False, "fixed": True}),
        "UNSIGNED_23": on("rnd23", {"signed": False, "unsigned": True}),
        "AWAY_16": on("rnd16", {"even": False, "away": True}),
        "CUT_UNORM": on("unorm", {"nearest": False, "cut": True}),
        "CUT_HALF": on("half", {"nearest": False, "cut": True}),
        "CUT_UNSIGNED": on("u32", {"nearest": False, "zero": True}),
        "RCP_TABLE": on("rcp", {"exact": False, "table": True}),
        "RSQ_TABLE": on("rsq", {"exact": False, "table": True}),
    }


# log2(1 + 2**-k) for k = 1 to TERMS in steps of 2**-94, cut: the upper, the middle and the lower 32 bits.
def _logarithms() -> tuple[tuple[int, ...], ...]:
    from lanewise.core.numbers.transcendental import log2

    found: list[int] = []
    for k in range(1, TERMS + 1):
        _, digits, power = log2(0, (1 << k) + 1, k, 98 - k)
        shift = power + 94
        found.append(digits << shift if shift >= 0 else digits >> -shift)
    return tuple([tuple([value >> place & 0xFFFFFFFF for value in found]) for place in (64, 32, 0)])


LOG_HIGH, LOG_MIDDLE, LOG_LOW = _logarithms()


def is_nan(a: U32) -> BOOL:
    return (a & 0x7FFFFFFF) > 0x7F800000


def is_special(a: U32) -> BOOL:
    """Infinity or NaN."""
    return (a & 0x7F800000) == 0x7F800000


def is_small(a: U32) -> BOOL:
    """Zero or subnormal."""
    return (a & 0x7F800000) == 0


def nan(sign: U32) -> U32:
    """The NaN that an operation gives."""
    if SIGNED_NAN:
        return sign | 0x7FFFFFFF
    return 0x7FC00000


def exponent_of(a: U32) -> I32:
    return i32((a >> 23) & 0xFF)


def mantissa_of(a: U32) -> U32:
    """The 24 digits of a number; fewer for subnormals."""
    if is_small(a):
        return a & 0x7FFFFF
    return (a & 0x7FFFFF) | 0x800000


def power_of(a: U32) -> I32:
    """The power of two of the last digit of `mantissa_of`."""
    if is_small(a):
        return -149
    return exponent_of(a) - 150


def rounded(sign: U32, mantissa: U32, power: I32) -> U32:
    """mantissa * 2**power with a sign, to nearest, ties to even."""
    if mantissa == 0:
        return sign
    top: I32 = power + bits(mantissa) - 1
    if top > 127:
        return sign | 0x7F800000
    place: I32 = top - 23 if top > -126 else -149
    drop: I32 = place - power
    cut: U32 = 0
    if drop <= 0:
        cut = mantissa << u32(-drop)
    elif drop < 32:
        cut = nearest(mantissa, drop)
    elif drop == 32:
        cut = 1 if mantissa > 0x80000000 else 0
    return sign | ((u32(place + 149) << 23) + cut)


def flushed(a: U32) -> U32:
    if FLUSHES and is_small(a):
        return a & 0x80000000
    return a


def saturate(a: U32) -> U32:
    if (a & 0x80000000) != 0:
        return 0
    return a if a < 0x3F800000 else 0x3F800000


def sum_of(a: U32, b: U32) -> U32:
    """The sum of IEEE 754, to nearest."""
    if is_special(a) or is_special(b):
        if is_nan(a) or is_nan(b) or (a ^ b) == 0x80000000:
            return 0x7FC00000
        return a if is_special(a) else b
    big: U32 = a
    small: U32 = b
    if (a & 0x7FFFFFFF) < (b & 0x7FFFFFFF):
        big = b
        small = a
    x: U32 = mantissa_of(big) << 7
    y: U32 = mantissa_of(small) << 7
    apart: U32 = u32(power_of(big) - power_of(small))
    if apart > 31:
        y = 1 if y != 0 else 0
    else:
        lost: U32 = y & ((1 << apart) - 1)
        y = (y >> apart) | (1 if lost != 0 else 0)
    total: U32 = x + y
    if ((a ^ b) & 0x80000000) != 0:
        total = x - y
    if total == 0:
        return a & b & 0x80000000
    return rounded(big & 0x80000000, total, power_of(big) - 7)


def eight_bits(value: I32) -> I32:
    """The lower eight bits as an integer with a sign."""
    return ((value + 128) & 255) - 128


def sum_without_guard(a: U32, b: U32) -> U32:
    """The sum without guard bits: the smaller operand is shifted down with its sign."""
    large: U32 = a
    small: U32 = b
    if (a & 0x7FFFFFFF) < (b & 0x7FFFFFFF):
        large = b
        small = a
    exponent: I32 = exponent_of(large) - 127
    gap: I32 = exponent - exponent_of(small) + 127
    if gap > 24:
        return large
    if (large ^ small) == 0x80000000:
        return 0
    other: U32 = (small & 0x7FFFFF) | 0x800000
    if (small & 0x80000000) != 0:
        other = other + (1 << u32(gap)) - 1
    first: I32 = i32((large & 0x7FFFFF) | 0x800000)
    second: I32 = i32(other >> u32(gap))
    if (large & 0x80000000) != 0:
        first = -first
    if (small & 0x80000000) != 0:
        second = -second
    total: I32 = first + second
    magnitude: U32 = u32(-total if total < 0 else total)
    shift: I32 = bits(magnitude) - 24
    shift = shift if shift > -24 else -23
    if shift >= 0:
        exponent = eight_bits(exponent) + shift
        magnitude = magnitude >> u32(shift)
    else:
        exponent = eight_bits(exponent + shift)
        magnitude = magnitude << u32(-shift)
    sign: U32 = 0x80000000 if total < 0 else 0
    if exponent > 127:
        return sign | 0x7F800000
    if exponent < -126:
        return 0
    return sign | (u32(exponent + 127) << 23) | (magnitude & 0x7FFFFF)


def add(a: U32, b: U32) -> U32:
    x: U32 = flushed(a)
    y: U32 = flushed(b)
    if not FLOOR_ADD:
        return flushed(sum_of(x, y))
    if is_special(x) and is_special(y):
        if is_nan(x) != is_nan(y):
            return sum_without_guard(x, y)
        return x if is_nan(x) or x == y else nan(0)
    if is_special(x):
        return x
    if is_special(y):
        return y
    if (x & 0x7FFFFFFF) == 0:
        return y if (y & 0x7FFFFFFF) != 0 else (x & y)
    if (y & 0x7FFFFFFF) == 0:
        return x
    return sum_without_guard(x, y)


def product_high(x: U32, y: U32) -> U32:
    """The product of two integers of 24 bits without its lower 16 bits."""
    low: U32 = x * (y & 0xFF)
    middle: U32 = x * ((y >> 8) & 0xFF) + (low >> 8)
    return x * (y >> 16) + (middle >> 8)


def product_rest(x: U32, y: U32) -> BOOL:
    """Whether one of the lower 16 bits of the product is set."""
    return (((x & 0xFFFF) * (y & 0xFFFF)) & 0xFFFF) != 0


def product(a: U32, b: U32) -> U32:
    """The product of IEEE 754, to nearest."""
    sign: U32 = (a ^ b) & 0x80000000
    x: U32 = mantissa_of(a)
    y: U32 = mantissa_of(b)
    if is_special(a) or is_special(b):
        if is_nan(a) or is_nan(b) or x == 0 or y == 0:
            return 0x7FC00000
        return sign | 0x7F800000
    if x == 0 or y == 0:
        return sign
    p: I32 = 24 - bits(x)
    q: I32 = 24 - bits(y)
    x = x << u32(p)
    y = y << u32(q)
    high: U32 = product_high(x, y)
    return rounded(sign, high | (1 if product_rest(x, y) else 0), power_of(a) + power_of(b) - p - q + 16)


def mul(a: U32, b: U32) -> U32:
    if not CUT_MUL:
        return flushed(product(flushed(a), flushed(b)))
    sign: U32 = (a ^ b) & 0x80000000
    if is_nan(a) or is_nan(b):
        return nan(sign)
    if is_special(a) or is_special(b):
        return nan(sign) if is_small(a) or is_small(b) else sign | 0x7F800000
    if is_small(a) or is_small(b):
        return sign
    exponent: I32 = exponent_of(a) + exponent_of(b) - 254
    high: U32 = product_high(mantissa_of(a), mantissa_of(b))
    carry: U32 = high >> 31
    if exponent < -126:
        return sign
    if exponent > 127 or exponent + i32(carry) > 127:
        return sign | 0x7F800000
    return sign | (u32(exponent + i32(carry) + 127) << 23) | ((high >> (carry + 7)) & 0x7FFFFF)


def ordered(a: U32) -> I32:
    """An integer that is in the order of the numbers."""
    if (a & 0x80000000) != 0:
        return -i32(a & 0x7FFFFFFF)
    return i32(a)


def before(a: U32, b: U32) -> BOOL:
    """Whether a pattern is before another; -0 is before +0."""
    return ordered(a) < ordered(b) or (ordered(a) == ordered(b) and a > b)


def smaller(a: U32, b: U32) -> U32:
    if is_nan(a) or is_nan(b):
        return b if is_nan(a) and not is_nan(b) else a
    return a if before(a, b) else b


def larger(a: U32, b: U32) -> U32:
    if is_nan(a) or is_nan(b):
        return b if is_nan(a) and not is_nan(b) else a
    return a if before(b, a) else b


def lt(a: U32, b: U32) -> BOOL:
    if is_nan(a) or is_nan(b):
        return False
    if RAW and is_small(a) and is_small(b):
        return False
    return ordered(a) < ordered(b)


def ge(a: U32, b: U32) -> BOOL:
    if is_nan(a) or is_nan(b):
        return False
    if RAW and is_small(a) and is_small(b):
        return True
    return ordered(a) >= ordered(b)


def less(a: U32, b: U32) -> U32:
    return 0x3F800000 if lt(a, b) else 0


def at_least(a: U32, b: U32) -> U32:
    return 0x3F800000 if ge(a, b) else 0


def sign_of(a: U32) -> U32:
    if RAW:
        if is_nan(a):
            return 0x3F800000
        return 0 if is_small(a) else (a & 0x80000000) | 0x3F800000
    if is_nan(a):
        return 0x7FC00000
    return 0 if (a & 0x7FFFFFFF) == 0 else (a & 0x80000000) | 0x3F800000


def twice(a: U32) -> U32:
    if is_special(a):
        return a
    sign: U32 = a & 0x80000000
    if FLUSHES:
        if is_small(a):
            return sign
        return sign | 0x7F800000 if exponent_of(a) > 253 else a + 0x800000
    return rounded(sign, mantissa_of(a), power_of(a) + 1)


def fraction(a: U32) -> U32:
    if is_special(a):
        return nan(0)
    mantissa: U32 = mantissa_of(a)
    power: I32 = power_of(a)
    if power >= 0 or mantissa == 0:
        return 0
    negative: BOOL = (a & 0x80000000) != 0
    if FIXED_FRACTION:
        if power < -46:
            return 0
        part: U32 = mantissa >> u32(-power - 23) if power <= -23 else mantissa << u32(power + 23)
        part = part & 0x7FFFFF
        return rounded(0, 0x800000 - part if negative and part != 0 else part, -23)
    if power < -23:
        return sum_of(0x3F800000, a) if negative else a
    rest: U32 = mantissa & ((1 << u32(-power)) - 1)
    return rounded(0, (1 << u32(-power)) - rest if negative and rest != 0 else rest, power)


def half_away(mantissa: U32, places: I32) -> U32:
    """mantissa / 2**places, from 1 place, to nearest, a half up."""
    if places > 25:
        return 0
    return ((mantissa >> u32(places - 1)) + 1) >> 1


def half_even(mantissa: U32, places: I32) -> U32:
    """mantissa / 2**places, from 1 place, to nearest, ties to even."""
    if places > 25:
        return 0
    return nearest(mantissa, places)


def clamped(a: U32, size: U32, most: U32) -> U32:
    """An integer of this size with the sign of a number, from -most to most - 1."""
    if (a & 0x80000000) != 0:
        return wrapped(0 - (size if size < most else most))
    return size if size < most else most - 1


def round23(a: U32) -> U32:
    power: I32 = power_of(a)
    if UNSIGNED_23:
        if (a & 0x80000000) != 0 or is_small(a) or is_nan(a):
            return 0
        if power > 0:
            return 0xFFFFFF
        whole: U32 = mantissa_of(a) if power == 0 else half_away(mantissa_of(a), -power)
        return whole if whole < 0xFFFFFF else 0xFFFFFF
    if is_nan(a):
        return 0
    return clamped(a, 0x400000 if power >= 0 else half_even(mantissa_of(a), -power), 0x400000) & 0x7FFFFF


def round16(a: U32) -> U32:
    if is_nan(a):
        return 0
    power: I32 = power_of(a)
    if AWAY_16:
        if (a & 0x7FFFFFFF) >= 0x46FFFE00:
            return 0x8000 if a >= 0xC7000000 else 0x7FFF
        return clamped(a, half_away(mantissa_of(a), -power), 0x8000) & 0xFFFF
    return clamped(a, 0x8000 if power >= 0 else half_even(mantissa_of(a), -power), 0x8000) & 0xFFFF


def unorm(a: U32, count: U32) -> U32:
    """A number from 0.0 to 1.0 as an integer of up to 16 bits."""
    if (a & 0x80000000) != 0 or is_nan(a):
        return 0
    most: U32 = (1 << count) - 1
    if a >= 0x3F800000:
        return most
    mantissa: U32 = mantissa_of(a)
    if CUT_UNORM:
        places: U32 = u32(-power_of(a)) - count
        return 0 if places > 31 else mantissa >> places
    low: U32 = (mantissa & 0xFFF) * most
    high: U32 = (mantissa >> 12) * most + (low >> 12)
    drop: I32 = -power_of(a) - 12
    if drop > 29:
        return 0
    return nearest((high << 1) | (1 if (low & 0xFFF) != 0 else 0), drop + 1)


def to_half(a: U32) -> U32:
    sign: U32 = (a >> 16) & 0x8000
    if CUT_HALF:
        if is_nan(a):
            return sign | 0x7FFF
        if (a & 0x7FFFFFFF) > 0x477FE000:
            return sign | 0x7C00
        exponent: I32 = exponent_of(a) - 127
        if exponent < -24:
            return sign
        return sign | ((u32(exponent + 47) & 0x1F) << 10) | ((a & 0x7FFFFF) >> 13)
    if is_nan(a):
        return sign | 0x7E00
    if is_special(a):
        return sign | 0x7C00
    mantissa: U32 = mantissa_of(a)
    place: I32 = power_of(a) + bits(mantissa) - 11
    place = place if place > -25 else -24
    size: U32 = (u32(place + 24) << 10) + half_even(mantissa, place - power_of(a))
    return sign | (size if size < 0x7C00 else 0x7C00)


def from_half(a: U32) -> U32:
    sign: U32 = (a & 0x8000) << 16
    exponent: U32 = (a >> 10) & 0x1F
    mantissa: U32 = a & 0x3FF
    if exponent == 0x1F:
        if CUT_HALF:
            return sign | (0x7FFFFFFF if mantissa != 0 else 0x7F800000)
        return sign | (0x7FC00000 if mantissa != 0 else 0x7F800000)
    if CUT_HALF and exponent == 0 and mantissa == 0:
        return sign
    if not CUT_HALF and exponent == 0:
        return rounded(sign, mantissa, -24)
    return sign | ((exponent + 112) << 23) | (mantissa << 13)


def from_unsigned(a: U32) -> U32:
    drop: I32 = bits(a) - 24
    if CUT_UNSIGNED and drop > 0:
        return rounded(0, (a >> u32(drop)) << u32(drop), 0)
    return rounded(0, a, 0)


def high_word(a: U32, b: U32) -> U32:
    """The upper 32 bits of a product."""
    low: U32 = (a & 0xFFFF) * (b & 0xFFFF)
    one: U32 = (a >> 16) * (b & 0xFFFF) + (low >> 16)
    other: U32 = (a & 0xFFFF) * (b >> 16) + (one & 0xFFFF)
    return (a >> 16) * (b >> 16) + (one >> 16) + (other >> 16)


def rcp_tabled(a: U32) -> BOOL:
    """Whether the reciprocal of a number needs the table."""
    return not is_small(a) and not is_special(a) and (a & 0x7FFFFF) != 0


def rcp_first(a: U32) -> U32:
    """The first approximation, 16 bits."""
    line: U32 = (a >> 19) & 0xF
    return wrapped(RCP_OFFSETS[line] - ((RCP_SLOPES[line] * ((a >> 3) & 0xFFFF)) >> 20)) & 0xFFFF


def rcp_sigma(a: U32) -> U32:
    """Return the remainder of 1 after the multiplication with the first approximation."""
    return wrapped(rcp_first(a) * ((a & 0x7FFFFF) | 0x800000) * 2) ^ 0xFFFFFFFF


def rcp_with(a: U32, b: U32) -> U32:
    """The reciprocal of a with the sigma of b in its second term."""
    sign: U32 = a & 0x80000000
    if is_small(a):
        return sign | 0x7F800000
    if is_special(a):
        return sign | (0x7FFFFFFF if (a & 0x7FFFFF) != 0 else 0)
    if (a & 0x7FFFFF) == 0:
        return sign | ((u32(254 - exponent_of(a)) & 0xFF) << 23)
    first: U32 = rcp_first(a)
    sigma: U32 = rcp_sigma(a)
    squared: U32 = rcp_sigma(b)
    one: U32 = wrapped((first << 16) + ((first * (sigma >> 16) + ((first * (sigma & 0xFFFF)) >> 16)) >> 8))
    two: U32 = wrapped(one + (high_word(one, high_word(squared, squared)) >> 16))
    mantissa: U32 = (((two >> 1) & 0x3FFFFFFF) + 64) >> 7
    return sign | ((u32(253 - exponent_of(a)) & 0xFF) << 23) | (mantissa & 0x7FFFFF)


def rcp(a: U32) -> U32:
    if RCP_TABLE:
        return rcp_with(a, a)
    sign: U32 = a & 0x80000000
    if is_nan(a):
        return 0x7FC00000
    if is_special(a):
        return sign
    mantissa: U32 = mantissa_of(a)
    if mantissa == 0:
        return sign | 0x7F800000
    shift: I32 = 24 - bits(mantissa)
    mantissa = mantissa << u32(shift)
    rest: U32 = 0x800000
    quotient: U32 = 0
    for _ in range(27):
        rest = rest << 1
        quotient = quotient << 1
        if rest >= mantissa:
            rest = rest - mantissa
            quotient = quotient + 1
    return rounded(sign, (quotient << 1) | (1 if rest != 0 else 0), shift - power_of(a) - 51)


def rsq_line(a: U32) -> U32:
    return ((a >> 19) & 0xF) + (0 if ((a >> 23) & 1) != 0 else 16)


def rsq_with(a: U32, b: U32) -> U32:
    """1 / sqrt of the magnitude of a, with the product of the line of b."""
    exponent: I32 = exponent_of(a)
    mantissa: U32 = a & 0x7FFFFF
    if is_small(a):
        return 0x7F800000
    if is_special(a):
        return 0x7FFFFFFF if mantissa != 0 else 0
    scale: I32 = exponent - 127 - (1 if mantissa == 0 else 0)
    result: I32 = 0
    if scale >= 0:
        result = -(scale // 2) - 1
    else:
        result = (-scale) // 2 - (1 if (scale & 1) == 0 else 0)
    line: U32 = rsq_line(b)
    taken: U32 = high_word((b & 0x7FFFF) << 7, (RSQ_SLOPES[line] & 0x3FFFF) << 7)
    found: U32 = wrapped((RSQ_OFFSETS[rsq_line(a)] & 0x7FFFFF) - (taken & 0x7FFFFF))
    if (exponent & 1) == 1 and mantissa == 0:
        found = 0
    return ((u32(result + 127) & 0xFF) << 23) | (found & 0x7FFFFF)


def rsq(a: U32) -> U32:
    if RSQ_TABLE:
        return rsq_with(a, a)
    sign: U32 = a & 0x80000000
    if is_nan(a):
        return 0x7FC00000
    mantissa: U32 = mantissa_of(a)
    if mantissa == 0:
        return sign | 0x7F800000
    if sign != 0:
        return 0x7FC00000
    if is_special(a):
        return 0
    shift: I32 = 24 - bits(mantissa)
    power: I32 = power_of(a) - shift
    if (power & 1) != 0:
        shift = shift + 1
        power = power - 1
    mantissa = mantissa << u32(shift)
    # The root of 2**78 / mantissa.
    return rounded(0, inverse_root(mantissa, 0x400000, 28), -40 - (power >> 1))


def shifted_low(high: U32, middle: U32, low: U32, places: U32) -> U32:
    """The lower third of a number of 96 bits shifted to the right by 1 to 95 places."""
    if places < 32:
        return (low >> places) | wrapped(middle << (32 - places))
    if places == 32:
        return middle
    if places < 64:
        return (middle >> (places - 32)) | wrapped(high << (64 - places))
    return high >> (places - 64)


def exp2(a: U32) -> U32:
    if is_nan(a):
        return 0x7FC00000
    negative: BOOL = (a & 0x80000000) != 0
    exponent: I32 = exponent_of(a) - 127
    if (a & 0x7FFFFFFF) == 0:
        return 0x3F800000
    if exponent < -25:
        return rounded(0, 0x3FFFFFF if negative else 0x4000001, -26)
    if exponent > 7:
        return 0 if negative else 0x7F800000
    # The whole part, and the fraction in steps of 2**-94.
    whole: I32 = 0
    part: U32 = mantissa_of(a)
    if exponent >= 0:
        whole = i32(part >> u32(23 - exponent))
        part = part & ((1 << u32(23 - exponent)) - 1)
    if part == 0:
        return rounded(0, 1, -whole if negative else whole)
    places: U32 = u32(exponent + 39)
    high: U32 = 0
    middle: U32 = 0
    low: U32 = 0
    if places >= 32:
        high = part << (places - 32)
    else:
        high = part >> (32 - places)
        middle = wrapped(part << places)
    if negative:
        # 2**-f = 2**(1 - f) / 2
        whole = -whole - 1
        high = 0x40000000 - high - (1 if middle != 0 else 0)
        middle = wrapped(0 - middle)
    # 2**f is the product of the factors 1 + 2**-k whose logarithms have the sum f.
    y_high: U32 = 0x40000000
    y_middle: U32 = 0
    y_low: U32 = 0
    for k in range(84):
        t_high: U32 = LOG_HIGH[k]
        t_middle: U32 = LOG_MIDDLE[k]
        t_low: U32 = LOG_LOW[k]
        if high > t_high or (high == t_high and (middle > t_middle or (middle == t_middle and low >= t_low))):
            borrow: U32 = 1 if low < t_low else 0
            low = wrapped(low - t_low)
            high = high - t_high - (1 if middle < t_middle or (middle == t_middle and borrow == 1) else 0)
            middle = wrapped(middle - t_middle - borrow)
            p_high: U32 = shifted_high(y_high, u32(k + 1))
            p_middle: U32 = shifted_next(y_high, y_middle, u32(k + 1))
            p_low: U32 = shifted_low(y_high, y_middle, y_low, u32(k + 1))
            y_low = wrapped(y_low + p_low)
            carry: U32 = 1 if y_low < p_low else 0
            y_middle = wrapped(y_middle + p_middle + carry)
            y_high = y_high + p_high + (1 if y_middle < p_middle or (carry == 1 and y_middle == p_middle) else 0)
    return rounded(0, y_high | 1, whole - 30)


def log2(a: U32) -> U32:
    if is_nan(a):
        return 0x7FC00000
    mantissa: U32 = mantissa_of(a)
    if mantissa == 0:
        return 0xFF800000
    if (a & 0x80000000) != 0:
        return 0x7FC00000
    if is_special(a):
        return a
    shift: I32 = 24 - bits(mantissa)
    whole: I32 = power_of(a) - shift + 23
    mantissa = mantissa << u32(shift)
    sign: U32 = 0x80000000 if whole < 0 else 0
    if mantissa == 0x800000:
        return rounded(sign, u32(-whole if whole < 0 else whole), 0)
    # The factors 1 + 2**-k that take the mantissa to 2; the sum of their logarithms is 1 - log2(mantissa).
    y_high: U32 = mantissa << 7
    y_middle: U32 = 0
    y_low: U32 = 0
    high: U32 = 0
    middle: U32 = 0
    low: U32 = 0
    for k in range(84):
        p_high: U32 = shifted_high(y_high, u32(k + 1))
        p_middle: U32 = shifted_next(y_high, y_middle, u32(k + 1))
        p_low: U32 = shifted_low(y_high, y_middle, y_low, u32(k + 1))
        n_low: U32 = wrapped(y_low + p_low)
        carry: U32 = 1 if n_low < p_low else 0
        n_middle: U32 = wrapped(y_middle + p_middle + carry)
        n_high: U32 = y_high + p_high + (1 if n_middle < p_middle or (carry == 1 and n_middle == p_middle) else 0)
        if n_high < 0x80000000:
            y_high = n_high
            y_middle = n_middle
            y_low = n_low
            t_middle: U32 = LOG_MIDDLE[k]
            t_low: U32 = LOG_LOW[k]
            low = wrapped(low + t_low)
            over: U32 = 1 if low < t_low else 0
            middle = wrapped(middle + t_middle + over)
            high = high + LOG_HIGH[k] + (1 if middle < t_middle or (over == 1 and middle == t_middle) else 0)
    if whole >= 0:
        high = 0x40000000 - high - (1 if middle != 0 or low != 0 else 0)
        middle = wrapped(0 - middle - (1 if low != 0 else 0))
    else:
        whole = -whole - 1
    lift: U32 = 0
    if whole > 0:
        lift = u32(32 - bits(u32(whole)))
        rest: U32 = high >> (30 - lift) if lift < 31 else (high << 1) | (middle >> 31)
        return rounded(sign, (u32(whole) << lift) | rest | 1, -i32(lift))
    lift = u32(32 - bits(high))
    if lift > 0:
        high = (high << lift) | (middle >> (32 - lift))
    return rounded(sign, high | 1, -30 - i32(lift))
