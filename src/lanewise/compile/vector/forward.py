"""Forward known values of a vector program to their uses, in place of what computes them.

Loads are what was stored, known numbers are computed, operations are done once, and stores of known numbers need no
conditional. The numbers of a target say what known operations give, so that nothing is computed otherwise than on the target.
"""

from __future__ import annotations

import math

from lanewise.compile.vector import code as v
from lanewise.compile.vector.algebra import EVERYWHERE, EXTREMES, NAMES, Lanes
from lanewise.compile.vector.code import Ref
from lanewise.compile.vector.exact import exact
from lanewise.compile.vector.walk import statements, unused_value, values_of, with_bodies
from lanewise.core.record import TYPE_CHECKING, TypeVar
from lanewise.rules.expression import NAME
from lanewise.rules.matching import rules_for
from lanewise.rules.row import COMPILE
from lanewise.ssa.meaning import evaluated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lanewise.compile.vector.code import Operand, Program, Statement
    from lanewise.rules.matching import Match, Matcher
    from lanewise.ssa.meaning import Numbers

V = TypeVar("V")
_Lane = tuple[int, int]

_COMMUTATIVE = (v.ADD, v.MUL, v.MAD, v.EQ, v.NE, v.AND, v.OR)
# Their results are never subnormal where the target flushes those: multiplying by 1 does not change them. Adding 0 changes -0,
# where there is one.
_ARITHMETIC = (v.ADD, v.MUL, v.MAD, v.DOT, v.RCP, v.RSQ, v.EXP2, v.LOG2, v.FLOOR, v.LT, v.LE, v.EQ, v.NE, v.AND, v.OR, v.NOT)


class _Scope:
    """The known values at a place."""

    def __init__(self) -> None:
        self.names: dict[_Lane, Ref] = {}  # lanes that are other lanes, or known numbers
        self.variables: dict[_Lane, Ref] = {}  # the lanes that variables hold
        self.have: dict[object, Ref] = {}  # by operation and operands
        self.visible: set[int] = set()

    def inner(self) -> _Scope:
        found = _Scope()
        found.names, found.variables = dict(self.names), dict(self.variables)
        found.have, found.visible = dict(self.have), set(self.visible)
        return found


class Forward:
    """Loads as what was stored, known numbers computed, operations once."""

    old: Program
    numbers: Numbers[Any]
    eager: bool
    next: int
    scope: _Scope
    rules: Matcher
    view: Lanes
    line: int

    def __init__(self, program: Program, numbers: Numbers[V], *, eager: bool = False, extremes: bool = True) -> None:
        self.old, self.numbers, self.eager = program, numbers, eager
        self.next = unused_value(program.body)
        self.constants: dict[float | str, int] = {}
        self.known: dict[int, float] = {}
        self.arithmetic: set[int] = set()  # values that are results of arithmetic
        self.operations: dict[int, v.Operate] = {}
        self.scope = _Scope()
        self.out: list[Statement] = []
        self.rules = rules_for(COMPILE)
        self.view = Lanes(self, EVERYWHERE | EXTREMES if extremes else EVERYWHERE)
        self.line = -1
        self.flags: set[int] = set()
        self.renamed: dict[_Lane, Ref] = {}  # lanes of the old program in the new one, for a debugger

    def program(self) -> Program:
        self.block(self.old.body)
        numbers = [v.Number(number, (value,)) for number, value in self.known.items()]
        return self.old._replace(body=(*numbers, *self.out), scopes=self.scopes())

    def scopes(self) -> tuple[tuple[v.Frame, ...], ...]:
        """Return the scopes that a debugger sees, by the new names of values."""
        done: dict[v.Local, v.Local] = {}

        def local(old: v.Local) -> v.Local:
            if old not in done:
                done[old] = old._replace(components=tuple([self.seen(component) for component in old.components]))
            return done[old]

        return tuple(
            [tuple([frame._replace(locals=tuple(map(local, frame.locals))) for frame in scope]) for scope in self.old.scopes]
        )

    def seen(self, component: Ref | v.Held | float | None) -> Ref | v.Held | float | None:
        """A component of a variable of the source: a number where it is known."""
        if not isinstance(component, Ref):
            return component
        found = self.renamed.get((component.value, component.lane))
        if found is None:
            return component
        turned = found.turned(component.negated)
        number = self.number(turned)
        return turned if number is None else number

    def new(self) -> int:
        """The number of a value that no statement defines yet."""
        self.next += 1
        return self.next - 1

    # Refs

    def constant(self, value: float) -> Ref:
        """A known number, as the target has it; the sign is that of the ref."""
        value = self.numbers.value(self.numbers.known(value))
        size = abs(value)
        key = "nan" if math.isnan(size) else size
        if key not in self.constants:
            self.constants[key] = number = self.new()
            self.known[number] = size
        return Ref(self.constants[key], 0, math.copysign(1.0, value) < 0)

    def number(self, ref: Ref) -> float | None:
        """The number that a ref is, if it is known."""
        found = self.known.get(ref.value)
        return found if found is None or not ref.negated else -found

    def resolved(self, ref: Ref) -> Ref:
        found = self.scope.names.get((ref.value, ref.lane))
        return ref if found is None else found.turned(ref.negated)

    def operand(self, operand: Operand) -> Operand:
        return tuple([self.resolved(ref) for ref in operand])

    def name(self, result: int, lane: int, ref: Ref) -> None:
        self.scope.names[result, lane] = ref
        self.renamed[result, lane] = ref

    def emit(self, statement: Statement) -> None:
        self.out.append(statement)
        self.scope.visible |= set(values_of(statement))

    # Statements

    def block(self, body: Sequence[Statement]) -> bool:
        """Add statements. Returns whether they come to their end."""
        for statement in body:
            self.statement(statement)
            if self.out and isinstance(self.out[-1], v.Leave):
                return False
        return True

    def inner(self, body: Sequence[Statement], scope: _Scope) -> tuple[tuple[Statement, ...], _Scope]:
        """Statements of a block within this one, and what is known at its end."""
        outer, self.scope = self.scope, scope
        written, self.out = self.out, []
        self.block(body)
        found, self.out = tuple(self.out), written
        self.scope, end = outer, self.scope
        return found, end

    def statement(self, s: Statement) -> None:
        match s:
            case v.Number(result, values):
                for lane, value in enumerate(values):
                    self.name(result, lane, self.constant(value))
            case v.Attribute(result, number):
                for lane in range(self.old.inputs[number].lanes, 4):
                    self.name(result, lane, self.constant(float(lane == 3)))
                self.once(s, result, ("attribute", number), self.old.inputs[number].lanes)
            case v.Row():
                self.row(s)
            case v.Table(result, rows, at):
                where = self.resolved(at)
                known = self.number(where)
                if known is not None and 0 <= known < len(rows):
                    for lane, value in enumerate(rows[int(known)]):
                        self.name(result, lane, self.constant(value))
                else:
                    self.once(s._replace(at=where), result, ("table", rows, where), 4)
            case v.Truth(result, flag):
                self.flags.add(result)
                self.once(s, result, ("truth", flag), 1)
            case v.Load(result, variable):
                missing = False
                for lane in range(self.old.variables[variable].lanes):
                    held = self.scope.variables.get((variable, lane))
                    if held is None:
                        missing = True
                        self.scope.variables[variable, lane] = Ref(result, lane)
                    else:
                        self.name(result, lane, held)
                if missing:
                    self.emit(s)
            case v.Operate():
                self.operate(s)
            case v.Store():
                self.store(s)
            case v.If():
                self.conditional(s)
            case v.For() | v.Loop() | v.Scope():
                self.around(s)
            case v.Leave():
                self.emit(s)

    def once(self, s: Statement, result: int, key: object, lanes: int) -> None:
        """Add a statement unless its value is there."""
        have = self.scope.have.get(key)
        if have is None:
            self.scope.have[key] = Ref(result)
            self.emit(s)
            return
        for lane in range(lanes):
            self.name(result, lane, self.resolved(Ref(have.value, lane)))

    def row(self, s: v.Row) -> None:
        row, offset = s.row, None if s.offset is None else self.resolved(s.offset)
        known = None if offset is None else self.number(offset)
        if known is not None and math.isfinite(known) and 0 <= row + int(known) < self.old.uniforms[s.uniform].rows:
            row, offset = row + int(known), None
        self.once(s._replace(row=row, offset=offset), s.result, ("row", s.uniform, row, offset), 4)

    def store(self, s: v.Store) -> None:
        kept: list[tuple[int, Ref]] = []
        for lane, ref in zip(s.lanes, self.operand(s.operand), strict=True):
            if self.scope.variables.get((s.variable, lane)) != ref:
                kept.append((lane, ref))
                self.scope.variables[s.variable, lane] = ref
        if kept:
            self.emit(s._replace(mask=sum(1 << lane for lane, _ in kept), operand=tuple([ref for _, ref in kept])))

    def operate(self, s: v.Operate) -> None:
        self.line = s.line
        operands = tuple([self.operand(operand) for operand in s.operands])
        if s.op == v.DOT:
            self.dot(s, operands[0], operands[1])
            return
        kept: list[tuple[int, Operand]] = []
        for lane, refs in enumerate(zip(*operands, strict=True)):
            found = self.lane(s.op, refs)
            if found is not None:
                self.name(s.result, lane, found)
            else:
                kept.append((lane, refs))
        if not kept:
            return
        distinct = {refs: place for place, refs in enumerate(dict.fromkeys([refs for _, refs in kept]))}
        result = s.result
        if len(distinct) < len(operands[0]):  # its lanes have other numbers
            result = self.new()
            for lane, refs in kept:
                self.name(s.result, lane, Ref(result, distinct[refs]))
        if s.op in _ARITHMETIC:
            self.arithmetic.add(result)
        for refs, place in distinct.items():
            self.scope.have[s.op, _ordered(s.op, refs)] = Ref(result, place)
        operation = v.Operate(result, s.op, tuple([tuple(column) for column in zip(*distinct, strict=True)]), s.line)
        self.operations[result] = operation
        self.emit(operation)

    def dot(self, s: v.Operate, a: Operand, b: Operand) -> None:
        found = self.computed(v.DOT, [[self.number(ref) for ref in operand] for operand in (a, b)])
        if found is not None:
            self.name(s.result, 0, self.constant(found))
            return
        self.arithmetic.add(s.result)
        key = v.DOT, a, b
        have = self.scope.have.get(key)
        if have is not None:
            self.name(s.result, 0, self.resolved(have))
            return
        self.scope.have[key] = Ref(s.result)
        if a == b:  # what is known of a square
            self.operations[s.result] = s._replace(operands=(a, b))
        self.emit(s._replace(operands=(a, b)))

    def computed(self, op: str, operands: Sequence[Sequence[float | None]]) -> float | None:
        """The result of an operation on known numbers, if it needs no rounding: how the target rounds may not be known for
        certain."""
        known = [[x for x in operand if x is not None] for operand in operands]
        if [len(each) for each in known] != [len(each) for each in operands]:
            return None
        found = self.numbers.value(evaluated(self.numbers, op, [[self.numbers.known(x) for x in each] for each in known]))
        return found if exact(op, known, found, lambda x: self.numbers.value(self.numbers.known(x)) == x) else None

    def lane(self, op: str, refs: Operand) -> Ref | None:
        """Return the lane of an operation, if it is known or computed already."""
        known = self.computed(op, [[self.number(ref)] for ref in refs])
        if known is not None:
            return self.constant(known)
        have = self.scope.have.get((op, _ordered(op, refs)))
        if have is not None:
            return self.resolved(have)
        found = self.rule(op, refs)
        return None if found is None else found.value(self.view)

    def rule(self, op: str, refs: Operand) -> Match[Ref] | None:
        """The rewrite rule that fits a lane of an operation."""
        return self.rules.found(self.view, NAMES.get(op, op), refs, eager=self.eager)

    def added(self, op: str, *refs: Ref) -> Ref:
        """The result of an operation on one lane that is not in the program."""
        result = self.new()
        self.operate(v.Operate(result, op, tuple([(ref,) for ref in refs]), self.line))
        return self.resolved(Ref(result))

    # Blocks

    def conditional(self, s: v.If) -> None:
        condition = self.resolved(s.condition)
        known = self.number(condition)
        if known is not None:
            self.block(s.yes if known == 1 else s.no)
            return
        scopes = self.scope.inner(), self.scope.inner()
        for scope, holds in zip(scopes, (True, False), strict=True):
            self.learn(scope, condition, holds)
        yes, after_yes = self.inner(s.yes, scopes[0])
        no, after_no = self.inner(s.no, scopes[1])
        chosen = self.chosen(condition, yes, no, s.line)
        if chosen is not None:
            for store in chosen:
                self.statement(store)
            return
        self.emit(v.If(condition, yes, no, s.line))
        ends = [after for arm, after in ((yes, after_yes), (no, after_no)) if not (arm and isinstance(arm[-1], v.Leave))]
        if not ends:
            self.scope.variables = {}
            return
        shared = ends[0].variables
        self.scope.variables = {
            lane: ref
            for lane, ref in shared.items()
            if (ref.value in self.scope.visible or ref.value in self.known)
            and all(each.variables.get(lane) == ref for each in ends)
        }

    def chosen(self, condition: Ref, yes: Sequence[Statement], no: Sequence[Statement], line: int) -> list[v.Store] | None:
        """Stores without a conditional that do what one does whose arms only store what is known, or compared; None for another
        one."""
        operation = self.operations.get(condition.value)
        if operation is None or condition.negated:
            return None
        if operation.op == v.NOT:
            return self.chosen(self.resolved(operation.operands[0][condition.lane]), no, yes, line)
        stored = self.stored(yes), self.stored(no)
        if stored[0] is None or stored[1] is None:
            return None
        if operation.op == v.NE and self.eager:
            operands = [operand[condition.lane] for operand in operation.operands]
            return self.chosen(self.added(v.EQ, *operands), no, yes, line)
        pairs: dict[_Lane, tuple[Ref, Ref]] = {}
        for lane in sorted({*stored[0], *stored[1]}):
            held = self.scope.variables.get(lane)
            first, second = stored[0].get(lane, held), stored[1].get(lane, held)
            if first is None or second is None or not self.is_free(condition, first, second):
                return None
            pairs[lane] = first, second
        found: list[v.Store] = []
        self.line = line
        for (variable, lane), (first, second) in pairs.items():
            result = self.new()
            self.operate(v.Operate(result, v.SELECT, ((condition,), (first,), (second,)), line))
            found.append(v.Store(variable, 1 << lane, (self.resolved(Ref(result)),), line))
        return found

    def stored(self, body: Sequence[Statement]) -> dict[_Lane, Ref] | None:
        """Return the values that statements store, by lane; None where they do something else."""
        found: dict[_Lane, Ref] = {}
        for s in body:
            if not isinstance(s, v.Store):
                return None
            found |= {(s.variable, lane): ref for lane, ref in s.pairs}
        return found

    def is_free(self, condition: Ref, first: Ref, second: Ref) -> bool:
        """Whether one of two values can be had without a conditional, by a condition that is not a NOT."""
        found = self.rule(v.SELECT, (condition, first, second))
        if found is None:
            return False
        if found.rule.replacement.kind in (v.MIN, v.MAX, NAME):
            return True
        operation = self.operations[condition.value].op
        return operation in (v.LT, v.LE) or (self.eager and operation in (v.EQ, v.AND, v.OR))

    def learn(self, scope: _Scope, condition: Ref, holds: bool) -> None:
        """In an arm of a condition it is known, and perhaps what it is made of."""
        key, value = (condition.value, condition.lane), self.constant(float(holds))
        if scope.names.get(key) == value:
            return
        scope.names[key] = value
        operation = self.operations.get(condition.value)
        if operation is None:
            return
        if (operation.op, holds) in ((v.AND, True), (v.OR, False)):
            for operand in operation.operands:
                self.learn(scope, operand[condition.lane], holds)
        elif operation.op == v.NOT:
            self.learn(scope, operation.operands[0][condition.lane], not holds)

    def around(self, s: v.For | v.Loop | v.Scope) -> None:
        stored = {(each.variable, lane) for each in statements(s.body) if isinstance(each, v.Store) for lane in each.lanes}
        inside = self.scope.inner()
        if not isinstance(s, v.Scope):
            for lane in stored:
                inside.variables.pop(lane, None)
        if isinstance(s, v.For):
            inside.visible.add(s.counter)
        body, _ = self.inner(s.body, inside)
        if body or isinstance(s, v.Loop):
            self.emit(with_bodies(s, (body,)))
        for lane in stored:
            self.scope.variables.pop(lane, None)


def _ordered(op: str, refs: Operand) -> Operand:
    return (*sorted(refs[:2]), *refs[2:]) if op in _COMMUTATIVE else refs
