"""A vector program run for one vertex in the numbers of a PICA200 profile: a second reading of what its statements mean."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from lanewise.compile.vector import code
from lanewise.core.numbers.binary import EQ, LE, LT
from lanewise.core.numbers.floats import float24_from_float, float_from_float24

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.vector.code import Program, Ref, Statement
    from lanewise.pica200.sem.numbers import Float24, Float32


class Undefined(Exception):
    """The program decides by what no statement defines."""


Word = int | None  # None: undefined, such as a row outside of its uniform, and what is computed from that


_NOTHING: Sequence[Word] = (None,) * 4


class _Left(Exception):
    def __init__(self, label: int) -> None:
        super().__init__(label)
        self.label = label


class Machine:
    """Runs a program. `rows` gives the words of a row of a uniform; `inputs`, `flags` and `counts` are in the order of the
    program."""

    def __init__(
        self,
        program: Program,
        m: Float24 | Float32,
        inputs: Sequence[Sequence[int]],
        rows: Callable[[int, int], Sequence[int]],
        flags: Sequence[bool] = (),
        counts: Sequence[int] = (),
    ) -> None:
        self.program, self.m, self.rows = program, m, rows
        self.inputs, self.flags, self.counts = inputs, flags, counts
        self.values: dict[int, Sequence[Word]] = {}
        self.variables: dict[int, list[Word]] = {}
        self.one, self.zero = m.constant(1.0), m.constant(0.0)

    def computed(self, op: str, given: Sequence[Word]) -> Word:
        """One lane of an operation."""
        if op == code.SELECT and given[0] is not None:
            return given[1] if given[0] == self.one else given[2]
        a = [word for word in given if word is not None]
        if len(a) < len(given):
            return None
        m = self.m
        plain: Mapping[str, Callable[..., int]] = {
            code.ADD: m.add,
            code.MUL: m.mul,
            code.MAD: m.mad,
            code.MIN: m.min,
            code.MAX: m.max,
            code.FLOOR: m.floor,
            code.RCP: m.rcp,
            code.RSQ: m.rsq,
            code.EXP2: m.exp2,
            code.LOG2: m.log2,
        }
        if op in plain:
            return plain[op](*a)
        if op == code.NOT:
            return self.truth(a[0] != self.one)
        if op in (code.AND, code.OR):
            return self.truth((all if op == code.AND else any)(word == self.one for word in a))
        compared = m.compare({code.LT: LT, code.LE: LE, code.EQ: EQ, code.NE: EQ}[op], a[0], a[1])
        return self.truth(compared ^ (op == code.NE))

    def dot(self, operands: Sequence[Sequence[Word]]) -> Word:
        known = [[word for word in operand if word is not None] for operand in operands]
        return None if any(map(operator.ne, map(len, known), map(len, operands))) else self.m.dot(*known)

    def truth(self, value: bool) -> int:
        return self.one if value else self.zero

    def run(self) -> dict[str, dict[int, Word]]:
        """The lanes of each output by its semantic."""
        self.block(self.program.body)
        return {
            output.semantic: {n: self.variables[output.variable][n] for n in range(4) if output.mask >> n & 1}
            for output in self.program.outputs
        }

    def block(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self.do(statement)

    def word(self, value: float) -> int:
        return self.m.from_float24(float24_from_float(value))

    def ref(self, ref: Ref) -> Word:
        word = self.values[ref.value][ref.lane]
        return word if word is None or not ref.negated else self.m.negate(word)

    def row(self, ref: Ref, first: int, count: int) -> int | None:
        """The number of a row, None outside of those that there are."""
        word = self.ref(ref)
        value = math.nan if word is None else float_from_float24(word)
        return int(value) + first if math.isfinite(value) and 0 <= int(value) + first < count else None

    def holds(self, ref: Ref) -> bool:
        word = self.ref(ref)
        if word is None:
            raise Undefined
        return word == self.one

    def do(self, s: Statement) -> None:
        match s:
            case code.Number():
                self.values[s.result] = [self.word(value) for value in s.values]
            case code.Attribute():
                self.values[s.result] = self.inputs[s.input]
            case code.Row():
                count = self.program.uniforms[s.uniform].rows
                at = s.row if s.offset is None else self.row(s.offset, s.row, count)
                self.values[s.result] = _NOTHING if at is None else self.rows(s.uniform, at)
            case code.Table():
                at = self.row(s.at, 0, len(s.rows))
                self.values[s.result] = _NOTHING if at is None else [self.word(value) for value in s.rows[at]]
            case code.Truth():
                self.values[s.result] = [self.truth(self.flags[s.flag])]
            case code.Load():
                self.values[s.result] = list(self.variables.get(s.variable, [None] * 4))
            case code.Operate():
                operands = [[self.ref(ref) for ref in operand] for operand in s.operands]
                assert s.op == code.DOT or len({len(operand) for operand in operands}) == 1
                assert len(operands) == code.OPERATIONS[s.op]
                if s.op == code.DOT:
                    self.values[s.result] = [self.dot(operands)]
                else:
                    self.values[s.result] = [self.computed(s.op, lanes) for lanes in zip(*operands, strict=True)]
            case code.Store():
                row = self.variables.setdefault(s.variable, [None] * 4)
                lanes = [n for n in range(4) if s.mask >> n & 1]
                words = [self.ref(ref) for ref in s.operand]
                for n, word in zip(lanes, words, strict=True):
                    row[n] = word
            case code.If():
                self.block(s.yes if self.holds(s.condition) else s.no)
            case code.For():
                turns = s.turns if isinstance(s.turns, int) else self.counts[s.turns.number]
                self.until(s.label, lambda: self.turn(s, turns))
            case code.Scope():
                self.until(s.label, lambda: self.block(s.body))
            case code.Leave():
                raise _Left(s.label)
            case _:
                raise TypeError(s)

    def turn(self, loop: code.For, turns: int) -> None:
        for n in range(turns):
            self.values[loop.counter] = [self.word(float(loop.start + n * loop.step))]
            self.block(loop.body)

    def until(self, label: int, body: Callable[[], None]) -> None:
        try:
            body()
        except _Left as left:
            if left.label != label:
                raise
