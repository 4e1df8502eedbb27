"""Rewrite rules on vector programs: how `rules.matching` looks at lanes and makes operations, for `forward`.

What no row does is done by `forward` itself: an operation that is there is not done again, whatever the order of operands that
commute; operations on known numbers are computed as the target does; and a conditional is taken away only where rows leave
no choice between its two values.
"""

from __future__ import annotations

import math

from lanewise.compile.vector import code as v
from lanewise.core.record import TYPE_CHECKING
from lanewise.rules.expression import NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.vector.code import Ref
    from lanewise.compile.vector.forward import Forward

# The operations that rows name otherwise.
NAMES: Mapping[str, str] = {v.AND: "both", v.OR: "either", v.NOT: "invert"}
OPERATIONS: Mapping[str, str] = {name: op for op, name in NAMES.items()}
EVERYWHERE = frozenset(("two roundings",))
"""Laws of all targets."""
EXTREMES = frozenset(("second", "finite maximum"))
"""Laws of targets whose MIN and MAX give the second of a NaN and a number, and of two zeros."""


class Lanes:
    """Lanes as rewrite rules see them: a `Maker`."""

    def __init__(self, forward: Forward, laws: frozenset[str]) -> None:
        self._forward, self._laws = forward, laws

    def head(self, a: Ref) -> str:
        if a.value in self._forward.known:
            return NUMBER
        found = None if a.negated else self._forward.operations.get(a.value)
        return "" if found is None else NAMES.get(found.op, found.op)

    def operation(self, a: Ref) -> tuple[str, Sequence[Ref]] | None:
        """Of a dot product only whether both operands are the same."""
        found = None if a.negated else self._forward.operations.get(a.value)
        if found is None:
            return None
        if found.op == v.DOT:
            return v.DOT, [operand[0] for operand in found.operands]
        resolved = self._forward.resolved
        return NAMES.get(found.op, found.op), [resolved(operand[a.lane]) for operand in found.operands]

    def number(self, a: Ref) -> float | None:
        found = self._forward.number(a)
        return None if found is None or math.isnan(found) else found

    def negate(self, a: Ref) -> Ref:
        return a.turned()

    def is_negated(self, a: Ref) -> bool:
        return a.negated

    def fact(self, name: str, a: Ref) -> bool:
        if name == "arithmetic":
            return a.value in self._forward.arithmetic
        return name == "free" and a.value not in self._forward.flags

    def law(self, name: str) -> bool:
        return name in self._laws

    def computed(self, op: str, a: float, b: float) -> float | None:
        return self._forward.computed(op, [[a], [b]])

    def constant(self, number: float) -> Ref:
        return self._forward.constant(number)

    def make(self, op: str, operands: Sequence[Ref]) -> Ref:
        return self._forward.added(OPERATIONS.get(op, op), *operands)


__all__ = ["EVERYWHERE", "EXTREMES", "NAMES", "Lanes"]
