"""Conditionals in place of leaves: an early return is the other arm of a condition, and what leaves to where it would go anyway
leaves nothing."""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.compile.vector.walk import bodies, leaves, with_bodies
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.vector.code import Statement


def structured(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements with the fewest leaves, without scopes that nothing leaves, and with neighbouring conditionals on one
    condition as one."""
    return _joined(_block(tuple(body), frozenset()))


def _ends(body: Sequence[Statement]) -> bool:
    """Whether statements never come to their end."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, v.If):
        return _ends(last.yes) and _ends(last.no)
    return isinstance(last, v.Leave) or (isinstance(last, v.Loop) and last.label not in set(leaves(last.body)))


def _block(body: tuple[Statement, ...], here: frozenset[int]) -> tuple[Statement, ...]:
    """Statements of a block; `here` are labels whose leaving goes on where the block ends."""
    found: list[Statement] = []
    for n, statement in enumerate(body):
        rest = body[n + 1 :]
        if isinstance(statement, v.Leave):
            if statement.label not in here:
                found.append(statement)
            return tuple(found)
        if isinstance(statement, v.If) and rest:
            yes, no = _ends(statement.yes), _ends(statement.no)
            if yes and no:
                return (*found, *_block((statement,), here))
            if yes or no:
                arms = (statement.yes, statement.no + rest) if yes else (statement.yes + rest, statement.no)
                return (*found, *_block((statement._replace(yes=arms[0], no=arms[1]),), here))
        found += _statement(statement, here if not rest else frozenset())
    return tuple(found)


def _statement(s: Statement, here: frozenset[int]) -> tuple[Statement, ...]:
    match s:
        case v.If(condition, yes, no, line):
            return (v.If(condition, _block(yes, here), _block(no, here), line),)
        case v.Scope(label, body, line):
            inner = _left_by_loop(_block(body, here | {label}), label)
            if label not in set(leaves(inner)):
                return inner
            return (v.Scope(label, inner, line),)
        case v.For() | v.Loop():
            return (with_bodies(s, (_block(s.body, frozenset()),)),)
        case _:
            return (s,)


def _left_by_loop(body: tuple[Statement, ...], label: int) -> tuple[Statement, ...]:
    """The body of a scope that ends with a loop: to leave the scope from the loop is to leave the loop."""
    last = body[-1] if body else None
    return (*body[:-1], _relabelled(last, label, last.label)) if isinstance(last, (v.For, v.Loop)) else body


def _relabelled(s: Statement, old: int, new: int) -> Statement:
    if isinstance(s, v.Leave):
        return s._replace(label=new) if s.label == old else s
    return with_bodies(s, tuple([tuple([_relabelled(each, old, new) for each in body]) for body in bodies(s)]))


def _joined(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """Neighbouring conditionals on one condition as one."""
    found: list[Statement] = []
    for each in body:
        statement = with_bodies(each, tuple([_joined(inner) for inner in bodies(each)])) if bodies(each) else each
        last = found[-1] if found else None
        if (
            isinstance(statement, v.If)
            and isinstance(last, v.If)
            and statement.condition == last.condition
            and not _leaving(last)
        ):
            found[-1] = v.If(last.condition, last.yes + statement.yes, last.no + statement.no, last.line)
        else:
            found.append(statement)
    return tuple(found)


def _leaving(s: v.If) -> bool:
    return any(leaves(s.yes)) or any(leaves(s.no))
