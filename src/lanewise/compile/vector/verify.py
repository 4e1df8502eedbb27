"""Verify a vector program: the rules that front ends promise and passes must not break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.vector import code as v
from lanewise.compile.vector.walk import operands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.vector.code import Operand, Program, Ref, Statement

_LANES = 4


def verify(program: Program) -> None:
    """Raise ValueError, with the broken rule and the place, unless a program is sound."""
    _Verifier(program).all()


class _Verifier:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.defined: set[int] = set()  # by any statement
        self.seen: dict[int, int] = {}  # the values that can be read here, and how many lanes they have

    def refuse(self, message: str) -> None:
        raise ValueError(f"vector program '{self.program.name}': {message}")

    def number(self, what: str, number: int, of: Sequence[object]) -> None:
        if not 0 <= number < len(of):
            self.refuse(f"unknown {what} {number}: there are {len(of)}")

    def all(self) -> None:
        for output in self.program.outputs:
            self.number("variable", output.variable, self.program.variables)
            lanes = self.program.variables[output.variable].lanes
            if not 0 < output.mask < 1 << _LANES or output.mask >> lanes:
                self.refuse(f"output '{output.name}' has the mask {output.mask:#x}, and its variable {lanes} lanes")
        for each in (*self.program.inputs, *self.program.variables):
            if not 1 <= each.lanes <= _LANES:
                self.refuse(f"'{each.name}' has {each.lanes} lanes, expected 1 to {_LANES}")
        self.block(self.program.body, ())

    def block(self, body: Sequence[Statement], labels: tuple[int, ...]) -> None:
        before = dict(self.seen)
        for statement in body:
            self.statement(statement, labels)
        self.seen = before

    def operand(self, operand: Operand, what: str) -> None:
        for ref in operand:
            self.ref(ref, what)

    def ref(self, ref: Ref, what: str) -> None:
        if ref.value not in self.seen:
            why = "is not visible here" if ref.value in self.defined else "is not defined before"
            self.refuse(f"{what} reads value {ref.value}, which {why}")
        elif not 0 <= ref.lane < self.seen[ref.value]:
            self.refuse(f"{what} reads lane {ref.lane} of value {ref.value}, which has {self.seen[ref.value]}")

    def define(self, value: int, lanes: int) -> None:
        if value in self.defined:
            self.refuse(f"value {value} is defined twice")
        self.defined.add(value)
        self.seen[value] = lanes

    def statement(self, s: Statement, labels: tuple[int, ...]) -> None:
        for operand in operands_of(s):
            self.operand(operand, type(s).__name__)
        match s:
            case v.Number(result, values):
                if not 1 <= len(values) <= _LANES:
                    self.refuse(f"value {result} has {len(values)} numbers, expected 1 to {_LANES}")
                self.define(result, len(values))
            case v.Attribute(result, number):
                self.number("input", number, self.program.inputs)
                self.define(result, _LANES)
            case v.Row(result, number, row, offset):
                self.number("uniform", number, self.program.uniforms)
                if offset is None:
                    self.number(
                        f"row of uniform '{self.program.uniforms[number].name}'", row, range(self.program.uniforms[number].rows)
                    )
                self.define(result, _LANES)
            case v.Table(result, rows):
                if not rows:
                    self.refuse(f"value {result} is of a table without rows")
                self.define(result, _LANES)
            case v.Truth(result, number):
                self.number("flag", number, self.program.flags)
                self.define(result, 1)
            case v.Load(result, number):
                self.number("variable", number, self.program.variables)
                self.define(result, self.program.variables[number].lanes)
            case v.Operate():
                self.operate(s)
            case v.Store(number, mask, operand):
                self.number("variable", number, self.program.variables)
                lanes = self.program.variables[number].lanes
                if not 0 < mask < 1 << lanes or mask.bit_count() != len(operand):
                    self.refuse(f"a store of {len(operand)} lanes to variable {number} of {lanes} has the mask {mask:#x}")
            case _:
                self.flow(s, labels)

    def operate(self, s: v.Operate) -> None:
        if s.op not in v.OPERATIONS:
            self.refuse(f"unknown operation '{s.op}'")
        widths = [len(operand) for operand in s.operands]
        if len(widths) != v.OPERATIONS[s.op]:
            self.refuse(f"{s.op} has {len(widths)} operands, expected {v.OPERATIONS[s.op]}")
        least = 2 if s.op == v.DOT else 1
        if len(set(widths)) != 1 or not least <= widths[0] <= _LANES:
            self.refuse(
                f"{s.op} has operands of {', '.join(map(str, widths))} lanes, expected one width of {least} to {_LANES}"
            )
        self.define(s.result, 1 if s.op == v.DOT else widths[0])

    def flow(self, s: Statement, labels: tuple[int, ...]) -> None:
        match s:
            case v.If(_, yes, no):
                self.block(yes, labels)
                self.block(no, labels)
            case v.For(label, turns, _, _, counter, body):
                if isinstance(turns, v.CountOf):
                    self.number("count", turns.number, self.program.counts)
                before = dict(self.seen)
                self.define(counter, 1)
                self.block(body, self.inside(label, labels))
                self.seen = before
            case v.Loop(label, body) | v.Scope(label, body):
                self.block(body, self.inside(label, labels))
            case v.Leave(label):
                if label not in labels:
                    self.refuse(f"label {label} is left where it is not around")
            case _:
                raise AssertionError(s)

    def inside(self, label: int, labels: tuple[int, ...]) -> tuple[int, ...]:
        if label in labels:
            self.refuse(f"label {label} is within itself")
        return *labels, label
