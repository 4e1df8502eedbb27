"""Signs of dot products, inside where that costs nothing.

The lowering of SPIR-V has `dot(-x, y)` as `-dot(x, y)`, by a rewrite rule, so that two products that differ in a sign are one.
Where everything that reads a product turns its sign, it is computed with that sign: other instructions can be joined with those
that read it then, whose operands have one sign each.
"""

from __future__ import annotations

from lanewise.compile.vector.code import DOT, Frame, Held, If, Local, Operate, Program, Ref, Row, Statement, Store, Table
from lanewise.compile.vector.walk import bodies, operands_of, statements, with_bodies
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def with_signs_inside(program: Program) -> Program:
    """The program, with dot products negated whose negation is all that is read."""
    dots: set[int] = set()
    plain: set[int] = set()
    operands: list[set[int]] = []  # what is read with its sign turned by one operand
    for s in statements(program.body):
        if isinstance(s, Operate) and s.op == DOT and s.operands[0] != s.operands[1]:  # much is known of a square
            dots.add(s.result)
        for operand in operands_of(s):
            negated = {ref.value for ref in operand if ref.negated}
            plain |= {ref.value for ref in operand if not ref.negated or isinstance(s, If)}
            operands.append(negated)
    turned = {value for negated in operands for value in negated & dots} - plain
    while torn := {value for operand in operands if not operand <= turned for value in operand & turned}:
        turned -= torn  # other components of an operand keep their signs
    if not turned:
        return program
    change = _Change(turned, {s.result for s in statements(program.body) if isinstance(s, Operate)})
    return program._replace(
        body=change.body(program.body),
        scopes=tuple([tuple([change.frame(each) for each in scope]) for scope in program.scopes]),
    )


class _Change:
    """Turns the signs of some dot products, and those of all that read them."""

    def __init__(self, turned: set[int], computed: set[int]) -> None:
        self.turned, self.computed = turned, computed

    def ref(self, ref: Ref) -> Ref:
        return ref.turned(ref.value in self.turned)

    def operand(self, operand: Sequence[Ref]) -> tuple[Ref, ...]:
        return tuple(map(self.ref, operand))

    def cost(self, operand: Sequence[Ref]) -> tuple[int, int]:
        """How much is copied together for an operand, with its signs; other products may need it with others."""
        values = {ref.value for ref in operand}
        return len(values), len(values - self.computed)

    def frame(self, frame: Frame) -> Frame:
        return frame._replace(locals=tuple(map(self.local, frame.locals)))

    def local(self, local: Local) -> Local:
        return local._replace(components=tuple(map(self.component, local.components)))

    def component(self, component: Ref | Held | float | None) -> Ref | Held | float | None:
        return self.ref(component) if isinstance(component, Ref) else component

    def body(self, body: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple(map(self.statement, body))

    def statement(self, s: Statement) -> Statement:
        match s:
            case Operate(result, _, operands):
                sides = [self.operand(each) for each in operands]
                if result in self.turned:
                    at = min((0, 1), key=lambda side: self.cost(operands[side]))
                    sides[at] = tuple([ref.turned() for ref in sides[at]])
                return s._replace(operands=tuple(sides))
            case Store(_, _, operand):
                return s._replace(operand=self.operand(operand))
            case Row(_, _, _, offset) if offset is not None:
                return s._replace(offset=self.ref(offset))
            case Table(_, _, at):
                return s._replace(at=self.ref(at))
            case _:
                return with_bodies(s, tuple(map(self.body, bodies(s))))


__all__ = ["with_signs_inside"]
