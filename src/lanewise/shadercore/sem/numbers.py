"""ShaderCore operations on exact integers, for every device.

`WaveOps` implements the algebra of `shadercore.sem.algebra`. A value is the patterns of a wave: a tuple with
one integer of 32 bits for each lane. Most operations treat each lane separately; `rcp` and `rsq` of the public hardware do not.
The rules of `rtl` are those of reference 2; those of `document` are IEEE 754 binary32, to nearest with ties to even.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.binary import Binary, Format, Rules
from lanewise.shadercore.isa.table import LANES, QUADS
from lanewise.shadercore.sem import special
from lanewise.shadercore.sem.algebra import WaveAlgebra
from lanewise.shadercore.sem.functions import called

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.isa.devices import Device

Wave = tuple[int, ...]

SIGN, INFINITY, MAGNITUDE, FRACTION = 0x80000000, 0x7F800000, 0x7FFFFFFF, 0x7FFFFF
ONE, MINUS_ONE, ONE_NAN, SIGNED_NAN = 0x3F800000, 0xBF800000, 0x7FC00000, 0x7FFFFFFF
_ALL = 0xFFFFFFFF
_UNITS = LANES // QUADS
_BIAS, _BITS, _HIDDEN = 127, 23, 0x800000
_LOWEST = 1 - _BIAS - _BITS  # the power of two of a subnormal number's last place
_HALF_BIAS, _HALF_BITS, _HALF_INFINITY = 15, 10, 0x7C00
_GREATEST_16, _BEYOND_16 = 0x46FFFE00, 0x47000000  # 32767.0 and 32768.0


def is_nan(a: int) -> bool:
    return a & MAGNITUDE > INFINITY


def _is_special(a: int) -> bool:
    return a & INFINITY == INFINITY


def _is_small(a: int) -> bool:
    """Zero or subnormal: exponent field 0."""
    return not a & INFINITY


def _parts(a: int) -> tuple[int, int]:
    """(mantissa, power of two) of a finite magnitude."""
    exponent = a >> _BITS & 0xFF
    return (a & FRACTION | _HIDDEN, exponent - _BIAS - _BITS) if exponent else (a & FRACTION, _LOWEST)


def _ordered(a: int) -> int:
    """An integer in the order of the patterns: sign, then magnitude; -0 and +0 are one."""
    return -(a & MAGNITUDE) if a & SIGN else a


def _nearest(mantissa: int, power: int) -> int:
    """The integer nearest to `mantissa * 2**power`, of two the even one."""
    if power >= 0:
        return mantissa << power
    below = mantissa >> -power
    rest, one = mantissa - (below << -power), 1 << -power
    return below + (2 * rest > one or (2 * rest == one and bool(below & 1)))


class Ieee(Binary):
    """IEEE 754 binary32, to nearest with ties to even; each NaN result is 0x7FC00000."""

    def __init__(self) -> None:
        super().__init__(
            Format(name="float32", exponent_bits=8, mantissa_bits=_BITS, one_nan=ONE_NAN, default_nan=ONE_NAN),
            Rules(one_nan=True),
        )

    def rounded(self, negative: bool, mantissa: int, power: int) -> int:
        """`mantissa * 2**power` with a sign."""
        return self._round(negative, mantissa, power)


_EXACT = Ieee()


class WaveOps(WaveAlgebra[Wave]):
    """The operations as a device computes them."""

    def __init__(self, device: Device) -> None:
        """Chooses a rule for each operation by the device's parameters, once."""
        on = device.choose
        self.device = device
        self._flushes = on("subnormals", {"kept": False, "flushed": True})
        self._signed_nan = on("nan", {"one": False, "signed": True})
        self._raw = on("compare", {"ieee": False, "raw": True})
        self._one = on("one_register", {"fixed": ONE, "zero": 0})
        self._add = on("add", {"nearest": self._add_nearest, "floor": self._add_floor})
        self._mul = on("mul", {"nearest": self._mul_nearest, "zero": self._mul_zero})
        self._frc = on("frc", {"exact": self._frc_exact, "fixed": self._frc_fixed})
        self._round23 = on("rnd23", {"signed": _round23_signed, "unsigned": _round23_unsigned})
        self._away = on("rnd16", {"even": False, "away": True})
        self._cut_unorm = on("unorm", {"nearest": False, "cut": True})
        self._to_half = on("half", {"nearest": _to_half_nearest, "cut": _to_half_cut})
        self._from_half = on("half", {"nearest": _from_half_exact, "cut": _from_half_cut})
        self._cut_u32 = on("u32", {"nearest": False, "zero": True})
        self._exp2 = on("exp_log", {"exact": _EXACT.exp2, "zero": _nothing})
        self._log2 = on("exp_log", {"exact": _EXACT.log2, "zero": _nothing})
        # of a whole wave
        table = on("rcp_sigma", {"fixed": _lane_by_lane(special.rcp), "stale": special.rcp_wave})
        self._rcp = on("rcp", {"exact": _lane_by_lane(_EXACT.rcp), "table": table})
        table = on("rsq_gate", {"fixed": _lane_by_lane(special.rsq), "stale": special.rsq_wave})
        self._rsq = on("rsq", {"exact": _lane_by_lane(_EXACT.rsq), "table": table})

    # Values

    def constant(self, bits: int, lanes: int) -> Wave:
        return (bits,) * lanes

    def one_register(self, lanes: int) -> Wave:
        return self.constant(self._one, lanes)

    def xor(self, a: Wave, bits: int) -> Wave:
        return tuple([x ^ bits for x in a])

    def mask(self, a: Wave, bits: int) -> Wave:
        return tuple([x & bits for x in a])

    def set(self, a: Wave, bits: int) -> Wave:
        return tuple([x | bits for x in a])

    def saturate(self, a: Wave) -> Wave:
        """Between 0.0 and 1.0, by the patterns: negative ones, -0 and -NaN too, are 0, greater ones, +NaN too, 1.0
        (SC:960-994)."""
        return tuple([0 if x & SIGN else min(x, ONE) for x in a])

    def installed(self, operation: str, values: Sequence[Wave]) -> Wave:
        return called(operation, [*zip(*values, strict=True)])

    # Words on two values, lane by lane

    def add(self, a: Wave, b: Wave) -> Wave:
        return _each(self._add, a, b)

    def mul(self, a: Wave, b: Wave) -> Wave:
        return _each(self._mul, a, b)

    def min(self, a: Wave, b: Wave) -> Wave:
        return _each(lambda x, y: _choose(x, y, lesser=True), a, b)

    def max(self, a: Wave, b: Wave) -> Wave:
        return _each(lambda x, y: _choose(x, y, lesser=False), a, b)

    def less(self, a: Wave, b: Wave) -> Wave:
        return _each(lambda x, y: ONE if self._compare(x, y) == -1 else 0, a, b)

    def at_least(self, a: Wave, b: Wave) -> Wave:
        return _each(lambda x, y: ONE if self._compare(x, y) in (0, 1) else 0, a, b)

    def bit_or(self, a: Wave, b: Wave) -> Wave:
        return tuple([x | y for x, y in zip(a, b, strict=True)])

    def bit_and(self, a: Wave, b: Wave) -> Wave:
        return tuple([x & y for x, y in zip(a, b, strict=True)])

    # Words on one value

    def shift_left(self, a: Wave, places: int) -> Wave:
        return tuple([x << places & _ALL for x in a])

    def shift_right(self, a: Wave, places: int) -> Wave:
        return tuple([x >> places for x in a])

    def scale(self, a: Wave, power: int) -> Wave:
        """`a * 2**power`, power from -4 to 4: what the unit of SHFT can do."""
        return tuple([self._scale(x, power) for x in a])

    def sign(self, a: Wave) -> Wave:
        return tuple([self._sign(x) for x in a])

    def fraction(self, a: Wave) -> Wave:
        return tuple(map(self._frc, a))

    def round23(self, a: Wave) -> Wave:
        return tuple(map(self._round23, a))

    def round16(self, a: Wave) -> Wave:
        return tuple([_round16(x, away=self._away) for x in a])

    def unorm(self, a: Wave, bits: int) -> Wave:
        return tuple([_unorm(x, bits, cut=self._cut_unorm) for x in a])

    def to_half(self, a: Wave) -> Wave:
        return tuple(map(self._to_half, a))

    def from_half(self, a: Wave) -> Wave:
        return tuple(map(self._from_half, a))

    def from_unsigned(self, a: Wave) -> Wave:
        return tuple([_from_unsigned(x, cut=self._cut_u32) for x in a])

    def exp2(self, a: Wave) -> Wave:
        return tuple(map(self._exp2, a))

    def log2(self, a: Wave) -> Wave:
        return tuple(map(self._log2, a))

    def rcp(self, a: Wave) -> Wave:
        """The reciprocals of a whole wave of 16 lanes, or of any number of lanes that do not touch each other."""
        return tuple(self._rcp(a))

    def rsq(self, a: Wave) -> Wave:
        """1 / sqrt of a whole wave, as `rcp`."""
        return tuple(self._rsq(a))

    def quads_from(self, a: Wave, b: Wave, moved: Sequence[tuple[int, int]]) -> Wave:
        """`a`, but in each quad of a pair (quad, other) what quad `other` of `b` has."""
        lanes = list(a)
        for quad, other in moved:
            lanes[_UNITS * quad : _UNITS * (quad + 1)] = b[_UNITS * other : _UNITS * (other + 1)]
        return tuple(lanes)

    # Rules

    def _flushed(self, a: int) -> int:
        return a & SIGN if self._flushes and _is_small(a) else a

    def _add_nearest(self, a: int, b: int) -> int:
        return self._flushed(_EXACT.add(self._flushed(a), self._flushed(b)))

    def _mul_nearest(self, a: int, b: int) -> int:
        return self._flushed(_EXACT.mul(self._flushed(a), self._flushed(b)))

    def _made_nan(self, sign: int) -> int:
        return sign | SIGNED_NAN if self._signed_nan else ONE_NAN

    def _add_floor(self, a: int, b: int) -> int:
        """ALU:862-1111."""
        a, b = self._flushed(a), self._flushed(b)
        if _is_special(a) and _is_special(b):
            if is_nan(a) == is_nan(b):
                return a if is_nan(a) or a == b else self._made_nan(0)
            return _add_general(a, b)
        if _is_special(a) or _is_special(b):
            return a if _is_special(a) else b
        if not a & MAGNITUDE:
            return b if b & MAGNITUDE else a & b
        if not b & MAGNITUDE:
            return a
        return _add_general(a, b)

    def _mul_zero(self, a: int, b: int) -> int:
        """ALU:1113-1243. The exponents are looked at before the product is normalised, too."""
        sign = (a ^ b) & SIGN
        if is_nan(a) or is_nan(b):
            return self._made_nan(sign)
        if _is_special(a) or _is_special(b):
            return self._made_nan(sign) if _is_small(a) or _is_small(b) else sign | INFINITY
        if _is_small(a) or _is_small(b):
            return sign
        exponent = (a >> _BITS & 0xFF) + (b >> _BITS & 0xFF) - 2 * _BIAS
        product = (a & FRACTION | _HIDDEN) * (b & FRACTION | _HIDDEN)
        if exponent < -126:
            return sign
        carry = product >> (2 * _BITS + 1)
        if exponent > _BIAS or exponent + carry > _BIAS:
            return sign | INFINITY
        return sign | (exponent + carry + _BIAS) << _BITS | product >> (_BITS + carry) & FRACTION

    def _compare(self, a: int, b: int) -> int | None:
        """-1, 0 or 1; None with a NaN."""
        if is_nan(a) or is_nan(b):
            return None
        if self._raw and _is_small(a) and _is_small(b):
            return 0
        x, y = _ordered(a), _ordered(b)
        return (x > y) - (x < y)

    def _sign(self, a: int) -> int:
        if is_nan(a):
            return ONE if self._raw else ONE_NAN
        zero = _is_small(a) if self._raw else not a & MAGNITUDE
        return 0 if zero else a & SIGN | ONE

    def _scale(self, a: int, power: int) -> int:
        if _is_special(a):
            return a
        if self._flushes:
            exponent = (a >> _BITS & 0xFF) + power
            if _is_small(a) or exponent <= 0:
                return a & SIGN
            return a & SIGN | (INFINITY if exponent >= 0xFF else exponent << _BITS | a & FRACTION)
        mantissa, at = _parts(a)
        return _EXACT.rounded(bool(a & SIGN), mantissa, at + power)

    def _frc_exact(self, a: int) -> int:
        """x - floor(x), rounded once: +0 for whole numbers, 1.0 for a negative number close to 0."""
        if _is_special(a):
            return self._made_nan(0)
        mantissa, power = _parts(a)
        if power >= 0 or not mantissa:
            return 0
        value = -mantissa if a & SIGN else mantissa
        return _EXACT.rounded(False, value & ((1 << -power) - 1), power)

    def _frc_fixed(self, a: int) -> int:
        """CNV:162-186, ALU:1334-1370."""
        if _is_special(a):
            return self._made_nan(0)
        mantissa, power = _parts(a)
        if power >= 0 or power < -2 * _BITS:
            return 0
        part = mantissa >> -power - _BITS if power <= -_BITS else mantissa << power + _BITS
        part &= FRACTION
        return _EXACT.rounded(False, _HIDDEN - part if a & SIGN and part else part, -_BITS)


def _each(word: Callable[[int, int], int], a: Wave, b: Wave) -> Wave:
    return tuple([word(x, y) for x, y in zip(a, b, strict=True)])


def _lane_by_lane(function: Callable[[int], int]) -> Callable[[Wave], Sequence[int]]:
    return lambda wave: [function(a) for a in wave]


def _nothing(_: int) -> int:
    """The result of an instruction without a unit in the hardware."""
    return 0


def _add_general(a: int, b: int) -> int:
    """The sum without guard bits: the smaller operand is shifted down with its sign, which rounds it toward minus infinity.

    Exponents have eight bits with a sign: small ones wrap to large ones after cancellation, and 128, of an infinity or NaN, is
    -128. 2^k and the negated number just below it give 2^(k-23), not 0. Source: reference 2 and 2b, effect 3, and the measured
    ADD of 0x0082AB1E and 0x80800000.
    """
    large, small = (a, b) if a & MAGNITUDE >= b & MAGNITUDE else (b, a)
    exponent = (large >> _BITS & 0xFF) - _BIAS
    gap = exponent - ((small >> _BITS & 0xFF) - _BIAS)
    if gap > _BITS + 1:
        return large
    first, second = (-(x & FRACTION | _HIDDEN) if x & SIGN else x & FRACTION | _HIDDEN for x in (large, small))
    total = first + (second >> gap)
    if large ^ small == SIGN:
        return 0
    magnitude = abs(total)
    # The unit that finds the first one bit answers 23 for no bit at all: the floor has left nothing of 2^k and the number below
    # it.
    shift = max(magnitude.bit_length() - _BITS - 1, -_BITS)
    exponent = _eight_bits(exponent) + shift if shift >= 0 else _eight_bits(exponent + shift)
    magnitude = magnitude >> shift if shift > 0 else magnitude << -shift
    sign = SIGN if total < 0 else 0
    if exponent > _BIAS:
        return sign | INFINITY
    return 0 if exponent < -126 else sign | exponent + _BIAS << _BITS | magnitude & FRACTION


def _eight_bits(value: int) -> int:
    return (value + 128 & 0xFF) - 128


def _choose(a: int, b: int, *, lesser: bool) -> int:
    """The lesser or greater pattern; -0 is less than +0. Of a number and a NaN the number, of two NaN the first
    (CMP:44-109)."""
    if is_nan(a) or is_nan(b):
        return b if is_nan(a) and not is_nan(b) else a
    x, y = (_ordered(a), not a & SIGN), (_ordered(b), not b & SIGN)
    return (a if x < y else b) if lesser else (a if x > y else b)


def _round23_signed(a: int) -> int:
    """To nearest, ties to even, kept to what 23 bits with a sign can be; in the low 23 bits."""
    return _integer(a, 23, _nearest) & 0x7FFFFF


def _round23_unsigned(a: int) -> int:
    """CNV:89-117: unsigned, 24 bits, ties up."""
    if a & SIGN or _is_small(a) or is_nan(a):
        return 0
    mantissa, power = _parts(a)
    if power > 0 or _is_special(a):
        return 0xFFFFFF
    return min((mantissa >> -power - 1) + 1 >> 1 if power < 0 else mantissa, 0xFFFFFF)


def _round16(a: int, *, away: bool) -> int:
    if not away:
        return _integer(a, 16, _nearest) & 0xFFFF
    if a & MAGNITUDE >= _GREATEST_16 and not is_nan(a):
        # The clamp looks at the magnitude first, and at the sign from 32768 on only (CNV:119-151).
        return 0x8000 if a & SIGN and a & MAGNITUDE >= _BEYOND_16 else 0x7FFF
    return _integer(a, 16, _half_away) & 0xFFFF


def _half_away(mantissa: int, power: int) -> int:
    return mantissa << power if power >= 0 else (mantissa >> -power - 1) + 1 >> 1


def _integer(a: int, bits: int, round_to: Callable[[int, int], int]) -> int:
    """A signed integer of so many bits; what is greater is the greatest, NaN is 0."""
    if is_nan(a):
        return 0
    most = 1 << bits - 1
    mantissa, power = _parts(a)
    size = most if _is_special(a) or power > bits else round_to(mantissa, power)
    return max(-size, -most) if a & SIGN else min(size, most - 1)


def _unorm(a: int, bits: int, *, cut: bool) -> int:
    most = (1 << bits) - 1
    if a & SIGN or is_nan(a):
        return 0
    if a >= ONE:
        return most
    mantissa, power = _parts(a)
    if cut:
        return mantissa >> -power - bits
    return _nearest(mantissa * most, power)


def _to_half_nearest(a: int) -> int:
    sign = a >> 16 & 0x8000
    if is_nan(a):
        return sign | 0x7E00
    if _is_special(a):
        return sign | _HALF_INFINITY
    mantissa, power = _parts(a)
    lowest = 1 - _HALF_BIAS - _HALF_BITS
    place = max(power + mantissa.bit_length() - 1 - _HALF_BITS, lowest)
    size = (place - lowest << _HALF_BITS) + _nearest(mantissa, power - place)
    return sign | min(size, _HALF_INFINITY)


def _to_half_cut(a: int) -> int:
    """CNV:253-260: below 2^-14 the exponent wraps."""
    sign = a >> 16 & 0x8000
    if is_nan(a):
        return sign | 0x7FFF
    if a & MAGNITUDE > 0x477FE000:  # 65504.0
        return sign | _HALF_INFINITY
    exponent = (a >> _BITS & 0xFF) - _BIAS
    if exponent < -24:
        return sign
    return sign | (exponent + _HALF_BIAS & 0x1F) << _HALF_BITS | (a & FRACTION) >> _BITS - _HALF_BITS


def _from_half_exact(a: int) -> int:
    sign, exponent, mantissa = (a & 0x8000) << 16, a >> _HALF_BITS & 0x1F, a & 0x3FF
    if exponent == 0x1F:
        return sign | (ONE_NAN if mantissa else INFINITY)
    if not exponent:
        return _EXACT.rounded(bool(sign), mantissa, 1 - _HALF_BIAS - _HALF_BITS)
    return sign | exponent + _BIAS - _HALF_BIAS << _BITS | mantissa << _BITS - _HALF_BITS


def _from_half_cut(a: int) -> int:
    """CNV:262-290: subnormal float16 numbers get an exponent as if they had a hidden bit."""
    sign, exponent, mantissa = (a & 0x8000) << 16, a >> _HALF_BITS & 0x1F, a & 0x3FF
    if exponent == 0x1F:
        return sign | (SIGNED_NAN if mantissa else INFINITY)
    if not exponent and not mantissa:
        return sign
    return sign | exponent + _BIAS - _HALF_BIAS << _BITS | mantissa << _BITS - _HALF_BITS


def _from_unsigned(a: int, *, cut: bool) -> int:
    if not a:
        return 0
    drop = a.bit_length() - _BITS - 1
    return _EXACT.rounded(False, a >> drop << drop if cut and drop > 0 else a, 0)
