"""RSQ, EXP and LOG of `document` of all float32 numbers: correctly rounded, as the reference engine has them."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from effort import sample
from engines.float32_sweep import DOUBLES, RANGES, SLACK, compiled, doubtful, pieces, recorded, run
from engines.kernels import LEVELS, need_level
from engines.test_wave_words import check
from lanewise.core.numbers import transcendental
from lanewise.shadercore.isa.devices import DOCUMENT

HARD = recorded()
WANTED = 60  # bits


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", DOUBLES)
def test_what_is_hard_to_round(name: str, level: str):
    need_level(level)
    check(DOCUMENT, name, HARD[name], HARD[name], level)


@pytest.mark.parametrize("name", DOUBLES)
def test_there_is_nothing_else_that_is_hard(name: str):
    """Patterns of `RANGES`, which are all there are but for scale and signs: an eighth, in an exhaustive run all."""
    parts = pieces(name)
    parts = sample(parts, max(1, len(parts) // 8))
    assert doubtful(name, parts) == [pattern for pattern in HARD[name] if any(pattern in part for part in parts)]


def test_roots_of_all_scales():
    """The two binades again with every other exponent: four times a number has half the root, subnormal numbers too."""
    rng = random.Random(3)
    values = [base + ((exponent - 127) << 23) for base in HARD["rsq"] for exponent in range(2 - (base >> 23 & 1), 254, 2)]
    values += [rng.randrange(1, 1 << 23) >> rng.randrange(23) for _ in range(2000)]
    check(DOCUMENT, "rsq", values, values)


@pytest.mark.parametrize("name", ["exp2", "log2"])
def test_what_ranges_leave_out(name: str):
    """Too small or too large: the ends of the ranges, and some from outside."""
    rng = random.Random(4)
    ends = [end + step for patterns in RANGES[name] for end in (patterns.start, patterns.stop) for step in range(-8, 8)]
    outside = [rng.randrange(1 << 32) for _ in range(3000)]
    values = [value & 0xFFFFFFFF for value in ends + outside]
    check(DOCUMENT, name, values, values)


def exact(name: str, pattern: int) -> Fraction:
    """The value, right to 2**-WANTED of itself."""
    number = Fraction(float(np.uint32(pattern).view(np.float32)))
    if name == "exp2":
        fraction, whole = abs(number) % 1, int(abs(number))
        scaled = int(fraction * (1 << 50))
        assert Fraction(scaled, 1 << 50) == fraction
        mantissa, power = transcendental.exp2(scaled, 50, number < 0, WANTED)
        return Fraction(mantissa) * Fraction(2) ** (power + (-whole if number < 0 else whole))
    if name == "log2":
        shift = number.numerator.bit_length() - 24
        whole = number.numerator.bit_length() - number.denominator.bit_length()
        mantissa = number.numerator << -shift if shift < 0 else number.numerator >> shift
        negative, digits, power = transcendental.log2(whole, mantissa, 23, WANTED)
        return Fraction(-digits if negative else digits) * Fraction(2) ** power
    root = transcendental.isqrt((number.denominator << 2 * WANTED + 300) // number.numerator)
    return Fraction(root, 1 << WANTED + 150)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", DOUBLES)
def test_float64_is_right_to_much_less_than_the_slack(name: str, level: str):
    need_level(level)
    code = compiled(name, level, doubles=True)
    rng = random.Random(6)
    found = np.empty(16, np.float64)
    worst = Fraction(0)
    for _ in range(60):
        patterns = rng.choice(RANGES[name])
        first = rng.randrange(max(patterns.start, 0x2F800000) if name == "exp2" else patterns.start, patterns.stop - 16)
        if name == "log2" and rng.random() < 0.3:
            first = 0x3F800000 + rng.randrange(-300, 300)
        run(code, first, found, 1)
        for lane, value in enumerate(found.tolist()):
            wanted = exact(name, first + lane)
            if wanted:
                worst = max(worst, abs(Fraction(value) / wanted - 1))
            else:
                assert value == 0.0
    assert worst < Fraction(SLACK) / 8
