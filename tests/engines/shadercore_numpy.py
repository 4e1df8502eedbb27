"""The words of ShaderCore on arrays: what `sem.numbers.WaveOps` computes of tuples, of NumPy arrays of uint32, bit for bit.

A value is an array of patterns of any shape; a constant may be an array without dimensions. Where `rcp` or `rsq` of a device
look at other lanes, the last axis has the lanes of whole waves: its length is a multiple of 16. This is for questions about
millions of values, such as how far a routine is from the true value for each mantissa; it is some hundred times as fast as
`WaveOps`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engines import shadercore_numpy_special as special
from lanewise.shadercore.sem.algebra import Implementation
from lanewise.shadercore.sem.numbers import FRACTION, INFINITY, MAGNITUDE, ONE, ONE_NAN, SIGN, SIGNED_NAN, WaveOps

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.shadercore.isa.devices import Device


_HIDDEN, _BIAS, _BITS = 0x800000, 127, 23
_HARD = 2.0**-45  # how near to the middle between two float32 numbers a float64 result says nothing about the rounding


class Arrays(Implementation[NDArray[np.uint32]]):
    """The vocabulary of `sem.shadercore` as a device computes it, on arrays."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._words = WaveOps(device)  # what is too hard for float64 is asked of it, lane by lane
        self._flushes = self._is("subnormals", "flushed")
        self._raw = self._is("compare", "raw")

    def _is(self, key: str, value: str) -> bool:
        return self.device.value(key) == value

    # Values

    def constant(self, bits: int) -> NDArray[np.uint32]:
        """For any number of lanes: one element, as NumPy before 2.0 widens arrays without dimensions."""
        return np.array([bits], np.uint32)

    def xor(self, a: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
        return a ^ np.uint32(bits)

    def mask(self, a: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
        return a & np.uint32(bits)

    def set(self, a: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
        return a | np.uint32(bits)

    def saturate(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.where(a & SIGN, np.uint32(0), np.minimum(a, np.uint32(ONE)))

    # Words on two values

    def add(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        a, b = self._flushed(a), self._flushed(b)
        if self._is("add", "nearest"):
            return self._flushed(_by_float32(np.add, a, b))
        return self._add_floor(a, b)

    def mul(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._is("mul", "nearest"):
            return self._flushed(_by_float32(np.multiply, self._flushed(a), self._flushed(b)))
        return self._mul_zero(a, b)

    def min(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return _choose(a, b, _total_order(a) < _total_order(b))

    def max(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return _choose(a, b, _total_order(a) > _total_order(b))

    def less(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._compared(a, b, np.less)

    def at_least(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._compared(a, b, np.greater_equal)

    def bit_or(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return a | b

    def bit_and(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return a & b

    # Words on one value

    def shift_left(self, a: NDArray[np.uint32], places: int) -> NDArray[np.uint32]:
        return a << np.uint32(places)

    def shift_right(self, a: NDArray[np.uint32], places: int) -> NDArray[np.uint32]:
        return a >> np.uint32(places)

    def scale(self, a: NDArray[np.uint32], power: int) -> NDArray[np.uint32]:
        if not self._flushes:
            return np.where(_is_special(a), a, _patterns(_number(a) * 2.0**power))
        exponent = _field(a) + power
        size = np.where(exponent >= 0xFF, np.uint32(INFINITY), exponent.astype(np.uint32) << _BITS | a & FRACTION)
        found = a & SIGN | np.where(_is_small(a) | (exponent <= 0), np.uint32(0), size)
        return np.where(_is_special(a), a, found)

    def sign(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        zero = _is_small(a) if self._raw else a & MAGNITUDE == 0
        found = np.where(zero, np.uint32(0), a & SIGN | ONE)
        return np.where(_is_nan(a), np.uint32(ONE if self._raw else ONE_NAN), found)

    def fraction(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        with np.errstate(invalid="ignore"):
            found = _patterns(_part_exact(a) if self._is("frc", "exact") else _part_fixed(a))
        return np.where(_is_special(a), np.uint32(self._made_nan()), found)

    def round23(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._is("rnd23", "signed"):
            return _integer(a, 23, np.rint) & np.uint32(0x7FFFFF)
        value = np.where(_is_nan(a) | (a & SIGN != 0) | _is_small(a), 0.0, _number(a))
        return np.clip(np.floor(np.minimum(value, 2.0**24) + 0.5), 0, 0xFFFFFF).astype(np.uint32)

    def round16(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._is("rnd16", "even"):
            return _integer(a, 16, np.rint) & np.uint32(0xFFFF)
        found = _integer(a, 16, _half_away) & np.uint32(0xFFFF)
        # measured: the clamp to 0x7FFF begins at a magnitude of 32767.0, whatever the sign
        return np.where((a >= SIGN + 0x46FFFE00) & (a < SIGN + 0x47000000), np.uint32(0x7FFF), found)

    def unorm(self, a: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
        most = (1 << bits) - 1
        value = np.where((a & SIGN != 0) | _is_nan(a), 0.0, np.minimum(_number(np.minimum(a, np.uint32(ONE))), 1.0))
        found = np.floor(value * (most + 1)) if self._is("unorm", "cut") else np.rint(value * most)
        return np.minimum(found, most).astype(np.uint32)

    def to_half(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        sign = a >> np.uint32(16) & np.uint32(0x8000)
        if self._is("half", "nearest"):
            with np.errstate(over="ignore", under="ignore", invalid="ignore"):
                found = _float32(self.mask(a, MAGNITUDE)).astype(np.float16).view(np.uint16).astype(np.uint32)
            return sign | np.where(_is_nan(a), np.uint32(0x7E00), found)
        exponent = _field(a) - _BIAS
        found = (exponent + 15 & 0x1F).astype(np.uint32) << 10 | (a & FRACTION) >> 13
        found = np.where(exponent < -24, np.uint32(0), found)
        found = np.where(a & MAGNITUDE > 0x477FE000, np.uint32(0x7C00), found)
        return sign | np.where(_is_nan(a), np.uint32(0x7FFF), found)

    def from_half(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        sign = (a & np.uint32(0x8000)) << np.uint32(16)
        exponent, mantissa = a >> np.uint32(10) & np.uint32(0x1F), a & np.uint32(0x3FF)
        nearest = self._is("half", "nearest")
        found = np.where(exponent | mantissa != 0, exponent + (_BIAS - 15) << _BITS | mantissa << 13, np.uint32(0))
        if nearest:
            found = np.where(exponent == 0, _patterns(mantissa.astype(np.float64) * 2.0**-24), found)
        nan = np.uint32(ONE_NAN if nearest else SIGNED_NAN)
        return sign | np.where(exponent == 0x1F, np.where(mantissa != 0, nan, np.uint32(INFINITY)), found)

    def from_unsigned(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._is("u32", "nearest"):
            return a.astype(np.float32).view(np.uint32)
        drop = np.maximum(_bit_length(a) - 24, 0).astype(np.uint32)
        return (a >> drop << drop).astype(np.float32).view(np.uint32)

    def exp2(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._function(a, np.exp2, self._words.exp2) if self._is("exp_log", "exact") else np.zeros_like(a)

    def log2(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._function(a, np.log2, self._words.log2) if self._is("exp_log", "exact") else np.zeros_like(a)

    def rcp(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._is("rcp", "exact"):
            return _by_float32(np.divide, np.full_like(a, ONE), a)
        return special.rcp_wave(a) if self._is("rcp_sigma", "stale") else special.rcp(a)

    def rsq(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._is("rsq", "exact"):
            return self._function(a, lambda x: 1 / np.sqrt(x), self._words.rsq)
        return special.rsq_wave(a) if self._is("rsq_gate", "stale") else special.rsq(a)

    # Rules

    def _made_nan(self) -> int:
        return SIGNED_NAN if self._is("nan", "signed") else ONE_NAN

    def _flushed(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.where(_is_small(a), a & SIGN, a) if self._flushes else a

    def _add_floor(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """What `WaveOps` calls by the same name; a and b are flushed."""
        found = _add_general(a, b)
        none_a, none_b = a & MAGNITUDE == 0, b & MAGNITUDE == 0
        found = np.where(none_a, np.where(none_b, a & b, b), np.where(none_b, a, found))
        special_a, special_b = _is_special(a), _is_special(b)
        if not (special_a.any() or special_b.any()):
            return found
        found = np.where(special_a & ~special_b, a, np.where(special_b & ~special_a, b, found))
        both = special_a & special_b & (_is_nan(a) == _is_nan(b))
        return np.where(both, np.where(_is_nan(a) | (a == b), a, np.uint32(self._made_nan())), found)

    def _mul_zero(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        sign = (a ^ b) & np.uint32(SIGN)
        none = _is_small(a) | _is_small(b)
        exponent = _field(a) + _field(b) - 2 * _BIAS
        product = (a & FRACTION | _HIDDEN).astype(np.uint64) * (b & FRACTION | _HIDDEN)
        carry = (product >> np.uint64(2 * _BITS + 1)).astype(np.int32)
        mantissa = (product >> (carry + _BITS).astype(np.uint64)).astype(np.uint32) & FRACTION
        size = (exponent + carry + _BIAS).astype(np.uint32) << _BITS | mantissa
        size = np.where((exponent > _BIAS) | (exponent + carry > _BIAS), np.uint32(INFINITY), size)
        found = sign | np.where(none | (exponent < -126), np.uint32(0), size)
        special_any = _is_special(a) | _is_special(b)
        if not special_any.any():
            return found
        nan = _is_nan(a) | _is_nan(b) | (special_any & none)
        made = np.uint32(self._made_nan())
        signed = sign | made if self._is("nan", "signed") else np.full_like(sign, made)
        return np.where(nan, signed, np.where(special_any, sign | INFINITY, found))

    def _compared(
        self,
        a: NDArray[np.uint32],
        b: NDArray[np.uint32],
        how: Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.bool_]],
    ) -> NDArray[np.uint32]:
        x, y = _ordered(a), _ordered(b)
        if self._raw:
            small = _is_small(a) & _is_small(b)
            x, y = np.where(small, 0, x), np.where(small, 0, y)
        return np.where(how(x, y) & ~_is_nan(a) & ~_is_nan(b), np.uint32(ONE), np.uint32(0))

    def _function(
        self,
        a: NDArray[np.uint32],
        rough: Callable[[NDArray[np.float64]], NDArray[np.float64]],
        exact: Callable[[tuple[int, ...]], tuple[int, ...]],
    ) -> NDArray[np.uint32]:
        """A function rounded once: by float64 where that decides it, by exact integers elsewhere."""
        with np.errstate(all="ignore"):
            value = rough(_number(a))
            found = _patterns(value)
            low, high = _patterns(value * (1 - _HARD)), _patterns(value * (1 + _HARD))
            hard = (low != high) | ~(abs(value) >= 2.0**-125) | ~np.isfinite(value)
        places = np.flatnonzero(hard)
        if len(places):
            found = found.copy()
            found.reshape(-1)[places] = exact(tuple(a.reshape(-1)[places].tolist()))
        return found


def _is_nan(a: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return a & MAGNITUDE > INFINITY


def _is_special(a: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return a & INFINITY == INFINITY


def _is_small(a: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return a & INFINITY == 0


def _field(a: NDArray[np.uint32]) -> NDArray[np.int32]:
    return (a >> _BITS & 0xFF).astype(np.int32)


def _float32(a: NDArray[np.uint32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(a).view(np.float32).reshape(np.shape(a))


def _number(a: NDArray[np.uint32]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        return _float32(a).astype(np.float64)


def _patterns(value: NDArray[np.float64]) -> NDArray[np.uint32]:
    """The nearest float32 numbers."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return np.asarray(value).astype(np.float32).view(np.uint32)


def _by_float32(
    word: Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]],
    a: NDArray[np.uint32],
    b: NDArray[np.uint32],
) -> NDArray[np.uint32]:
    with np.errstate(all="ignore"):
        found = np.asarray(word(_float32(a), _float32(b))).view(np.uint32)
    return np.where(_is_nan(found), np.uint32(ONE_NAN), found)


def _ordered(a: NDArray[np.uint32]) -> NDArray[np.int32]:
    size = (a & MAGNITUDE).view(np.int32)
    return np.where(a & SIGN, -size, size)


def _total_order(a: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Sign, then magnitude; -0 is less than +0."""
    return np.where(a & SIGN, a ^ np.uint32(MAGNITUDE), a).view(np.int32)


def _choose(a: NDArray[np.uint32], b: NDArray[np.uint32], first: NDArray[np.bool_]) -> NDArray[np.uint32]:
    found = np.where(first, a, b)
    nan_a, nan_b = _is_nan(a), _is_nan(b)
    return np.where(nan_a, np.where(nan_b, a, b), np.where(nan_b, a, found))


def _bit_length(a: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Of integers above 0."""
    return ((a.astype(np.float64).view(np.int64) >> 52) - 1022).astype(np.int32)


def _add_general(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """`_add_general` of `sem.numbers`."""
    swapped = a & MAGNITUDE < b & MAGNITUDE
    large, small = np.where(swapped, b, a), np.where(swapped, a, b)
    exponent = _field(large) - _BIAS
    gap = exponent - (_field(small) - _BIAS)
    first, second = _signed(large), _signed(small)
    total = first + (second >> np.minimum(gap, 31))
    size = np.abs(total).astype(np.uint32)
    shift = np.maximum(_bit_length(size) - (_BITS + 1), -_BITS)  # nothing left counts as the lowest bit
    made = np.where(shift >= 0, _eight_bits(exponent) + shift, _eight_bits(exponent + shift))
    up = np.clip(-shift, 0, 31).astype(np.uint32)
    mantissa = (np.where(shift > 0, size >> 1, size << up) & FRACTION).astype(np.uint32)
    sign = np.where(total < 0, np.uint32(SIGN), np.uint32(0))
    found = np.where(made < -126, np.uint32(0), sign | (made + _BIAS).astype(np.uint32) << _BITS | mantissa)
    found = np.where(made > _BIAS, sign | INFINITY, found)
    return np.where(gap > _BITS + 1, large, np.where(large ^ small == SIGN, np.uint32(0), found))


def _signed(a: NDArray[np.uint32]) -> NDArray[np.int32]:
    """The mantissa with the sign."""
    size = (a & FRACTION | _HIDDEN).astype(np.int32)
    return np.where(a & SIGN, -size, size)


def _eight_bits(value: NDArray[np.int32]) -> NDArray[np.int32]:
    return (value + 128 & 0xFF) - 128


def _part_exact(a: NDArray[np.uint32]) -> NDArray[np.float64]:
    value = _number(a)
    return value - np.floor(value)


def _part_fixed(a: NDArray[np.uint32]) -> NDArray[np.float64]:
    value = np.abs(_number(a))
    value = np.where(value < 2.0**_BITS, value, 0.0)
    part = np.floor((value - np.floor(value)) * 2.0**_BITS) * 2.0**-_BITS
    return np.where((a & SIGN != 0) & (part > 0), 1 - part, part)


def _half_away(value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.copysign(np.floor(np.abs(value) + 0.5), value)


def _integer(
    a: NDArray[np.uint32], bits: int, round_to: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> NDArray[np.uint32]:
    most = 1 << bits - 1
    value = np.where(_is_nan(a), 0.0, np.clip(_number(a), -(2.0**31), 2.0**31))
    return np.clip(round_to(value), -most, most - 1).astype(np.int64).astype(np.uint32)
