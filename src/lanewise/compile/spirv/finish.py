"""From blocks under construction to statements: leaves that lead where control flow goes anyway are taken out, and what nothing needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.spirv.emit import Body, ForNode, IfNode, LoopNode, ScopeNode, Splice
from lanewise.compile.vector.code import For, If, Leave, Load, Loop, Operate, Ref, Row, Scope, Statement, Store, Table

if TYPE_CHECKING:
    from lanewise.compile.spirv.emit import Item

Statements = tuple[Statement, ...]
_NOWHERE: frozenset[int] = frozenset()


def finished(prologue: Body, body: Body, outputs: set[int]) -> Statements:
    """The statements of a program: those before all else, and the others. `outputs`: variables that are read at the end."""
    statements = (*_frozen(prologue), *_shaped(_frozen(body), _NOWHERE))
    while True:
        fewer = _without_unused(statements, outputs)
        if fewer == statements:
            return statements
        statements = _shaped(fewer, _NOWHERE)


def _frozen(body: Body) -> Statements:
    found: list[Statement] = []
    for item in body.items:
        found += _statements(item)
    return tuple(found)


def _statements(item: Item) -> list[Statement]:
    if isinstance(item, Splice):
        return list(item.items)
    if isinstance(item, IfNode):
        return [If(item.condition, _frozen(item.yes), _frozen(item.no), item.line)]
    if isinstance(item, ScopeNode):
        return [Scope(item.label, _frozen(item.body), item.line)]
    if isinstance(item, LoopNode):
        return [Loop(item.label, _frozen(item.body), item.line)]
    if isinstance(item, ForNode):
        return [For(item.label, item.turns, item.start, item.step, item.counter, _frozen(item.body), item.line, item.end)]
    return [item]


def _ends(statements: Statements) -> frozenset[int] | None:
    """The labels that a block leaves at its end, whichever way it goes; None if it may go on behind its end."""
    if not statements:
        return None
    last = statements[-1]
    if isinstance(last, Leave):
        return frozenset((last.label,))
    if isinstance(last, If):
        yes, no = _ends(last.yes), _ends(last.no)
        return None if yes is None or no is None else yes | no
    if isinstance(last, Scope):
        inside = _ends(last.body)
        return None if inside is None or last.label in _labels((last,)) else inside
    if isinstance(last, Loop):
        return None if last.label in _labels((last,)) else _NOWHERE
    return None


def _labels(statements: Statements) -> set[int]:
    """The labels that leaves in statements name."""
    found: set[int] = set()
    for statement in statements:
        if isinstance(statement, Leave):
            found.add(statement.label)
        elif isinstance(statement, If):
            found |= _labels(statement.yes) | _labels(statement.no)
        elif isinstance(statement, (For, Loop, Scope)):
            found |= _labels(statement.body)
    return found


def _shaped(statements: Statements, here: frozenset[int]) -> Statements:
    """Statements without leaves whose label is in `here`: those of scopes that end where the statements end.

    What follows an `If` whose one arm leaves such a scope goes into the other arm.
    """
    found: list[Statement] = []
    for number, statement in enumerate(statements):
        rest = statements[number + 1 :]
        if isinstance(statement, Leave):
            if statement.label not in here:
                found.append(statement)
            return tuple(found)
        if isinstance(statement, If) and rest:
            yes, no = _ends(statement.yes), _ends(statement.no)
            if yes is not None and no is not None:
                rest = ()
                found.append(_shaped_one(statement, here))
                return tuple(found)
            if yes is not None and yes <= here:
                found.append(_shaped_one(statement._replace(no=statement.no + rest), here))
                return tuple(found)
            if no is not None and no <= here:
                found.append(_shaped_one(statement._replace(yes=statement.yes + rest), here))
                return tuple(found)
        if isinstance(statement, Scope):
            body = _shaped(statement.body, (here if not rest else _NOWHERE) | {statement.label})
            body = _left_by_loop(body, statement.label)
            if statement.label in _labels(body):
                found.append(statement._replace(body=body))
            elif _ends(body) is not None:
                found += body
                return tuple(found)
            else:
                found += body
            continue
        found.append(_shaped_one(statement, here if not rest else _NOWHERE))
    return tuple(found)


def _shaped_one(statement: Statement, here: frozenset[int]) -> Statement:
    if isinstance(statement, If):
        return statement._replace(yes=_shaped(statement.yes, here), no=_shaped(statement.no, here))
    if isinstance(statement, (For, Loop)):
        return statement._replace(body=_shaped(statement.body, _NOWHERE))
    return statement


def _left_by_loop(body: Statements, label: int) -> Statements:
    """A scope that ends with a loop: to leave the scope from the loop is to leave the loop."""
    if not body or not isinstance(body[-1], (For, Loop)):
        return body
    last = body[-1]
    return (*body[:-1], last._replace(body=_relabelled(last.body, label, last.label)))


def _relabelled(statements: Statements, old: int, new: int) -> Statements:
    found: list[Statement] = []
    for statement in statements:
        if isinstance(statement, Leave):
            found.append(statement._replace(label=new) if statement.label == old else statement)
        elif isinstance(statement, If):
            found.append(statement._replace(yes=_relabelled(statement.yes, old, new), no=_relabelled(statement.no, old, new)))
        elif isinstance(statement, (For, Loop, Scope)):
            found.append(statement._replace(body=_relabelled(statement.body, old, new)))
        else:
            found.append(statement)
    return tuple(found)


class _Uses:
    """Which values and variables statements read."""

    def __init__(self) -> None:
        self.values: set[int] = set()
        self.variables: set[int] = set()

    def read(self, statement: Statement) -> None:
        if isinstance(statement, Operate):
            for operand in statement.operands:
                self.refs(operand)
        elif isinstance(statement, Store):
            self.refs(statement.operand)
        elif isinstance(statement, Row) and statement.offset is not None:
            self.values.add(statement.offset.value)
        elif isinstance(statement, Table):
            self.values.add(statement.at.value)
        elif isinstance(statement, Load):
            self.variables.add(statement.variable)
        elif isinstance(statement, If):
            self.values.add(statement.condition.value)

    def refs(self, operand: tuple[Ref, ...]) -> None:
        self.values.update([ref.value for ref in operand])


def _without_unused(statements: Statements, outputs: set[int]) -> Statements:
    """Statements without values that nothing reads, stores to variables that nothing loads, and constructs without content."""
    uses = _Uses()
    uses.variables |= outputs
    while True:  # until what is needed is known: from stores and conditions back
        before = len(uses.values), len(uses.variables)
        _mark(statements, uses)
        if before == (len(uses.values), len(uses.variables)):
            return _kept(statements, uses)


def _mark(statements: Statements, uses: _Uses) -> None:
    for statement in reversed(statements):
        if isinstance(statement, Store):
            if statement.variable in uses.variables:
                uses.read(statement)
        elif isinstance(statement, If):
            uses.read(statement)
            _mark(statement.no, uses)
            _mark(statement.yes, uses)
        elif isinstance(statement, (For, Loop, Scope)):
            _mark(statement.body, uses)
        elif not isinstance(statement, Leave) and statement.result in uses.values:
            uses.read(statement)


def _kept(statements: Statements, uses: _Uses) -> Statements:
    found: list[Statement] = []
    for statement in statements:
        if isinstance(statement, Store):
            if statement.variable in uses.variables:
                found.append(statement)
        elif isinstance(statement, If):
            yes, no = _kept(statement.yes, uses), _kept(statement.no, uses)
            if yes or no:
                found.append(statement._replace(yes=yes, no=no))
        elif isinstance(statement, (For, Scope)):
            body = _kept(statement.body, uses)
            if body:
                found.append(statement._replace(body=body))
        elif isinstance(statement, Loop):
            found.append(statement._replace(body=_kept(statement.body, uses)))
        elif isinstance(statement, Leave) or statement.result in uses.values:
            found.append(statement)
    return tuple(found)
