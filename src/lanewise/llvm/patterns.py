"""float32 patterns as integers in every lane: what kind of number one is, and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.llvm.text import Name, Text

SIGN, INFINITY, MAGNITUDE, FRACTION, HIDDEN = 0x80000000, 0x7F800000, 0x7FFFFFFF, 0x7FFFFF, 0x800000
ONE, ONE_NAN, SIGNED_NAN = 0x3F800000, 0x7FC00000, 0x7FFFFFFF


def bits_of(text: Text, a: Name, mask: int) -> Name:
    return text.iand(a, text.integer(mask))


def with_bits(text: Text, a: Name, bits: int) -> Name:
    return text.ior(a, text.integer(bits))


def sign(text: Text, a: Name) -> Name:
    return bits_of(text, a, SIGN)


def magnitude(text: Text, a: Name) -> Name:
    return bits_of(text, a, MAGNITUDE)


def is_negative(text: Text, a: Name) -> Name:
    return text.icmp("slt", a, text.integer(0))


def is_nan(text: Text, a: Name) -> Name:
    return text.icmp("ugt", magnitude(text, a), text.integer(INFINITY))


def is_special(text: Text, a: Name) -> Name:
    """Infinity or NaN."""
    return text.icmp("uge", magnitude(text, a), text.integer(INFINITY))


def is_small(text: Text, a: Name) -> Name:
    """Zero or subnormal: exponent field 0."""
    return text.icmp("ult", magnitude(text, a), text.integer(HIDDEN))


def exponent(text: Text, a: Name) -> Name:
    """The exponent field."""
    return bits_of(text, text.shift_right(a, 23), 0xFF)


def fraction(text: Text, a: Name) -> Name:
    return bits_of(text, a, FRACTION)


def mantissa(text: Text, a: Name) -> Name:
    """The mantissa with the hidden bit, also for numbers without it."""
    return with_bits(text, fraction(text, a), HIDDEN)


def flushed(text: Text, a: Name) -> Name:
    """The number, a subnormal one as zero of its sign."""
    return text.iselect(is_small(text, a), sign(text, a), a)


def constant(text: Text, condition: Name, bits: int, otherwise: Name) -> Name:
    """The pattern `bits` where the condition holds."""
    return text.iselect(condition, text.integer(bits), otherwise)
