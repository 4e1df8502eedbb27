"""Uses of the values of a vector program: which lanes are read, whether as numbers, and how offsets of rows come from
counters."""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.compile.vector.walk import operands_of, statements
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.compile.vector.code import Program, Ref, Statement

_MOST_WHOLE = 256  # of whole numbers that are known
_JUNCTORS = (v.AND, v.OR, v.NOT)
_MOST_LEAVES = 8  # comparisons and booleans of a condition


class Uses:
    """The uses of a program's values.

    `operations` and `numbers` are by the value that they define, `valued` the lanes whose number is needed, not only whether it
    is 1; `parts` are those of them that larger conditions read as numbers.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.operations: dict[int, v.Operate] = {}
        self.numbers: dict[int, tuple[float, ...]] = {}
        self.valued: set[tuple[int, int]] = set()
        self.parts: set[tuple[int, int]] = set()
        self._leaves: dict[tuple[int, int], int] = {}  # how many a condition has, 1 where there is none
        self._read: set[tuple[int, int]] = set()
        every = list(statements(program.body))
        for statement in every:
            if isinstance(statement, v.Operate):
                self.operations[statement.result] = statement
                if statement.op in _JUNCTORS:
                    self._count_leaves(statement)
            elif isinstance(statement, v.Number):
                self.numbers[statement.result] = statement.values
            self._read |= {(ref.value, ref.lane) for operand in operands_of(statement) for ref in operand}
        self.valued |= self.parts
        for statement in reversed(every):
            self.valued |= set(self._values_of(statement))

    def _count_leaves(self, s: v.Operate) -> None:
        """Note how large a condition is. Parts of one that is too large are read as numbers: they may be parts of others too,
        which would double again and again."""
        for lane, refs in enumerate(zip(*s.operands, strict=True)):
            parts = [(ref.value, ref.lane) for ref in refs]
            if sum([self._leaves.get(part, 1) for part in parts]) > _MOST_LEAVES:
                conditions = {part for part in parts if part in self._leaves}
                self.parts |= conditions
                self._leaves |= dict.fromkeys(conditions, 1)
            self._leaves[s.result, lane] = sum([self._leaves.get(part, 1) for part in parts])

    def _values_of(self, statement: Statement) -> Iterable[tuple[int, int]]:
        """The lanes of which a statement needs the number, not only whether it is 1."""
        if isinstance(statement, v.If):
            return ()
        if isinstance(statement, v.Operate) and statement.op in _JUNCTORS:
            lanes = range(len(statement.operands[0]))
            needed = [lane for lane in lanes if (statement.result, lane) in self.valued]
            return [(operand[lane].value, operand[lane].lane) for lane in needed for operand in statement.operands]
        # Address registers round toward zero by themselves.
        if isinstance(statement, (v.Row, v.Table)) and not self.is_moved(statement):
            return [(r.value, r.lane) for operand in operands_of(statement) for r in (self.untruncated(operand[0]),)]
        if isinstance(statement, v.Operate) and statement.op == v.SELECT:
            return [(r.value, r.lane) for operand in statement.operands[1:] for r in operand]
        return [(r.value, r.lane) for operand in operands_of(statement) for r in operand]

    def untruncated(self, ref: Ref) -> Ref:
        """Return an offset before it is rounded toward zero."""
        operation = self.operations.get(ref.value)
        if operation is None or operation.op != v.TRUNC:
            return ref
        inner = operation.operands[0][ref.lane]
        return self.untruncated(inner.turned(ref.negated))

    def lanes(self, value: int, width: int) -> list[int]:
        """The lanes of a value that are read, of the first `width`."""
        return [lane for lane in range(width) if (value, lane) in self._read]

    def affine(self, ref: Ref, counter: int) -> tuple[int, int] | None:
        """Scale and shift of a counter whose sum a whole number is."""
        sign = -1 if ref.negated else 1
        if ref.value == counter:
            return sign, 0
        operation = self.operations.get(ref.value)
        if operation is None or operation.op not in (v.ADD, v.MUL, v.MAD, v.FLOOR, v.TRUNC):
            return None
        refs = [operand[ref.lane] for operand in operation.operands]
        if len(refs) == 1:
            inner = self.affine(refs[0], counter)
            return inner and (sign * inner[0], sign * inner[1])
        for one, other in ((refs[0], refs[1]), (refs[1], refs[0])):
            known = self._whole(other)
            inner = self.affine(one, counter) if known is not None else None
            if known is None or inner is None:
                continue
            factor, addend = (1, known) if operation.op == v.ADD else (known, 0)
            if operation.op == v.MAD:
                addend = self._whole(refs[2])
            return None if addend is None else (sign * inner[0] * factor, sign * (inner[1] * factor + addend))
        return None

    def _whole(self, ref: Ref) -> int | None:
        """The whole number that a ref is known to be."""
        values = self.numbers.get(ref.value)
        if values is None or not values[ref.lane].is_integer() or abs(values[ref.lane]) > _MOST_WHOLE:
            return None
        return int(-values[ref.lane] if ref.negated else values[ref.lane])

    def is_moved(self, s: v.Row | v.Table) -> bool:
        """Whether an offset takes the number of the row into it: a row outside of its uniform has no register, or is past what
        an index register adds."""
        return isinstance(s, v.Row) and s.offset is not None and not 0 <= s.row < self.program.uniforms[s.uniform].rows
