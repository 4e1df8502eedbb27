"""Vector programs in SSA form: variables become values, and statements become blocks.

    operand of one value and sign   a reference with lanes: `-%3.xyz`; others are a `pack` of lanes
    Load                            what the variable holds; nothing is computed
    Store                           the variable holds the operand, or a `pack` of it and of the lanes that it had
    If                              a branch on `is_one`; where both ends meet, a parameter for each variable that differs
    For                             a head that asks `lt` of the number of turns, with a parameter for each variable that the
                                    body stores, and for the counter
    Loop, Scope, Leave              the same without a question; a leave jumps to the block after its label
    the end                         a return of the lanes of outputs

Operations have the names of `OPERATIONS` here. The results are the same bits: `ssa.meaning` runs a function on the numbers that
`interpret` takes.
"""

from __future__ import annotations

import math

from lanewise.compile.vector import code as v
from lanewise.compile.vector.exact import exact
from lanewise.compile.vector.interpret import Floats
from lanewise.compile.vector.walk import statements
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.ssa.building import Builder
from lanewise.ssa.function import Declaration, Return
from lanewise.ssa.meaning import Meaning
from lanewise.ssa.nodes import LETTERS, NEGATE, NONE, NUMBER, Ref, number_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.vector.code import Operand, Program, Statement
    from lanewise.ssa.function import Function
    from lanewise.ssa.nodes import Node

# Truths of vector programs are 1.0 and 0.0.
OPERATIONS: Mapping[str, str] = {
    op: f"set_{op}" if op in (v.LT, v.LE, v.EQ, v.NE, v.AND, v.OR, v.NOT) else op for op in v.OPERATIONS
}


class _End(Record):
    """A block that goes on where others do, and what variables hold there."""

    block: int
    state: Mapping[int, Ref]


def lower(program: Program) -> Function:
    """The function of a vector program."""
    lowering = _Lowering(program)
    if lowering.block(program.body):
        lowering.end()
    return lowering.builder.function(program.name, declarations_of(program), results_of(program), program.lines)


def results_of(program: Program) -> tuple[str, ...]:
    """The names of what a function returns: `position.x`."""
    return tuple([f"{output.name}.{LETTERS[lane]}" for output in program.outputs for lane in output.lanes])


def declarations_of(program: Program) -> tuple[Declaration, ...]:
    """The interface of a program."""
    return (
        *[
            Declaration("input", i.name, (("lanes", i.lanes), ("register", i.register), *_semantic(i.semantic)))
            for i in program.inputs
        ],
        *[
            Declaration("uniform", u.name, (("rows", u.rows), ("columns", u.columns), ("register", u.register)))
            for u in program.uniforms
        ],
        *[Declaration("flag", f.name, (("register", f.register),)) for f in program.flags],
        *[Declaration("count", c.name, (("most", c.most), ("register", c.register))) for c in program.counts],
        *[Declaration("output", o.name, (("semantic", o.semantic), ("mask", o.mask))) for o in program.outputs],
    )


def _semantic(semantic: str) -> tuple[tuple[str, str], ...]:
    return (("semantic", semantic),) if semantic else ()


class _Lowering:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.builder = b = Builder()
        self.values: dict[int, Ref] = {}
        self.state: Mapping[int, Ref] = {
            n: b.op("undefined", immediates=(variable.lanes,)) for n, variable in enumerate(program.variables)
        }
        self.ends: dict[int, list[_End]] = {}  # by label: what leaves its statement

    def end(self) -> None:
        outputs = [(self.state[output.variable], lane) for output in self.program.outputs for lane in output.lanes]
        self.builder.leave(Return(tuple([self.builder.selected(ref, [lane]) for ref, lane in outputs])))

    # Values

    def ref(self, ref: v.Ref) -> Ref:
        found = self.builder.selected(self.values[ref.value], [ref.lane])
        return found._replace(modifier=found.modifier ^ (NEGATE if ref.negated else NONE))

    def operand(self, operand: Operand) -> Ref:
        return self.builder.packed([self.ref(ref) for ref in operand])

    def leaf(self, op: str, *sources: Ref, immediates: tuple[int | float | str, ...]) -> Ref:
        return self.builder.op(op, *sources, immediates=immediates)

    def value(self, s: Statement) -> Ref | None:
        """The value that a statement defines."""
        match s:
            case v.Number(_, values):
                return self.builder.constant(*values)
            case v.Attribute(_, number):
                return self.leaf("input", immediates=(self.program.inputs[number].name,))
            case v.Row(_, number, row, offset):
                at = (self.program.uniforms[number].name, row)
                return (
                    self.leaf("uniform", immediates=at)
                    if offset is None
                    else self.leaf("uniform_at", self.ref(offset), immediates=at)
                )
            case v.Table(_, rows, at):
                return self.leaf("table", self.ref(at), immediates=tuple([value for row in rows for value in row]))
            case v.Truth(_, number):
                return self.builder.op("one_if", self.leaf("flag", immediates=(self.program.flags[number].name,)))
            case v.Load(_, variable):
                return self.state[variable]
            case v.Operate(_, op, operands):
                return self.builder.op(OPERATIONS[op], *map(self.operand, operands))
            case _:
                return None

    # Statements

    def block(self, body: Sequence[Statement]) -> bool:
        """Whether execution comes to the end of the statements."""
        return all(self.statement(statement) for statement in body)

    def statement(self, s: Statement) -> bool:
        self.builder.line = s.line
        value = self.value(s)
        if value is not None and not isinstance(s, (v.Store, v.If, v.For, v.Loop, v.Scope, v.Leave)):
            self.values[s.result] = value
            return True
        match s:
            case v.Store(variable):
                old, new = self.state[variable], dict(s.pairs)
                lanes = range(self.program.variables[variable].lanes)
                refs = [self.ref(new[lane]) if lane in new else self.builder.selected(old, [lane]) for lane in lanes]
                self.state = {**self.state, variable: self.builder.packed(refs)}
                return True
            case v.If(condition, yes, no):
                return self.conditional(self.builder.op("is_one", self.ref(condition)), yes, no)
            case v.For():
                return self.count(s)
            case v.Loop(label, body):
                self.loop(label, body, None, ())
                return self.left(label)
            case v.Scope(label, body):
                self.ends[label] = []
                if self.block(body):
                    self.leave(label)
                return self.left(label)
            case v.Leave(label):
                self.leave(label)
                return False
            case _:
                raise AssertionError(s)

    def conditional(self, question: Ref, yes: Sequence[Statement], no: Sequence[Statement]) -> bool:
        b, before = self.builder, self.state
        arms = b.block(), b.block()
        b.branch(question, *arms)
        ends: list[_End] = []
        for arm, body in zip(arms, (yes, no), strict=True):
            b.at(arm)
            self.state = before
            if self.block(body):
                ends.append(_End(b.current, self.state))
        return self.meet(ends)

    def meet(self, ends: Sequence[_End]) -> bool:
        """Go on where blocks meet, with a parameter for each variable that they do not agree on."""
        b = self.builder
        if len(ends) < 2:
            for end in ends:
                b.at(end.block)
                self.state = end.state
            return bool(ends)
        differing = [n for n in self.state if len({end.state[n] for end in ends}) > 1]
        block = b.block(*[self.type_of(n) for n in differing])
        for end in ends:
            b.at(end.block)
            b.jump(block, tuple([end.state[n] for n in differing]))
        b.at(block)
        self.state = {**ends[0].state, **{n: b.parameter(block, at) for at, n in enumerate(differing)}}
        return True

    def type_of(self, variable: int) -> str:
        return number_type(self.program.variables[variable].lanes)

    # Loops

    def count(self, s: v.For) -> bool:
        """A loop that counts turns, and its counter besides where that is another number."""
        b = self.builder
        if isinstance(s.turns, int):
            turns = b.constant(float(s.turns))
        else:
            turns = self.leaf("count", immediates=(self.program.counts[s.turns.number].name,))
        counters = [(0.0, 1.0)] if (s.start, s.step) == (0, 1) else [(0.0, 1.0), (float(s.start), float(s.step))]
        self.loop(s.label, s.body, turns, [(b.constant(start), b.constant(step)) for start, step in counters], s.counter, s.end)
        return self.left(s.label)

    def loop(
        self,
        label: int,
        body: Sequence[Statement],
        turns: Ref | None,
        counters: Sequence[tuple[Ref, Ref]],
        counter: int = -1,
        end: int = -1,
    ) -> None:
        """A loop whose head has a parameter for each variable that the body stores, and for the counters, which have a first
        number and a step. The first counts the turns, the last is the `counter` of the body."""
        b = self.builder
        stored = sorted({each.variable for each in statements(body) if isinstance(each, v.Store)})
        head = b.block(*[self.type_of(n) for n in stored], *[NUMBER for _ in counters])
        b.jump(head, (*[self.state[n] for n in stored], *[start for start, _ in counters]))
        b.at(head)
        self.state = {**self.state, **{n: b.parameter(head, at) for at, n in enumerate(stored)}}
        self.ends[label] = []
        numbers = [b.parameter(head, len(stored) + at) for at in range(len(counters))]
        if turns is not None:
            inside, outside = b.block(), b.block()
            b.branch(b.op("lt", numbers[0], turns), inside, outside)
            self.ends[label].append(_End(outside, self.state))
            b.at(inside)
            self.values[counter] = numbers[-1]
        if self.block(body):
            b.line = end
            steps = [b.op("add", number, step) for number, (_, step) in zip(numbers, counters, strict=True)]
            b.jump(head, (*[self.state[n] for n in stored], *steps))

    def leave(self, label: int) -> None:
        self.ends[label].append(_End(self.builder.current, self.state))

    def left(self, label: int) -> bool:
        """Go on after a statement that is left."""
        return self.meet(self.ends.pop(label))


def evaluate(node: Node, sources: Sequence[Sequence[float]]) -> Sequence[float] | None:
    """The result of an operation on known numbers, if it is that of every target: nothing is rounded, no zero has a sign."""
    if node.op not in OPERATIONS.values() and node.op not in _TRUTHS:
        return None
    try:
        found = Meaning(Floats(), {}, {}, {}, {}).operate(node, sources)
    except (ArithmeticError, ValueError):
        return None
    numbers = [lane for source in sources for lane in source]
    if not all(map(_everywhere, (*numbers, *found))):
        return None
    name = node.op.removeprefix("set_")
    groups = [sources] if name == v.DOT else [[[lane] for lane in lanes] for lanes in zip(*sources, strict=True)]
    sure = all(exact(name, group, number, _everywhere) for group, number in zip(groups, found, strict=True))
    return found if sure else None


_TRUTHS = ("lt", "le", "eq", "ne", "is_one", "one_if")
_MANTISSA, _EXPONENT = 1 << 17, 60


def _everywhere(value: float) -> bool:
    """Whether each target has a number, and computes with it as it is: 17 bits, far from the largest and smallest, no -0."""
    if value == 0 or not math.isfinite(value):
        return value == 0 and math.copysign(1.0, value) > 0
    mantissa, exponent = math.frexp(value)
    return (mantissa * _MANTISSA).is_integer() and abs(exponent) <= _EXPONENT
