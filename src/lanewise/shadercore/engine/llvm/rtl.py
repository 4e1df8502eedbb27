"""ShaderCore operations of `rtl` in LLVM IR: integer algorithms on patterns.

`shadercore.sem.numbers` and `shadercore.sem.special` define them and cite the sources. Wave-level operations expect lane = 4 *
quad + unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm import patterns as p
from lanewise.shadercore.sem.special import RCP_OFFSETS, RCP_SLOPES, RSQ_OFFSETS, RSQ_SLOPES

if TYPE_CHECKING:
    from lanewise.llvm.routines import Routines
    from lanewise.llvm.text import Name, Text

_QUADS, _UNITS = 4, 4


def _shifted(text: Text, op: str, a: Name, places: Name) -> Name:
    """`lshr`, `ashr` or `shl` by places that may be any number of 32 bits: 31 are as good as more for what is shifted right
    here."""
    return text.int_op(op, a, text.umin(places, text.integer(31)))


def _negate(text: Text, a: Name) -> Name:
    return text.isub(text.integer(0), a)


def _eight_bits(text: Text, a: Name) -> Name:
    return text.int_op("ashr", text.shift_left(a, 24), text.integer(24))


def add(text: Text, a: Name, b: Name, made_nan: int) -> Name:
    """ADD without guard bits; subnormal operands are zeros."""
    a, b = p.flushed(text, a), p.flushed(text, b)
    first, second = p.magnitude(text, a), p.magnitude(text, b)
    ahead = text.icmp("uge", first, second)
    large, small = text.iselect(ahead, a, b), text.iselect(ahead, b, a)
    found = _general_sum(text, large, small)
    # A zero beside a number; of two zeros the sign of both.
    found = text.iselect(text.icmp("eq", second, text.integer(0)), a, found)
    nothing = text.icmp("eq", first, text.integer(0))
    found = text.iselect(nothing, text.iselect(text.icmp("eq", second, text.integer(0)), text.iand(a, b), b), found)
    # An infinity or NaN beside a number passes; two of a kind too, unless they are infinities of two signs.
    special, other = p.is_special(text, a), p.is_special(text, b)
    both = text.both(special, other)
    passes = text.iselect(special, a, b)
    nan = p.is_nan(text, a)
    alike = text.both(both, text.invert(text.new(f"xor {text.i1} {nan}, {p.is_nan(text, b)}")))
    apart = text.both(text.invert(nan), text.icmp("ne", a, b))
    passes = p.constant(text, text.both(both, apart), made_nan, passes)
    only_one = text.new(f"xor {text.i1} {special}, {other}")
    return text.iselect(text.either(only_one, alike), passes, found)


def _general_sum(text: Text, large: Name, small: Name) -> Name:
    exponent = text.isub(p.exponent(text, large), text.integer(127))
    gap = text.isub(p.exponent(text, large), p.exponent(text, small))

    def signed(x: Name) -> Name:
        size = p.mantissa(text, x)
        return text.iselect(p.is_negative(text, x), _negate(text, size), size)

    total = text.iadd(signed(large), _shifted(text, "ashr", signed(small), gap))
    negative = p.is_negative(text, total)
    size = text.iselect(negative, _negate(text, total), total)
    # 31 for no bit at all: the floor has left nothing of 2^k and the number below it, which gives 2^(k-23)
    zeros = text.call(text.i32, f"llvm.ctlz.v{text.width}i32", (text.i32, size), ("i1 immarg", "false"))
    zeros = text.umin(zeros, text.integer(31))
    shift = text.isub(text.integer(8), zeros)
    down = _eight_bits(text, text.iadd(exponent, text.imin(shift, text.integer(0))))
    exponent = text.iadd(down, text.imax(shift, text.integer(0)))
    places = text.shift_right(text.int_op("shl", size, zeros), 8)
    found = text.ior(text.shift_left(text.iadd(exponent, text.integer(127)), 23), p.fraction(text, places))
    found = p.constant(text, text.icmp("sgt", exponent, text.integer(127)), p.INFINITY, found)
    found = text.ior(found, p.sign(text, total))
    opposite = text.icmp("eq", text.ixor(large, small), text.integer(p.SIGN))
    nothing = text.either(text.icmp("slt", exponent, text.integer(-126)), opposite)
    found = p.constant(text, nothing, 0, found)
    return text.iselect(text.icmp("ugt", gap, text.integer(24)), large, found)


def mul(text: Text, a: Name, b: Name, *, signed_nan: bool) -> Name:
    """MUL toward zero; the exponents are looked at before the product is normalised, too."""
    minus = p.sign(text, text.ixor(a, b))
    exponent = text.isub(text.iadd(p.exponent(text, a), p.exponent(text, b)), text.integer(254))
    product = text.long_op("mul", text.lengthen(p.mantissa(text, a)), text.lengthen(p.mantissa(text, b)))
    high = text.shorten(text.long_op("lshr", product, text.long(23)))
    carry = text.shift_right(high, 24)
    carried = text.iadd(exponent, carry)
    found = text.ior(
        text.shift_left(text.iadd(carried, text.integer(127)), 23), p.fraction(text, text.int_op("lshr", high, carry))
    )
    # Whatever the carry is, an exponent above 127 is still one with it.
    found = p.constant(text, text.icmp("sgt", carried, text.integer(127)), p.INFINITY, found)
    small = text.either(p.is_small(text, a), p.is_small(text, b))
    found = p.constant(text, text.either(small, text.icmp("slt", exponent, text.integer(-126))), 0, found)
    special = text.either(p.is_special(text, a), p.is_special(text, b))
    found = p.constant(text, special, p.INFINITY, found)
    nan = text.either(text.either(p.is_nan(text, a), p.is_nan(text, b)), text.both(special, small))
    if signed_nan:
        return text.ior(minus, p.constant(text, nan, p.SIGNED_NAN, found))
    return p.constant(text, nan, p.ONE_NAN, text.ior(minus, found))


def less(text: Text, a: Name, b: Name) -> Name:
    """The condition a < b; subnormal numbers and zeros are equal among themselves."""
    small = text.both(p.is_small(text, a), p.is_small(text, b))
    return text.both(text.fcmp("olt", text.number_of(a), text.number_of(b)), text.invert(small))


def at_least(text: Text, a: Name, b: Name) -> Name:
    small = text.both(p.is_small(text, a), p.is_small(text, b))
    return text.either(text.fcmp("oge", text.number_of(a), text.number_of(b)), small)


def fraction(text: Text, a: Name, made_nan: int) -> Name:
    """In 23 bits after the point, cut off."""
    field = p.exponent(text, a)
    size = p.mantissa(text, a)
    up = text.isub(field, text.integer(127))
    down = text.isub(text.integer(127), field)
    part = text.iselect(
        text.icmp("sgt", up, text.integer(0)), _shifted(text, "shl", size, up), _shifted(text, "lshr", size, down)
    )
    part = p.fraction(text, part)
    some = text.icmp("ne", part, text.integer(0))
    part = text.iselect(text.both(some, p.is_negative(text, a)), text.isub(text.integer(p.HIDDEN), part), part)
    found = text.bits(text.fmul(text.new(f"sitofp {text.i32} {part} to {text.f32}"), text.number(2.0**-23)))
    # From 2**23 on there is nothing behind the point; below 2**-23 nothing that has a place.
    outside = text.either(text.icmp("ugt", field, text.integer(149)), text.icmp("ult", field, text.integer(104)))
    found = p.constant(text, outside, 0, found)
    return p.constant(text, p.is_special(text, a), made_nan, found)


def _half_up(text: Text, a: Name) -> Name:
    """The size of a number of exponent field 149 or less, to nearest with ties up."""
    places = text.isub(text.integer(149), p.exponent(text, a))
    return text.shift_right(text.iadd(_shifted(text, "lshr", p.mantissa(text, a), places), text.integer(1)), 1)


def round23(text: Text, a: Name) -> Name:
    """Unsigned, 24 bits, ties up."""
    field = p.exponent(text, a)
    found = text.iselect(text.icmp("ugt", field, text.integer(149)), p.mantissa(text, a), _half_up(text, a))
    found = text.umin(found, text.integer(0xFFFFFF))
    found = p.constant(text, text.icmp("ugt", field, text.integer(150)), 0xFFFFFF, found)
    nothing = text.either(p.is_small(text, a), text.either(p.is_negative(text, a), p.is_nan(text, a)))
    return p.constant(text, nothing, 0, found)


def round16(text: Text, a: Name) -> Name:
    """Ties away from zero, 16 bits with a sign; from a magnitude of 32767.0 on 0x7FFF, from -32768.0 on 0x8000."""
    size = _half_up(text, a)
    negative = p.is_negative(text, a)
    found = text.iselect(negative, _negate(text, size), size)
    found = p.constant(text, text.icmp("uge", p.magnitude(text, a), text.integer(0x46FFFE00)), 0x7FFF, found)
    below = text.both(negative, text.icmp("uge", p.exponent(text, a), text.integer(127 + 15)))
    found = p.constant(text, below, 0x8000, found)
    return p.bits_of(text, p.constant(text, p.is_nan(text, a), 0, found), 0xFFFF)


def unorm(text: Text, a: Name, bits: int) -> Name:
    """floor(x * 2**bits)."""
    places = text.isub(text.integer(150 - bits), p.exponent(text, a))
    found = _shifted(text, "lshr", p.mantissa(text, a), places)
    found = p.constant(text, text.icmp("sge", a, text.integer(p.ONE)), (1 << bits) - 1, found)
    return p.constant(text, text.either(p.is_negative(text, a), p.is_nan(text, a)), 0, found)


def to_half(text: Text, a: Name) -> Name:
    """Cut off; below 2**-14 the exponent wraps."""
    size = p.magnitude(text, a)
    field = p.bits_of(text, text.isub(p.exponent(text, a), text.integer(127 - 15)), 0x1F)
    found = text.ior(text.shift_left(field, 10), text.shift_right(p.fraction(text, a), 13))
    found = p.constant(text, text.icmp("ult", size, text.integer(103 << 23)), 0, found)
    found = p.constant(text, text.icmp("ugt", size, text.integer(0x477FE000)), 0x7C00, found)
    found = p.constant(text, p.is_nan(text, a), 0x7FFF, found)
    return text.ior(found, p.bits_of(text, text.shift_right(a, 16), 0x8000))


def from_half(text: Text, a: Name) -> Name:
    """Subnormal float16 numbers get an exponent as if they had a hidden bit."""
    size = p.bits_of(text, a, 0x7FFF)
    found = text.iadd(text.shift_left(size, 13), text.integer(112 << 23))
    found = p.constant(text, text.icmp("eq", size, text.integer(0)), 0, found)
    found = p.constant(text, text.icmp("uge", size, text.integer(0x7C00)), p.INFINITY, found)
    found = p.constant(text, text.icmp("ugt", size, text.integer(0x7C00)), p.SIGNED_NAN, found)
    return text.ior(found, text.shift_left(p.bits_of(text, a, 0x8000), 16))


def from_unsigned(text: Text, a: Name) -> Name:
    """Toward zero."""
    bits = text.double_bits(text.new(f"uitofp {text.i32} {a} to {text.f64}"))
    return text.bits(text.narrow(text.double_of(text.long_op("and", bits, text.long(-1 << 29)))))


# RCP and RSQ


def _over_quads(text: Text, a: Name) -> list[Name]:
    """The four quads of a wave, each repeated over all four."""
    return [
        text.shuffle("i32", text.width, a, "poison", [_UNITS * quad + lane % _UNITS for lane in range(_UNITS * _QUADS)])
        for quad in range(_QUADS)
    ]


def _rcp_early(text: Text, a: Name) -> tuple[Name, Name]:
    """(where no table is needed: zeros, infinities, NaN, powers of two; the reciprocals there, without sign)."""
    field = p.exponent(text, a)
    whole = text.icmp("eq", p.fraction(text, a), text.integer(0))
    found = text.shift_left(p.bits_of(text, text.isub(text.integer(254), field), 0xFF), 23)
    nothing = p.is_small(text, a)
    found = p.constant(text, nothing, p.INFINITY, found)
    special = p.is_special(text, a)
    found = text.iselect(special, p.constant(text, whole, 0, text.integer(p.SIGNED_NAN)), found)
    return text.either(whole, text.either(nothing, special)), found


def rcp(text: Text, a: Name, routines: Routines, *, stale: bool) -> Name:
    """RCP by table; `stale`: the squared sigma is that of the latest quad, at most two quads later, that needed the table."""
    early, known = _rcp_early(text, a)
    m = p.fraction(text, a)
    line = text.shift_right(m, 19)
    table = [offset << 16 | slope for offset, slope in zip(RCP_OFFSETS, RCP_SLOPES, strict=True)]
    entry = routines.look_up(text, "rcp", table, line)
    slope, offset = p.bits_of(text, entry, 0xFFFF), text.shift_right(entry, 16)
    fall = text.int_op("mul", slope, p.bits_of(text, text.shift_right(m, 3), 0xFFFF))
    first = p.bits_of(text, text.isub(offset, text.shift_right(fall, 20)), 0xFFFF)
    wide_first = text.lengthen(first)
    whole = text.lengthen(text.shift_left(p.mantissa(text, a), 8))
    left = text.shorten(text.long_op("lshr", text.long_op("mul", wide_first, whole), text.long(7)))
    sigma = text.ixor(left, text.integer(-1))
    squared = _latest(text, sigma, early) if stale else sigma
    more = text.long_op("lshr", text.long_op("mul", wide_first, text.lengthen(sigma)), text.long(24))
    one = text.iadd(text.shift_left(first, 16), text.shorten(more))
    factor = text.lengthen(squared)
    square = text.long_op("lshr", text.long_op("mul", factor, factor), text.long(32))
    rest = text.long_op("lshr", text.long_op("mul", text.lengthen(one), square), text.long(48))
    two = text.iadd(one, text.shorten(rest))
    places = text.shift_right(text.iadd(p.bits_of(text, text.shift_right(two, 1), 0x3FFFFFFF), text.integer(64)), 7)
    field = text.shift_left(p.bits_of(text, text.isub(text.integer(253), p.exponent(text, a)), 0xFF), 23)
    found = text.iselect(early, known, text.ior(field, p.fraction(text, places)))
    return text.ior(found, p.sign(text, a))


def _latest(text: Text, sigma: Name, early: Name) -> Name:
    """The sigma of each lane: of the latest quad, at most two after its own, that needed the table."""
    sigmas = _over_quads(text, sigma)
    waits = _over_quads(text, text.new(f"sext {text.i1} {early} to {text.i32}"))
    latest = sigmas[0]
    seen: list[Name] = []
    for mine, out in zip(sigmas, waits, strict=True):
        latest = text.iselect(text.icmp("eq", out, text.integer(0)), mine, latest)
        seen.append(latest)
    lanes = range(_UNITS * _QUADS)
    return text.shuffle("i32", text.width, seen[2], seen[3], [lane if lane < _UNITS else text.width + lane for lane in lanes])


def rsq(text: Text, a: Name, routines: Routines, *, stale: bool) -> Name:
    """RSQ by table; `stale`: quads 1 to 3 use the product of quad 0 of their unit. The sign is ignored."""
    field = p.exponent(text, a)
    m = p.fraction(text, a)
    odd = p.bits_of(text, field, 1)
    line = text.ior(text.shift_left(text.ixor(odd, text.integer(1)), 4), text.shift_right(m, 19))
    slope = routines.look_up(text, "rsq_slopes", RSQ_SLOPES, line)
    offset = routines.look_up(text, "rsq_offsets", RSQ_OFFSETS, line)
    wide = text.long_op("mul", text.lengthen(p.bits_of(text, m, 0x7FFFF)), text.lengthen(slope))
    product = text.shorten(text.long_op("lshr", wide, text.long(18)))
    if stale:
        product = _over_quads(text, product)[0]
    places = p.fraction(text, text.isub(offset, product))
    whole = text.icmp("eq", m, text.integer(0))
    places = p.constant(text, text.both(whole, text.icmp("ne", odd, text.integer(0))), 0, places)
    power = text.isub(text.isub(field, text.integer(127)), text.iselect(whole, text.integer(1), text.integer(0)))
    half = text.int_op("ashr", power, text.integer(1))
    result = text.shift_left(p.bits_of(text, text.isub(text.integer(126), half), 0xFF), 23)  # ~half + 127
    found = text.ior(result, places)
    special = p.constant(text, whole, 0, text.integer(p.SIGNED_NAN))
    found = text.iselect(p.is_special(text, a), special, found)
    return p.constant(text, p.is_small(text, a), p.INFINITY, found)
