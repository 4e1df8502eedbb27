"""Sine and cosine against exact integers: a series with 420 binary places, and pi by Machin's formula."""

from __future__ import annotations

import random
import struct
from fractions import Fraction
from functools import cache

import pytest

from effort import times
from lanewise.core.numbers.trigonometry import TWO_OVER_PI, cosine, sine

PLACES = 420
BOUND = Fraction(1, 2) + Fraction(1, 1 << 26)


def arctangent(inverse: int) -> int:
    """atan(1 / inverse) in fixed point."""
    term = (1 << PLACES) // inverse
    total, odd, sign = term, 1, -1
    while term:
        term //= inverse * inverse
        odd += 2
        total += sign * (term // odd)
        sign = -sign
    return total


@cache
def pi() -> int:
    return 4 * (4 * arctangent(5) - arctangent(239))


def bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def value_of(pattern: int) -> Fraction:
    return Fraction(struct.unpack("<f", struct.pack("<I", pattern))[0])


def series(rest: int, term: int, first: int) -> int:
    """The sum of alternating powers of `rest`, from a term with the factorial of `first`."""
    total, n = term, first
    while abs(term) > 1:
        term = -((term * rest >> PLACES) * rest >> PLACES) // ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def exact(pattern: int) -> tuple[Fraction, Fraction]:
    """(sine, cosine) of a float32."""
    value = value_of(pattern)
    angle = (value.numerator << PLACES) // value.denominator
    quarters = (2 * angle + pi() // 2) // pi()
    rest = angle - quarters * pi() // 2
    s, c = series(rest, rest, 1), series(rest, 1 << PLACES, 0)
    found = [(s, c), (c, -s), (-s, -c), (-c, s)][quarters % 4]
    return Fraction(found[0], 1 << PLACES), Fraction(found[1], 1 << PLACES)


def error(pattern: int, true: Fraction) -> Fraction:
    """In units in the last place of the result."""
    place = max((pattern >> 23 & 0xFF) - 150, -149)
    return abs(value_of(pattern) - true) / Fraction(2) ** place


def angles() -> list[int]:
    rng = random.Random(5)
    found = [bits(n * 0.785398163397448) for n in range(-20, 20)]
    found += [bits(rng.uniform(-7, 7)) for _ in range(times(150, 20_000))]
    found += [rng.randrange(0x7F800000) | rng.getrandbits(1) << 31 for _ in range(times(150, 20_000))]
    # near multiples of pi/2, with the least remainders of all float32: 16367173 * 2**72 is the nearest
    return [*found, 0x6F79BE45, 0x3F490FDA, 0x3F490FDB, 1, 0x80000001, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x4B800000]


def test_the_digits_are_those_of_two_over_pi():
    digits = ((2 << 2 * PLACES) // pi()) >> PLACES - 256
    assert (0, *[digits >> 224 - 32 * n & 0xFFFFFFFF for n in range(8)]) == TWO_OVER_PI


def test_results_are_within_the_bound():
    for angle in angles():
        s, c = exact(angle)
        assert error(sine(angle), s) <= BOUND, hex(angle)
        assert error(cosine(angle), c) <= BOUND, hex(angle)


@pytest.mark.parametrize(("angle", "expected"), [
    (0, (0, 0x3F800000)), (0x80000000, (0x80000000, 0x3F800000)), (0x7F800000, (0x7FC00000, 0x7FC00000)),
    (0xFF800000, (0x7FC00000, 0x7FC00000)), (0xFFC12345, (0x7FC00000, 0x7FC00000)), (1, (1, 0x3F800000)),
    (0x80000001, (0x80000001, 0x3F800000)),
])  # fmt: skip
def test_special_angles(angle: int, expected: tuple[int, int]):
    assert (sine(angle), cosine(angle)) == expected


def test_symmetry():
    for angle in angles():
        assert sine(angle ^ 1 << 31) == sine(angle) ^ 1 << 31
        assert cosine(angle ^ 1 << 31) == cosine(angle)
