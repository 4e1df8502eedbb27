"""Functions of one number, and roundings, by float64 or by a residual: pieces of the number rules.

Each is right under the rounding that its rule sets; what they give after their rounding is compared with the reference engine
on all 2**24 inputs of float24 (tests/engines/test_unary.py). Coefficients are computed here, from the series that they are of.
"""

from __future__ import annotations

from math import factorial, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name, Text

_LN2 = log(2.0)
_EXP2 = [_LN2**k / factorial(k) for k in range(1, 15)]  # (2**f - 1) / f, |f| <= 1/2
_ATANH = [2.0 / _LN2 / (2 * k + 1) for k in range(13)]  # log2((1 + s) / (1 - s)) / s in powers of s * s, |s| <= 1/5
CUT = 0xFFFFFF80  # what remains of a float32 as a float24: 16 of 23 mantissa bits
WITHOUT_MANTISSA = 0xFF800000
SIGN = 0x80000000
_NEAREST_DOUBLE = 1 << 35  # half of the last place of a float24 in a float64
# How near to the middle between two float32 a float64 may be that is off by some of its last places.
_DOUBT = 1 << 9


def size_of(text: Text, a: Name) -> Name:
    return text.call(text.f64, f"llvm.fabs.v{text.width}f64", (text.f64, a))


def nearest_float24(text: Text, a: Name) -> Name:
    """A float64 rounded to 17 bits, ties to even; exponents stay."""
    bits = text.double_bits(a)
    odd = text.long_op("and", text.long_op("lshr", bits, text.long(36)), text.long(1))
    bits = text.long_op("add", text.long_op("add", bits, text.long(_NEAREST_DOUBLE - 1)), odd)
    return text.double_of(text.long_op("and", bits, text.long(-1 << 36)))


def nearest_of_24(text: Text, a: Name) -> Name:
    """A finite float32 rounded to 17 bits, ties to even, on a processor that rounds to nearest (Veltkamp's splitting).

    129 * a has the last place wanted, or one that is even more coarse, and what is subtracted from it is rounded there. Of a
    tie 129 * a is a tie too, which goes to even, so the difference of the two even numbers is even.
    """
    large = text.fmul(a, text.number(129.0))
    return text.fsub(large, text.fsub(large, a))


def odd_sum(text: Text, a: Name, b: Name, target: Target) -> tuple[Name, Name]:
    """The sum of two float32 rounded to odd, and rounded down. It uses embedded rounding.

    Rounded to odd it is exact, or the one of its two neighbours whose last bit is 1: that of 24 bits may be rounded again to 17
    as if it were the sum itself.
    """
    down, up = (target.rounded(text, "add", a, b, how) for how in ("down", "up"))
    even = text.icmp("eq", text.iand(text.bits(down), text.integer(1)), text.integer(0))
    return text.select(even, up, down), down


def nearest_sum(text: Text, a: Name, b: Name, target: Target, *, signed: bool) -> Name:
    """The sum of two finite float24, in one scale, to nearest, ties to even, on a processor that rounds to nearest.

    Too small results are flushed only by the processor: they are exact. `signed`: zeros have signs.
    """
    total, down = odd_sum(text, a, b, target)
    if signed:
        return nearest_of_24(text, total)
    # The same rounding, sooner: 128 times the power of two of a neighbour has the last place wanted.
    power = text.masked(down, WITHOUT_MANTISSA)
    near = text.fma(power, text.number(128.0), total)
    return text.fma(power, text.number(-128.0), near)


def nearest_sum_by_size(text: Text, a: Name, b: Name, *, has_fma: bool, signed: bool) -> Name:
    """As `nearest_sum`, on any processor that rounds to nearest.

    With 2**e <= a + b < 2**(e + 1), base = 127 * 2**e and a the larger one: base + a is exact, and base + a + b is rounded
    once, where the result wants it. If a < 2**e, half of the last place can be set in a, but base + a < 2**(e + 7) has that bit
    too. The processor's own sum gives sign and exponent: below zero all of it is so with the other sign. If that sum is rounded
    up to the next power of two, so is the result.
    """
    total = text.fadd(a, b)
    high = text.select(text.fcmp("ogt", a, b), a, b)
    low = text.select(text.fcmp("olt", a, b), a, b)
    negative = text.icmp("slt", text.bits(total), text.integer(0))
    large, small = text.select(negative, low, high), text.select(negative, high, low)
    power = text.masked(total, WITHOUT_MANTISSA)
    if has_fma:
        near = text.fma(power, text.number(-127.0), text.fadd(text.fma(power, text.number(127.0), large), small))
    else:
        base = text.fmul(power, text.number(127.0))
        near = text.fsub(text.fadd(text.fadd(base, large), small), base)
    if not signed:
        return near
    return text.number_of(text.ior(text.bits(near), text.masked_bits(total, SIGN)))  # two zeros below zero have given +0


def nearest_product(text: Text, a: Name, b: Name, target: Target, *, endless: bool = False) -> Name:
    """The product of two float24 with the factor 2**-64, to nearest, on a processor that rounds to nearest and flushes.

    `endless`: infinities and NaN are kept. It uses embedded rounding. As in `nearest_of_24`, but 129 times the product less the
    product itself is rounded once, in an fma.
    """
    cut = target.rounded(text, "mul", a, b, "zero")
    large = text.fmul(cut, text.number(129.0))
    near = text.fsub(large, text.fma(text.fneg(a), b, large))
    if endless:
        near = target.keeping_special(text, near, cut)
    # A flushed result stays zero, even if it would round up to the smallest number.
    return text.select(text.fcmp("une", cut, text.number(0.0)), near, cut)


def nearest_product_rounded(text: Text, a: Name, b: Name) -> tuple[Name, Name]:
    """As `nearest_product` for finite numbers, on any processor that has an fma and rounds to nearest; and the product of 24
    bits.

    Where the processor flushes what is too small *after* rounding (x86), a product below 2**-126 by less than 2**-151 is not
    flushed: then the product of 24 bits is 2**-126. Some factors have no such product (`rules.is_clear`).
    """
    rough = text.fmul(a, b)
    large = text.fmul(rough, text.number(129.0))
    return text.fsub(large, text.fma(text.fneg(a), b, large)), rough


def sum_double(text: Text, a: Name, b: Name, *, cut: bool) -> Name:
    """The sum of two float24 to nearest in float64. `cut`: then one place toward zero if it is too large in size.

    To nearest that is enough: a sum that float64 cannot hold is so near to its larger term that no second rounding can err.
    """
    x, y = text.widen(a), text.widen(b)
    total = text.double_op("fadd", x, y)
    if not cut:
        return total
    part = text.double_op("fsub", total, x)
    rest = text.double_op(
        "fadd",
        text.double_op("fsub", x, text.double_op("fsub", total, part)),
        text.double_op("fsub", y, part),
    )
    bits = text.double_bits(total)
    apart = text.long_op("ashr", text.long_op("xor", bits, text.double_bits(rest)), text.long(63))
    nothing = text.new(f"fcmp oeq {text.f64} {rest}, {text.double(0.0)}")
    step = text.new(f"select {text.i1} {nothing}, {text.i64} {text.long(0)}, {text.i64} {apart}")
    return text.double_of(text.long_op("add", bits, step))


def rsq_cut(text: Text, a: Name, target: Target) -> Name:
    """1 / sqrt(a) cut to 17 bits, for a > 0, where the processor cuts."""
    if not target.has_fma:
        return text.masked(text.narrow(rsq_double(text, a)), CUT)
    guess = text.fdiv(text.number(1.0), text.unary("sqrt", a))
    # The nearest number of 17 bits, and one place less if that is too large: the exact 1 - c * c * a decides.
    near = text.number_of(text.iand(text.iadd(text.bits(guess), text.integer(64)), text.integer(-128)))
    high = text.fmul(near, a)
    low = text.fma(near, a, text.fneg(high))
    minus = text.fneg(near)
    rest = text.fma(minus, low, text.fma(minus, high, text.number(1.0)))
    step = text.iand(text.new(f"ashr {text.i32} {text.bits(rest)}, {text.integer(31)}"), text.integer(-128))
    return text.number_of(text.iadd(text.bits(near), step))


def rsq_nearest(text: Text, a: Name) -> Name:
    """1 / sqrt(a) to the nearest number of 17 bits, for a > 0, on a processor that has an fma and rounds to nearest."""
    guess = text.fdiv(text.number(1.0), text.unary("sqrt", a))
    middle = _middle(text, guess)
    # The exact 1 - middle * middle * a decides, as in `rsq_cut`; it is never 0.
    high = text.fmul(middle, a)
    low = text.fma(middle, a, text.fneg(high))
    minus = text.fneg(middle)
    rest = text.fma(minus, low, text.fma(minus, high, text.number(1.0)))
    return _beside(text, guess, rest)


def rsq_by_estimate(text: Text, a: Name, target: Target, scale: float = 1.0, *, nearest: bool) -> tuple[Name, Name]:
    """1 / sqrt(a) of a float24 a > 0 times a power of two, to 17 bits; and a number below 1, or a NaN where a is not above 0.

    It uses embedded rounding. c is the estimate rounded to 12 bits, so c * c is exact, and where the root is a power of two c
    is the root. With e = 1 - c * c * a, of which 24 bits are left, the root is c / sqrt(1 - e) = c + c * e * (1/2 + 3/8 * e +
    ...). These terms have a relative error below 2**-32, and no root of the 2**17 mantissas and parities of exponents is so
    near to where 17 bits are decided, unless e is exact. So each estimate that a processor may have gives the same result
    (tests/engines/test_unary.py).
    """
    guess = target.rsq_estimate(text, a)
    short = text.number_of(text.iand(text.iadd(text.bits(guess), text.integer(1 << 11)), text.integer(-1 << 12)))
    rest = text.fma(text.fneg(text.fmul(short, short)), a, text.number(1.0))
    if scale != 1.0:
        short = text.fmul(short, text.number(scale))
    step, factor = text.fmul(short, rest), text.fma(rest, text.number(0.375), text.number(0.5))
    if not nearest:
        return text.masked(text.fma(step, factor, short), CUT), rest
    # Never a tie, so what is cut off cannot make it one.
    found = target.fma_cut(text, step, factor, short)
    return text.masked(text.number_of(text.iadd(text.bits(found), text.integer(64))), CUT), rest


def rcp_nearest(text: Text, a: Name, one: float) -> Name:
    """one / a to the nearest number of 17 bits, for a power of two, on a processor that has an fma and rounds to nearest.

    Of a zero it is an infinity.
    """
    guess = text.fdiv(text.number(one), a)
    return _beside(text, guess, text.fma(text.fneg(_middle(text, guess)), a, text.number(one)))


def _middle(text: Text, a: Name) -> Name:
    """The number in the middle between a number cut to 17 bits and the next one."""
    return text.number_of(text.ior(text.masked_bits(a, CUT), text.integer(64)))


def _beside(text: Text, a: Name, rest: Name) -> Name:
    """A number cut to 17 bits, or the next one where `rest` is positive; both are positive, or the sign of `rest` is for a
    positive one."""
    over = text.new(f"ashr {text.i32} {text.bits(rest)}, {text.integer(31)}")
    step = text.iand(text.ixor(over, text.integer(-1)), text.integer(128))
    return text.number_of(text.iadd(text.masked_bits(a, CUT), step))


def rsq_double(text: Text, a: Name) -> Name:
    root = text.call(text.f64, f"llvm.sqrt.v{text.width}f64", (text.f64, text.widen(a)))
    return text.double_op("fdiv", text.double(1.0), root)


def exp2(text: Text, a: Name, most: float) -> Name:
    """2**a in float64, for a clamped to -most..most (a NaN gives some number)."""
    kept = text.select(text.fcmp("olt", a, text.number(most)), a, text.number(most))
    kept = text.select(text.fcmp("ogt", kept, text.number(-most)), kept, text.number(-most))
    whole = text.unary("roundeven", kept)
    x, n = text.widen(kept), text.widen(whole)
    fraction = text.double_op("fsub", x, n)
    total = text.double(_EXP2[-1])
    for factor in reversed(_EXP2[:-1]):
        total = text.double_fma(total, fraction, text.double(factor))
    power = text.double_fma(total, fraction, text.double(1.0))
    # Of a negative number so small that float64 has nothing between 1 and the result, it is still below 1.
    whole_one = text.new(f"fcmp oge {text.f64} {power}, {text.double(1.0)}")
    negative = text.new(f"fcmp olt {text.f64} {fraction}, {text.double(0.0)}")
    below = text.both(whole_one, negative)
    power = text.new(f"select {text.i1} {below}, {text.f64} {text.double(1.0 - 2.0**-53)}, {text.f64} {power}")
    number = text.new(f"fptosi {text.f32} {whole} to {text.i32}")
    places = text.long_op("shl", text.new(f"sext {text.i32} {number} to {text.i64}"), text.long(52))
    return text.double_of(text.long_op("add", text.double_bits(power), places))


def log2(text: Text, a: Name) -> Name:
    """log2(a) in float64, for a normal a > 0; of anything else it gives some number."""
    bits = text.bits(a)
    # The mantissa between 0.75 and 1.5, so that numbers just below 1 keep all their places.
    shifted = text.isub(bits, text.integer(0x3F400000))
    exponent = text.new(f"ashr {text.i32} {shifted}, {text.integer(23)}")
    mantissa = text.number_of(text.iadd(text.iand(shifted, text.integer(0x007FFFFF)), text.integer(0x3F400000)))
    return log2_of_parts(text, exponent, text.widen(mantissa))


def log2_of_parts(text: Text, exponent: Name, m: Name) -> Name:
    """log2(m) + exponent in float64; m, in float64, is between 0.75 and 1.5."""
    s = text.double_op("fdiv", text.double_op("fsub", m, text.double(1.0)), text.double_op("fadd", m, text.double(1.0)))
    square = text.double_op("fmul", s, s)
    total = text.double(_ATANH[-1])
    for factor in reversed(_ATANH[:-1]):
        total = text.double_fma(total, square, text.double(factor))
    whole = text.new(f"sitofp {text.i32} {exponent} to {text.f64}")
    return text.double_fma(total, s, whole)


def surely_float32(text: Text, a: Name) -> tuple[Name, Name]:
    """A float64 rounded to float32, and where an error could change the result."""
    low = text.long_op("and", text.double_bits(a), text.long((1 << 29) - 1))
    beside = text.long_op("add", text.long_op("sub", low, text.long(1 << 28)), text.long(_DOUBT))
    unsure = text.new(f"icmp ult {text.i64} {beside}, {text.long(2 * _DOUBT)}")
    return text.narrow(a), unsure
