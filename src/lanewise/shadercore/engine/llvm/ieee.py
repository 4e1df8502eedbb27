"""ShaderCore operations of `document` in LLVM IR: IEEE 754 binary32.

Rounding is to nearest with ties to even, on patterns in every lane.

`shadercore.sem.numbers` defines them; a NaN result is 0x7FC00000, independent of the processor. The code counts on rounding to
nearest and subnormal numbers that are numbers: the mode `nearest` of `target.MODES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm import float32_functions
from lanewise.llvm import patterns as p

if TYPE_CHECKING:
    from lanewise.llvm.text import Name, Text

_INTEGERS = 0x4B400000  # 1.5 * 2**23: a small number that is added to it is rounded to an integer, which its low bits then hold


def canonical(text: Text, number: Name) -> Name:
    """The pattern of a float32 result, 0x7FC00000 for any NaN."""
    return p.constant(text, text.fcmp("uno", number, number), p.ONE_NAN, text.bits(number))


def arithmetic(text: Text, op: str, a: Name, b: Name) -> Name:
    """`fadd` or `fmul`."""
    return canonical(text, text.new(f"{op} {text.f32} {text.number_of(a)}, {text.number_of(b)}"))


def arithmetic_flushed(text: Text, op: str, a: Name, b: Name) -> Name:
    """The same with subnormal operands and results as zeros."""
    return p.flushed(text, arithmetic(text, op, p.flushed(text, a), p.flushed(text, b)))


def scale(text: Text, a: Name, power: int) -> Name:
    product = text.bits(text.fmul(text.number_of(a), text.number(2.0**power)))
    return text.iselect(p.is_special(text, a), a, product)


def scale_flushed(text: Text, a: Name, power: int) -> Name:
    """The exponent field plus `power`, cut to infinity or zero."""
    field = text.iadd(p.exponent(text, a), text.integer(power))
    found = text.ior(text.shift_left(field, 23), text.iand(a, text.integer(p.SIGN | p.FRACTION)))
    found = text.iselect(text.icmp("sge", field, text.integer(0xFF)), p.with_bits(text, p.sign(text, a), p.INFINITY), found)
    tiny = text.either(p.is_small(text, a), text.icmp("sle", field, text.integer(0)))
    found = text.iselect(tiny, p.sign(text, a), found)
    return text.iselect(p.is_special(text, a), a, found)


def fraction(text: Text, a: Name, made_nan: int) -> Name:
    """a - floor(a), rounded once."""
    number = text.number_of(a)
    found = text.bits(text.fsub(number, text.unary("floor", number)))
    return p.constant(text, p.is_special(text, a), made_nan, found)


def integer(text: Text, a: Name, bits: int) -> Name:
    """A signed integer of so many bits, ties to even; what is greater is the greatest, NaN is 0. The upper bits are its
    sign."""
    most = float(1 << bits - 1)
    number = text.number_of(a)
    kept = text.select(text.fcmp("ogt", number, text.number(-most)), number, text.number(-most))
    kept = text.select(text.fcmp("olt", kept, text.number(most - 1)), kept, text.number(most - 1))
    whole = text.bits(text.fadd(kept, text.number_of(text.integer(_INTEGERS))))
    return p.constant(text, p.is_nan(text, a), 0, text.isub(whole, text.integer(_INTEGERS)))


def unorm(text: Text, a: Name, bits: int) -> Name:
    """x * (2**bits - 1) to nearest, in float64, where the product is exact; 0 for what is below 0, NaN too, all ones from 1.0
    on."""
    most = (1 << bits) - 1
    product = text.double_op("fmul", text.widen(text.number_of(a)), text.double(float(most)))
    found = text.shorten(text.double_bits(text.double_op("fadd", product, text.double(1.5 * 2.0**52))))
    found = p.constant(text, text.icmp("sge", a, text.integer(p.ONE)), most, found)
    return p.constant(text, text.either(p.is_negative(text, a), p.is_nan(text, a)), 0, found)


def to_half(text: Text, a: Name) -> Name:
    size = p.magnitude(text, a)
    odd = p.bits_of(text, text.shift_right(size, 13), 1)
    rounded = text.iadd(size, text.iadd(odd, text.integer(0xFFF - (112 << 23))))
    normal = text.umin(text.shift_right(rounded, 13), text.integer(0x7C00))
    # In float32 numbers from 0.5 to 1 have the places of float16's subnormal ones.
    small = text.bits(text.fadd(text.number_of(size), text.number(0.5)))
    small = text.isub(small, text.integer(0x3F000000))
    found = text.iselect(text.icmp("ult", size, text.integer(0x38800000)), small, normal)
    found = p.constant(text, p.is_special(text, a), 0x7C00, found)
    found = p.constant(text, p.is_nan(text, a), 0x7E00, found)
    return text.ior(found, p.bits_of(text, text.shift_right(a, 16), 0x8000))


def from_half(text: Text, a: Name) -> Name:
    minus = text.shift_left(p.bits_of(text, a, 0x8000), 16)
    size = p.bits_of(text, a, 0x7FFF)
    normal = text.iadd(text.shift_left(size, 13), text.integer(112 << 23))
    number = text.new(f"sitofp {text.i32} {size} to {text.f32}")
    small = text.bits(text.fmul(number, text.number(2.0**-24)))
    found = text.iselect(text.icmp("ult", size, text.integer(0x400)), small, normal)
    found = p.constant(text, text.icmp("uge", size, text.integer(0x7C00)), p.INFINITY, found)
    found = p.constant(text, text.icmp("ugt", size, text.integer(0x7C00)), p.ONE_NAN, found)
    return text.ior(found, minus)


def from_unsigned(text: Text, a: Name) -> Name:
    return text.bits(text.narrow(text.new(f"uitofp {text.i32} {a} to {text.f64}")))


def rcp(text: Text, a: Name) -> Name:
    return canonical(text, text.fdiv(text.number(1.0), text.number_of(a)))


def rsq(text: Text, a: Name) -> Name:
    """1 / sqrt: infinity of its sign for zero, NaN below."""
    return canonical(text, float32_functions.rsq(text, text.number_of(a)))


def exp2(text: Text, a: Name) -> Name:
    found = text.bits(float32_functions.exp2(text, text.number_of(a)))
    return p.constant(text, p.is_nan(text, a), p.ONE_NAN, found)


def log2(text: Text, a: Name) -> Name:
    found = text.bits(float32_functions.log2(text, text.number_of(a)))
    found = p.constant(text, text.icmp("eq", a, text.integer(p.INFINITY)), p.INFINITY, found)
    invalid = text.either(p.is_negative(text, a), p.is_nan(text, a))
    found = p.constant(text, invalid, p.ONE_NAN, found)
    return p.constant(text, text.icmp("eq", p.magnitude(text, a), text.integer(0)), p.SIGN | p.INFINITY, found)


def less(text: Text, a: Name, b: Name) -> Name:
    """The condition a < b."""
    return text.fcmp("olt", text.number_of(a), text.number_of(b))


def at_least(text: Text, a: Name, b: Name) -> Name:
    return text.fcmp("oge", text.number_of(a), text.number_of(b))


def choose(text: Text, a: Name, b: Name, how: str) -> Name:
    """The lesser (`slt`) or greater (`sgt`) by sign and magnitude; of a number and a NaN the number, of two NaN the first."""

    def ordered(x: Name) -> Name:
        return text.ixor(x, text.shift_right(text.int_op("ashr", x, text.integer(31)), 1))

    first = text.icmp(how, ordered(a), ordered(b))
    number = text.invert(p.is_nan(text, a))
    return text.iselect(text.either(p.is_nan(text, b), text.both(number, first)), a, b)


def sign(text: Text, a: Name, *, raw: bool) -> Name:
    """1.0 with the sign, 0 for zero; `raw`: for subnormal numbers too, and 1.0 for NaN."""
    found = p.with_bits(text, p.sign(text, a), p.ONE)
    zero = p.is_small(text, a) if raw else text.icmp("eq", p.magnitude(text, a), text.integer(0))
    found = p.constant(text, zero, 0, found)
    return p.constant(text, p.is_nan(text, a), p.ONE if raw else p.ONE_NAN, found)
