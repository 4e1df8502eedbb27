"""The operations of functions that compute with vectors, on the numbers of a target: `Meaning`, for `interpret.run`."""

from __future__ import annotations

from lanewise.core.numbers.binary import EQ, LE, LT
from lanewise.core.record import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from lanewise.ssa.nodes import Node

V = TypeVar("V")
_DOT, _AND, _OR, _NOT, _SELECT = "dot", "and", "or", "not", "select"
_NE = "ne"
_COMPARED = {"lt": LT, "le": LE, "eq": EQ, _NE: EQ}


if TYPE_CHECKING:

    class Numbers(Protocol[V]):
        """Operations on numbers, as `code.OPERATIONS` names them."""

        def known(self, value: float) -> V:
            """A number of the program, rounded as the target does."""
            ...

        def value(self, a: V) -> float: ...
        def negate(self, a: V) -> V: ...
        def add(self, a: V, b: V) -> V: ...
        def mul(self, a: V, b: V) -> V: ...
        def mad(self, a: V, b: V, c: V) -> V: ...
        def dot(self, a: Sequence[V], b: Sequence[V]) -> V: ...
        def min(self, a: V, b: V) -> V: ...
        def max(self, a: V, b: V) -> V: ...
        def floor(self, a: V) -> V: ...
        def trunc(self, a: V) -> V: ...
        def rcp(self, a: V) -> V: ...
        def rsq(self, a: V) -> V: ...
        def exp2(self, a: V) -> V: ...
        def log2(self, a: V) -> V: ...
        def compare(self, op: int, a: V, b: V) -> bool: ...


def evaluated(numbers: Numbers[V], op: str, operands: Sequence[Sequence[V]]) -> V:
    """An operation on one lane: of `dot` all lanes of its operands, of others the first."""
    if op == _DOT:
        return numbers.dot(*operands)
    one, zero = numbers.known(1.0), numbers.known(0.0)
    lanes = [operand[0] for operand in operands]
    if op in _COMPARED:
        return one if numbers.compare(_COMPARED[op], *lanes) != (op == _NE) else zero
    if op in (_AND, _OR):
        held = [operand == one for operand in lanes]
        return one if (all(held) if op == _AND else any(held)) else zero
    if op == _NOT:
        return one if lanes[0] != one else zero
    if op == _SELECT:
        return lanes[1] if lanes[0] == one else lanes[2]
    return getattr(numbers, op)(*lanes)


class Meaning(Generic[V]):
    """A function of a vector program on numbers that `interpret` takes, with the data of a run by name: for `ssa.interpret`."""

    inputs: Mapping[str, Sequence[V]]
    uniforms: Mapping[str, Sequence[Sequence[V]]]
    flags: Mapping[str, bool]
    counts: Mapping[str, int]

    def __init__(
        self,
        numbers: Numbers[V],
        inputs: Mapping[str, Sequence[V]],
        uniforms: Mapping[str, Sequence[Sequence[V]]],
        flags: Mapping[str, bool],
        counts: Mapping[str, int],
    ) -> None:
        self.numbers = numbers
        self.inputs, self.uniforms, self.flags, self.counts = inputs, uniforms, flags, counts
        self.one, self.zero = numbers.known(1.0), numbers.known(0.0)

    def negate(self, a: V) -> V:
        return self.numbers.negate(a)

    def holds(self, truth: V) -> bool:
        return truth == self.one

    def whole(self, a: V) -> int:
        return int(self.numbers.value(a))

    def operate(self, node: Node, sources: Sequence[Sequence[V]]) -> Sequence[V]:
        known, taken = self.numbers.known, node.immediates
        match node.op:
            case "const":
                return [known(float(value)) for value in taken]
            case "undefined":
                return [self.zero] * int(taken[0])
            case "known":
                return [known(float(taken[0]))]
            case "input":
                given = self.inputs[str(taken[0])]
                return [*given, *[self.zero, self.zero, self.zero, self.one][len(given) :]]
            case "uniform" | "uniform_at":
                return self.uniforms[str(taken[0])][int(taken[1]) + (self.whole(sources[0][0]) if sources else 0)]
            case "table":
                at = 4 * self.whole(sources[0][0])
                return [known(float(value)) for value in taken[at : at + 4]]
            case "flag":
                return [self.one if self.flags[str(taken[0])] else self.zero]
            case "count":
                return [known(float(self.counts[str(taken[0])]))]
            case "pack":
                return [source[0] for source in sources]
            case "is_one" | "one_if":
                return [self.one if sources[0][0] == self.one else self.zero]
            case op:
                return self.computed(op, sources)

    def computed(self, op: str, sources: Sequence[Sequence[V]]) -> Sequence[V]:
        name = op.removeprefix("set_")
        if name == _DOT:
            return [evaluated(self.numbers, name, sources)]
        return [evaluated(self.numbers, name, [[lane] for lane in lanes]) for lanes in zip(*sources, strict=True)]
