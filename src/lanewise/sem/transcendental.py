"""2**x and log2(x) to as many digits as one rounding needs, in fixed point on integers.

Both are irrational except where the answer is obvious, so widening a bracket around the value decides every rounding in the
end (Ziv's method): compute the value with some digits behind the ones wanted, and again with twice as many if the bracket's
two ends are cut differently.
"""

from __future__ import annotations

from functools import cache
from math import isqrt

EXP2_PLACES = 34  # binary places of the fraction that `exp2` takes
_WANTED = 17  # significant bits of a float24
_START = 96  # binary places of the first attempt


@cache
def _roots(places: int) -> tuple[int, ...]:
    """2**(2**-1), 2**(2**-2), ... down to 2**(2**-34), in fixed point, cut."""
    roots: list[int] = []
    root = 2 << places
    for _ in range(EXP2_PLACES):
        root = isqrt(root << places)
        roots.append(root)
    return tuple(roots)


def _cut(value: int) -> int:
    """The value with only its first 17 bits kept."""
    drop = max(value.bit_length() - _WANTED, 0)
    return value >> drop << drop


def exp2(fraction: int, negative: bool) -> tuple[int, int]:
    """(mantissa, power) whose first 17 bits are those of 2**f, or of 2**-f where `negative`; f = fraction * 2**-34 < 1."""
    if not fraction:
        return 1, 0
    places = _START
    while True:
        low = 1 << places
        for i, root in enumerate(_roots(places)):
            if fraction >> (EXP2_PLACES - 1 - i) & 1:
                low = low * root >> places
        # Each root is at most 2 last places too small: its own cut, and half of the error of the root before. A product of
        # `low` < 2 with it is at most 5 more too small, and all later factors together are below 2: under 34 * 5 * 2 in all.
        high = low + 512
        if negative:
            low, high = (1 << 2 * places) // high, (1 << 2 * places) // low + 1
        if _cut(low) == _cut(high):
            return low, -places
        places *= 2


def _atanh(numerator: int, denominator: int, places: int) -> int:
    """atanh of a fraction of at most 1/3 in fixed point, too small by fewer than `places` last places."""
    base = (numerator << places) // denominator
    square = base * base >> places
    total, term, odd = base, base, 1
    while term:
        term = term * square >> places
        odd += 2
        total += term // odd
    return total


@cache
def _atanh_third(places: int) -> int:
    return _atanh(1, 3, places)


def log2(whole: int, mantissa: int) -> tuple[bool, int, int]:
    """(negative, mantissa, power) whose first 17 bits are those of log2(2**whole * m), m = mantissa * 2**-16 in [1, 2).

    log2(m) = atanh((m - 1) / (m + 1)) / atanh(1/3), because ln(x) = 2 atanh((x - 1) / (x + 1)).
    """
    one = 1 << 16
    if mantissa == one:
        return whole < 0, abs(whole), 0
    places = _START
    while True:
        above = _atanh(mantissa - one, mantissa + one, places)
        below = _atanh_third(places)
        offset = whole << places
        low = offset + (above << places) // (below + places)
        high = offset + ((above + places) << places) // below + 1
        negative = low < 0
        if negative:
            low, high = -high, -low
        if low > 0 and _cut(low) == _cut(high):
            return negative, low, -places
        places *= 2
