"""Vector programs by hand: values with Python's operators."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from lanewise.compile.vector import code as v
from lanewise.compile.vector.code import Ref

LETTERS = "xyzw"


class Value:
    """A value as refs; a float is as wide as the other operand."""

    def __init__(self, builder: Builder, refs: Sequence[Ref]) -> None:
        self.b, self.refs = builder, tuple(refs)

    def __getattr__(self, letters: str) -> Value:
        if not letters or any(letter not in LETTERS for letter in letters):
            raise AttributeError(letters)
        return Value(self.b, [self.refs[LETTERS.index(letter)] for letter in letters])

    def __len__(self) -> int:
        return len(self.refs)

    def __neg__(self) -> Value:
        return Value(self.b, [r.turned() for r in self.refs])

    def __add__(self, other: Value | float) -> Value:
        return self.b.op(v.ADD, self, other)

    __radd__ = __add__

    def __sub__(self, other: Value | float) -> Value:
        return self.b.op(v.ADD, self, -self.b.value(other, len(self)))

    def __mul__(self, other: Value | float) -> Value:
        return self.b.op(v.MUL, self, other)

    __rmul__ = __mul__

    def __lt__(self, other: Value | float) -> Value:
        return self.b.op(v.LT, self, other)

    def __le__(self, other: Value | float) -> Value:
        return self.b.op(v.LE, self, other)

    def __gt__(self, other: Value | float) -> Value:
        return self.b.op(v.LT, self.b.value(other, len(self)), self)

    def __ge__(self, other: Value | float) -> Value:
        return self.b.op(v.LE, self.b.value(other, len(self)), self)


class Builder:
    """A program that grows. Blocks are context managers."""

    def __init__(self, name: str = "made") -> None:
        self.name = name
        self.inputs: list[v.Input] = []
        self.outputs: list[v.Output] = []
        self.uniforms: list[v.Uniform] = []
        self.flags: list[v.Flag] = []
        self.counts: list[v.Count] = []
        self.variables: list[v.Variable] = []
        self.stack: list[list[v.Statement]] = [[]]
        self.number = 0
        self.labels = 0

    def new(self) -> int:
        self.number += 1
        return self.number

    def add(self, statement: v.Statement) -> None:
        self.stack[-1].append(statement)

    def value(self, given: Value | float | Sequence[float], width: int = 1) -> Value:
        if isinstance(given, Value):
            return given if len(given) == width or len(given) != 1 else Value(self, given.refs * width)
        numbers = tuple(float(x) for x in given) if isinstance(given, Sequence) else (float(given),) * width
        result = self.new()
        self.add(v.Number(result, numbers))
        return Value(self, [Ref(result, n) for n in range(len(numbers))])

    def vec(self, *parts: Value | float) -> Value:
        return Value(self, [ref for part in parts for ref in self.value(part).refs])

    def op(self, op: str, *operands: Value | float) -> Value:
        width = max(len(o) for o in operands if isinstance(o, Value))
        refs = [self.value(operand, width).refs for operand in operands]
        result = self.new()
        self.add(v.Operate(result, op, tuple(refs)))
        return Value(self, [Ref(result, n) for n in range(1 if op == v.DOT else width)])

    def dot(self, a: Value, b: Value) -> Value:
        return self.op(v.DOT, a, b)

    def input(self, name: str, lanes: int = 4) -> Value:
        self.inputs.append(v.Input(name=name, lanes=lanes))
        result = self.new()
        self.add(v.Attribute(result, len(self.inputs) - 1))
        return Value(self, [Ref(result, n) for n in range(lanes)])

    def uniform(self, name: str, rows: int = 1) -> int:
        self.uniforms.append(v.Uniform(name=name, rows=rows))
        return len(self.uniforms) - 1

    def row(self, uniform: int, row: int = 0, offset: Value | None = None) -> Value:
        result = self.new()
        self.add(v.Row(result=result, uniform=uniform, row=row, offset=offset.refs[0] if offset is not None else None))
        return Value(self, [Ref(result, n) for n in range(4)])

    def matrix(self, name: str) -> list[Value]:
        number = self.uniform(name, 4)
        return [self.row(number, n) for n in range(4)]

    def times(self, rows: Sequence[Value], vector: Value) -> Value:
        return self.vec(*[self.dot(Value(self, row.refs[: len(vector)]), vector) for row in rows])

    def variable(self, lanes: int = 4, name: str = "") -> int:
        self.variables.append(v.Variable(name, lanes))
        return len(self.variables) - 1

    def load(self, variable: int) -> Value:
        result = self.new()
        self.add(v.Load(result, variable))
        return Value(self, [Ref(result, n) for n in range(self.variables[variable].lanes)])

    def store(self, variable: int, value: Value | float | Sequence[float], letters: str = "xyzw") -> None:
        letters = letters[: self.variables[variable].lanes]
        given = self.value(value, len(letters))
        order = sorted(range(len(letters)), key=lambda n: LETTERS.index(letters[n]))
        mask = sum(1 << LETTERS.index(letter) for letter in letters)
        self.add(v.Store(variable, mask, tuple(given.refs[n] for n in order)))

    def output(self, semantic: str, value: Value | float | Sequence[float] | None = None, lanes: int = 4) -> int:
        variable = self.variable(lanes, semantic)
        self.outputs.append(v.Output(name=f"out_{semantic}", semantic=semantic, variable=variable, mask=(1 << lanes) - 1))
        if value is not None:
            self.store(variable, value)
        return variable

    @contextmanager
    def block(self, make: Callable[[tuple[v.Statement, ...]], v.Statement]) -> Generator[None]:
        self.stack.append([])
        yield
        body = tuple(self.stack.pop())
        self.add(make(body))

    def when(self, condition: Value):
        return self.block(lambda body: v.If(condition.refs[0], body))

    def otherwise(self):
        """The other arm of the `If` that came last."""
        before = self.stack[-1].pop()
        assert isinstance(before, v.If)
        return self.block(lambda body: before._replace(no=body))

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def scope(self, label: int):
        return self.block(lambda body: v.Scope(label, body))

    def loop(self, label: int):
        return self.block(lambda body: v.Loop(label, body))

    def loop_over(self, label: int, turns: int | v.CountOf, start: int = 0, step: int = 1):
        counter = self.new()
        return Value(self, [Ref(counter)]), self.block(
            lambda body: v.For(label=label, turns=turns, start=start, step=step, counter=counter, body=body)
        )

    def leave(self, label: int) -> None:
        self.add(v.Leave(label))

    def normalize(self, a: Value) -> Value:
        return a * self.op(v.RSQ, self.dot(a, a))

    def cross(self, a: Value, b: Value) -> Value:
        return a.yzx * b.zxy - a.zxy * b.yzx

    def program(self) -> v.Program:
        return v.Program(
            name=self.name,
            inputs=tuple(self.inputs),
            outputs=tuple(self.outputs),
            uniforms=tuple(self.uniforms),
            flags=tuple(self.flags),
            counts=tuple(self.counts),
            variables=tuple(self.variables),
            body=tuple(self.stack[0]),
        )
