"""A vector program as text, for people who look at a stage of the compiler."""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.compile.vector.code import Operand, Program, Ref, Statement

_LETTERS = "xyzw"
_INDENT = "    "


def text_of(program: Program) -> str:
    """The declarations and statements of a program, a line each; the lines of the source that they come from at the right."""
    return "\n".join([*_declarations(program), *_Writer(program).block(program.body, 0)]) + "\n"


def _declarations(program: Program) -> Iterator[str]:
    yield f"program {program.name}"
    for n, i in enumerate(program.inputs):
        yield f"input {n} {i.name}.{_LETTERS[: i.lanes]}{_at('v', i.register)}{f' as {i.semantic}' if i.semantic else ''}"
    for n, u in enumerate(program.uniforms):
        yield f"uniform {n} {u.name}[{u.rows}].{_LETTERS[: u.columns]}{_at('c', u.register)}"
    for n, f in enumerate(program.flags):
        yield f"flag {n} {f.name}{_at('b', f.register)}"
    for n, c in enumerate(program.counts):
        yield f"count {n} {c.name} up to {c.most}{_at('i', c.register)}"
    for n, each in enumerate(program.variables):
        yield f"variable {n} {each.name or '(no name)'}.{_LETTERS[: each.lanes]}"
    for o in program.outputs:
        lanes = "".join([_LETTERS[lane] for lane in o.lanes])
        yield f"output {o.name} = variable {o.variable}.{lanes} as {o.semantic}"


def _at(letter: str, register: int) -> str:
    return f" at {letter}{register}" if register >= 0 else ""


class _Writer:
    def __init__(self, program: Program) -> None:
        self.program = program

    def block(self, body: Sequence[Statement], depth: int) -> Iterator[str]:
        for statement in body:
            yield from self.statement(statement, depth)

    def statement(self, s: Statement, depth: int) -> Iterator[str]:
        indent = _INDENT * depth
        place = self.place(s.line)
        match s:
            case v.If(condition, yes, no):
                yield f"{indent}if {_ref(condition)}{place}"
                yield from self.block(yes, depth + 1)
                if no:
                    yield f"{indent}else"
                    yield from self.block(no, depth + 1)
            case v.For(label, turns, start, step, counter, body):
                times = str(turns) if isinstance(turns, int) else self.program.counts[turns.number].name
                yield f"{indent}for {label}: %{counter} = {start}, step {step}, {times} times{place}"
                yield from self.block(body, depth + 1)
            case v.Loop(label, body):
                yield f"{indent}loop {label}{place}"
                yield from self.block(body, depth + 1)
            case v.Scope(label, body):
                yield f"{indent}scope {label}{place}"
                yield from self.block(body, depth + 1)
            case v.Leave(label):
                yield f"{indent}leave {label}{place}"
            case v.Store(variable, _, operand):
                lanes = "".join([_LETTERS[lane] for lane in s.lanes])
                name = self.program.variables[variable].name or f"variable {variable}"
                yield f"{indent}{name}.{lanes} = {_operand(operand)}{place}"
            case _:
                yield f"{indent}%{s.result} = {self.value(s)}{place}"

    def value(self, s: v.Number | v.Attribute | v.Row | v.Table | v.Truth | v.Load | v.Operate) -> str:
        match s:
            case v.Number(_, values):
                return f"({', '.join([format(value, 'g') for value in values])})"
            case v.Attribute(_, number):
                return f"input {self.program.inputs[number].name}"
            case v.Row(_, number, row, offset):
                index = f"{row}" if offset is None else _ref(offset) if not row else f"{_ref(offset)} + {row}"
                return f"{self.program.uniforms[number].name}[{index}]"
            case v.Table(_, rows, at):
                return f"table of {len(rows)}[{_ref(at)}]"
            case v.Truth(_, number):
                return f"flag {self.program.flags[number].name}"
            case v.Load(_, number):
                return self.program.variables[number].name or f"variable {number}"
            case v.Operate(_, op, operands):
                return f"{op} {', '.join([_operand(operand) for operand in operands])}"

    def place(self, line: int) -> str:
        if not 0 <= line < len(self.program.lines):
            return ""
        span = self.program.lines[line]
        return f"  ; {span.file}:{span.line}"


def _ref(ref: Ref) -> str:
    return f"{'-' if ref.negated else ''}%{ref.value}.{_LETTERS[ref.lane]}"


def _operand(operand: Operand) -> str:
    """Lanes of one value with one sign as `-%3.xyz`, others one by one."""
    if len({(ref.value, ref.negated) for ref in operand}) == 1:
        return f"{'-' if operand[0].negated else ''}%{operand[0].value}.{''.join([_LETTERS[ref.lane] for ref in operand])}"
    return f"({', '.join([_ref(ref) for ref in operand])})"
