"""Peephole rules that keep every bit, with the devices on which they hold: for the compiler and for `lanewise opt`.

A row is proven by `tests/compile/test_peephole.py`: both sides run on the exact words of every device that the row admits, on
all pairs of edge patterns and on many random ones. Sums are never put in another order, products never distributed, and nothing
that could be a NaN, an infinity, a -0 or a subnormal number is dropped (`x + 0`, `x * 1`, `x * 0` stay).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from lanewise.shadercore.isa.table import ABS, NEG_ABS, NEGATE, NONE
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.shadercore.isa.devices import Device


SIGN, MAGNITUDE = 0x80000000, 0x7FFFFFFF
ZERO, ONE = 0x00000000, 0x3F800000
# A value that is limited to 0.0 and to 1.0 is saturated, which is part of the first instruction. By the second instruction: the
# first one, its end, and that of the second.
LIMITS = {"min": ("max", ZERO, ONE), "max": ("min", ONE, ZERO)}


if TYPE_CHECKING:
    Found = Ref | tuple[Ref, ...] | None


class Maker(Protocol):
    """The operations that a peephole rule may use."""

    def bits(self, ref: Ref) -> int | None: ...
    def constant(self, bits: int, why: str = "") -> Ref: ...


def modified_bits(bits: int, modifier: int) -> int:
    """A pattern seen with a modifier."""
    if modifier == NEGATE:
        return bits ^ SIGN
    if modifier == ABS:
        return bits & MAGNITUDE
    return bits | SIGN if modifier == NEG_ABS else bits


class PeepholeRule(NamedTuple):
    """A row. `apply` gets the sources of an instruction of `ops` and gives the value that it makes, other sources for it, or
    None.

    `only` are device fields that must have these values; () for every device.
    """

    name: str
    ops: tuple[str, ...]
    only: tuple[tuple[str, str], ...]
    apply: Callable[[Maker, str, tuple[Ref, ...]], Found]


def holds(row: PeepholeRule, device: Device) -> bool:
    """Whether a device is one of those for which a row keeps every bit."""
    return all(device.value(key) == value for key, value in row.only)


def _signs_of_product(m: Maker, op: str, sources: tuple[Ref, ...]) -> Found:
    a, b = sources
    if a.modifier in (NEGATE, NEG_ABS) and b.modifier in (NEGATE, NEG_ABS):
        return Ref(a.node, a.modifier ^ NEGATE), Ref(b.node, b.modifier ^ NEGATE)
    if b.modifier in (NEGATE, NEG_ABS):
        return Ref(a.node, a.modifier ^ NEGATE), Ref(b.node, b.modifier ^ NEGATE)
    return None


def _ordered(m: Maker, op: str, sources: tuple[Ref, ...]) -> Found:
    a, b = sources
    return (b, a) if a.node > b.node else None


def _same(m: Maker, op: str, sources: tuple[Ref, ...]) -> Found:
    a, b = sources
    return a if a == b else None


def _nothing(m: Maker, op: str, sources: tuple[Ref, ...]) -> Found:
    a, b = sources
    known_a, known_b = m.bits(a), m.bits(b)
    if op == "and" and 0 in (known_a, known_b):
        return m.constant(0)
    if op == "and" and 0xFFFFFFFF in (known_a, known_b):
        return a if known_b == 0xFFFFFFFF else b
    if op == "or" and 0 in (known_a, known_b):
        return a if known_b == 0 else b
    return None


def _ignored_sign(m: Maker, op: str, sources: tuple[Ref, ...]) -> Found:
    (a,) = sources
    return (Ref(a.node, NONE),) if a.modifier != NONE and m.bits(a) is None else None


def _sign_kept(m: Maker, op: str, sources: tuple[Ref, ...]) -> Found:
    """`and x, 0x7FFFFFFF` is a source modifier."""
    a, b = sources
    for value, other in ((a, b), (b, a)):
        if m.bits(other) == MAGNITUDE:
            return Ref(value.node, ABS)
    return None


PEEPHOLE_RULES = (
    # The sign of a product is that of both operands together, also of 0, infinity and NaN.
    PeepholeRule("signs of a product", ("mul",), (), _signs_of_product),
    # The rule of MUL is symmetric, NaN too.
    PeepholeRule("order of a product", ("mul",), (), _ordered),
    PeepholeRule("order of bits", ("and", "or"), (), _ordered),
    # Each gives one of two operands that have the same bits.
    PeepholeRule("twice the same", ("and", "or", "min", "max"), (), _same),
    PeepholeRule("bits of nothing", ("and", "or"), (), _nothing),
    # The modifier abs clears bit 31, as the mask does.
    PeepholeRule("a magnitude", ("and",), (), _sign_kept),
    # RSQ of the hardware looks at the magnitude alone (reference 2).
    PeepholeRule("a root has no sign", ("rsq",), (("rsq", "table"),), _ignored_sign),
)
