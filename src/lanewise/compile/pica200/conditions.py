"""Conditions of conditionals, loops and jumps: comparisons and booleans of the application, joined; arms that store."""

from __future__ import annotations

from lanewise.compile.pica200.machine import Known, Part, bank
from lanewise.compile.vector import code as v
from lanewise.core.numbers.binary import EQ, GE, GT, LE, LT
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.vector.code import Statement

MIRRORED = {LT: GT, GT: LT, LE: GE, GE: LE, EQ: EQ}


class Leaf(Record):
    """A comparison, or its contrary; `a op b` with the operators of `cmp`."""

    op: int
    a: Part
    b: Part
    inverted: bool = False


class Flagged(Record):
    """Whether a boolean of the application is set, or is not."""

    number: int
    inverted: bool = False


class Both(Record):
    """Two conditions, of which both or either must hold."""

    every: bool
    left: Tree
    right: Tree


Tree = Leaf | Flagged | Both | bool


def contrary(tree: Tree) -> Tree:
    """Return the negation of a condition."""
    match tree:
        case bool():
            return not tree
        case Leaf() | Flagged():
            return tree._replace(inverted=not tree.inverted)
        case Both(every, left, right):
            return Both(not every, contrary(left), contrary(right))


def joined(every: bool, left: Tree, right: Tree) -> Tree:
    """Both of two conditions, or either."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, bool):
            return other if one == every else one
    return Both(every, left, right)


def unknown(tree: Tree) -> Leaf | Both | Flagged:
    assert not isinstance(tree, bool)
    return tree


def has_flag(tree: Tree) -> bool:
    return isinstance(tree, Flagged) or (
        isinstance(tree, Both) and tree.every and (has_flag(tree.left) or has_flag(tree.right))
    )


def paired(left: Leaf, right: Leaf) -> tuple[Leaf, Leaf] | None:
    """Two comparisons that one `cmp` does, the second perhaps mirrored; None where their sources are in several registers."""
    turned = Leaf(MIRRORED[right.op], right.b, right.a, right.inverted)
    opposite = Leaf(MIRRORED[right.op], right.a.turned, right.b.turned, right.inverted)
    for other in (right, turned, opposite, opposite._replace(op=right.op, a=right.b.turned, b=right.a.turned)):
        if any(isinstance(part.what, Known) and part.negated for part in (other.a, other.b)):
            continue
        if bank(left.a) == bank(other.a) and bank(left.b) == bank(other.b):
            return left, other
    return None


def stored(body: Sequence[Statement]) -> set[tuple[int, int]]:
    """The lanes of variables that statements store; none where they do something else."""
    if not all(isinstance(s, v.Store) for s in body):
        return set()
    return {(s.variable, lane) for s in body if isinstance(s, v.Store) for lane in s.lanes}


def as_conditional(body: Sequence[Statement]) -> Sequence[Statement]:
    """Statements whose last one stores a choice between two values, with a conditional of two stores instead."""
    if len(body) < 2 or not isinstance(body[-1], v.Store) or not isinstance(body[-2], v.Operate) or body[-2].op != v.SELECT:
        return body
    *before, choice, store = body
    assert isinstance(choice, v.Operate)
    assert isinstance(store, v.Store)
    if any(ref.value != choice.result for ref in store.operand) or len({choice.operands[0][r.lane] for r in store.operand}) > 1:
        return body
    arms = [
        store._replace(operand=tuple([operand[ref.lane].turned(ref.negated) for ref in store.operand]))
        for operand in choice.operands[1:]
    ]
    condition = choice.operands[0][store.operand[0].lane]
    return [*before, v.If(condition, (arms[0],), (arms[1],), choice.line)]
