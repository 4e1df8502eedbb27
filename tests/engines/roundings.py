"""Sums and products of pairs of float24 to nearest, by float64 and integers: what single roundings of the compiled engine must
give.

Numbers are scaled as the compiled engine has them: times 2**-64 in float32, so that the smallest normal float24 is 2**-126.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SMALLEST = 2.0**-126
SIGN = np.uint32(1 << 31)


def numbers(mantissas: NDArray[np.int64], exponents: NDArray[np.int64] | int) -> NDArray[np.float32]:
    """Mantissas of 17 bits with a sign, times powers of two: an exponent is that of the leading bit."""
    return np.ldexp(mantissas.astype(np.float64), np.asarray(exponents) - 16).astype(np.float32)


def nearest(exact: NDArray[np.float64]) -> NDArray[np.float32]:
    """float64 rounded to 17 bits, ties to even; below 2**-126 flushed to zero with its sign."""
    bits = exact.view(np.int64)
    bits = bits + ((1 << 35) - 1) + (bits >> 36 & 1) & (-1 << 36)
    found = bits.view(np.float64)
    return np.where(np.abs(exact) < SMALLEST, np.copysign(0.0, exact), found).astype(np.float32)


def products(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of scaled numbers and numbers themselves: 34 bits, which float64 has."""
    return nearest(a.astype(np.float64) * b.astype(np.float64))


def sums(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of scaled numbers. The smaller one is made no smaller than 2**-30 of the other, so that float64 has all bits of the
    sum."""
    x, y = a.astype(np.float64), b.astype(np.float64)
    large, small = np.where(np.abs(x) >= np.abs(y), x, y), np.where(np.abs(x) >= np.abs(y), y, x)
    least = np.copysign(np.abs(large) * 2.0**-30, small)
    small = np.where((np.abs(small) < np.abs(least)) & (small != 0), np.ldexp(np.sign(small), np.frexp(large)[1] - 30), small)
    return nearest(large + small)


def mantissas(rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """17 bits with a sign: evenly distributed ones, few bits set, few bits clear, runs of ones, in equal parts."""
    low, high = 1 << 16, 1 << 17
    even = rng.integers(low, high, count)
    few = low | rng.integers(0, low, count) & rng.integers(0, low, count) & rng.integers(0, low, count)
    many = high - 1 - (few - low)
    runs = low | (1 << rng.integers(0, 17, count)) - (1 << rng.integers(0, 17, count)) & low - 1
    return np.choose(rng.integers(0, 4, count), [even, few, many, runs]) * rng.choice([-1, 1], count)


def sum_pairs(rng: np.random.Generator, count: int) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Pairs with each difference of exponents, small ones also near the smallest number; and sums that are ties, or one place
    beside."""
    for apart in range(41):
        for top in (0, 60, -126 + apart, -126 + apart + 17):
            a, b = numbers(mantissas(rng, count), top), numbers(mantissas(rng, count), top - apart)
            yield (a, b) if apart % 2 else (b, a)
    for place in range(19):
        # The smaller number is half of the larger one's last place, a quarter, ..., and its last bits are all clear or few.
        large, small = mantissas(rng, count), (1 << 16) + rng.integers(-2, 3, count) * rng.integers(0, 2, count)
        small = np.where(small < 1 << 16, 2 * small, small)
        yield numbers(large, 3), numbers(small * rng.choice([-1, 1], count), 3 - place)


def zeros() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pairs of 0, -0, 1 and -1."""
    a, b = np.meshgrid(np.array([0.0, -0.0, 1.0, -1.0], np.float32), np.array([0.0, -0.0, 1.0, -1.0], np.float32))
    return a.ravel(), b.ravel()


def product_pairs(rng: np.random.Generator, count: int) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Pairs with products of all sizes; ties; and products beside powers of two, the smallest number too."""
    for power in (0, 31, -20, -100, -125, -126, -127, -128, -133, -134, -135, -149, -160):
        first = max(power - 7, -126)
        yield numbers(mantissas(rng, count), first), numbers(mantissas(rng, count), power - first)
    for bits in range(2, 17):
        # A product of 18 bits is a tie.
        small = rng.integers(1 << bits - 1, 1 << bits, count) | 1
        large = rng.integers(1 << 18 - bits - 1, 1 << 19 - bits, count) | 1
        # In the middle, and about the smallest number.
        for power in (0, -126):
            yield np.ldexp(small.astype(np.float32), power), np.ldexp(large.astype(np.float32), -rng.integers(0, 19, count))
    large = mantissas(rng, count)
    beside = np.rint(2.0**33 / np.abs(large)).astype(np.int64) + rng.integers(-1, 2, count)
    beside = np.clip(beside, 1 << 16, (1 << 17) - 1) * rng.choice([-1, 1], count)
    for power in (0, -126, -127):
        yield numbers(large, max(power, -126)), numbers(beside, power - 1 - max(power, -126))


def beside_powers() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of mantissas whose product is within 2**17 of 2**33."""
    a = np.arange(1 << 16, 1 << 17)
    steps = np.arange(-4, 5)
    b = np.floor_divide(1 << 33, a)[:, np.newaxis] + steps
    a = np.broadcast_to(a[:, np.newaxis], b.shape)
    chosen = (b >= 1 << 16) & (b < 1 << 17) & (np.abs(a * b - (1 << 33)) < 1 << 17)
    return a[chosen], b[chosen]
