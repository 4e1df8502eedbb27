"""Habits of implementations, by the numbers that they give in place of the expected ones."""

from __future__ import annotations

from math import exp, inf, log, nan

import pytest

from lanewise.core.numbers.floats import float24_from_float, float32_bits
from lanewise.core.vectors.model import VERTEX, Job
from lanewise.pica200.vectors.remarks import remark

PLAIN = Job(number=0, kind=VERTEX, lanes=1, entry=0, code=(0x88000000,), descriptors=(0xD86C36F,))
NEGATED = PLAIN._replace(descriptors=(0xD86C37F,))


@pytest.mark.parametrize(
    ("step", "expected", "found", "said"),
    [
        ("max", nan, 0.0, "max is a > b ? a : b"),
        ("max", 0.0, -0.0, "fmax and std::max choose otherwise"),
        ("min", 1.0, nan, "min is a < b ? a : b"),
        ("max", 1.0, 2.0, ""),
        ("mul", 0.0, nan, "0 times infinity is 0"),
        ("dp4", 3.0, nan, "0 times infinity is 0"),
        ("mul", nan, 0.0, ""),
        ("flr", -2.0, -1.0, "flr is floor"),
        ("flr", -2.0, -3.0, ""),
        ("lg2", 3.0, 3.0 * log(2), "to base 2"),
        ("ex2", 8.0, exp(3), "2 to the power"),
        ("slt", 1.0, -1.0, "1.0 or 0.0"),
        ("slt", 1.0, nan, "1.0 or 0.0"),
        ("rcp", 0.25, 0.2500305, "an estimate"),
        ("rcp", inf, 3e38, ""),
        ("mov", 1e-40, 0.0, "-ffast-math"),
        ("add", 1.0, 1.5, ""),
    ],
)
def test_numbers(step: str, expected: float, found: float, said: str):
    text = remark(PLAIN, step, float32_bits(expected), float32_bits(found), 32)
    assert said in text
    assert bool(text) is bool(said)


@pytest.mark.parametrize(
    ("expected", "found", "said"),
    [
        (0x3F800000, 0x4E7E0000, "taken for an integer and converted"),
        (0x3F800001, 0x0100803F, "in reverse order"),
        (float32_bits(6.5), 6, "converted to an integer"),
        (float32_bits(0.5), 0, ""),
    ],
)
def test_words(expected: int, found: int, said: str):
    text = remark(PLAIN, "mov", expected, found, 32)
    assert said in text
    assert bool(text) is bool(said)


def test_the_sign_of_a_negated_zero():
    zeros = 0x80000000, 0
    assert "0 - x loses the sign" in remark(NEGATED, "mov", *zeros, 32)
    assert remark(PLAIN, "mov", *zeros, 32) == ""


def test_words_of_float24():
    words = [float24_from_float(number) for number in (-2.0, -1.0)]
    assert "flr is floor" in remark(PLAIN, "flr", words[0], words[1], 24)
