"""The operations of the algebra on symbols: nodes of SSA instead of numbers.

Equal requests are one node, and what is constant is computed at once by the number rule of the profile, so nothing here knows
what an operation means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.numbers.binary import GE, dot_in_order
from lanewise.pica200.ir.ssa import ENTER, kind_of
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lanewise.pica200.ir.ssa import Node, Value
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.profile import Profile


class UnsupportedError(Exception):
    """SSA cannot express the program; the text is the reason."""


def _leaf_table() -> tuple[list[Node], dict[Node, Value]]:
    nodes: list[Node] = [("input", number, c) for number in range(16) for c in range(4)]
    nodes += [("uniform", row, c) for row in range(FLOAT_COUNT) for c in range(4)]
    files = ("r", "o", "bank")
    nodes += [cast("Node", ("enter", Component(file, number, c))) for file in files for number in range(16) for c in range(4)]
    nodes += [("component", number, c) for number in range(4) for c in range(4)]
    nodes += [("boolean", number) for number in range(16)]
    return nodes, {node: number for number, node in enumerate(nodes)}


_LEAVES, _LEAF_NUMBERS = _leaf_table()


def _vectors(start: int, count: int) -> list[Vector[Value]]:
    return [(n, n + 1, n + 2, n + 3) for n in range(start, start + 4 * count, 4)]


INPUTS = _vectors(0, 16)
UNIFORMS = _vectors(64, FLOAT_COUNT)
TEMPORARIES = _vectors(64 + 4 * FLOAT_COUNT, 16)
OUTPUTS = _vectors(128 + 4 * FLOAT_COUNT, 16)
BANK = _vectors(192 + 4 * FLOAT_COUNT, 16)
INTEGERS = tuple(_vectors(256 + 4 * FLOAT_COUNT, 4))
BOOLEANS = tuple(range(272 + 4 * FLOAT_COUNT, 288 + 4 * FLOAT_COUNT))


class NodeOps:
    """The operations of the algebra on nodes of one block, collected in `nodes`."""

    def __init__(self, profile: Profile, fed: range = range(0)) -> None:
        """`fed` are the c registers that are inputs."""
        self.profile = profile
        self._fed = fed
        self.nodes: list[Node] = [*_LEAVES]
        self.indexed: set[Value] = set()  # temporaries where an index may lead to them
        self._numbers: dict[Node, Value] = dict(_LEAF_NUMBERS)
        self._rule = number_rule(profile)

    def node(self, *node: str | int | float | bool | Component) -> Value:
        key: Any = node  # a `Node`; `cast` takes longer than the rest
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.nodes)
            self.nodes.append(key)
        return found

    def enter(self, component: Component) -> Value:
        """The value of a component when the block begins."""
        return self.node(ENTER[kind_of(component)], component)

    def _constant(self, value: Value) -> int | None:
        node = self.nodes[value]
        return int(node[1]) if node[0] == "const" else None

    def _truth(self, value: Value) -> bool | None:
        node = self.nodes[value]
        return bool(node[1]) if node[0] == "truth" else None

    def _integer(self, value: Value) -> int | None:
        node = self.nodes[value]
        return int(node[1]) if node[0] == "integer" else None

    def _number(self, op: str, *values: Value) -> Value:
        """An operation that makes a number of numbers."""
        known = [self._constant(value) for value in values]
        if None not in known:
            return self.node("const", getattr(self._rule, op)(*known))
        return self.node(op, *values)

    def constant(self, value: float) -> Value:
        return self.node("const", self._rule.constant(value))

    def negate(self, a: Value) -> Value:
        node = self.nodes[a]
        return int(node[1]) if node[0] == "negate" else self._number("negate", a)

    def flush(self, a: Value) -> Value:
        return self._number("flush", a)

    def add(self, a: Value, b: Value) -> Value:
        return self._number("add", a, b)

    def mul(self, a: Value, b: Value) -> Value:
        return self._number("mul", a, b)

    def mad(self, a: Value, b: Value, c: Value) -> Value:
        if self.profile.mad_rounding == "once":
            raise UnsupportedError("mad_rounding is once: product and sum are rounded together")
        return self.add(self.mul(a, b), c)

    def dot(self, a: Sequence[Value], b: Sequence[Value]) -> Value:
        if self.profile.dot_order == "once":
            raise UnsupportedError("dot_order is once: the exact sum is rounded")
        return dot_in_order(self, self.profile.dot_order, a, b)

    def max(self, a: Value, b: Value) -> Value:
        return self._number("max", a, b)

    def min(self, a: Value, b: Value) -> Value:
        return self._number("min", a, b)

    def at_least(self, a: Value, low: Value) -> Value:
        return self._number("at_least", a, low)

    def at_most(self, a: Value, high: Value) -> Value:
        return self._number("at_most", a, high)

    def floor(self, a: Value) -> Value:
        return self._number("floor", a)

    def rcp(self, a: Value) -> Value:
        return self._number("rcp", a)

    def rsq(self, a: Value) -> Value:
        return self._number("rsq", a)

    def exp2(self, a: Value) -> Value:
        return self._number("exp2", a)

    def log2(self, a: Value) -> Value:
        return self._number("log2", a)

    def compare(self, op: int, a: Value, b: Value) -> Value:
        if op > GE:
            return self.boolean(True)
        x, y = self._constant(a), self._constant(b)
        if x is not None and y is not None:
            return self.boolean(self._rule.compare(op, x, y))
        return self.node("compare", a, b, op)

    def not_negative(self, a: Value) -> Value:
        word = self._constant(a)
        return self.node("not_negative", a) if word is None else self.boolean(self._rule.not_negative(word))

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        known = self._truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        return self.node("select", condition, a, b)

    def to_integer(self, a: Value) -> Value:
        word = self._constant(a)
        return self.node("to_integer", a) if word is None else self.integer(self._rule.to_integer(word))

    def boolean(self, value: bool) -> Value:
        return self.node("truth", bool(value))

    def invert(self, a: Value) -> Value:
        known, node = self._truth(a), self.nodes[a]
        if known is not None:
            return self.boolean(not known)
        return int(node[1]) if node[0] == "invert" else self.node("invert", a)

    def both(self, a: Value, b: Value) -> Value:
        for one, other in ((a, b), (b, a)):
            known = self._truth(one)
            if known is not None:
                return other if known else one
        return self.node("both", a, b)

    def either(self, a: Value, b: Value) -> Value:
        for one, other in ((a, b), (b, a)):
            known = self._truth(one)
            if known is not None:
                return one if known else other
        return self.node("either", a, b)

    def integer(self, value: int) -> Value:
        return self.node("integer", value)

    def integer_add(self, a: Value, b: Value) -> Value:
        x, y = self._integer(a), self._integer(b)
        if x is not None and y is not None:
            return self.integer(x + y)
        if 0 in (x, y):
            return a if y == 0 else b
        return self.node("integer_add", a, b)

    def integer_and(self, a: Value, mask: int) -> Value:
        known = self._integer(a)
        return self.node("integer_and", a, mask) if known is None else self.integer(known & mask)

    def integer_within(self, a: Value, low: int, high: int) -> Value:
        known = self._integer(a)
        return self.node("within", a, low, high) if known is None else self.boolean(low <= known <= high)

    def integer_select(self, condition: Value, a: Value, b: Value) -> Value:
        known = self._truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        return self.node("integer_select", condition, a, b)

    def look_up(self, rows: Sequence[Vector[Value]], index: Value) -> Vector[Value]:
        """Only uniforms: a lane whose index leads to a v or r register leaves the compiled code.

        `FLOAT` is c0.
        """
        if self.profile.index_files == "added":
            raise UnsupportedError("index_files is added: index registers reach temporaries")
        known = self._integer(index)
        if known is not None:
            return rows[known]
        if self.profile.index_wrap == "registers":
            self.indexed.update(value for vector in rows[TEMPORARY:FLOAT] for value in vector)
        op = "fed" if self._fed else "gather"
        return self.node(op, index, 0), self.node(op, index, 1), self.node(op, index, 2), self.node(op, index, 3)
