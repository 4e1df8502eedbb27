"""From blocks under construction to a program: leaves that lead where control flow goes anyway are taken out, and what nothing
needs."""

from __future__ import annotations

from lanewise.compile.spirv.emit import Body, ForNode, IfNode, LoopNode, ScopeNode, Splice
from lanewise.compile.spirv.signs import with_signs_inside
from lanewise.compile.vector.code import Attribute, CountOf, For, If, Load, Loop, Program, Row, Scope, Statement, Store, Truth
from lanewise.compile.vector.dead import without_dead
from lanewise.compile.vector.structure import structured
from lanewise.compile.vector.walk import bodies, statements, with_bodies
from lanewise.core.record import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.spirv.emit import Item

E = TypeVar("E")
Statements = tuple[Statement, ...]


def frozen(body: Body) -> Statements:
    """The statements of a block."""
    found: list[Statement] = []
    for item in body.items:
        found += _statements(item)
    return tuple(found)


def _statements(item: Item) -> list[Statement]:
    if isinstance(item, Splice):
        return list(item.items)
    if isinstance(item, IfNode):
        return [If(item.condition, frozen(item.yes), frozen(item.no), item.line)]
    if isinstance(item, ScopeNode):
        return [Scope(item.label, frozen(item.body), item.line)]
    if isinstance(item, LoopNode):
        return [Loop(item.label, frozen(item.body), item.line)]
    if isinstance(item, ForNode):
        return [
            For(
                label=item.label,
                turns=item.turns,
                start=item.start,
                step=item.step,
                counter=item.counter,
                body=frozen(item.body),
                line=item.line,
                end=item.end,
            )
        ]
    return [item]


def finished(program: Program) -> Program:
    """A program without leaves that lead where control flow goes anyway, and without what nothing needs: statements, and what
    only they name."""
    while True:
        fewer = without_dead(program._replace(body=structured(program.body)))
        if fewer == program:
            return with_signs_inside(_renumbered(program))
        program = fewer


class _Kept:
    """The entries of a tuple that are named, with their new numbers."""

    def __init__(self, numbers: set[int]) -> None:
        self.numbers = {old: new for new, old in enumerate(sorted(numbers))}

    def __getitem__(self, old: int) -> int:
        return self.numbers[old]

    def of(self, entries: Sequence[E]) -> tuple[E, ...]:
        return tuple([entries[old] for old in self.numbers])


def _renumbered(program: Program) -> Program:
    """A program with what its statements and outputs name only."""
    every = list(statements(program.body))
    inputs = _Kept({s.input for s in every if isinstance(s, Attribute)})
    uniforms = _Kept({s.uniform for s in every if isinstance(s, Row)})
    flags = _Kept({s.flag for s in every if isinstance(s, Truth)})
    counts = _Kept({s.turns.number for s in every if isinstance(s, For) and isinstance(s.turns, CountOf)})
    outputs = {output.variable for output in program.outputs}
    variables = _Kept(outputs | {s.variable for s in every if isinstance(s, (Load, Store))})

    def renumbered(s: Statement) -> Statement:
        match s:
            case Attribute():
                return s._replace(input=inputs[s.input])
            case Row():
                return s._replace(uniform=uniforms[s.uniform])
            case Truth():
                return s._replace(flag=flags[s.flag])
            case Load() | Store():
                return s._replace(variable=variables[s.variable])
            case For() if isinstance(s.turns, CountOf):
                return s._replace(turns=CountOf(counts[s.turns.number]))
            case _:
                return s

    def whole(body: Statements) -> Statements:
        return tuple([with_bodies(s, tuple([whole(inner) for inner in bodies(s)])) for s in map(renumbered, body)])

    return program._replace(
        inputs=inputs.of(program.inputs),
        uniforms=uniforms.of(program.uniforms),
        flags=flags.of(program.flags),
        counts=counts.of(program.counts),
        variables=variables.of(program.variables),
        body=whole(program.body),
        outputs=tuple([output._replace(variable=variables[output.variable]) for output in program.outputs]),
    )
