"""Parts that modules of functions of numbers share: 32-bit integers with and without a sign, rounding, roots and long shifts,
written in what `functions` prints."""

from __future__ import annotations

U32 = int
I32 = int
F32 = float
BOOL = bool


def i32(value: int) -> int:
    """The bits of an unsigned integer as a signed one."""
    return (value & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


def u32(value: int) -> int:
    """The bits of a signed integer as an unsigned one."""
    return value & 0xFFFFFFFF


def wrapped(value: int) -> int:
    """The lower 32 bits of a result of unsigned integers, which is all that other languages keep."""
    return value & 0xFFFFFFFF


def bits(a: U32) -> I32:
    """The number of digits of an integer."""
    rest: U32 = a
    found: I32 = 0
    if rest >= 0x10000:
        rest = rest >> 16
        found = found + 16
    if rest >= 0x100:
        rest = rest >> 8
        found = found + 8
    if rest >= 0x10:
        rest = rest >> 4
        found = found + 4
    if rest >= 4:
        rest = rest >> 2
        found = found + 2
    if rest >= 2:
        rest = rest >> 1
        found = found + 1
    return found + i32(rest)


def nearest(mantissa: U32, places: I32) -> U32:
    """mantissa / 2**places, from 1 to 31 places, of two integers the even one."""
    cut: U32 = mantissa >> u32(places)
    rest: U32 = mantissa - (cut << u32(places))
    middle: U32 = 1 << u32(places - 1)
    if rest > middle or (rest == middle and (cut & 1) == 1):
        cut = cut + 1
    return cut


def inverse_root(mantissa: U32, scale: U32, digits: U32) -> U32:
    """The root of scale * 4**digits / mantissa, cut, with one more digit that is set where there is a rest: two binary digits
    of the quotient for each of the root."""
    dividend: U32 = scale
    root: U32 = 0
    left: U32 = 0
    for _ in range(digits):
        pair: U32 = 0
        dividend = dividend << 1
        if dividend >= mantissa:
            dividend = dividend - mantissa
            pair = 2
        dividend = dividend << 1
        if dividend >= mantissa:
            dividend = dividend - mantissa
            pair = pair + 1
        left = (left << 2) | pair
        root = root << 1
        if left > root << 1:
            left = left - (root << 1) - 1
            root = root + 1
    return (root << 1) | (1 if left != 0 or dividend != 0 else 0)


def shifted_high(high: U32, places: U32) -> U32:
    """The upper 32 bits of a longer number that is shifted to the right, by 1 place or more."""
    return high >> places if places < 32 else 0


def shifted_next(high: U32, low: U32, places: U32) -> U32:
    """The 32 bits below those."""
    if places < 32:
        return (low >> places) | wrapped(high << (32 - places))
    if places < 64:
        return high >> (places - 32)
    return 0
