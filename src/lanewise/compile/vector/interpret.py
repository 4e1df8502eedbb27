"""Run a vector program on numbers: what a program means, and the witness of back ends.

`interpret` takes the operations on numbers as an algebra: `Floats` are Python's, that of a target has its words.
"""

from __future__ import annotations

import math

from lanewise.compile.vector import code as v
from lanewise.core.diagnostics import PortableError
from lanewise.core.numbers.binary import EQ, LE, LT
from lanewise.core.record import TYPE_CHECKING, Generic, TypeVar
from lanewise.ssa.meaning import evaluated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.vector.code import Operand, Program, Ref, Statement
    from lanewise.ssa.meaning import Numbers

V = TypeVar("V")


class Floats:
    """Python's numbers, with the special values of the PICA200: 0 times infinity is 0."""

    def known(self, value: float) -> float:
        return value

    def value(self, a: float) -> float:
        return a

    def negate(self, a: float) -> float:
        return -a

    def add(self, a: float, b: float) -> float:
        return a + b

    def mul(self, a: float, b: float) -> float:
        return 0.0 if (a == 0 and math.isinf(b)) or (b == 0 and math.isinf(a)) else a * b

    def mad(self, a: float, b: float, c: float) -> float:
        return self.mul(a, b) + c

    def dot(self, a: Sequence[float], b: Sequence[float]) -> float:
        total = self.mul(a[0], b[0])
        for x, y in zip(a[1:], b[1:], strict=True):
            total += self.mul(x, y)
        return total

    def min(self, a: float, b: float) -> float:
        return a if a < b else b

    def max(self, a: float, b: float) -> float:
        return a if a > b else b

    def floor(self, a: float) -> float:
        return float(math.floor(a)) if math.isfinite(a) else a

    def trunc(self, a: float) -> float:
        return -self.floor(-a) if a < 0 else self.floor(a)

    def rcp(self, a: float) -> float:
        return math.inf if a == 0 else 1 / a

    def rsq(self, a: float) -> float:
        return math.inf if a == 0 else math.nan if a < 0 or math.isnan(a) else 1 / math.sqrt(a)

    def exp2(self, a: float) -> float:
        return math.inf if a >= 1024 else 2.0**a

    def log2(self, a: float) -> float:
        return -math.inf if a == 0 else math.nan if a < 0 or math.isnan(a) else math.log2(a) if math.isfinite(a) else a

    def compare(self, op: int, a: float, b: float) -> bool:
        return {EQ: a == b, LT: a < b, LE: a <= b}[op]


class _Leaving(PortableError):
    """A `Leave` of a label."""

    def __init__(self, label: int) -> None:
        super().__init__()
        self.label = label


_MOST_STEPS = 1_000_000


class Run(Generic[V]):
    """The values and variables of one run."""

    program: Program
    numbers: Numbers[V]
    inputs: Sequence[Sequence[V]]
    uniforms: Sequence[Sequence[Sequence[V]]]
    flags: Sequence[bool]
    counts: Sequence[int]
    steps: int

    def __init__(
        self,
        program: Program,
        numbers: Numbers[V],
        inputs: Sequence[Sequence[V]],
        uniforms: Sequence[Sequence[Sequence[V]]],
        flags: Sequence[bool],
        counts: Sequence[int],
    ) -> None:
        self.program, self.numbers = program, numbers
        self.inputs, self.uniforms, self.flags, self.counts = inputs, uniforms, flags, counts
        self.values: dict[int, Sequence[V]] = {}
        zero = numbers.known(0.0)
        self.one, self.zero = numbers.known(1.0), zero
        self.variables: list[list[V]] = [[zero] * 4 for _ in program.variables]
        self.steps = 0

    def take(self, ref: Ref) -> V:
        found = self.values[ref.value][ref.lane]
        return self.numbers.negate(found) if ref.negated else found

    def takes(self, operand: Operand) -> list[V]:
        return [self.take(ref) for ref in operand]

    def truth(self, value: bool) -> V:
        return self.one if value else self.zero

    def whole(self, ref: Ref) -> int:
        return int(self.numbers.value(self.take(ref)))

    def block(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise RuntimeError("the program does not come to its end")
            self.statement(statement)

    def statement(self, s: Statement) -> None:
        match s:
            case v.Number(result, values):
                self.values[result] = [self.numbers.known(value) for value in values]
            case v.Attribute(result, number):
                has = self.program.inputs[number].lanes
                given = [*self.inputs[number][:has], self.zero, self.zero, self.zero, self.zero][:4]
                self.values[result] = [*given[:3], given[3] if has == 4 else self.one]
            case v.Row(result, uniform, row, offset):
                at = row + (self.whole(offset) if offset is not None else 0)
                self.values[result] = self.uniforms[uniform][at]
            case v.Table(result, rows, at):
                self.values[result] = [self.numbers.known(value) for value in rows[self.whole(at)]]
            case v.Truth(result, flag):
                self.values[result] = [self.truth(self.flags[flag])]
            case v.Load(result, variable):
                self.values[result] = list(self.variables[variable])
            case v.Operate(result, op, operands):
                taken = [self.takes(operand) for operand in operands]
                if op == v.DOT:
                    self.values[result] = [evaluated(self.numbers, op, taken)]
                else:
                    lanes = range(len(taken[0]))
                    self.values[result] = [evaluated(self.numbers, op, [[each[lane]] for each in taken]) for lane in lanes]
            case v.Store(variable, _, operand):
                for lane, value in zip(s.lanes, self.takes(operand), strict=True):
                    self.variables[variable][lane] = value
            case v.If(condition, yes, no):
                self.block(yes if self.take(condition) == self.one else no)
            case v.For() | v.Loop() | v.Scope() | v.Leave():
                self.flow(s)

    def flow(self, s: v.For | v.Loop | v.Scope | v.Leave) -> None:
        if isinstance(s, v.Leave):
            raise _Leaving(s.label)
        try:
            if isinstance(s, v.Scope):
                self.block(s.body)
            elif isinstance(s, v.For):
                turns = s.turns if isinstance(s.turns, int) else self.counts[s.turns.number]
                for turn in range(turns):
                    self.values[s.counter] = [self.numbers.known(float(s.start + s.step * turn))]
                    self.block(s.body)
            else:
                while True:
                    self.block(s.body)
        except _Leaving as leaving:
            if leaving.label != s.label:
                raise


def interpret(
    program: Program,
    numbers: Numbers[V],
    inputs: Sequence[Sequence[V]],
    uniforms: Sequence[Sequence[Sequence[V]]] = (),
    flags: Sequence[bool] = (),
    counts: Sequence[int] = (),
) -> Mapping[str, tuple[V, ...]]:
    """The outputs of a run by name, four lanes each: of `inputs`, rows of `uniforms`, `flags` and `counts`, in the order of the
    program.

    Variables begin with 0. Raises RuntimeError for a program that does not end, IndexError for a row outside of a uniform.
    """
    run = Run(program, numbers, inputs, uniforms, flags, counts)
    run.block(program.body)
    return {output.name: tuple(run.variables[output.variable]) for output in program.outputs}
