"""Functions of translated Direct3D 9 shaders besides those of a ShaderCore, written as `shadercore.translate.words` is."""

from __future__ import annotations

from lanewise.shadercore.translate.words import exponent_of, is_nan, mantissa_of, ordered
from lanewise.translating.words import BOOL, I32, U32, i32, u32, wrapped

RAW = False  # a subnormal number counts as 0
FLOOR, EVEN, UP, AWAY = range(4)


def address(a: U32, mode: U32) -> I32:
    """The whole number of an index: rounded down (0), or to nearest with ties to even (1), up (2), away from 0 (3)."""
    size: U32 = a & 0x7FFFFFFF
    negative: BOOL = (a & 0x80000000) != 0
    if size >= 0x49800000:
        return -0x40000000
    if RAW and size < 0x800000:
        return 0
    places: I32 = 150 - exponent_of(a)
    if places > 24:
        return -1 if negative and size != 0 and mode == 0 else 0
    whole: U32 = mantissa_of(a) >> u32(places)
    rest: U32 = mantissa_of(a) - (whole << u32(places))
    middle: U32 = 1 << u32(places - 1)
    up: BOOL = mode == 3 or (mode == 1 and (whole & 1) == 1) or (mode == 2 and not negative)
    if mode == 0:
        up = negative and rest != 0
    else:
        up = rest > middle or (rest == middle and up)
    if up:
        whole = whole + 1
    return -i32(whole) if negative else i32(whole)


def plus(a: I32, b: I32) -> I32:
    """The lower 32 bits of a sum."""
    return i32(wrapped(u32(a) + u32(b)))


def clipped(a: U32, low: U32) -> U32:
    """A number between this one and 1.0; NaN stays."""
    if is_nan(a):
        return a
    if ordered(a) < ordered(low):
        return low
    return 0x3F800000 if ordered(a) > 0x3F800000 else a
