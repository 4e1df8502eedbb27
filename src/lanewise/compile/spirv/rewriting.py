"""Rewrite rules while SPIR-V is lowered: how `rules.matching` looks at components and makes operations, for `emit`.

Numbers are those of the source here: nothing is rounded as a target does. So rows that GLSL and HLSL allow are used, where the
instruction that is lowered says neither `precise` nor `invariant` (`Emitter.free`).
"""

from __future__ import annotations

import math

from lanewise.compile.spirv.values import Known, Scalar, Value, negated, single
from lanewise.compile.vector.code import AND, DOT, NOT, OR, Number, Operate, Ref
from lanewise.core.record import TYPE_CHECKING
from lanewise.rules.expression import NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.spirv.emit import Emitter

    Side = Scalar | Value  # a component; of a dot product a vector

NAMES: Mapping[str, str] = {AND: "both", OR: "either", NOT: "invert"}
_OPERATIONS: Mapping[str, str] = {name: op for op, name in NAMES.items()}


class Components:
    """Components and vectors as rewrite rules see them: a `View`."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter

    def head(self, a: Side) -> str:
        if isinstance(a, Known):
            return NUMBER
        found = self._emitter.definitions.get(a.value) if isinstance(a, Ref) else None
        if isinstance(found, Operate) and isinstance(a, Ref) and not a.negated:
            return NAMES.get(found.op, found.op)
        return NUMBER if isinstance(found, Number) else ""

    def operation(self, a: Side) -> tuple[str, Sequence[Side]] | None:
        if not isinstance(a, Ref) or a.negated:
            return None
        found = self._emitter.definitions.get(a.value)
        if not isinstance(found, Operate):
            return None
        if found.op == DOT:
            return DOT, found.operands
        return NAMES.get(found.op, found.op), [operand[a.lane] for operand in found.operands]

    def number(self, a: Side) -> float | None:
        """The source has no -0."""
        number = float(a.value) if isinstance(a, Known) else self._emitter.constant(a) if isinstance(a, Ref) else None
        if number is None:
            return None
        return None if math.isnan(number) else number or 0.0

    def negate(self, a: Side) -> Side:
        return negated(a) if a is None or isinstance(a, (Ref, Known)) else tuple([negated(each) for each in a])

    def is_negated(self, a: Side) -> bool:
        """Of a vector whether all its components are."""
        if a is None or isinstance(a, Known):
            return a is not None and a.value < 0
        return a.negated if isinstance(a, Ref) else all(map(self.is_negated, a))

    def fact(self, name: str, a: Side) -> bool:
        return False

    def law(self, name: str) -> bool:
        return False

    def computed(self, op: str, a: float, b: float) -> float | None:
        """Rounded once to float32; None for 0 and what has no float32 that is ordinary."""
        found = single(a * b if op == "mul" else a + b)
        return found if 2.0**-62 <= abs(found) < 2.0**62 else None

    def constant(self, number: float) -> Side:
        return Known(number)

    def make(self, op: str, operands: Sequence[Side]) -> Side:
        components: list[Scalar] = []
        vectors: list[Value] = []
        for each in operands:
            if each is None or isinstance(each, (Ref, Known)):
                components.append(each)
            else:
                vectors.append(each)
        if vectors:
            return self._emitter.dot(vectors[0], vectors[1])
        return self._emitter.scalar(_OPERATIONS.get(op, op), *components)


__all__ = ["NAMES", "Components"]
