"""Semantics of Direct3D 9 instructions.

One function for each arithmetic row of `direct3d9.isa.table`, in the operations of `direct3d9.sem.algebra`.

A function gets a `Job` and gives the values of the components that are wanted, and computes no others; sums are in the order of
reference
4. Nothing is written while it runs, so a destination may be a source. Shifts, saturation, masks and flow are
   `direct3d9.sem.flow`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic

from lanewise.core.record import Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.table import EQ, GE, GT
from lanewise.direct3d9.sem.algebra import (
    BUMP,
    FRACTION,
    HALF,
    LARGEST,
    ONE,
    SIGN,
    SINCOS_CONSTANTS,
    ZERO,
    Algebra,
    B,
    Component,
    I,
    V,
    half_angle,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.isa.table import Version

X, Y, Z, W = range(4)
LIT_LIMIT = 0x42FFFE01  # 127.9961, to which lit clamps its exponent [D]
_MINUS_BIAS, _ONE_128TH = 0xC2FE0000, 0x3C000000  # -127.0, 1/128


class Operand(ABC, Generic[V]):
    """A source: its components, with swizzle and modifiers, fetched when they are asked for."""

    @abstractmethod
    def __getitem__(self, component: int) -> V: ...
    @abstractmethod
    def row(self, number: int) -> Operand[V]:
        """The same of the register so many places later: a row of a matrix."""


class Job(Record, Generic[V, B, I]):
    """An instruction to compute."""

    m: Algebra[V, B, I]
    "The operations of the domain in which it is computed."
    choices: Choices
    "The answers to open questions."
    version: Version
    "The version of the shader."
    inst: Inst
    "The instruction with its words; `s` has its sources."
    wanted: tuple[int, ...]
    "Numbers of the components to compute."
    s: Sequence[Operand[V]]
    "The sources, without samplers."
    read: Callable[[Component], V]
    "The function that gives the value of a component."

    def chosen(self, key: str, value: str) -> bool:
        return self.choices.value(key) == value

    def number(self, bits: int) -> V:
        return self.m.constant(bits)

    def scalar(self, n: int) -> V:
        """The one component of a source of rcp and the like."""
        return self.s[n][W if self.chosen("scalar", "w") else X]

    def mul(self, a: V, b: V) -> V:
        """The product; +0 where either is 0 if the rule has it so."""
        product = self.m.mul(a, b)
        if self.chosen("zero_product", "rule"):
            return product
        zero = self.number(ZERO)
        return self.m.select(self.m.either(self.m.compare(EQ, a, zero), self.m.compare(EQ, b, zero)), zero, product)

    def mad(self, a: V, b: V, c: V) -> V:
        """a * b + c, with the product of `mul`."""
        return self.m.mad(a, b, c) if self.chosen("zero_product", "rule") else self.m.add(self.mul(a, b), c)

    def same(self, value: V) -> dict[int, V]:
        return dict.fromkeys(self.wanted, value)

    def at_zero(self, key: str, a: V, value: V, bits: int, *, signed: bool = False) -> V:
        """`value`, or the number of these bits where a is 0 under that choice."""
        if self.chosen(key, "rule"):
            return value
        largest = self.number(bits)
        if signed:
            largest = self.m.select(self._has_sign(a), self.number(bits | SIGN), largest)
        return self.m.select(self.m.compare(EQ, a, self.number(ZERO)), largest, value)

    def _has_sign(self, a: V) -> B:
        """Whether the sign bit is set, also of -0: what is left of it next to 1.0."""
        m = self.m
        signed_one = m.set(m.mask(a, SIGN), ONE)
        return m.ordered(signed_one, self.number(ZERO), or_equal=False)


Values = dict[int, V]


def dot(j: Job[V, B, I], a: Operand[V], b: Operand[V], count: int) -> V:
    """The sum of the products of the first components, from the left."""
    if j.chosen("zero_product", "rule"):
        return j.m.dot((a[n], b[n]) for n in range(count))
    total = j.mul(a[0], b[0])
    for n in range(1, count):
        total = j.m.add(total, j.mul(a[n], b[n]))
    return total


def mov(j: Job[V, B, I]) -> Values[V]:
    return {c: j.s[0][c] for c in j.wanted}


def add(j: Job[V, B, I]) -> Values[V]:
    return {c: j.m.add(j.s[0][c], j.s[1][c]) for c in j.wanted}


def sub(j: Job[V, B, I]) -> Values[V]:
    return {c: j.m.sub(j.s[0][c], j.s[1][c]) for c in j.wanted}


def mul(j: Job[V, B, I]) -> Values[V]:
    return {c: j.mul(j.s[0][c], j.s[1][c]) for c in j.wanted}


def mad(j: Job[V, B, I]) -> Values[V]:
    return {c: j.mad(j.s[0][c], j.s[1][c], j.s[2][c]) for c in j.wanted}


def lrp(j: Job[V, B, I]) -> Values[V]:
    return {c: j.mad(j.s[0][c], j.m.sub(j.s[1][c], j.s[2][c]), j.s[2][c]) for c in j.wanted}


def minimum(j: Job[V, B, I]) -> Values[V]:
    """a < b ? a : b, or the operation."""
    return {c: _lesser(j, j.s[0][c], j.s[1][c]) for c in j.wanted}


def maximum(j: Job[V, B, I]) -> Values[V]:
    """a >= b ? a : b, or the operation."""
    return {c: _greater(j, j.s[0][c], j.s[1][c]) for c in j.wanted}


def _lesser(j: Job[V, B, I], a: V, b: V) -> V:
    return j.m.min(a, b) if j.chosen("min_max", "rule") else j.m.select(j.m.ordered(a, b, or_equal=False), a, b)


def _greater(j: Job[V, B, I], a: V, b: V) -> V:
    return j.m.max(a, b) if j.chosen("min_max", "rule") else j.m.select(j.m.ordered(a, b, or_equal=True), a, b)


def slt(j: Job[V, B, I]) -> Values[V]:
    return {c: j.m.less(j.s[0][c], j.s[1][c]) for c in j.wanted}


def sge(j: Job[V, B, I]) -> Values[V]:
    return {c: j.m.at_least(j.s[0][c], j.s[1][c]) for c in j.wanted}


def absolute(j: Job[V, B, I]) -> Values[V]:
    return {c: j.m.absolute(j.s[0][c]) for c in j.wanted}


def sgn(j: Job[V, B, I]) -> Values[V]:
    """The other two sources are registers that a driver may use, and that stay unchanged here."""
    return {c: j.m.sign(j.s[0][c]) for c in j.wanted}


def frc(j: Job[V, B, I]) -> Values[V]:
    return {c: j.m.fraction(j.s[0][c]) for c in j.wanted}


def dp3(j: Job[V, B, I]) -> Values[V]:
    return j.same(dot(j, j.s[0], j.s[1], 3))


def dp4(j: Job[V, B, I]) -> Values[V]:
    return j.same(dot(j, j.s[0], j.s[1], 4))


def dp2add(j: Job[V, B, I]) -> Values[V]:
    return j.same(j.m.add(dot(j, j.s[0], j.s[1], 2), j.s[2][W]))


def matrix(j: Job[V, B, I]) -> Values[V]:
    """dst.i = dp3 or dp4 of the vector and row i, consecutive registers."""
    return {c: dot(j, j.s[0], j.s[1].row(c), len(j.inst.op.reads[0])) for c in j.wanted if c < j.inst.op.rows}


def crs(j: Job[V, B, I]) -> Values[V]:
    """The cross product; w is not written."""
    a, b = j.s
    found: dict[int, V] = {}
    for c in j.wanted:
        if c < W:
            n, k = (c + 1) % 3, (c + 2) % 3
            found[c] = j.m.sub(j.mul(a[n], b[k]), j.mul(a[k], b[n]))
    return found


def dst(j: Job[V, B, I]) -> Values[V]:
    a, b = j.s
    result: dict[int, Callable[[], V]] = {
        X: lambda: j.number(ONE),
        Y: lambda: j.mul(a[Y], b[Y]),
        Z: lambda: a[Z],
        W: lambda: b[W],
    }
    return {c: result[c]() for c in j.wanted}


def rcp(j: Job[V, B, I]) -> Values[V]:
    a = j.scalar(0)
    return j.same(j.at_zero("rcp_zero", a, j.m.rcp(a), LARGEST, signed=True))


def rsq(j: Job[V, B, I]) -> Values[V]:
    a = j.m.absolute(j.scalar(0))
    return j.same(j.at_zero("rsq_zero", a, j.m.rsq(a), LARGEST))


def exp(j: Job[V, B, I]) -> Values[V]:
    return j.same(j.m.exp2(j.scalar(0)))


def log(j: Job[V, B, I]) -> Values[V]:
    a = j.m.absolute(j.scalar(0))
    return j.same(j.at_zero("log_zero", a, j.m.log2(a), LARGEST | SIGN))


def expp(j: Job[V, B, I]) -> Values[V]:
    """2^a to 10 bits; in vs_1_x (2^floor(a), a - floor(a), 2^a, 1) [D]."""
    m, a = j.m, j.scalar(0)
    if j.version.major >= 2:
        return j.same(m.exp_partial(a))
    result: dict[int, Callable[[], V]] = {
        X: lambda: m.exp2(m.sub(a, m.fraction(a))),
        Y: lambda: m.fraction(a),
        Z: lambda: m.exp_partial(a),
        W: lambda: j.number(ONE),
    }
    return {c: result[c]() for c in j.wanted}


def logp(j: Job[V, B, I]) -> Values[V]:
    """log2|a| to 10 bits; in vs_1_x, if so chosen, (exponent, mantissa, log2|a|, 1)."""
    m, a = j.m, j.m.absolute(j.scalar(0))

    def logarithm() -> V:
        return j.at_zero("log_zero", a, m.log_partial(a), LARGEST | SIGN)

    if j.version.major >= 2 or j.chosen("logp", "log2"):
        return j.same(logarithm())

    def exponent() -> V:
        # the exponent field times 128; of 0 minus infinity, as the logarithm
        scaled = m.from_unsigned(m.mask(m.shift_right(a, 16), 0x7F80))
        found = m.add(m.mul(scaled, j.number(_ONE_128TH)), j.number(_MINUS_BIAS))
        return m.select(m.compare(EQ, a, j.number(ZERO)), logarithm(), found)

    def mantissa() -> V:
        return m.set(m.mask(a, FRACTION), ONE)

    result: dict[int, Callable[[], V]] = {X: exponent, Y: mantissa, Z: logarithm, W: lambda: j.number(ONE)}
    return {c: result[c]() for c in j.wanted}


def power(j: Job[V, B, I]) -> Values[V]:
    return j.same(_power(j, j.m.absolute(j.scalar(0)), j.scalar(1)))


def _power(j: Job[V, B, I], a: V, b: V) -> V:
    """a^b of a number without sign. 0 times a logarithm is a product as every other."""
    if j.chosen("zero_product", "zero"):
        found = j.m.exp2(j.mul(b, j.m.log2(a)))
    else:
        found = j.m.power(a, b)
    if j.chosen("pow_zero", "rule"):
        return found
    return j.m.select(j.m.compare(EQ, b, j.number(ZERO)), j.number(ONE), found)


def nrm(j: Job[V, B, I]) -> Values[V]:
    """All four components are divided by the length of the first three [W]."""
    factor = j.m.normal_scale(dot(j, j.s[0], j.s[0], 3))
    return {c: j.mul(j.s[0][c], factor) for c in j.wanted}


def lit(j: Job[V, B, I]) -> Values[V]:
    """(1, diffuse, specular, 1) of (N.L, N.H, ignored, exponent)."""
    m, a = j.m, j.s[0]
    zero = j.number(ZERO)

    def specular() -> V:
        exponent = m.max(m.min(a[W], j.number(LIT_LIMIT)), j.number(LIT_LIMIT | SIGN))
        found = _power(j, m.absolute(a[Y]), exponent)
        return m.select(m.both(m.compare(GT, a[X], zero), m.compare(GT, a[Y], zero)), found, zero)

    result: dict[int, Callable[[], V]] = {
        X: lambda: j.number(ONE),
        Y: lambda: m.max(a[X], zero),
        Z: specular,
        W: lambda: j.number(ONE),
    }
    return {c: result[c]() for c in j.wanted}


def sincos(j: Job[V, B, I]) -> Values[V]:
    """x is the cosine, y the sine; other components are not written. Shader model 2 brings the constants of its series with it
    [D]; in shader model 3 the instruction is the function."""
    if len(j.s) == 1 and j.chosen("sincos", "exact"):
        sine, cosine = j.m.sine_cosine(j.scalar(0))
        return {c: value for c, value in ((X, cosine), (Y, sine)) if c in j.wanted}
    if len(j.s) == 3:
        constants = [[j.s[n][c] for c in range(4)] for n in (1, 2)]
    else:
        constants = [[j.number(bits) for bits in row] for row in SINCOS_CONSTANTS]
    wanted = {"sine": Y in j.wanted, "cosine": X in j.wanted}
    if j.chosen("zero_product", "rule"):
        cosine, sine = j.m.sincos(j.scalar(0), constants, **wanted)
    else:
        cosine, sine = half_angle(j.m, j.mul, j.scalar(0), constants, **wanted)
    return {c: value for c, value in ((X, cosine), (Y, sine)) if value is not None and c in j.wanted}


def cmp(j: Job[V, B, I]) -> Values[V]:
    zero = j.number(ZERO)
    return {c: j.m.select(j.m.compare(GE, j.s[0][c], zero), j.s[1][c], j.s[2][c]) for c in j.wanted}


def cnd(j: Job[V, B, I]) -> Values[V]:
    """s0 > 0.5 ? s1 : s2; up to ps_1_3 a co-issued one takes s1 [W]."""
    if j.inst.coissue and j.version.order < (1, 4) and j.chosen("cnd_coissue", "second"):
        return {c: j.s[1][c] for c in j.wanted}
    half = j.number(HALF)
    return {c: j.m.select(j.m.compare(GT, j.s[0][c], half), j.s[1][c], j.s[2][c]) for c in j.wanted}


def bem(j: Job[V, B, I]) -> Values[V]:
    """s0.xy + M * s1.xy, M the bump environment matrix of the stage of the destination's number."""
    assert j.inst.dest is not None
    stage = j.inst.dest.number
    return {c: bumped(j, stage, j.s[0][c], j.s[1][X], j.s[1][Y], c) for c in j.wanted if c < Z}


def bumped(j: Job[V, B, I], stage: int, base: V, du: V, dv: V, c: int) -> V:
    """base + m0c * du + m1c * dv."""
    first, second = (j.read(Component(BUMP, stage, n)) for n in (c, c + 2))
    return j.m.add(j.m.add(base, j.mul(first, du)), j.mul(second, dv))


def meanings(_: Algebra[V, B, I]) -> Mapping[str, Callable[[Job[V, B, I]], Values[V]]]:
    """The function of each arithmetic instruction that gives values. setp gives truth values, dsx and dsy look at other pixels,
    mova and mov to a0 make integers of what is given: see `direct3d9.sem.flow`."""
    return {
        "mov": mov,
        "add": add,
        "sub": sub,
        "mad": mad,
        "mul": mul,
        "rcp": rcp,
        "rsq": rsq,
        "dp3": dp3,
        "dp4": dp4,
        "min": minimum,
        "max": maximum,
        "slt": slt,
        "sge": sge,
        "exp": exp,
        "log": log,
        "lit": lit,
        "dst": dst,
        "lrp": lrp,
        "frc": frc,
        "m4x4": matrix,
        "m4x3": matrix,
        "m3x4": matrix,
        "m3x3": matrix,
        "m3x2": matrix,
        "pow": power,
        "crs": crs,
        "sgn": sgn,
        "abs": absolute,
        "nrm": nrm,
        "sincos": sincos,
        "mova": mov,
        "expp": expp,
        "logp": logp,
        "cnd": cnd,
        "cmp": cmp,
        "bem": bem,
        "dp2add": dp2add,
    }


def modified(m: Algebra[V, B, I], value: V, modifier: int) -> V:
    """A source's component as its modifier leaves it; dz, dw and not are for the caller. First what it is, then its sign."""
    result: dict[int, Callable[[V], V]] = {
        isa.BIAS: lambda a: m.add(a, m.constant(HALF | SIGN)),
        isa.SIGN: lambda a: m.scale(m.add(a, m.constant(HALF | SIGN)), 1),
        isa.COMPLEMENT: lambda a: m.sub(m.constant(ONE), a),
        isa.X2: lambda a: m.scale(a, 1),
        isa.ABS: m.absolute,
    }
    if modifier == isa.NEGATE:
        return m.negate(value)
    if modifier in NEGATED:
        return m.negate(result[NEGATED[modifier]](value))
    return result[modifier](value) if modifier in result else value


NEGATED = {isa.BIAS_NEGATE: isa.BIAS, isa.SIGN_NEGATE: isa.SIGN, isa.X2_NEGATE: isa.X2, isa.ABS_NEGATE: isa.ABS}


def shifted(m: Algebra[V, B, I], value: V, shift: int) -> V:
    """A result times 2 to this power (ps_1_x): doublings, or a product with a fraction."""
    for _ in range(shift):
        value = m.scale(value, 1)
    return m.mul(value, m.constant(ONE + (shift << 23))) if shift < 0 else value
