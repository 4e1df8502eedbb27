"""Terms of ShaderCore, and of Direct3D 9 under its devices, as `proving.rounding` looks at them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float_from_bits
from lanewise.proving.rounding import (
    ABSOLUTE,
    ADD,
    LEAF,
    MAX,
    MIN,
    MUL,
    NEGATE,
    NUMBER,
    OTHER,
    RECIPROCAL,
    SATURATE,
    SELECT,
    Model,
    Rounded,
    Rounding,
    Unproved,
)
from lanewise.shadercore.proof.terms import CONSTANT
from lanewise.shadercore.sem.numbers import INFINITY, MAGNITUDE, SIGN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.proving.rounding import Ends
    from lanewise.proving.terms import Node, Term
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.proof.terms import Patterns

_BITS, _LOWEST = 24, -149
_HALF, _WHOLE = Fraction(1, 1 << 24), Fraction(1, 1 << 23)
_FLUSHED, _SUBNORMAL = Fraction(1, 1 << 126), Fraction(1, 1 << 150)
_SMALLEST = 0x00800000  # normal number
_NAMES = {"add": ADD, "mul": MUL, "max": MAX, "min": MIN, "saturate": SATURATE, "select": SELECT, "rcp": RECIPROCAL}
_SIGNS = {f"bits {MAGNITUDE | SIGN} {SIGN}": NEGATE, f"bits {MAGNITUDE} 0": ABSOLUTE}
_LEAVES = frozenset(("entering", "uniform", "input"))


def model_of(device: Device) -> Model:
    """How a device rounds. Raises Unproved for a combination that is not known."""
    add, mul, flushes = device.value("add"), device.value("mul"), device.value("subnormals") == "flushed"
    small = 3 * _FLUSHED if flushes else Fraction(0)
    if mul == "nearest":
        product = Rounding(_HALF, small or _SUBNORMAL)
    elif flushes:
        product = Rounding(_WHOLE, 2 * _FLUSHED)  # cut off, and 0 where the sum of the exponents is below -126
    else:
        raise Unproved("products that are cut off and keep subnormal numbers have no bound")
    if add != "nearest" and not flushes:
        raise Unproved("sums without guard bits that keep subnormal numbers have no bound")
    # Without guard bits a unit of the greater operand is lost, and one more where the sum has another bit.
    floor = _WHOLE * Fraction(1025, 1024)
    return Model(
        bits=_BITS,
        add=Rounding(_HALF, small) if add == "nearest" else Rounding(floor, small),
        cancelled=None if add == "nearest" else floor,
        mul=product,
        reciprocal=Rounding(_HALF, small or _SUBNORMAL) if device.value("rcp") == "exact" else None,
        lowest=_LOWEST,
        flushes=flushes,
    )


class _View:
    """Terms with the ranges of their leaves."""

    def __init__(self, m: Patterns, ends: Callable[[Node], Ends | None], titled: Callable[[Node], str]) -> None:
        self._m, self._ends, self._titled = m, ends, titled
        self._flushes = m.device.value("subnormals") == "flushed"

    def operation(self, term: Term) -> tuple[str, Sequence[Term]]:
        op, *arguments = self._m.nodes[term]
        name = str(op)
        if name == CONSTANT:
            return NUMBER, ()
        if name in _LEAVES:
            return LEAF, ()
        kind = _NAMES.get(name) or _SIGNS.get(name)
        return (OTHER, ()) if kind is None else (kind, [int(each) for each in arguments])

    def number(self, term: Term) -> Fraction:
        bits = int(self._m.nodes[term][1])
        size = bits & MAGNITUDE
        if size >= INFINITY or 0 < size < _SMALLEST:
            raise Unproved(f"the constant 0x{bits:08x} is no normal number")
        return Fraction(float_from_bits(bits))

    def ends(self, term: Term) -> Ends:
        node = self._m.nodes[term]
        found = self._ends(node)
        if found is None:
            raise Unproved(f"{self._titled(node)} has no --range")
        return found

    def title(self, term: Term) -> str:
        word = str(self._m.nodes[term][0]).split()[0]
        return self._titled(self._m.nodes[term]) if word in _LEAVES else word


def rounded(m: Patterns, ends: Callable[[Node], Ends | None], titled: Callable[[Node], str]) -> Rounded:
    """Bounds for terms of a device; `ends` are the ranges of leaves, `titled` their names. Raises Unproved."""
    return Rounded(_View(m, ends, titled), model_of(m.device))


__all__ = ["model_of", "rounded"]
