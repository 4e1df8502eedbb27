"""Routines for functions that a ShaderCore lacks or computes too coarsely.

These are 1/x, 1/sqrt(x), 2^x, log2(x), |a|^b, sine and cosine.

`Routines` is written against the operations of `shadercore.sem.algebra`: over `WaveOps` it gives exact results, over a
tracer the instructions that compute them. Each operation is one instruction, but for source modifiers (`xor`, `mask` and `set`
of bit 31) and `saturate`, which are part of one. Constants are requested by pattern; 0 and -1.0 are registers, and an
instruction names at most one other.

Where a device's own instruction is exact it is the whole routine. How far from the true value each one can be, and how that was
shown, is in docs/compiler-routines.md. It relies on four properties of the operations:

- MIN and MAX of a NaN and a number are the number; of two NaN the first.
- Saturation turns negative patterns into 0, NaN and infinity included.
- AND and OR see patterns: the exponent of 2**e is `(e + 127) << 23`.
- ADD of a number to a constant with few fraction bits leaves an integer in the mantissa, which BSHFTL8 can bring to the
  exponent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.sem.algebra import Algebra

V = TypeVar("V")

_SIGN, _MAGNITUDE = 0x80000000, 0x7FFFFFFF
_ZERO, _MINUS_ONE, _ONE = 0x00000000, 0xBF800000, 0x3F800000
_LARGEST, _LEAST = 0x7F7FFFFF, 0x00800000  # the greatest finite number, 2**-126
_FRACTION, _EXPONENT = 0x007FFFFF, 0x7F800000
_TWO, _HALF = 0x40000000, 0x3F000000
_DOWN = 0x1F800000  # 2**-64
_FEWER = 0xFFFFFFC0  # all bits but the last six
_383, _383_5 = 0x43BF8000, 0x43BFC000  # 256 + 127: an exponent field with 256 before it; and a half
_256, _382 = 0x43800000, 0x43BF0000
_WRAP = 0x3FB504F3  # sqrt(2)
_WHOLE = 0xFFFF8000  # all bits of such a number but those behind the point
_128, _MINUS_127 = 0x43000000, 0xC2FE0000

# 1/sqrt: see `_rsq_from_bits`.
_START = 0x4FDF375A  # 2**32 + 2 * 0x5F375A00, half of which is the well-known start value for the pattern of 1/sqrt(x)
# 0.75 k and k**3 / 16 with k = 1 - 0.000305, the middle of what the mean is too large by; and a little for what rounding loses.
_ROOT_A = {"floor": 0x3F3FF12E, "nearest": 0x3F3FF13E}
_ROOT_B = {"floor": 0x3D7FC4B9, "nearest": 0x3D7FC4FA}
_STEP_A, _STEP_B = 0x3FBFF7D1, 0x3EFFDF44  # 1.5 k and k**3 / 2 with k = 1 - 0.000168: RSQ's table is always too large

# Coefficients, lowest power first: the best there are for the true function and a little more, for what ADD and MUL of `rtl`
# cut off.

# (2**f - 1) / f for f in [0, 1]
_EXP = (0x3F31725F, 0x3E75EDAD, 0x3D648E75, 0x3C13BC2C, 0x3AF4BA7F)
_EXP_COARSE = (0x3F31F32D, 0x3E691BC5, 0x3D9DD553)
# log2(1 + t) / t for t in [0, 1]
_LOG = (0x3FB8AA11, 0xBF389E52, 0x3EF51608, 0xBEB1D173, 0x3E77AB67, 0xBE0CD266, 0x3D553BD2, 0xBC188576)
# log2(1 + t) / t for t in [sqrt(1/2) - 1, sqrt(2) - 1]
_LOG_NEAR = (0x3FB8AA3B, 0xBF38AA36, 0x3EF63A09, 0xBEB8AE43, 0x3E93681B, 0xBE74A976, 0x3E5CF7CB, 0xBE545D4C, 0x3E00D37A)
_LOG_COARSE = (0x3ED9645E, 0xBF16D640, 0x3E295A5E)  # log2(1 + t) / t - 1
_SIN = (0x3F7FD08B, 0xBE29A49B, 0x3C026288, 0xB9181FCF)  # sin(x) / x by powers of x*x for x in [-pi, pi]
_COS = (0xBEFE3D95, 0x3D21B780, 0xBA810F09)  # (cos(x) - 1) / x*x


class Masks(NamedTuple, Generic[V]):
    """All bits where a condition is true and none where it is false, and the other way round."""

    true: V
    false: V


class Routines(Generic[V]):
    """The functions on a device. `constant` gives the value that has one pattern in all lanes."""

    def __init__(self, m: Algebra[V], device: Device, constant: Callable[[int], V]) -> None:
        self.m = m
        self.device = device
        self.constant = constant
        on = device.choose
        self._exact_rcp, self._exact_rsq = (on(key, {"exact": True, "table": False}) for key in ("rcp", "rsq"))
        self._stale_rcp, self._stale_rsq = (on(key, {"fixed": False, "stale": True}) for key in ("rcp_sigma", "rsq_gate"))
        self._exact_fraction = on("frc", {"exact": True, "fixed": False})
        self._exact_exp_log = on("exp_log", {"exact": True, "zero": False})

    # Parts

    def _neg(self, a: V) -> V:
        return self.m.xor(a, _SIGN)

    def _abs(self, a: V) -> V:
        return self.m.mask(a, _MAGNITUDE)

    def _one(self) -> V:
        """1.0 on every device: the register 1 may read as 0."""
        return self._abs(self.constant(_MINUS_ONE))

    def _polynomial(self, x: V, coefficients: Sequence[int]) -> V:
        """c[0] + x (c[1] + x (c[2] + ...)): two instructions for each power."""
        total = self.constant(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            total = self.m.add(self.m.mul(x, total), self.constant(coefficient))
        return total

    # 1/x and 1/sqrt(x)

    def rcp(self, x: V) -> V:
        """1 / x. Powers of two are exact; 1 / 0 is infinity and 1 / infinity is 0, with the sign of x."""
        m = self.m
        if self._exact_rcp:
            return m.rcp(x)
        # The table goes wrong above 2**126, and the correction is lost above 2**103: x >= 1 is made smaller, and so is the
        # result.
        scale = m.max(m.less(self._abs(x), self._one()), self.constant(_DOWN))
        x = m.mul(x, scale)
        y = self._table_rcp(x)
        if self._stale_rcp:
            rest = m.add(self._one(), self._neg(m.mul(x, y)))
            rest = m.min(rest, self._one())  # 0 * infinity: y + y is as infinite or zero as y
            y = m.add(y, m.mul(y, rest))
        return m.mul(y, scale)

    def _table_rcp(self, x: V) -> V:
        """RCP to 2**-17. With a stale term that of a number just above a power of two can come out as half of what it is: such
        numbers are avoided."""
        return self.m.rcp(self.m.bit_and(x, self.constant(_FEWER)) if self._stale_rcp else x)

    def rsq(self, x: V) -> V:
        """1 / sqrt(|x|). Of 0 it is infinity, of infinity 0."""
        if self._exact_rsq:
            return self.m.rsq(self._abs(x))
        return self._rsq_from_bits(x) if self._stale_rsq else self._rsq_from_table(x)

    def rsq_of_square(self, x: V) -> V:
        """1 / sqrt(x) to normalise with: of 0 a finite number, so that 0 times it is 0."""
        m = self.m
        if not self._exact_rsq and self._stale_rsq:
            return self._rsq_from_bits(x, finite=True)
        return m.min(self.rsq(x), self.constant(_LARGEST))

    def _rsq_from_bits(self, x: V, *, finite: bool = False) -> V:
        """A start value from the pattern, the mean of it and its counterpart, and one step of Newton.

        c - pattern/2 for the pattern of x is that of 1/sqrt(x) to 3.5 percent. As an integer's value it can be computed in
        float32: a sum in [2**32, 2**33) keeps what is above 2**9, in the mantissa's bits, and these shifted left by 8 are the
        pattern, with a sign to drop.
        """
        m, size, rounding = self.m, self._abs(x), self.device.value("add")
        start = m.shift_left(m.add(self.constant(_START), self._neg(m.from_unsigned(size))), 8)
        root = m.mul(size, self._abs(start))
        if finite:
            root = m.add(root, self.constant(_LEAST))  # less than half of a last place, unless x is 0
        twice = m.add(self._abs(start), self._table_rcp(root))  # 2/sqrt(x), up to 6e-4 too large
        product = m.mul(m.mul(size, twice), m.mul(twice, self.constant(_ROOT_B[rounding])))
        rest = m.add(self.constant(_ROOT_A[rounding]), self._neg(product))
        # Of infinity, rest is -infinity and shall be 0; of 0 it is NaN and shall be a number.
        rest = m.saturate(rest) if finite else m.saturate(m.min(rest, self._one()))
        return m.mul(twice, rest)

    def _rsq_from_table(self, x: V) -> V:
        """RSQ, which looks at |x|, and one step of Newton."""
        m, size = self.m, self._abs(x)
        y = m.rsq(size)
        product = m.mul(m.mul(size, y), m.mul(y, self.constant(_STEP_B)))
        rest = m.add(self.constant(_STEP_A), self._neg(product))
        return m.mul(y, m.min(rest, self.constant(_TWO)))  # NaN for 0 and infinity: y * 2 is y

    # Whole numbers

    def floor(self, x: V) -> V:
        """The greatest whole number that is not above x; NaN for infinities."""
        m = self.m
        below = m.add(x, self._neg(m.fraction(x)))
        if self._exact_fraction:
            return below
        # FRC drops what is below 2**-23, so that within 1 of 0 the difference is not whole: 0 there, or -1 for negative
        # numbers.
        small = m.less(self._abs(x), self._one())
        inside = m.bit_and(m.less(x, self.constant(_ZERO)), small)
        return m.add(m.mul(below, m.at_least(self._abs(x), self._one())), self._neg(inside))

    def trunc(self, x: V) -> V:
        """The whole number of x without its fraction, with the sign of x."""
        m, size = self.m, self._abs(x)
        whole = m.add(size, self._neg(m.fraction(size)))
        if not self._exact_fraction:
            whole = m.mul(whole, m.at_least(size, self._one()))
        return m.bit_or(whole, m.bit_and(x, self.constant(_SIGN)))

    # 2**x and log2(x)

    def exp2(self, x: V) -> V:
        """2**x: exact for integers; 0 below 2**-126 where the device has no instruction for it."""
        return self.m.exp2(x) if self._exact_exp_log else self._exp2(x, _EXP)

    def exp2_coarse(self, x: V) -> V:
        """2**x to 10 bits, for `expp`."""
        return self.m.exp2(x) if self._exact_exp_log else self._exp2(x, _EXP_COARSE)

    def _exp2(self, x: V, coefficients: Sequence[int]) -> V:
        """2**n * 2**f with x = n + f, n = floor(x), f in [0, 1]."""
        m = self.m
        number = m.at_least(x, x)  # 1.0, but 0 for NaN: then the result is 0 * infinity
        x = m.max(m.min(x, self.constant(_128)), self.constant(_MINUS_127))
        f = m.fraction(x)
        # x - f is n, or a little less; 256 + 127.5 more has 15 places behind the point, and without them n + 127 in the
        # mantissa.
        whole = m.bit_and(m.add(m.add(x, self._neg(f)), self.constant(_383_5)), self.constant(_WHOLE))
        power = self._abs(m.shift_left(whole, 8))
        return m.mul(m.add(m.mul(f, self._polynomial(f, coefficients)), number), power)

    def log2(self, x: V) -> V:
        """log2(|x|): exact for powers of two; -infinity for 0 and, where the device has no instruction for it, for subnormal
        numbers."""
        m, size = self.m, self._abs(x)
        if self._exact_exp_log:
            return m.log2(size)
        t = m.bit_or(m.bit_and(size, self.constant(_FRACTION)), self._one())
        t = m.add(t, self.constant(_MINUS_ONE))
        power = m.bit_and(size, self.constant(_EXPONENT))
        whole = m.bit_or(m.shift_right(power, 8), self.constant(_256))  # 256 + exponent field
        whole = m.add(whole, self._neg(self.constant(_383)))
        result = m.add(whole, m.mul(t, self._polynomial(t, _LOG)))
        return m.add(result, self._special_log(size, power))

    def log2_coarse(self, x: V) -> V:
        """log2(|x|) to 10 bits, for `logp`."""
        m, size = self.m, self._abs(x)
        if self._exact_exp_log:
            return m.log2(size)
        power = m.bit_and(size, self.constant(_EXPONENT))
        # 256 + exponent field + t, to 15 places, and log2(1 + t) - t
        line = m.bit_or(m.shift_right(size, 8), self.constant(_256))
        t = m.fraction(line)
        result = m.add(m.add(line, self._neg(self.constant(_383))), m.mul(t, self._polynomial(t, _LOG_COARSE)))
        return m.add(result, self._special_log(size, power))

    def log2_relative(self, x: V) -> V:
        """log2(|x|) with a small relative error, near 1 too: what is to be multiplied needs that."""
        m, size = self.m, self._abs(x)
        if self._exact_exp_log:
            return m.log2(size)
        # log2(2**e (1 + t)) with 1 + t from sqrt(1/2) to sqrt(2): mantissas above are halved. `low` is 1.0 for the others.
        fraction = m.bit_and(size, self.constant(_FRACTION))
        low = m.less(m.bit_or(fraction, self._one()), self.constant(_WRAP))
        t = m.bit_or(fraction, m.max(low, self.constant(_HALF)))
        minus_half = self._neg(self.constant(_HALF))
        t = m.add(m.add(t, minus_half), minus_half)  # in two steps nothing is lost of what is less than 1
        power = m.bit_and(size, self.constant(_EXPONENT))
        whole = m.bit_or(m.shift_right(power, 8), self.constant(_256))
        whole = m.add(m.add(whole, self._neg(self.constant(_382))), self._neg(low))
        result = m.add(whole, m.mul(t, self._polynomial(t, _LOG_NEAR)))
        return m.add(result, self._special_log(size, power))

    def _special_log(self, size: V, power: V) -> V:
        """The correction of a logarithm: -infinity for 0, infinity for infinity, NaN for NaN, negligible for numbers.

        `power` is the power of two in size, or 0, or infinity: a number whose reciprocal is exact.
        """
        m = self.m
        ends = m.add(size, self._neg(m.rcp(power)))
        return m.mul(m.mul(ends, self.constant(_LEAST)), self.constant(_LEAST))

    def power(self, a: V, b: V) -> V:
        """|a|**b as 2**(b log2(|a|))."""
        return self.exp2(self.m.mul(b, self.log2_relative(a)))

    # Sine and cosine

    def sine(self, x: V) -> V:
        """sin(x) for |x| <= pi."""
        return self.m.mul(x, self._polynomial(self.m.mul(x, x), _SIN))

    def cosine(self, x: V) -> V:
        """cos(x) for |x| <= pi."""
        square = self.m.mul(x, x)
        return self.m.add(self.m.mul(square, self._polynomial(square, _COS)), self._one())

    def sincos(self, x: V) -> tuple[V, V]:
        """(cos(x), sin(x)) for |x| <= pi."""
        m = self.m
        square = m.mul(x, x)
        cosine = m.add(m.mul(square, self._polynomial(square, _COS)), self._one())
        return cosine, m.mul(x, self._polynomial(square, _SIN))

    # Choices

    def masks(self, condition: V) -> Masks[V]:
        """The masks of a condition that is 1.0 or 0.0."""
        m = self.m
        return Masks(self._all_bits(condition), self._all_bits(m.at_least(self.constant(_ZERO), condition)))

    def _all_bits(self, condition: V) -> V:
        half = self.m.unorm(condition, 16)
        return self.m.bit_or(half, self.m.shift_left(half, 16))

    def choose(self, masks: Masks[V], a: V, b: V) -> V:
        """a where the condition is true, b where it is false, bit for bit, whatever the other one is."""
        return self.m.bit_or(self.m.bit_and(a, masks.true), self.m.bit_and(b, masks.false))

    def select(self, condition: V, a: V, b: V) -> V:
        """`choose` for one value."""
        return self.choose(self.masks(condition), a, b)
