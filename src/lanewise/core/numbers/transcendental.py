"""2**x and log2(x) in fixed point, with enough digits for one correct rounding.

Both are irrational except for obvious values, so a narrower bracket around the value decides every rounding in the end (Ziv's
method): compute the value with some digits after the wanted ones, and again with twice as many if the bracket's two ends are
cut differently. The result has the wanted digits, followed by a 1 for the digits that were cut.
"""

from __future__ import annotations

from math import isqrt

from lanewise.core.cached import cache

_START = 96  # binary places of the first attempt
_MOST = 50  # binary places of a fraction


@cache
def _roots(places: int) -> tuple[int, ...]:
    """2**(2**-1), 2**(2**-2), ... down to 2**(2**-50), in fixed point, cut."""
    roots: list[int] = []
    root = 2 << places
    for _ in range(_MOST):
        root = isqrt(root << places)
        roots.append(root)
    return tuple(roots)


def _digits(value: int, wanted: int) -> tuple[int, int]:
    """(the first `wanted` bits and a 1, how many bits less that is)."""
    drop = value.bit_length() - wanted
    return value >> drop << 1 | 1, drop - 1


def exp2(fraction: int, fraction_places: int, negative: bool, wanted: int) -> tuple[int, int]:
    """(mantissa, power): the first `wanted` bits of 2**f, or of 2**-f where `negative`, and a 1; or 2**f itself where that is
    1.

    f = fraction * 2**-fraction_places, of at most 50 places, is below 1.
    """
    if not fraction:
        return 1, 0
    places = _START
    while True:
        low = 1 << places
        for i, root in enumerate(_roots(places)[:fraction_places]):
            if fraction >> (fraction_places - 1 - i) & 1:
                low = low * root >> places
        # Each root is at most 2 last places too small: its own cut, and half of the error of the root before. A product of
        # `low` < 2 with it is at most 5 more too small, and all later factors together are below 2: under 50 * 5 * 2 in all.
        high = low + 512
        if negative:
            low, high = (1 << 2 * places) // high, (1 << 2 * places) // low + 1
        digits, drop = _digits(low, wanted)
        if _digits(high, wanted) == (digits, drop):
            return digits, drop - places
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


def log2(whole: int, mantissa: int, mantissa_places: int, wanted: int) -> tuple[bool, int, int]:
    """(negative, mantissa, power): the first `wanted` bits of log2(2**whole * m) and a 1, m = mantissa * 2**-mantissa_places in
    [1, 2); or log2 itself where m is 1.

    log2(m) = atanh((m - 1) / (m + 1)) / atanh(1/3), because ln(x) = 2 atanh((x - 1) / (x + 1)).
    """
    one = 1 << mantissa_places
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
        if low.bit_length() >= wanted:
            digits, drop = _digits(low, wanted)
            if _digits(high, wanted) == (digits, drop):
                return negative, digits, drop - places
        places *= 2
