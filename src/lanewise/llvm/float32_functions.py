"""1 / sqrt, 2**x and log2 of float32, correctly rounded, through float64.

The float64 value is accurate except for some last places, so the float32 next to it is right unless a midpoint between two
float32 numbers is as near. The numbers with such a midpoint were found by testing all, and for each of them the result is
compared with the reference engine's (tests/engines/float32_sweep.py); for two numbers the float64 is not accurate enough.
`*_double` give the float64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm import functions

if TYPE_CHECKING:
    from lanewise.llvm.text import Name, Text

_THREE_QUARTERS = 0x3FE8000000000000  # the bits of 0.75 in float64
# Numbers whose 2**x is so near to a midpoint that the float64 is on its other side, and the right patterns.
_NEAREST_EXP2 = {0x3B429D37: 0x3F804385, 0xBCF3A937: 0x3F7AC6B1}
_MOST = 160.0  # 2**x is infinite above, zero below


def rsq_double(text: Text, a: Name) -> Name:
    """1 / sqrt of a number above 0."""
    return functions.rsq_double(text, a)


def exp2_double(text: Text, a: Name) -> Name:
    """2**x of a number, clamped to -160 to 160; an unspecified number for NaN."""
    return functions.exp2(text, a, _MOST)


def log2_double(text: Text, a: Name) -> Name:
    """log2 of a number above 0, subnormal ones too."""
    bits = text.double_bits(text.widen(a))
    # The mantissa between 0.75 and 1.5, so that numbers just below 1 keep all their places.
    shifted = text.long_op("sub", bits, text.long(_THREE_QUARTERS))
    exponent = text.shorten(text.long_op("ashr", shifted, text.long(52)))
    kept = text.long_op("and", shifted, text.long((1 << 52) - 1))
    m = text.double_of(text.long_op("add", kept, text.long(_THREE_QUARTERS)))
    return functions.log2_of_parts(text, exponent, m)


def rsq(text: Text, a: Name) -> Name:
    """1 / sqrt: infinite for a zero, with its sign, some NaN below."""
    return text.narrow(rsq_double(text, a))


def exp2(text: Text, a: Name) -> Name:
    """2**x; of a NaN some number."""
    found = text.narrow(exp2_double(text, a))
    for given, right in _NEAREST_EXP2.items():
        hard = text.icmp("eq", text.bits(a), text.integer(given))
        found = text.select(hard, text.number_of(text.integer(right)), found)
    return found


def log2(text: Text, a: Name) -> Name:
    """log2 of a number above 0 that is not infinite; of others some number."""
    return text.narrow(log2_double(text, a))
