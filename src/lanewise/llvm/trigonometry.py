"""Sine and cosine of float32 patterns: `core.numbers.trigonometry`, step for step."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from lanewise.core.numbers.trigonometry import COSINE, HALF_PI, LEAST_FIELD, SINE, SKIPPED, SMALL, TWO_OVER_PI
from lanewise.llvm import patterns as p

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.llvm.text import Name, Text

_LOW = 0xFFFFFFFF
_STEPS = (254 - SKIPPED) // 32 + 1  # words of the digits at which a window can begin


def sine_cosine(text: Text, a: Name) -> tuple[Name, Name]:
    """(sine, cosine) of patterns; NaN of infinity."""
    size = p.magnitude(text, a)
    quadrant, rest = _reduced(text, size)
    square = text.double_op("fmul", rest, rest)
    inner = text.double_op("fmul", square, _series(text, square, SINE))
    along = text.double_op("fadd", rest, text.double_op("fmul", rest, inner))
    across = text.double_op("fadd", text.double(1.0), text.double_op("fmul", square, _series(text, square, COSINE)))
    odd = text.icmp("ne", text.iand(quadrant, text.integer(1)), text.integer(0))
    first, second = (text.bits(text.narrow(value)) for value in (along, across))
    sine, cosine = text.iselect(odd, second, first), text.iselect(odd, first, second)
    sine = text.ixor(text.ixor(sine, p.sign(text, a)), _flip(text, quadrant))
    cosine = text.ixor(cosine, _flip(text, text.iadd(quadrant, text.integer(1))))
    special = p.is_special(text, a)
    return p.constant(text, special, p.ONE_NAN, sine), p.constant(text, special, p.ONE_NAN, cosine)


def _flip(text: Text, quadrant: Name) -> Name:
    """The sign bit where bit 1 is set."""
    return text.shift_left(text.iand(quadrant, text.integer(2)), 30)


def _series(text: Text, square: Name, coefficients: Sequence[float]) -> Name:
    total = text.double(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = text.double_op("fadd", text.double_op("fmul", total, square), text.double(coefficient))
    return total


def _reduced(text: Text, size: Name) -> tuple[Name, Name]:
    """The quadrant as i32, and the rest as float64."""
    field = text.umax(text.shift_right(size, 23), text.integer(LEAST_FIELD))
    place = text.isub(field, text.integer(SKIPPED))
    first = text.shift_right(place, 5)
    shift = text.lengthen(text.iand(place, text.integer(31)))
    words = [_chosen(text, first, TWO_OVER_PI[n : n + _STEPS]) for n in range(5)]
    back = text.long_op("sub", text.long(32), shift)
    digits = [
        _low(text, text.long_op("lshr", text.long_op("or", text.long_op("shl", high, text.long(32)), low), back))
        for high, low in pairwise(words)
    ]
    mantissa = text.lengthen(p.mantissa(text, size))
    carry: Name | None = None
    product: list[Name] = []
    for digit in reversed(digits):
        found = text.long_op("mul", mantissa, digit)
        if carry is not None:
            found = text.long_op("add", found, carry)
        product.insert(0, _low(text, found))
        carry = text.long_op("lshr", found, text.long(32))
    upper, lower = (
        text.long_op("or", text.long_op("shl", product[n], text.long(32)), product[n + 1]) for n in (0, 2)
    )  # the digits before the point are bits 63 and 62 of the upper half
    quadrant = text.long_op("lshr", text.long_op("add", upper, text.long(1 << 61)), text.long(62))
    upper = text.long_op("sub", upper, text.long_op("shl", quadrant, text.long(62)))
    high = text.long_op("or", text.long_op("shl", upper, text.long(2)), text.long_op("lshr", lower, text.long(62)))
    low = text.long_op("and", lower, text.long((1 << 62) - 1))
    rest = text.double_op("fadd", _scaled(text, high, 2.0**-64), _scaled(text, low, 2.0**-126))
    rest = text.double_op("fmul", rest, text.double(HALF_PI))
    small = text.icmp("ult", size, text.integer(SMALL))
    own = text.widen(text.number_of(size))
    rest = text.new(f"select {text.i1} {small}, {text.f64} {own}, {text.f64} {rest}")
    return text.iselect(small, text.integer(0), text.shorten(quadrant)), rest


def _chosen(text: Text, number: Name, words: Sequence[int]) -> Name:
    """words[number] in 64 bits."""
    found = text.integer(words[0])
    for n, word in enumerate(words[1:], 1):
        found = text.iselect(text.icmp("eq", number, text.integer(n)), text.integer(word), found)
    return text.lengthen(found)


def _low(text: Text, a: Name) -> Name:
    return text.long_op("and", a, text.long(_LOW))


def _scaled(text: Text, a: Name, factor: float) -> Name:
    number = text.new(f"sitofp {text.i64} {a} to {text.f64}")
    return text.double_op("fmul", number, text.double(factor))
