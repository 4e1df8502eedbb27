"""Operations of Direct3D 9 semantics.

Values are scalars, truth values and address integers.

An engine, the tracer and the code generator implement `Algebra`. Derived operations have a default here and may be replaced:
a device without EXP, LOG or RSQ implements them with routines, and `exp_partial`, `power`, `normal_scale` with cheaper ones.
Scalars are float32 patterns of one component; the arithmetic operations are those of `shadercore.sem.algebra`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from lanewise.direct3d9.isa.table import EQ, GE, GT, LE, LT, NE
from lanewise.shadercore.sem.algebra import Algebra as Arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

V = TypeVar("V")  # a value of one component
B = TypeVar("B")  # a truth value
I = TypeVar("I")  # an address integer  # noqa: E741

SIGN, MAGNITUDE, FRACTION = 0x80000000, 0x7FFFFFFF, 0x7FFFFF
ZERO, ONE, HALF, INFINITY, LARGEST = 0, 0x3F800000, 0x3F000000, 0x7F800000, 0x7F7FFFFF

# D3DSINCOSCONST1 and D3DSINCOSCONST2: the coefficients of the half-angle series, as shader model 2 gives them in two constants
# [D].
SINCOS_CONSTANTS = (
    (0xB5D00D01, 0xB7B60B61, 0x3B2AAAAB, 0x39888889),  # -1/(7!*128), -1/(6!*64), 1/(4!*16), 1/(5!*32)
    (0xBCAAAAAB, 0xBE000000, 0x3F800000, 0x3F000000),  # -1/(3!*8), -1/(2!*4), 1, 1/2
)
_NEGATED = {GT: LE, LE: GT, EQ: NE, NE: EQ, GE: LT, LT: GE}


class Algebra(Arithmetic[V], Generic[V, B, I]):
    """The operations: ShaderCore's arithmetic, conditions, address integers.

    The semantics use `scale` only with power 1, and `rsq` and `log2` only on values without sign."""

    # Values

    @abstractmethod
    def constant(self, bits: int) -> V: ...

    # Truth values

    @abstractmethod
    def truth(self, value: bool) -> B: ...
    @abstractmethod
    def ordered(self, a: V, b: V, *, or_equal: bool) -> B:
        """a >= b, or a < b where `or_equal` is false: `at_least` and `less` as a truth value; both false with a NaN."""

    @abstractmethod
    def invert(self, a: B) -> B: ...
    @abstractmethod
    def both(self, a: B, b: B) -> B: ...
    @abstractmethod
    def either(self, a: B, b: B) -> B: ...
    @abstractmethod
    def select(self, condition: B, a: V, b: V) -> V:
        """Bit for bit a where the condition holds, else b, whatever is in the other."""

    # Address integers

    @abstractmethod
    def address(self, a: V, how: str) -> I:
        """The whole number of an index: `floor`, or to nearest with ties to `even`, `up` or `away`.

        A NaN and what lies beyond +-2^20 are an index of nothing: any `look_up` gives what is outside.
        """

    @abstractmethod
    def integer(self, value: int) -> I: ...
    @abstractmethod
    def integer_add(self, a: I, b: I) -> I: ...
    @abstractmethod
    def integer_select(self, condition: B, a: I, b: I) -> I: ...
    @abstractmethod
    def integer_is(self, a: I, value: int) -> B: ...
    @abstractmethod
    def look_up(self, rows: Sequence[V], index: I, outside: V) -> V:
        """rows[index]; `outside` for an index out of range."""

    # In other words

    def negate(self, a: V) -> V:
        return self.xor(a, SIGN)

    def absolute(self, a: V) -> V:
        return self.mask(a, MAGNITUDE)

    def sub(self, a: V, b: V) -> V:
        return self.add(a, self.negate(b))

    def mad(self, a: V, b: V, c: V) -> V:
        """a * b + c, in two roundings: the hardware's is unspecified, and ShaderCore has MUL and ADD."""
        return self.add(self.mul(a, b), c)

    def dot(self, pairs: Iterable[tuple[V, V]]) -> V:
        """The sum of the products of two to four pairs, from the left."""
        products = (self.mul(a, b) for a, b in pairs)
        total = next(products)
        for product in products:
            total = self.add(total, product)
        return total

    def compare(self, op: int, a: V, b: V) -> B:
        """`GT` to `LE` of `direct3d9.isa.table`. With a NaN `NE` holds and nothing else."""
        if op in (GT, LE):
            a, b = b, a
        if op in (GT, LT):
            return self.ordered(a, b, or_equal=False)
        if op in (GE, LE):
            return self.ordered(a, b, or_equal=True)
        if op == EQ:
            return self.both(self.ordered(a, b, or_equal=True), self.ordered(b, a, or_equal=True))
        return self.invert(self.compare(_NEGATED[op], a, b))

    def truth_select(self, condition: B, a: B, b: B) -> B:
        return self.either(self.both(condition, a), self.both(self.invert(condition), b))

    def exp_partial(self, a: V) -> V:
        """2^a to 10 bits (expp)."""
        return self.exp2(a)

    def log_partial(self, a: V) -> V:
        """log2(a) of a number without sign to 10 bits (logp)."""
        return self.log2(a)

    def power(self, a: V, b: V) -> V:
        """2^(b * log2(a)) of a number a without sign."""
        return self.exp2(self.mul(b, self.log2(a)))

    def normal_scale(self, squared: V) -> V:
        """1 / sqrt of the sum of three squares, FLT_MAX of 0, so that a vector of zeros stays one."""
        zero = self.compare(EQ, squared, self.constant(ZERO))
        return self.select(zero, self.constant(LARGEST), self.rsq(squared))

    def sincos(self, angle: V, constants: Sequence[Sequence[V]], sine: bool, cosine: bool) -> tuple[V | None, V | None]:
        """(cosine, sine) of an angle from -pi to pi, those that are wanted; see `half_angle`."""
        return half_angle(self, self.mul, angle, constants, sine=sine, cosine=cosine)

    def sine_cosine(self, angle: V) -> tuple[V, V]:
        """(sine, cosine) of any angle, rounded once. A machine that does not have them (the compiler's) gives those of
        `half_angle`."""
        constants = [[self.constant(bits) for bits in row] for row in SINCOS_CONSTANTS]
        cosine, sine = half_angle(self, self.mul, angle, constants, sine=True, cosine=True)
        assert sine is not None
        assert cosine is not None
        return sine, cosine


def half_angle(
    m: Algebra[V, B, I], mul: Callable[[V, V], V], angle: V, constants: Sequence[Sequence[V]], *, sine: bool, cosine: bool
) -> tuple[V | None, V | None]:
    """(cosine, sine) of an angle from -pi to pi, those that are wanted, by the series of shader model 2 [D].

    `constants` are its two constants, four components each: v2 = v*v, s = v*(k2w + v2*(k2x + v2*(k1w + v2*k1x))) and
    c = k2z + v2*(k2y + v2*(k1z + v2*k1y)) are sine and cosine of half the angle.
    """
    (k1x, k1y, k1z, k1w), (k2x, k2y, k2z, k2w) = constants
    square = mul(angle, angle)

    def series(first: V, second: V, third: V, last: V) -> V:
        found = m.add(mul(square, last), third)
        found = m.add(mul(square, found), second)
        return m.add(mul(square, found), first)

    half_sine = mul(angle, series(k2w, k2x, k1w, k1x))
    found_cosine = found_sine = None
    if cosine:
        found_cosine = m.sub(m.constant(ONE), m.scale(mul(half_sine, half_sine), 1))
    if sine:
        found_sine = m.scale(mul(half_sine, series(k2z, k2y, k1z, k1y)), 1)
    return found_cosine, found_sine


class DeviceOps(Algebra[V, B, I], Generic[V, B, I]):
    """The arithmetic of a ShaderCore's operations; the rest is for the engine that knows the values."""

    def __init__(self, ops: Arithmetic[V]) -> None:
        self.ops = ops

    def apply(self, operation: str, *values: V, immediate: int | None = None) -> V:
        return self.ops.apply(operation, *values, immediate=immediate)


class Component(NamedTuple):
    """A component of a register: its file, as `direct3d9.isa.table` numbers them, or one of those below; its number; the
    component."""

    file: int
    number: int
    component: int


LIVE = 64  # truth values: the lanes that are still in a loop or routine; numbered as the walker meets them
KILLED = 65  # a truth value: the pixels that texkill has stopped
BUMP = 66  # the bump environment matrix of a stage: m00, m01, m10, m11; number + 16: luminance scale and offset
TURNS = 67  # integers: the turns that a loop has done, by the loops around it


class Sampling(NamedTuple, Generic[V]):
    """The request of a texture instruction to a sampler: `name` of the instruction (`texld`, `texldp`, ...), the sampler's
    number, the coordinates as the instruction gives them (of texldp already divided by w), and the gradients of texldd."""

    name: str
    stage: int
    coordinates: tuple[V, V, V, V]
    gradients: tuple[tuple[V, V, V, V], ...] = ()
