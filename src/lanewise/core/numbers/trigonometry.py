"""Sine and cosine of float32 patterns, to 0.50000002 units in the last place.

Both are computed in float64 to about 2**-50 and rounded once, so that the result is the correctly rounded one unless the true
value is that near to the middle between two float32 numbers. An angle is reduced with the digits of 2/pi that matter for its
exponent (Payne and Hanek), so the error is the same for every finite angle. Each step is an integer or one float64 operation:
compiled engines repeat it bit for bit.
"""

from __future__ import annotations

import struct
from math import factorial, pi

# 2/pi = 0.A2F9836E4E44..., 32 bits each, after a word for the digits before the point.
TWO_OVER_PI = (0, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561)
SMALL = 0x3F490FDB  # angles below pi/4 are their own remainder
LEAST_FIELD = 126  # the exponent field of pi/4
SKIPPED = 120  # the exponent field whose window of digits begins at the first of `TWO_OVER_PI`
HALF_PI = pi / 2
# Of the remainder r, |r| <= pi/4: (sin(r) - r) / r**3 and (cos(r) - 1) / r**2 in powers of r * r.
SINE = tuple([(-1) ** k / factorial(2 * k + 1) for k in range(1, 9)])
COSINE = tuple([(-1) ** k / factorial(2 * k) for k in range(1, 9)])

_SIGN, _INFINITY, _NAN, _MANTISSA, _HIDDEN = 0x80000000, 0x7F800000, 0x7FC00000, 0x7FFFFF, 0x800000
_DIGITS = sum([word << 32 * place for place, word in enumerate(reversed(TWO_OVER_PI))])
_LENGTH = 32 * len(TWO_OVER_PI)
_WINDOW = 128  # digits that are multiplied: 2 before the point, 126 after


def sine(pattern: int) -> int:
    """The pattern of the sine; NaN of infinity."""
    return _circular(pattern & 0x7FFFFFFF, 0, pattern & _SIGN)


def cosine(pattern: int) -> int:
    """The pattern of the cosine, the sine of an angle a quarter turn further; NaN of infinity."""
    return _circular(pattern & 0x7FFFFFFF, 1, 0)


def _circular(size: int, quarters: int, sign: int) -> int:
    """The sine of an angle of this size and so many quarter turns, with a sign of its own."""
    if size >= _INFINITY:
        return _NAN
    quadrant, rest = _reduced(size)
    quadrant += quarters
    found = _rounded(_cosine(rest) if quadrant & 1 else _sine(rest))
    return found ^ sign ^ (quadrant & 2) << 30


def _reduced(size: int) -> tuple[int, float]:
    """(n modulo 4, r): the angle is n * pi/2 + r, with r at most pi/4 in size."""
    if size < SMALL:
        return 0, struct.unpack("<f", struct.pack("<I", size))[0]
    digits = _DIGITS >> _LENGTH - _WINDOW - ((size >> 23) - SKIPPED) & (1 << _WINDOW) - 1
    turns = (size & _MANTISSA | _HIDDEN) * digits & (1 << _WINDOW) - 1  # quarters of a turn, 126 places
    quadrant = turns + (1 << 125) >> 126
    part = turns - (quadrant << 126)
    rest = float(part >> 62) * 2.0**-64 + float(part & (1 << 62) - 1) * 2.0**-126
    return quadrant & 3, rest * HALF_PI


def _sine(rest: float) -> float:
    square = rest * rest
    return rest + rest * (square * _series(square, SINE))


def _cosine(rest: float) -> float:
    square = rest * rest
    return 1.0 + square * _series(square, COSINE)


def _series(square: float, coefficients: tuple[float, ...]) -> float:
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * square + coefficient
    return total


def _rounded(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]
