"""float24, the number format of the PICA200 shader unit, on integers: 1 sign bit, 7 exponent bits (bias 63), 16 mantissa bits.

Exponent 0 holds zero and the subnormals (steps of 2**-78), exponent 0x7F infinity and NaN. Source of the format: 3dbrew,
GPU/Shader Instruction Set, Floating-Point Behavior. Host values become float24 by one of two rules: the exact one, and the
one that host tools (picasso, libctru) use for constants, which is wrong at both ends of the range and kept for its bytes.
"""

from __future__ import annotations

import struct

MANTISSA_BITS = 16
BIAS = 63
EXPONENT_MAX = 0x7F

SIGN = 0x800000
MAGNITUDE = 0x7FFFFF
HIDDEN = 0x010000  # the leading 1 of a normal number's mantissa
FRACTION = 0x00FFFF

ZERO = 0x000000
LARGEST_SUBNORMAL = 0x00FFFF
SMALLEST_NORMAL = 0x010000  # 2**-62
ONE = 0x3F0000
LARGEST = 0x7EFFFF  # 2**64 - 2**47
INFINITY = 0x7F0000
NEGATIVE_INFINITY = 0xFF0000
NAN = 0x7F8000  # the one NaN that lanewise produces

_FLOAT32_NAN = 0x7FC00000
_FLOAT32_INFINITY = 0x7F800000
_FLOAT64_INFINITY = 0x7FF << 52
_NAN, _INFINITY = float("nan"), float("inf")  # `math` would be an import at each start
_FLOAT64 = struct.Struct("<d").pack
_LOWEST = BIAS + MANTISSA_BITS - 1  # the last place of a subnormal weighs 2**-78


def round_to_float24(negative: bool, mantissa: int, exponent: int, *, nearest: bool = False) -> int:
    """Round `mantissa * 2**exponent` with a sign to float24, once, toward zero, or to `nearest`, ties to even.

    `mantissa >= 0` has any length. Subnormals are kept; from 2**64 on the result is infinity. A zero keeps the sign. Because
    the first rule cuts, digits that the caller cut off below a mantissa of 17 bits or more do not change the result.
    """
    sign = SIGN if negative else 0
    length = mantissa.bit_length()
    top = exponent + length - 1
    if not mantissa:
        return sign
    if top > BIAS:
        return sign | INFINITY
    shift = -exponent - _LOWEST if top <= -BIAS else length - (MANTISSA_BITS + 1)
    cut = mantissa >> shift if shift >= 0 else mantissa << -shift
    size = cut if top <= -BIAS else (top + BIAS) << MANTISSA_BITS | cut & FRACTION
    if nearest and shift > 0:
        rest, half = mantissa & (1 << shift) - 1, 1 << shift - 1
        size += rest > half or (rest == half and size & 1)  # a carry out of the mantissa adds 1 to the exponent, as it should
    return sign | size


def _from_ieee(bits: int, exponent_bits: int, mantissa_bits: int, *, nearest: bool = False) -> int:
    """The exact rule for an IEEE interchange format with these field widths."""
    if bits < 0 or bits >> (1 + exponent_bits + mantissa_bits):
        raise ValueError(f"{bits:#x} is not a {1 + exponent_bits + mantissa_bits}-bit pattern")
    top = (1 << exponent_bits) - 1
    negative = bool(bits >> (exponent_bits + mantissa_bits))
    exponent = bits >> mantissa_bits & top
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if exponent == top:
        return NAN if mantissa else NEGATIVE_INFINITY if negative else INFINITY
    if exponent:
        mantissa |= 1 << mantissa_bits
    return round_to_float24(negative, mantissa, max(exponent, 1) - (top >> 1) - mantissa_bits, nearest=nearest)


def float24_from_float32_bits(bits: int) -> int:
    """The float24 of a float32 pattern by the exact rule: one rounding toward zero, subnormals kept, NaN is `NAN`.

    From 2**64 on the result is infinity; a result of zero keeps the sign bit. Raises ValueError for more than 32 bits.
    """
    return _from_ieee(bits, 8, 23)


def float24_from_float64_bits(bits: int) -> int:
    """The float24 of a float64 pattern, rounded once, not through float32."""
    return _from_ieee(bits, 11, 52)


def float24_from_float(value: float, *, nearest: bool = False) -> int:
    """The float24 of a Python float."""
    return _from_ieee(_float64_bits(value), 11, 52, nearest=nearest)


def exact_float24(value: float) -> int | None:
    """The float24 of a Python float that is zero or a normal float24; None for all others."""
    bits = _float64_bits(value)
    if bits & (1 << 52 - MANTISSA_BITS) - 1:
        return None
    exponent = (bits >> 52 & 0x7FF) - 1023 + BIAS
    if 0 < exponent < EXPONENT_MAX:
        return bits >> 40 & SIGN | exponent << MANTISSA_BITS | bits >> 52 - MANTISSA_BITS & FRACTION
    return None if value else bits >> 40 & SIGN


def float32_bits(value: float) -> int:
    """The float32 pattern of a Python float or an integer, to nearest, ties to even; beyond the range infinity. A NaN keeps
    sign and upper bits and is quiet."""
    value = _odd(value) if isinstance(value, int) else value
    bits = _float64_bits(value)
    sign = bits >> 32 & 0x80000000
    if bits & (1 << 63) - 1 > _FLOAT64_INFINITY:  # by integers: what a conversion makes of a NaN depends on the processor
        return sign | _FLOAT32_NAN | bits >> 29 & 0x3FFFFF
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return sign | _FLOAT32_INFINITY


def _odd(value: int) -> float:
    """An integer as float64, for one rounding to float32: what does not fit sets the last bit."""
    shift = max(value.bit_length() - 53, 0)
    size = abs(value) >> shift | bool(abs(value) & (1 << shift) - 1)
    return float((-size if value < 0 else size) << shift)


def float_from_bits(bits: int) -> float:
    """The number of a float32 pattern as a Python float, exact."""
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def _float64_bits(value: float) -> int:
    return int.from_bytes(_FLOAT64(value), "little")


def float32_bits_from_float24(word: int) -> int:
    """The float32 pattern of a float24: always exact, subnormals too; every NaN is 0x7FC00000. Raises ValueError."""
    _check(word)
    sign = (word & SIGN) << 8
    exponent = word >> MANTISSA_BITS & EXPONENT_MAX
    mantissa = word & FRACTION
    if exponent == EXPONENT_MAX:
        return _FLOAT32_NAN if mantissa else sign | 0x7F800000
    if not exponent:
        if not mantissa:
            return sign
        # A float24 subnormal is a normal float32: shift until the leading 1 is the hidden bit.
        shift = MANTISSA_BITS + 1 - mantissa.bit_length()
        exponent = 1 - shift
        mantissa = mantissa << shift & FRACTION
    return sign | (exponent - BIAS + 127) << 23 | mantissa << 7


def float_from_float24(word: int) -> float:
    """The value as a Python float, exact. Raises ValueError for more than 24 bits."""
    _check(word)
    exponent = word >> MANTISSA_BITS & EXPONENT_MAX
    mantissa = word & FRACTION
    if exponent == EXPONENT_MAX:
        size = _NAN if mantissa else _INFINITY
    else:
        size = (mantissa | HIDDEN if exponent else mantissa) * 2.0 ** (max(exponent, 1) - BIAS - MANTISSA_BITS)
    return -size if word & SIGN else size


def host_float24(float32_bits: int) -> int:
    """The float24 that host tools store for a float32 constant: rebias the exponent, cut the mantissa.

    Wrong on purpose at the ends. An exponent that becomes 0 or 0x7F is stored with its mantissa, so 2**-63..2**-62 turn
    into subnormals of another value and 2**64..2**65 into infinity or NaN patterns; below is a signed zero; above, NaN
    included, is infinity. Source: picasso's recorded bytes and libctru `f32tof24` (reference: picasso FE:7-40).
    """
    if float32_bits < 0 or float32_bits >> 32:
        raise ValueError(f"{float32_bits:#x} is not a 32-bit pattern")
    sign = float32_bits >> 8 & SIGN
    exponent = (float32_bits >> 23 & 0xFF) + BIAS - 127
    if exponent < 0:
        return sign
    if exponent > EXPONENT_MAX:
        return sign | INFINITY
    return sign | exponent << MANTISSA_BITS | float32_bits >> 7 & FRACTION


def is_nan(word: int) -> bool:
    return word & MAGNITUDE > INFINITY


def _check(word: int) -> None:
    if word < 0 or word >> 24:
        raise ValueError(f"{word:#x} is not a float24 word")
