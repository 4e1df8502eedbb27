"""Meaning of each PICA200 instruction: one function per base, over an algebra.

A function takes the algebra and the fetched source vectors (CMP its two operators as well) and returns its results: `dst` a
vector, `cmp` the two flags, `a0` the two address registers. Fetching and writing are `sem.registers`; flow is `sem.flow`.
Sources: 3dbrew, GPU/Shader Instruction Set, Instructions; others on the line. Unproven points are a column of the row
(`isa.table`).
"""

from __future__ import annotations

from lanewise.core.numbers.binary import GE, LT
from lanewise.core.record import TYPE_CHECKING, Generic, TypedDict
from lanewise.pica200.sem.algebra import B, I, Pair, V, Vector, broadcast, each, each2

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from lanewise.pica200.isa.program import Emission
    from lanewise.pica200.sem.algebra import Algebra
    from lanewise.pica200.sem.emission import Emitted

# The largest value of LITP's clamp: 0x7FFF / 0x100, exact in float24 (Panda3DS tests/PICA_LITP, measured on a console).
LITP_LIMIT = 127.99609375
# By base: the instruction that only copies, and the one that does what two others do one after the other.
COPY = "mov"
PRODUCT, SUM, PRODUCT_AND_SUM = "mul", "add", "mad"
# A dot product of four components, and the one that takes the last component of its first source as 1.
DOT, DOT_WITH_ONE = "dp4", "dph"


class Result(TypedDict, Generic[V, B, I], total=False):
    """Results of an instruction. The write mask applies to `dst` and `a0`, never to `cmp`.

    `setemit` and `emit` are of the instructions of those names, in a geometry shader (`sem.emission`).
    """

    dst: Vector[V]
    cmp: Pair[B]
    a0: Pair[I]
    setemit: Emission
    emit: Emitted[V]


if TYPE_CHECKING:

    class Meaning(Protocol):
        """A function of `MEANING`. The operands are the source vectors; their number is the row's."""

        # `Any` means "as many vectors as the instruction has sources", which the type system cannot express.
        def __call__(self, m: Algebra[V, B, I], /, *operands: Any, **named: Any) -> Result[V, B, I]: ...


def add(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=each2(m.add, a, b))


def dp3(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=broadcast(m.dot(a[:3], b[:3])))


def dp4(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=broadcast(m.dot(a, b)))


def dph(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    """Dot product with src1.w taken as 1.0 (aroulin/3ds-gpu-tests dph-tests, W2).

    The product with 1.0 is still a product.
    """
    return Result(dst=broadcast(m.dot((*a[:3], m.constant(1.0)), b)))


def dst(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=(m.constant(1.0), m.mul(a[1], b[1]), a[2], b[3]))


def ex2(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    return Result(dst=broadcast(m.exp2(a[0])))


def lg2(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    return Result(dst=broadcast(m.log2(a[0])))


def litp(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    """Source: Panda3DS tests/PICA_LITP."""
    zero, limit = m.constant(0.0), m.constant(LITP_LIMIT)
    clamped = m.at_least(m.at_most(a[1], limit), m.negate(limit))
    return Result(
        dst=(m.at_least(a[0], zero), clamped, zero, m.at_least(a[3], zero)),
        cmp=(m.not_negative(a[0]), m.not_negative(a[3])),
    )


def mul(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=each2(m.mul, a, b))


def sge(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=_truth(m, GE, a, b))


def slt(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=_truth(m, LT, a, b))


def _truth(m: Algebra[V, B, I], op: int, a: Vector[V], b: Vector[V]) -> Vector[V]:
    """1.0 in each component where the comparison holds, 0 elsewhere."""
    one, zero = m.constant(1.0), m.constant(0.0)

    def component(x: V, y: V) -> V:
        return m.select(m.compare(op, x, y), one, zero)

    return each2(component, a, b)


def flr(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    return Result(dst=each(m.floor, a))


def maximum(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=each2(m.max, a, b))


def minimum(m: Algebra[V, B, I], a: Vector[V], b: Vector[V]) -> Result[V, B, I]:
    return Result(dst=each2(m.min, a, b))


def rcp(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    """Reciprocal of component 0, in all components (aroulin/3ds-gpu-tests rcp-tests).

    RSQ, EX2 and LG2 likewise.
    """
    return Result(dst=broadcast(m.rcp(a[0])))


def rsq(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    return Result(dst=broadcast(m.rsq(a[0])))


def mova(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    return Result(a0=(m.to_integer(a[0]), m.to_integer(a[1])))


def mov(m: Algebra[V, B, I], a: Vector[V]) -> Result[V, B, I]:
    return Result(dst=a)


def cmp(m: Algebra[V, B, I], a: Vector[V], b: Vector[V], x: int, y: int) -> Result[V, B, I]:
    """`x` and `y` are CMPX and CMPY. Both flags are written whatever the mask (zitrus psm.md, measured on an o2DS)."""
    return Result(cmp=(m.compare(x, a[0], b[0]), m.compare(y, a[1], b[1])))


def mad(m: Algebra[V, B, I], a: Vector[V], b: Vector[V], c: Vector[V]) -> Result[V, B, I]:
    return Result(dst=(m.mad(a[0], b[0], c[0]), m.mad(a[1], b[1], c[1]), m.mad(a[2], b[2], c[2]), m.mad(a[3], b[3], c[3])))


# By `base` of the row: the inverted forms (dphi, dsti, sgei, slti, madi) compute what the plain ones do.
MEANING: Mapping[str, Meaning] = {
    "add": add,
    "dp3": dp3,
    "dp4": dp4,
    "dph": dph,
    "dst": dst,
    "ex2": ex2,
    "lg2": lg2,
    "litp": litp,
    "mul": mul,
    "sge": sge,
    "slt": slt,
    "flr": flr,
    "max": maximum,
    "min": minimum,
    "rcp": rcp,
    "rsq": rsq,
    "mova": mova,
    "mov": mov,
    "cmp": cmp,
    "mad": mad,
}
