"""Parts that modules of functions of numbers share: 32-bit integers with and without a sign, written in what `functions`
prints."""

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
