"""Bounds of a value by the operation that it is the result of, for conditions of rewrite rules."""

from __future__ import annotations

import math

from lanewise.core.record import TYPE_CHECKING, Record, TypeVar
from lanewise.rules.expression import TRUTHS

if TYPE_CHECKING:
    from lanewise.rules.matching import View

V = TypeVar("V")
_DEEPEST = 3  # operations that are looked through: each has two operands


class Bounds(Record):
    """The numbers that a value can be, besides NaN (`nan`); `signed`: a zero may be -0."""

    low: float
    high: float
    nan: bool
    signed: bool


ANY = Bounds(-math.inf, math.inf, True, True)
_TRUTH = Bounds(0.0, 1.0, False, False)
_NOT_NEGATIVE = Bounds(0.0, math.inf, True, True)


def bounds(view: View[V], value: V, depth: int = 0) -> Bounds:
    """The numbers that a value can be; `ANY` where nothing is known."""
    number = view.number(value)
    if number is not None:
        return Bounds(number, number, False, number == 0 and math.copysign(1.0, number) < 0)
    found = view.operation(value) if depth <= _DEEPEST else None
    if found is None:
        return ANY
    op, operands = found
    if op in TRUTHS:
        return _TRUTH
    if op in ("max", "min"):
        return _extreme(view, op, bounds(view, operands[0], depth + 1), bounds(view, operands[1], depth + 1))
    if op == "exp2" or (op in ("mul", "dot") and operands[0] == operands[1]):
        return _NOT_NEGATIVE
    if op in ("select", "mul", "add"):
        return _of_two(op, bounds(view, operands[-2], depth + 1), bounds(view, operands[-1], depth + 1))
    return ANY


def _of_two(op: str, a: Bounds, b: Bounds) -> Bounds:
    """One of two numbers, or their product or sum, which rounding keeps on its side of 0."""
    if op == "select":
        return Bounds(min(a.low, b.low), max(a.high, b.high), a.nan or b.nan, a.signed or b.signed)
    if op == "mul" and a == b == _TRUTH:
        return _TRUTH
    return _NOT_NEGATIVE if a.low >= 0 and b.low >= 0 else ANY


def _extreme(view: View[V], op: str, a: Bounds, b: Bounds) -> Bounds:
    """Of a maximum or minimum: the second operand where one of them is NaN, and in case of a tie."""
    if not view.law("second"):
        return ANY
    if op == "min":
        high = b.high if a.nan else min(a.high, b.high)
        return Bounds(min(a.low, b.low), high, b.nan, b.signed or (a.signed and b.high > 0))
    low = b.low if a.nan or (b.low == -math.inf and not view.law("finite maximum")) else max(a.low, b.low)
    return Bounds(low, max(a.high, b.high), b.nan, b.signed or (a.signed and b.low < 0))


def limit(view: View[V], name: str, value: V) -> float | None:
    """A bound by its name in a condition; None where there is none.

    `least` and `greatest` are those of the numbers that a value can be, which may be NaN too. `low` and `high` are those of a
    value that is never NaN, and not -0 where the bound is 0.
    """
    found = bounds(view, value)
    number = found.low if name in ("low", "least") else found.high
    if math.isinf(number) or (name in ("low", "high") and (found.nan or (number == 0 and found.signed))):
        return None
    return number


__all__ = ["ANY", "Bounds", "bounds", "limit"]
