"""The operations of one instruction, a component each, and their way back into operations on vectors.

The meanings of Direct3D 9 compute components. What they compute is recorded as nodes, each once; then nodes that do the same to
components of the same registers become the lanes of one operation. Only what a result needs is written into the program.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.vector import code
from lanewise.compile.vector.code import Operate, Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from lanewise.compile.vector.code import Operand, Statement

_SIGN, _INFINITY = 0x80000000, 0x7F800000
_ALONE = (code.DOT, code.RCP, code.RSQ, code.EXP2, code.LOG2)  # the hardware computes one lane of these at a time
# Operations that never give a number below 0, whatever they are given.
_NEVER_NEGATIVE = (code.RSQ, code.EXP2, code.LT, code.LE, code.EQ, code.NE, code.AND, code.OR, code.NOT)
# Operations that do not where none of their operands is below 0.
_KEEP_SIGN = (code.ADD, code.MUL, code.MAD, code.MIN, code.MAX, code.FLOOR, code.RCP, code.DOT)


class Scalar(NamedTuple):
    """A component: the number of a node, and whether its sign is turned."""

    node: int
    negated: bool = False


class _Node:
    """A component of a value (`ref`), a number (`bits`), or an operation that becomes a value when it is needed.

    `family` tells which register or value a leaf is of; `positive`: a number that is not below 0, or NaN.
    """

    def __init__(self, op: str, operands: tuple[tuple[Scalar, ...], ...], family: Hashable, *, positive: bool) -> None:
        self.op, self.operands, self.family, self.positive = op, operands, family, positive
        self.ref: Ref | None = None
        self.bits: int | None = None


class Nodes:
    """The nodes of the instruction that is being compiled; `write` appends a statement, `new` gives the number of a new
    value."""

    def __init__(self, write: Callable[[Statement], None], new: Callable[[], int]) -> None:
        self.line = -1
        self._write, self._new = write, new
        self._nodes: list[_Node] = []
        self._known: dict[Hashable, int] = {}
        self._positive: set[tuple[int, int]] = set()  # lanes of values that are not below 0

    def clear(self) -> None:
        """Forget the nodes: the next instruction begins."""
        self._nodes.clear()
        self._known.clear()

    # Nodes

    def number(self, bits: int) -> Scalar:
        """A float32 pattern."""
        key = ("number", bits)
        if key not in self._known:
            self._add(key, _Node("", (), "number", positive=not bits & _SIGN or bits & ~_SIGN > _INFINITY)).bits = bits
        return Scalar(self._known[key])

    def leaf(self, ref: Ref, family: Hashable) -> Scalar:
        """A component of a value; components of one family can be lanes of one operand."""
        key = (ref.value, ref.lane, family)
        if key not in self._known:
            positive = (ref.value, ref.lane) in self._positive
            self._add(key, _Node("", (), family, positive=positive)).ref = ref._replace(negated=False)
        return Scalar(self._known[key], ref.negated)

    def operation(self, op: str, *operands: tuple[Scalar, ...]) -> Scalar:
        """An operation with operands of one component each, or of several where it is a sum of products."""
        key = (op, operands)
        if key not in self._known:
            self._add(key, _Node(op, operands, None, positive=self._stays_positive(op, operands)))
        return Scalar(self._known[key])

    def negate(self, a: Scalar) -> Scalar:
        bits = self._nodes[a.node].bits
        return Scalar(a.node, not a.negated) if bits is None else self.number(bits ^ _SIGN)

    def is_positive(self, a: Scalar) -> bool:
        """Whether a component is known not to be below 0; it may be NaN."""
        return not a.negated and self._nodes[a.node].positive

    def bits(self, a: Scalar) -> int | None:
        """The pattern of a number, None for what is not known."""
        return self._nodes[a.node].bits

    def _add(self, key: Hashable, node: _Node) -> _Node:
        self._known[key] = len(self._nodes)
        self._nodes.append(node)
        return node

    def _stays_positive(self, op: str, operands: tuple[tuple[Scalar, ...], ...]) -> bool:
        if op in _NEVER_NEGATIVE:
            return True
        if op in (code.DOT, code.MUL) and operands[0] == operands[1]:
            return True
        if op == code.MAX and self.is_positive(operands[1][0]):
            return True  # the second operand is also what a NaN gives
        if op == code.SELECT:
            operands = operands[1:]
        elif op not in _KEEP_SIGN:
            return False
        return all(self.is_positive(a) for operand in operands for a in operand)

    # Values

    def operand(self, scalars: Sequence[Scalar]) -> Operand:
        """The components as lanes of values, which are written where they are not there yet."""
        self._place([self._nodes[a.node] for a in scalars])
        found: list[Ref] = []
        for a in scalars:
            ref = self._nodes[a.node].ref
            assert ref is not None
            found.append(ref._replace(negated=a.negated))
            if self._nodes[a.node].positive:
                self._positive.add((ref.value, ref.lane))
        return tuple(found)

    def _place(self, nodes: Sequence[_Node]) -> None:
        missing = list(dict.fromkeys(node for node in nodes if node.ref is None))
        numbers = [node for node in missing if node.bits is not None]
        if numbers:
            self._assign(
                numbers, lambda value: code.Number(value, tuple(_float(node.bits or 0) for node in numbers), self.line)
            )
        classes: dict[Hashable, list[_Node]] = {}
        for node in missing:
            if node.bits is None:
                classes.setdefault(id(node) if node.op in _ALONE else self._signature(node), []).append(node)
        for together in classes.values():
            same = [node for node in together if node.ref is None]  # an operand of another may be among them
            if not same:
                continue
            first = same[0]
            if first.op in _ALONE:
                operands = tuple(self.operand(operand) for operand in first.operands)
            else:
                operands = tuple(self.operand([node.operands[n][0] for node in same]) for n in range(len(first.operands)))
            self._assign(same, lambda value, op=first.op, operands=operands: Operate(value, op, operands, self.line))

    def _assign(self, nodes: Sequence[_Node], make: Callable[[int], Statement]) -> None:
        value = self._new()
        self._write(make(value))
        for lane, node in enumerate(nodes):
            node.ref = Ref(value, lane)

    def _signature(self, node: _Node) -> Hashable:
        """Return a key that is equal for nodes that can be lanes of one operation."""
        if not node.op:
            return node.family
        if node.op in _ALONE:
            return id(node)
        if node.ref is not None:
            return node.ref.value
        return node.op, tuple((self._signature(self._nodes[a.node]), a.negated) for (a,) in node.operands)


def _float(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]
