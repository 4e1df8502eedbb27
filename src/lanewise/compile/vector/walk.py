"""The statements of vector programs, and what they read."""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.compile.vector.code import Operand, Statement

Block = v.If | v.For | v.Loop | v.Scope


def bodies(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks of a statement; none of one that is not a block."""
    match statement:
        case v.If(_, yes, no):
            return yes, no
        case v.For() | v.Loop() | v.Scope():
            return (statement.body,)
        case _:
            return ()


def statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, those of blocks after the one that has the block."""
    for statement in body:
        yield statement
        for block in bodies(statement):
            yield from statements(block)


def operands_of(statement: Statement) -> tuple[Operand, ...]:
    """Return the operands that a statement reads, without those of its blocks."""
    match statement:
        case v.Operate(_, _, operands):
            return operands
        case v.Store(_, _, operand):
            return (operand,)
        case v.Row(_, _, _, offset):
            return ((offset,),) if offset is not None else ()
        case v.Table(_, _, at):
            return ((at,),)
        case v.If(condition):
            return ((condition,),)
        case _:
            return ()


def values_of(statement: Statement) -> tuple[int, ...]:
    """The values that a statement defines, without the statements of its blocks."""
    if isinstance(statement, v.For):
        return (statement.counter,)
    return () if isinstance(statement, (v.Store, v.If, v.Loop, v.Scope, v.Leave)) else (statement.result,)


def unused_value(body: Sequence[Statement]) -> int:
    """A number from which on no statement defines a value."""
    return 1 + max([number for statement in statements(body) for number in values_of(statement)], default=0)


def leaves(body: Sequence[Statement]) -> Iterator[int]:
    """The labels that statements leave and that are outside of them."""
    for statement in body:
        if isinstance(statement, v.Leave):
            yield statement.label
            continue
        own = statement.label if isinstance(statement, (v.For, v.Loop, v.Scope)) else None
        for block in bodies(statement):
            yield from (label for label in leaves(block) if label != own)


def with_bodies(statement: Statement, new: tuple[tuple[Statement, ...], ...]) -> Statement:
    """A statement with other blocks."""
    match statement:
        case v.If():
            return statement._replace(yes=new[0], no=new[1])
        case v.For() | v.Loop() | v.Scope():
            return statement._replace(body=new[0])
        case _:
            return statement
