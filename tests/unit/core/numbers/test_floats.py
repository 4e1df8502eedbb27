"""float24 against fractions: both conversion rules, both ends of the range."""

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lanewise.core.numbers import floats
from together import together


def bits32(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def bits64(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def fraction_of(word: int) -> Fraction:
    """The value of a finite float24, straight from the definition of the format."""
    exponent, mantissa = word >> 16 & 0x7F, word & 0xFFFF
    size = Fraction(mantissa, 1 << 78) if exponent == 0 else Fraction(65536 + mantissa) * Fraction(2) ** (exponent - 79)
    return -size if word >> 23 else size


words = st.integers(0, 0xFFFFFF)
edges = st.sampled_from([0, 1, 0xFFFF, 0x10000, 0x10001, 0x3F0000, 0x3EFFFF, 0x7EFFFF, 0x7F0000, 0x7F0001, 0x7F8000, 0x7FFFFF])
any_word = words | edges | edges.map(lambda w: w | 0x800000)


@together(
    ("value", "word"),
    [
        (0.0, 0x000000),
        (-0.0, 0x800000),
        (1.0, floats.ONE),
        (-2.0, 0xC00000),
        (0.1, 0x3B9999),  # 0x3B999A if it were rounded to nearest
        (-0.1, 0xBB9999),
        (2.0**-62, floats.SMALLEST_NORMAL),
        (2.0**-62 - 2.0**-78, floats.LARGEST_SUBNORMAL),
        (2.0**-62 - 2.0**-80, floats.LARGEST_SUBNORMAL),
        (2.0**-78, 0x000001),
        (2.0**-79, 0x000000),
        (2.0**64 - 2.0**47, floats.LARGEST),
        (2.0**64 - 2.0**40, floats.LARGEST),
        (2.0**64, floats.INFINITY),
        (1.5 * 2.0**64, floats.INFINITY),
        (-1.25 * 2.0**64, floats.NEGATIVE_INFINITY),
        (-1e20, floats.NEGATIVE_INFINITY),
        (math.inf, floats.INFINITY),
        (-math.inf, floats.NEGATIVE_INFINITY),
        (math.nan, floats.NAN),
        (127.99609375, 0x45FFFC),
    ],
)
def test_exact_rule(value: float, word: int):
    assert floats.float24_from_float(value) == word
    assert floats.float24_from_float64_bits(bits64(value)) == word
    assert floats.float24_from_float32_bits(bits32(value)) in (word, floats.INFINITY if value == 2.0**64 - 2.0**40 else word)


def test_smallest_halves_of_the_wide_formats():
    assert floats.float24_from_float32_bits(0x00000001) == 0
    assert floats.float24_from_float32_bits(0x80000001) == 0x800000
    assert floats.float24_from_float64_bits(1) == 0
    assert floats.float24_from_float32_bits(0xFFFFFFFF) == floats.NAN
    assert floats.float24_from_float32_bits(0x7F800001) == floats.NAN


def test_float64_is_rounded_once():
    # Nearest float32 of this is 1 + 2**-16; cutting the exact value gives 1.
    assert floats.float24_from_float(1 + 2.0**-16 - 2.0**-50) == floats.ONE
    assert floats.float24_from_float32_bits(bits32(1 + 2.0**-16 - 2.0**-50)) == floats.ONE + 1


@given(any_word)
def test_every_float24_survives_float32(word: int):
    bits = floats.float32_bits_from_float24(word)
    if floats.is_nan(word):
        assert bits == 0x7FC00000
        assert math.isnan(floats.float_from_float24(word))
        return
    assert floats.float24_from_float32_bits(bits) == word
    value = struct.unpack("<f", struct.pack("<I", bits))[0]
    assert value == floats.float_from_float24(word)
    assert math.copysign(1, value) == (-1 if word >> 23 else 1)
    if math.isfinite(value):
        assert Fraction(value) == fraction_of(word)


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(2.0**-70 * 1.23456789)
@example(-(2.0**-77.5))
@example(5e-324)
def test_exact_rule_brackets_the_value(value: float):
    word = floats.float24_from_float(value)
    size = abs(Fraction(value))
    if size >= 2**64:
        assert word & 0x7FFFFF == floats.INFINITY
        return
    low = fraction_of(word & 0x7FFFFF)
    following = (word & 0x7FFFFF) + 1
    high = Fraction(2**64) if following == floats.INFINITY else fraction_of(following)
    assert low <= size < high
    assert word >> 23 == (math.copysign(1, value) < 0)


@given(st.booleans(), st.integers(0, 1 << 200), st.integers(-250, 100))
def test_round_to_float24(negative: bool, mantissa: int, exponent: int):
    word = floats.round_to_float24(negative, mantissa, exponent)
    size = Fraction(mantissa) * Fraction(2) ** exponent
    assert bool(word >> 23) == negative
    if size >= 2**64:
        assert word & 0x7FFFFF == floats.INFINITY
    else:
        low = fraction_of(word & 0x7FFFFF)
        step = Fraction(2) ** (max((word >> 16 & 0x7F), 1) - 79)
        assert low <= size < low + step


@together(
    ("bits", "word"),
    [
        (bits32(1.0), 0x3F0000),
        (bits32(0.1), 0x3B9999),
        (bits32(-0.0), 0x800000),
        (bits32(2.0**-64), 0x000000),
        (bits32(-(2.0**-64)), 0x800000),
        (bits32(2.0**-63), 0x000000),  # exponent 0, mantissa 0
        (bits32(1.5 * 2.0**-63), 0x008000),  # a subnormal of half the value
        (bits32(2.0**-62), 0x010000),
        (bits32(2.0**63), 0x7E0000),
        (bits32(2.0**64), 0x7F0000),
        (bits32(1.5 * 2.0**64), 0x7F8000),  # a NaN pattern
        (bits32(2.0**65), 0x7F0000),
        (bits32(-1e30), 0xFF0000),
        (0x7FC00000, 0x7F0000),  # NaN becomes infinity
        (0xFF800000, 0xFF0000),
    ],
)
def test_host_rule(bits: int, word: int):
    assert floats.host_float24(bits) == word


@given(any_word)
def test_a_number_that_float24_has_is_stored_as_it_is_by_each_rule(word: int) -> None:
    number = floats.float_from_float24(word)
    found = floats.exact_float24(number)
    if word >> 16 & 0x7F in (0, 0x7F) and word & floats.MAGNITUDE:
        assert found is None
    else:
        assert found == word == floats.host_float24(floats.float32_bits(number)) == floats.float24_from_float(number)
        assert floats.exact_float24(math.nextafter(number, 1.5)) is None or number == 1.5


@given(st.integers(0, 0xFFFFFFFF))
def test_rules_agree_between_the_ends(bits: int):
    if 65 <= (bits >> 23 & 0xFF) <= 190:
        assert floats.host_float24(bits) == floats.float24_from_float32_bits(bits)


@pytest.mark.parametrize("bad", [-1, 1 << 32])
def test_patterns_of_other_widths_are_refused(bad: int):
    for function in (floats.host_float24, floats.float24_from_float32_bits, floats.float_from_float24):
        with pytest.raises(ValueError, match="is not a"):
            function(bad)
    with pytest.raises(ValueError, match="float24"):
        floats.float32_bits_from_float24(1 << 24)
