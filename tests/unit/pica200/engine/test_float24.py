"""float24 on arrays against the scalar rules of `core.floats`."""

import math
import struct
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from effort import EXHAUSTIVE, times
from engines.unary import SAMPLE
from lanewise.core.numbers.floats import (
    float24_from_float,
    float24_from_float64_bits,
    float32_bits_from_float24,
    round_to_float24,
)
from lanewise.pica200.engine.float24 import decode_all, encode_all


def test_words_of_every_exponent_decode_to_their_numbers():
    mantissas = (0, 1, 2, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF)
    words = [sign << 23 | exponent << 16 | mantissa for sign in (0, 1) for exponent in range(128) for mantissa in mantissas]
    decoded = lw.pica200.float24.decode(words)
    assert decoded.dtype == np.float32
    assert decoded.view(np.uint32).tolist() == [float32_bits_from_float24(word) for word in words]
    assert np.array_equal(lw.pica200.float24.decode(words, np.float64), decoded.astype(np.float64), equal_nan=True)


def test_every_word_comes_back_from_its_number():
    words = np.arange(1 << 24, dtype=np.uint32)[:: times(29, 1)]
    nan = (words & 0x7FFFFF) > 0x7F0000
    assert np.array_equal(lw.pica200.float24.encode(lw.pica200.float24.decode(words)), np.where(nan, 0x7F8000, words))


def test_numbers_around_every_word_are_cut_as_the_scalar_rule_cuts():
    edges = [math.ldexp(mantissa, exponent) for exponent in range(-85, 50) for mantissa in (0x10000, 0x10001, 0x1FFFF, 1)]
    numbers = np.array([near for edge in edges for near in (math.nextafter(edge, 0), edge, math.nextafter(edge, math.inf))])
    numbers = np.concatenate([numbers, -numbers, [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7e308]])
    assert lw.pica200.float24.encode(numbers).tolist() == [float24_from_float(number) for number in numbers.tolist()]


def test_random_patterns():
    count = times(150_000, 1_000_000)
    bits = np.random.default_rng(2).integers(0, 1 << 64, count, dtype=np.uint64, endpoint=False)
    bits[::2] = bits[::2] & np.uint64(0x800FFFFFFFFFFFFF) | (bits[::2] >> np.uint64(56)) + np.uint64(880) << np.uint64(52)
    words = lw.pica200.float24.encode(bits.view(np.float64))
    assert words.tolist() == list(map(float24_from_float64_bits, bits.tolist()))
    normal = np.abs(bits.view(np.float64))
    inside = (normal >= 2.0**-62) & (normal < 2.0**64)
    assert np.count_nonzero(inside) > count // 5
    back = lw.pica200.float24.decode(words[inside], np.float64)
    given = bits.view(np.float64)[inside]
    assert np.all(np.abs(back) <= np.abs(given))
    assert np.all(np.abs(given - back) < np.abs(given) * 2.0**-16)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint8, np.int32, np.bool_])
def test_small_dtypes_enter_by_their_value(dtype: Any):
    array: NDArray[Any] = np.array([0, 1, 100, 1.5]).astype(dtype)
    assert lw.pica200.float24.encode(array).tolist() == [float24_from_float(float(number)) for number in array]


@pytest.mark.parametrize("number", [2**53 + 1, 2**63 - 1, -(2**63) + 1, -(2**63), 2**57 - 1])
def test_long_integers_are_rounded_once(number: int):
    """By way of float64 2**63 - 1 would become 2**63, which is another float24."""
    assert lw.pica200.float24.encode([number]).tolist() == [round_to_float24(number < 0, abs(number), 0)]


def test_long_doubles_are_rounded_once():
    below = np.nextafter(np.longdouble(1), np.longdouble(0))
    if float(below) != 1.0:
        pytest.skip("long double is float64 here")
    assert lw.pica200.float24.encode([below]).tolist() == [0x3EFFFF]
    assert lw.pica200.float24.encode([-below]).tolist() == [0xBEFFFF]


def test_shapes_are_kept():
    assert lw.pica200.float24.encode(1.0).shape == ()
    assert int(lw.pica200.float24.encode(-3)) == 0xC08000
    assert lw.pica200.float24.encode(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert lw.pica200.float24.decode(0x3F0000).shape == ()
    assert lw.pica200.float24.decode(np.zeros((2, 3), int)).shape == (2, 3)
    assert lw.pica200.float24.encode([]).shape == lw.pica200.float24.decode([]).shape == (0,)


def test_what_is_no_number_is_refused():
    wrong: list[Any] = [["a"], [1j], [None]]
    for values in wrong:
        with pytest.raises(TypeError):
            lw.pica200.float24.encode(values)
    with pytest.raises(TypeError):
        lw.pica200.float24.decode([1.0])
    for word in (-1, 1 << 24):
        with pytest.raises(ValueError, match="24 bits"):
            lw.pica200.float24.decode([word])


def test_every_nan_is_the_one_nan():
    patterns = [0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF]
    numbers = np.array([struct.unpack("<f", struct.pack("<I", pattern))[0] for pattern in patterns], np.float32)
    assert lw.pica200.float24.encode(numbers).tolist() == [0x7F8000] * 4


def test_every_word_goes_through_float32_and_back():
    """One in 64, those at both ends of each exponent too; in an exhaustive run every one."""
    words = (np.arange(1 << 24, dtype=np.uint32) if EXHAUSTIVE else np.array(SAMPLE, np.uint32)).reshape(-1, 4)
    numbers = decode_all(words)
    assert np.array_equal(encode_all(numbers), words)
    nan = (words & 0x7FFFFF) > 0x7F0000
    assert np.array_equal(numbers[~nan].view(np.uint32), lw.pica200.float24.decode(words)[~nan].view(np.uint32))


def test_float32_that_are_no_float24_are_cut():
    numbers = np.random.default_rng(3).integers(0, 1 << 32, 1 << 20, dtype=np.uint32).view(np.float32)
    nan = np.isnan(numbers)
    assert np.array_equal(encode_all(numbers)[~nan], lw.pica200.float24.encode(numbers)[~nan])
