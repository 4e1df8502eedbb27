"""Remove the statements, inputs and uniforms of a vector program that its outputs do not need.

Outputs that the hardware does not have leave much behind that nothing reads. Lanes are followed one by one; those of a variable
whatever the order of its stores. Straight-line code of the recorder reads values and not variables, so that little is kept for
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.vector.code import (
    DOT,
    Attribute,
    For,
    If,
    Leave,
    Load,
    Loop,
    Number,
    Operate,
    Row,
    Scope,
    Store,
    Table,
    Truth,
)
from lanewise.compile.vector.walk import operands_of, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.direct3d9.options import Sources
    from lanewise.compile.vector.code import Output, Program, Ref, Statement

_LANES = 4


def without_dead(program: Program, sources: Sources) -> tuple[Program, Sources]:
    """The program and its sources without what no output needs."""
    body = _needed(program.body, program.outputs)
    every = list(statements(body))
    inputs = sorted({s.input for s in every if isinstance(s, Attribute)}, key=lambda n: program.inputs[n].register)
    uniforms = sorted({s.uniform for s in every if isinstance(s, Row)}, key=lambda n: sources.uniforms[n])
    flags = sorted({s.flag for s in every if isinstance(s, Truth)}, key=lambda n: sources.flags[n])
    body = _renumbered(
        body, {n: i for i, n in enumerate(inputs)}, {n: i for i, n in enumerate(uniforms)}, {n: i for i, n in enumerate(flags)}
    )
    program = program._replace(
        inputs=tuple([program.inputs[n] for n in inputs]),
        uniforms=tuple([program.uniforms[n] for n in uniforms]),
        flags=tuple([program.flags[n] for n in flags]),
        body=body,
    )
    return program, sources._replace(
        uniforms=tuple([sources.uniforms[n] for n in uniforms]), flags=tuple([sources.flags[n] for n in flags])
    )


class _Live:
    """The lanes of values and variables that are needed; `lanes` has the lanes that are left of a value, where some are not."""

    def __init__(self, outputs: Sequence[Output]) -> None:
        self.variables = {(output.variable, lane) for output in outputs for lane in output.lanes}
        self.values: set[tuple[int, int]] = set()
        self.lanes: dict[int, tuple[int, ...]] = {}

    def mark(self, block: Sequence[Statement]) -> bool:
        """Mark what the statements that are needed read; whether a block has any."""
        found = False
        for statement in reversed(block):
            found |= self._mark(statement)
        return found

    def _mark(self, statement: Statement) -> bool:
        match statement:
            case If(condition, yes, no):
                if any([self.mark(no), self.mark(yes)]):
                    self._read((condition,))
                    return True
                return False
            case For() | Loop() | Scope():
                return self.mark(statement.body)
            case Leave():
                return True
            case Store():
                refs = [ref for lane, ref in statement.pairs if (statement.variable, lane) in self.variables]
                self._read(refs)
                return bool(refs)
            case Operate(result, op, operands) if op != DOT:
                lanes = [lane for lane in range(len(operands[0])) if (result, lane) in self.values]
                self._read([operand[lane] for operand in operands for lane in lanes])
                return bool(lanes)
            case _:
                lanes = [lane for lane in range(_LANES) if (statement.result, lane) in self.values]
                if lanes and isinstance(statement, Load):
                    self.variables.update((statement.variable, lane) for lane in lanes)
                if lanes:
                    self._read([ref for operand in operands_of(statement) for ref in operand])
                return bool(lanes)

    def _read(self, refs: Sequence[Ref]) -> None:
        self.values.update((ref.value, ref.lane) for ref in refs)

    def kept(self, block: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements of a block that are needed, with the lanes that are."""
        found: list[Statement] = []
        for statement in block:
            kept = self._kept(statement)
            if kept is not None:
                found.append(kept)
        return tuple(found)

    def _kept(self, statement: Statement) -> Statement | None:
        match statement:
            case If(condition, yes, no):
                arms = self.kept(yes), self.kept(no)
                return statement._replace(condition=self._ref(condition), yes=arms[0], no=arms[1]) if any(arms) else None
            case For() | Loop() | Scope():
                inner = self.kept(statement.body)
                only = inner[0] if len(inner) == 1 else None
                left = isinstance(only, Leave) and only.label == statement.label
                return statement._replace(body=inner) if inner and not left else None
            case Leave():
                return statement
            case Store():
                parts = [(lane, ref) for lane, ref in statement.pairs if (statement.variable, lane) in self.variables]
                mask = sum(1 << lane for lane, _ in parts)
                return statement._replace(mask=mask, operand=tuple([self._ref(ref) for _, ref in parts])) if parts else None
            case _:
                return self._value(statement)

    def _value(self, statement: Number | Attribute | Row | Table | Truth | Load | Operate) -> Statement | None:
        """A statement that defines a value, with the lanes of an operation or of numbers that are needed."""
        lanes = tuple([lane for lane in range(_LANES) if (statement.result, lane) in self.values])
        if not lanes:
            return None
        match statement:
            case Operate(_, op, operands) if op != DOT:
                self.lanes[statement.result] = lanes
                return statement._replace(
                    operands=tuple([tuple([self._ref(operand[lane]) for lane in lanes]) for operand in operands])
                )
            case Operate():
                return statement._replace(operands=tuple([tuple(map(self._ref, operand)) for operand in statement.operands]))
            case Number():
                self.lanes[statement.result] = lanes
                return statement._replace(values=tuple([statement.values[lane] for lane in lanes]))
            case Row() if statement.offset is not None:
                return statement._replace(offset=self._ref(statement.offset))
            case Table():
                return statement._replace(at=self._ref(statement.at))
            case _:
                return statement

    def _ref(self, ref: Ref) -> Ref:
        lanes = self.lanes.get(ref.value)
        return ref if lanes is None else ref._replace(lane=lanes.index(ref.lane))


def _needed(body: Sequence[Statement], outputs: Sequence[Output]) -> tuple[Statement, ...]:
    live = _Live(outputs)
    size = (-1, -1)
    while size != (len(live.values), len(live.variables)):  # loops come back to what is before
        size = len(live.values), len(live.variables)
        live.mark(body)
    return live.kept(body)


def _renumbered(
    block: Sequence[Statement], inputs: dict[int, int], uniforms: dict[int, int], flags: dict[int, int]
) -> tuple[Statement, ...]:
    found: list[Statement] = []
    for statement in block:
        match statement:
            case If(_, yes, no):
                arms = [_renumbered(arm, inputs, uniforms, flags) for arm in (yes, no)]
                found.append(statement._replace(yes=arms[0], no=arms[1]))
            case For() | Loop() | Scope():
                found.append(statement._replace(body=_renumbered(statement.body, inputs, uniforms, flags)))
            case Attribute():
                found.append(statement._replace(input=inputs[statement.input]))
            case Row():
                found.append(statement._replace(uniform=uniforms[statement.uniform]))
            case Truth():
                found.append(statement._replace(flag=flags[statement.flag]))
            case _:
                found.append(statement)
    return tuple(found)
