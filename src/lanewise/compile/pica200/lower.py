"""A vector program as instructions without registers: operations, conditions and flow.

An `If` is `ifc` or `ifu`; where a statement in it leaves something around it, it is jumps, since leaving a conditional by a
jump or `break` would leave its entry on the hardware's stack. A `Loop` is a jump back, a `For` the hardware's loop.
"""

from __future__ import annotations

import math

from lanewise.compile.pica200.conditions import (
    Both,
    Flagged,
    Leaf,
    as_conditional,
    contrary,
    has_flag,
    joined,
    paired,
    stored,
    unknown,
)
from lanewise.compile.pica200.counters import counter_uses
from lanewise.compile.pica200.machine import ELSE, END_FOR, END_IF, INDEX_AL, LABEL, ONE, ZERO, Fixed, Inst, Known, Part, known
from lanewise.compile.pica200.uses import Uses
from lanewise.compile.vector import code as v
from lanewise.compile.vector.code import Ref
from lanewise.compile.vector.walk import leaves
from lanewise.core.numbers.binary import EQ, GT, LE, LT
from lanewise.core.numbers.floats import float24_from_float
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Condition
from lanewise.pica200.isa.table import FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.pica200.conditions import Tree
    from lanewise.compile.pica200.places import Places
    from lanewise.compile.vector.code import Operand, Program, Statement

    _Block = Callable[[], bool]

_LANES = {
    v.ADD: "add",
    v.MUL: "mul",
    v.MAD: "mad",
    v.MIN: "min",
    v.MAX: "max",
    v.FLOOR: "flr",
    v.LT: "slt",
    v.AND: "mul",
    v.OR: "max",
}
_FIRST = {v.RCP: "rcp", v.RSQ: "rsq", v.EXP2: "ex2", v.LOG2: "lg2"}
_SUMS = {3: "dp3", 4: "dp4"}
_COMPARISONS = {v.LT: LT, v.LE: LE, v.EQ: EQ}
_TRUTHS = (v.LT, v.LE, v.EQ, v.NE, v.AND, v.OR, v.NOT)
_OR, _AND, _X, _Y = 0, 1, 2, 3
_MOST_TURNS = 256  # the counter of a loop is a byte
IF_DEPTH, LOOP_DEPTH = 8, 4


class _Frame:
    """A scope or a loop that a `Leave` can leave; the loop may be one of the hardware. `end` is the label after it, `start` the
    instruction that its inside begins with."""

    def __init__(self, label: int, end: str, hardware: bool, start: int) -> None:
        self.label, self.end, self.hardware, self.start = label, end, hardware, start
        self.flag = -1  # the cell that says that it is being left from within another loop


class Lowering:
    """The instructions of a program. `places` has the registers of inputs, uniforms, flags and counts, and gives others."""

    program: Program
    places: Places
    avoid: frozenset[str]
    uses: Uses
    cells: int
    labels: int
    conditionals: int
    loops: int

    def __init__(self, program: Program, places: Places, avoid: frozenset[str] = frozenset()) -> None:
        self.program, self.places, self.avoid = program, places, avoid
        self.uses = Uses(program)
        self.insts: list[Inst] = []
        self.cells = 2  # those before are the index registers a0.x and a0.y
        self.names: dict[int, str] = {}  # of cells that are of a variable
        self.lanes: dict[tuple[int, int], Part] = {}
        self.truths: dict[int, Tree] = {}  # by value: what a boolean of the application says
        self.variables: dict[tuple[int, int], int] = {}
        self.frames: list[_Frame] = []
        self.labels = 0
        self.conditionals = self.loops = 0
        self.heads: list[tuple[Inst, int]] = []  # by loop: the instruction in front of its body, and the cell of its counter
        self.counters: dict[int, int] = {}  # by counter: the scale in which the index register holds it

    # Parts

    def cell(self, name: str = "") -> int:
        self.cells += 1
        if name:
            self.names[self.cells - 1] = name
        return self.cells - 1

    def emit(self, op: str, dst: Sequence[int], *sources: Sequence[Part], line: int = -1) -> None:
        self.insts.append(Inst(op, tuple(dst), tuple([tuple(source) for source in sources]), line))

    def part(self, ref: Ref) -> Part:
        found = self.lanes[ref.value, ref.lane]
        return self.turned(found) if ref.negated else found

    def turned(self, part: Part) -> Part:
        """A part with the other sign."""
        return Part(part.what.turned) if isinstance(part.what, Known) else part.turned

    def parts(self, operand: Operand) -> tuple[Part, ...]:
        return tuple([self.part(ref) for ref in operand])

    def variable(self, number: int, lane: int) -> int:
        key = number, lane
        if key not in self.variables:
            self.variables[key] = self.cell(self.program.variables[number].name)
        return self.variables[key]

    def _results(self, result: int, lanes: Sequence[int]) -> list[int]:
        """New cells for lanes of a value."""
        found = [self.cell() for _ in lanes]
        for lane, cell in zip(lanes, found, strict=True):
            self.lanes[result, lane] = Part(cell)
        return found

    # Statements

    def block(self, body: Sequence[Statement]) -> bool:
        """Add the instructions of statements. Returns whether they come to their end."""
        return all(self.statement(statement) for statement in body)

    def statement(self, s: Statement) -> bool:
        match s:
            case v.Number(result, values):
                for lane, value in enumerate(values):
                    self.lanes[result, lane] = known(value)
            case v.Attribute(result, number):
                register, has = self.places.inputs[number], self.program.inputs[number].lanes
                for lane in range(4):
                    self.lanes[result, lane] = Part(Fixed(register, lane) if lane < has else ONE if lane == 3 else ZERO)
            case v.Row():
                self._row(s)
            case v.Table(result, rows, at):
                words = tuple([tuple([float24_from_float(x) for x in row]) for row in rows])
                self._index(result, self.places.table(words), 0, len(rows), self.part(self.uses.untruncated(at)))
            case v.Truth(result, flag, line):
                tree = Flagged(self.places.flags[flag])
                self.truths[result] = tree
                if (result, 0) in self.uses.valued:
                    self.lanes[result, 0] = self._materialised(tree, line)
            case v.Load(result, variable, line):
                lanes = self.uses.lanes(result, 4)
                cells = [self.variable(variable, lane) for lane in lanes]
                if lanes:
                    self.emit("mov", self._results(result, lanes), [Part(cell) for cell in cells], line=line)
            case v.Operate():
                self._operate(s)
            case v.Store(variable, _, operand, line):
                self.emit("mov", [self.variable(variable, lane) for lane in s.lanes], self.parts(operand), line=line)
            case v.If():
                return self._if(s)
            case v.For():
                return self._for(s)
            case v.Loop(label, body, line):
                return self._loop(label, body, line)
            case v.Scope(label, body):
                return self._scope(label, body)
            case v.Leave(label, line):
                self._leave(label, line)
                return False
        return True

    def _row(self, s: v.Row) -> None:
        register = self.places.uniforms[s.uniform] + s.row
        if s.offset is None:
            for lane in range(4):
                self.lanes[s.result, lane] = Part(Fixed(register, lane))
            return
        shift = self._shift(s, s.offset)
        rows = self.program.uniforms[s.uniform].rows
        if shift is not None:
            for lane in range(4):
                self.lanes[s.result, lane] = Part(Fixed(register + shift, lane, None, INDEX_AL))
        elif self.uses.is_moved(s):
            offset = self.part(s.offset)
            if not isinstance(offset.what, Known):
                moved = self.cell()
                self.emit("add", [moved], [offset], [known(s.row)], line=s.line)
                self._index(s.result, register - s.row, 0, rows, Part(moved))
            else:
                self._index(s.result, register - s.row, s.row, rows, offset)
        else:
            self._index(s.result, register - s.row, s.row, rows, self.part(self.uses.untruncated(s.offset)))

    def _shift(self, s: v.Row, offset: Ref) -> int | None:
        """Return the number that is added to the index register of the loop around, if the offset of a row is their sum."""
        for counter, scale in self.counters.items():
            found = self.uses.affine(offset, counter)
            if found is not None and found[0] == scale and self._holds(s, found[1]):
                return found[1]
        return None

    def _holds(self, s: v.Row, shift: int) -> bool:
        """Whether the register of a row can be named with a number added."""
        return FLOAT <= self.places.uniforms[s.uniform] + s.row + shift < INTEGER

    def _index(self, result: int, first: int, row: int, rows: int, offset: Part) -> None:
        """The lanes of a row at an offset. One that is known to be outside is any row."""
        known = isinstance(offset.what, Known)
        if isinstance(offset.what, Known):
            number = offset.what.value
            row = min(max(row + int(number), 0), rows - 1) if math.isfinite(number) else 0
        for lane in range(4):
            self.lanes[result, lane] = Part(Fixed(first + row, lane, None if known else offset))

    def _operate(self, s: v.Operate) -> None:
        op, line = s.op, s.line
        if op == v.DOT:
            if self.uses.lanes(s.result, 1):
                self._dot(s)
            return
        lanes = self.uses.lanes(s.result, len(s.operands[0]))
        if op in _TRUTHS or op == v.TRUNC:
            lanes = [lane for lane in lanes if (s.result, lane) in self.uses.valued]
        if not lanes:
            return
        if op == v.SELECT:
            self._select(s, lanes)
            return
        sources = [[self.part(operand[lane]) for lane in lanes] for operand in s.operands]
        if op in _FIRST:
            for lane, part in zip(lanes, sources[0], strict=True):
                self.emit(_FIRST[op], self._results(s.result, [lane]), [part], line=line)
        elif op == v.LE:
            self.emit("sge", self._results(s.result, lanes), sources[1], sources[0], line=line)
        elif op == v.NOT:
            self.emit("sge", self._results(s.result, lanes), [Part(ZERO)] * len(lanes), sources[0], line=line)
        elif op == v.TRUNC:
            self._truncate(s.result, lanes, sources[0], line)
        elif op in (v.EQ, v.NE):
            self._equal(s.result, lanes, sources, op == v.NE, line)
        else:
            self.emit(_LANES[op], self._results(s.result, lanes), *sources, line=line)

    def _truncate(self, result: int, lanes: list[int], source: list[Part], line: int) -> None:
        """The larger of the whole number below, and of 0 and the one above: the nearer to 0."""
        below, above, limited = ([self.cell() for _ in lanes] for _ in range(3))
        self.emit("flr", below, source, line=line)
        self.emit("flr", above, [self.turned(part) for part in source], line=line)
        self.emit("min", limited, [Part(ZERO)] * len(lanes), [Part(c, True) for c in above], line=line)
        self.emit("max", self._results(result, lanes), [Part(c) for c in below], [Part(c) for c in limited], line=line)

    def _equal(self, result: int, lanes: list[int], sources: list[list[Part]], inverted: bool, line: int) -> None:
        """`a >= b` and `b >= a`, which both are false for NaN."""
        one, other = [self.cell() for _ in lanes], [self.cell() for _ in lanes]
        self.emit("sge", one, sources[0], sources[1], line=line)
        self.emit("sge", other, sources[1], sources[0], line=line)
        both = [self.cell() for _ in lanes] if inverted else self._results(result, lanes)
        self.emit("mul", both, [Part(c) for c in one], [Part(c) for c in other], line=line)
        if inverted:
            self.emit("sge", self._results(result, lanes), [Part(ZERO)] * len(lanes), [Part(c) for c in both], line=line)

    def _dot(self, s: v.Operate) -> None:
        a, b = self.parts(s.operands[0]), self.parts(s.operands[1])
        result = self._results(s.result, [0])
        if len(a) == 1:
            self.emit("mul", result, a, b, line=s.line)
        elif len(a) == 2:
            products = [self.cell(), self.cell()]
            self.emit("mul", products, a, b, line=s.line)
            self.emit("add", result, [Part(products[0])], [Part(products[1])], line=s.line)
        elif len(a) == 4 and a[3].what == ONE and "dph" not in self.avoid:
            self.emit("dph", result, a[:3], b, line=s.line)
        elif len(a) == 4 and b[3].what == ONE and "dph" not in self.avoid:
            self.emit("dph", result, b[:3], a, line=s.line)
        else:
            self.emit(_SUMS[len(a)], result, a, b, line=s.line)

    def _select(self, s: v.Operate, lanes: list[int]) -> None:
        """A conditional for each condition among the lanes."""
        by_condition: dict[Ref, list[int]] = {}
        for lane in lanes:
            by_condition.setdefault(s.operands[0][lane], []).append(lane)
        for condition, those in by_condition.items():
            cells = self._results(s.result, those)
            yes, no = ([self.part(operand[lane]) for lane in those] for operand in s.operands[1:])

            def store(parts: list[Part], cells: list[int] = cells) -> bool:
                self.emit("mov", cells, parts, line=s.line)
                return True

            self._conditional(self.tree(condition), lambda parts=yes: store(parts), lambda parts=no: store(parts), s.line)

    # Conditions

    def tree(self, ref: Ref, inverted: bool = False) -> Tree:
        """Return the condition that a truth is."""
        operation = self.uses.operations.get(ref.value)
        if (ref.value, ref.lane) in self.uses.parts:
            return Leaf(LT, Part(ZERO), self.part(ref), inverted)
        if ref.value in self.truths:
            return contrary(self.truths[ref.value]) if inverted else self.truths[ref.value]
        if operation is not None and operation.op in _TRUTHS:
            refs = [operand[ref.lane] for operand in operation.operands]
            if operation.op == v.NOT:
                return self.tree(refs[0], not inverted)
            if operation.op in (v.AND, v.OR):
                return joined((operation.op == v.AND) != inverted, self.tree(refs[0], inverted), self.tree(refs[1], inverted))
            a, b = self.part(refs[0]), self.part(refs[1])
            comparison = EQ if operation.op == v.NE else _COMPARISONS[operation.op]
            return Leaf(comparison, a, b, inverted != (operation.op == v.NE))
        part = self.part(ref)
        if isinstance(part.what, Known):
            return (part.what.word != 0) != inverted
        return Leaf(LT, Part(ZERO), part, inverted)

    def _materialised(self, tree: Tree, line: int) -> Part:
        """A truth as a number: 1.0 or 0.0."""
        match tree:
            case bool():
                return Part(ONE if tree else ZERO)
            case Flagged(number, inverted):
                cell = self.cell()
                self.emit("mov", [cell], [Part(ONE if inverted else ZERO)], line=line)
                self.insts.append(Inst("ifu", line=line, number=number))
                self.emit("mov", [cell], [Part(ZERO if inverted else ONE)], line=line)
                self.insts.append(Inst(END_IF))
                return Part(cell)
            case Leaf(op, a, b, inverted):
                cell = self.cell()
                if op == EQ:
                    one, other = self.cell(), self.cell()
                    self.emit("sge", [one], [a], [b], line=line)
                    self.emit("sge", [other], [b], [a], line=line)
                    self.emit("mul", [cell], [Part(one)], [Part(other)], line=line)
                elif op in (LT, GT):
                    self.emit("slt", [cell], *([a], [b]) if op == LT else ([b], [a]), line=line)
                else:
                    self.emit("sge", [cell], *([b], [a]) if op == LE else ([a], [b]), line=line)
                if inverted:
                    contrary_cell = self.cell()
                    self.emit("sge", [contrary_cell], [Part(ZERO)], [Part(cell)], line=line)
                    cell = contrary_cell
                return Part(cell)
            case Both(every, left, right):
                one, other = self._materialised(left, line), self._materialised(right, line)
                cell = self.cell()
                self.emit("mul" if every else "max", [cell], [one], [other], line=line)
                return Part(cell)

    def _flags(self, tree: Leaf | Both, line: int) -> Condition:
        """Set the flags, and say which test of them is the condition."""
        if isinstance(tree, Leaf):
            self._compare(tree, tree, line)
            return Condition(_X, int(not tree.inverted), 1)
        left, right = tree.left, tree.right
        if not (isinstance(left, Leaf) and isinstance(right, Leaf)):
            left, right = self._as_leaf(left, line), self._as_leaf(right, line)
        pair = paired(left, right)
        if pair is None:
            left, right = self._as_leaf(left, line, always=True), self._as_leaf(right, line, always=True)
            pair = left, right
        self._compare(pair[0], pair[1], line)
        return Condition(_AND if tree.every else _OR, int(not pair[0].inverted), int(not pair[1].inverted))

    def _as_leaf(self, tree: Tree, line: int, *, always: bool = False) -> Leaf:
        if isinstance(tree, Leaf) and (not always or tree.a.what == ZERO):
            return tree
        if isinstance(tree, Leaf) and tree.inverted:  # its contrary needs no instruction
            return Leaf(LT, Part(ZERO), self._materialised(tree._replace(inverted=False), line), True)
        return Leaf(LT, Part(ZERO), self._materialised(tree, line))

    def _compare(self, x: Leaf, y: Leaf, line: int) -> None:
        sources = ((x.a,), (x.b,)) if x == y else ((x.a, y.a), (x.b, y.b))
        self.insts.append(Inst("cmp", (), sources, line, compare=(x.op, y.op)))

    # Flow

    def _if(self, s: v.If) -> bool:
        outside = any(leaves(s.yes)) or any(leaves(s.no))
        tree = self.tree(s.condition)
        if outside and not isinstance(tree, bool):
            return self._if_with_jumps(s, tree)
        if isinstance(tree, Leaf) and self._chained(s, tree):
            return True
        return self._conditional(tree, lambda: self.block(s.yes), (lambda: self.block(s.no)) if s.no else None, s.line)

    def _chained(self, s: v.If, first: Leaf) -> bool:
        """Add `if`, `else if` and `else` whose arms store to the same lanes: one `cmp` has both conditions, and later arms
        write over earlier ones, the first of the source last. Returns whether it is of this kind."""
        *before, inner = as_conditional(s.no) or (None,)
        if not isinstance(inner, v.If) or self.conditionals >= IF_DEPTH:
            return False
        lanes = [stored(arm) for arm in (s.yes, inner.yes, inner.no)]
        if not lanes[0] or lanes.count(lanes[0]) < len(lanes) or not all(map(self._is_condition, before)):
            return False
        second = self.tree(inner.condition)
        pair = paired(first, second) if isinstance(second, Leaf) else None
        if pair is None:
            return False
        self._compare(pair[0], pair[1], s.line)
        self.block(inner.no)
        for arm, line, condition in (
            (inner.yes, inner.line, Condition(_Y, 1, int(not pair[1].inverted))),
            (s.yes, s.line, Condition(_X, int(not pair[0].inverted), 1)),
        ):
            self.insts.append(Inst("ifc", line=line, condition=condition))
            self.block(arm)
            self.insts.append(Inst(END_IF))
        return True

    def _is_condition(self, s: Statement) -> bool:
        """Whether a statement only compares, for a condition."""
        if not isinstance(s, v.Operate) or s.op not in _COMPARISONS:
            return False
        return not any((s.result, lane) in self.uses.valued for lane in range(len(s.operands[0])))

    def _conditional(self, tree: Tree, yes: _Block, no: _Block | None, line: int) -> bool:
        """A conditional without jumps; the arms add their instructions, and return whether they come to their end."""
        if isinstance(tree, bool):
            arm = yes if tree else no
            return arm is None or arm()
        if isinstance(tree, Both) and no is None and tree.every and (has_flag(tree.left) or has_flag(tree.right)):
            first, second = (tree.left, tree.right) if has_flag(tree.left) else (tree.right, tree.left)
            return self._conditional(first, lambda: self._conditional(second, yes, None, line), None, line)
        if self.conditionals >= IF_DEPTH:
            return self._jumped(tree, yes, no, line)
        if isinstance(tree, Flagged):
            if tree.inverted and no is None:
                return self._jumped(tree, yes, no, line)
            if tree.inverted and no is not None:
                yes, no = no, yes
            self.insts.append(Inst("ifu", line=line, number=tree.number))
        else:
            condition = self._flags(tree, line)
            self.insts.append(Inst("ifc", line=line, condition=condition))
        start = len(self.insts)
        self.conditionals += 1
        comes = yes()
        if len(self.insts) == start:
            self.insts.append(Inst("nop", line=line))
        if no is not None:
            middle = len(self.insts)
            self.insts.append(Inst(ELSE))
            comes = no() or comes
            if len(self.insts) == middle + 1:
                self.insts.pop()
        self.insts.append(Inst(END_IF))
        self.conditionals -= 1
        return comes or no is None

    def new_label(self) -> str:
        self.labels += 1
        return f"l{self.labels}"

    def _label(self, name: str) -> None:
        if any(inst.label == name for inst in self.insts):
            self.insts.append(Inst(LABEL, label=name))

    def _go(self, label: str, line: int) -> None:
        """Jump."""
        self.insts.append(Inst("jmpu", line=line, number=self.places.always(), label=label, pinned=True))

    def _go_if(self, tree: Leaf | Both | Flagged, label: str, line: int) -> None:
        if isinstance(tree, Flagged):
            self.insts.append(Inst("jmpu", line=line, number=tree.number, inverted=tree.inverted, label=label))
        else:
            condition = self._flags(tree, line)
            self.insts.append(Inst("jmpc", line=line, condition=condition, label=label))

    def _jumped(self, tree: Tree, yes: _Block, no: _Block | None, line: int) -> bool:
        """A conditional by jumps."""
        if isinstance(tree, bool):
            arm = yes if tree else no
            return arm is None or arm()
        otherwise, end = self.new_label(), self.new_label()
        self._go_if(unknown(contrary(tree)), otherwise, line)
        comes = yes()
        if no is None:
            self._label(otherwise)
            return True
        if comes:
            self._go(end, line)
        self._label(otherwise)
        comes = no() or comes
        self._label(end)
        return comes

    def _if_with_jumps(self, s: v.If, tree: Leaf | Flagged | Both) -> bool:
        for arm, other, when in ((s.yes, s.no, tree), (s.no, s.yes, contrary(tree))):
            if len(arm) == 1 and isinstance(arm[0], v.Leave) and not isinstance(when, bool):
                leaving = self._exit_from(arm[0].label)
                if leaving is not None and (not isinstance(when, Flagged) or leaving[1]):
                    self._leave_if(when, leaving, s.line)
                    return self.block(other)
        return self._jumped(tree, lambda: self.block(s.yes), (lambda: self.block(s.no)) if s.no else None, s.line)

    def _leave_if(self, tree: Leaf | Flagged | Both, leaving: tuple[str, str], line: int) -> None:
        """Leave on a condition: `breakc`, or a jump."""
        if leaving[0] == "jump" or isinstance(tree, Flagged):
            self._go_if(tree, leaving[1], line)
        else:
            condition = self._flags(tree, line)
            self.insts.append(Inst("breakc", line=line, condition=condition))

    def _exit_from(self, label: int) -> tuple[str, str] | None:
        """How a label is left, where one instruction does it: `jump` and where to, or `break`."""
        number = next(n for n, frame in enumerate(self.frames) if frame.label == label)
        within = [frame for frame in self.frames[number + 1 :] if frame.hardware]
        if within:
            return None
        return ("break", "") if self.frames[number].hardware else ("jump", self.frames[number].end)

    def _leave(self, label: int, line: int) -> None:
        leaving = self._exit_from(label)
        if leaving is None:
            frame = next(frame for frame in self.frames if frame.label == label)
            if frame.flag < 0:
                frame.flag = self.cell()
            self.emit("mov", [frame.flag], [Part(ONE)], line=line)
        if leaving is None or leaving[0] == "break":
            self.insts.append(Inst("break", line=line))
        else:
            self._go(leaving[1], line)

    def _scope(self, label: int, body: Sequence[Statement]) -> bool:
        frame = self._enter(label, hardware=False)
        comes = self.block(body)
        self._close(frame)
        jumped = any(inst.label == frame.end for inst in self.insts[frame.start :])
        self._label(frame.end)
        return comes or jumped

    def _enter(self, label: int, *, hardware: bool) -> _Frame:
        """A new frame; where a loop within it leaves it, a flag says so, which is cleared at its start."""
        frame = _Frame(label, self.new_label(), hardware, len(self.insts))
        self.frames.append(frame)
        return frame

    def _close(self, frame: _Frame) -> None:
        self.frames.pop()
        if frame.flag >= 0:
            self.insts.insert(frame.start, Inst("mov", (frame.flag,), ((Part(ZERO),),)))

    def _loop(self, label: int, body: Sequence[Statement], line: int) -> bool:
        again = self.new_label()
        frame = self._enter(label, hardware=False)
        self.insts.append(Inst(LABEL, label=again))
        frame.start += 1
        if self.block(body):
            self._go(again, line)
        self._close(frame)
        left = any(inst.label == frame.end for inst in self.insts[frame.start :])
        self._label(frame.end)
        return left

    def _for(self, s: v.For) -> bool:
        if isinstance(s.turns, int) and s.turns <= 0:
            return True
        if s.turns == 1:
            self.lanes[s.counter, 0] = known(s.start)
            return self._scope(s.label, s.body) or True
        if isinstance(s.turns, int) and (s.turns > _MOST_TURNS or self.loops >= LOOP_DEPTH):
            return self._for_with_jumps(s, s.turns)
        if isinstance(s.turns, v.CountOf) and self.loops >= LOOP_DEPTH:
            name = self.program.counts[s.turns.number].name
            message = f"the loop over '{name}' is the loop number {LOOP_DEPTH + 1} of a nest: the hardware holds {LOOP_DEPTH}"
            self.places.find("L109", message, s.line, "move it out of the nest, or make its number of iterations a constant")
        scale, numbered = counter_uses(s, self.uses, self._holds)
        register = self.places.loop(s.turns, s.start * scale, s.step * scale)
        if register < 0 and isinstance(s.turns, int):
            return self._for_with_jumps(s, s.turns)
        guard = self.places.guard(s.turns) if isinstance(s.turns, v.CountOf) else -1
        if guard >= 0:
            self.insts.append(Inst("ifu", line=s.line, number=guard))
            self.conditionals += 1
        counter = self._start_counter(s) if numbered else -1
        if not numbered:  # what is computed of it is not needed either
            self.lanes[s.counter, 0] = Part(self.cell())
        if scale:
            self.counters[s.counter] = scale
        self.insts.append(Inst("for", line=s.line, number=register))
        self._note_head(counter)
        self.loops += 1
        frame = self._enter(s.label, hardware=True)
        conditionals, self.conditionals = self.conditionals, self.conditionals
        comes = self.block(s.body)
        if comes and counter >= 0:
            self._step_counter(counter, s)
        self._close(frame)
        self.conditionals = conditionals
        self.insts.append(Inst(END_FOR))
        self.loops -= 1
        if guard >= 0:
            self.insts.append(Inst(END_IF))
            self.conditionals -= 1
        self._pass_on(set(leaves((s,))))
        return True

    def _pass_on(self, labels: set[int]) -> None:
        """After a hardware loop: go on to where statements in it have left to. That is in no place of the source: a debugger
        would show another state."""
        for frame in reversed(self.frames):
            if frame.label in labels:
                leaving = self._exit_from(frame.label)
                leaf = Leaf(LT, Part(ZERO), Part(frame.flag))
                self._leave_if(leaf, leaving or ("break", ""), -1)  # `break`: through the next loop around this one

    def _start_counter(self, s: v.For) -> int:
        counter = self.cell()
        self.lanes[s.counter, 0] = Part(counter)
        self.emit("mov", [counter], [known(s.start)], line=s.line)
        return counter

    def counter_is_index(self, counter: int) -> bool:
        """Whether only the index register holds the counter of a loop."""
        part = self.lanes.get((counter, 0))
        return part is not None and all(part.what not in inst.dst for inst in self.insts)

    def _note_head(self, counter: int) -> None:
        """The cell of a counter holds the number of a turn after the last instruction."""
        if counter >= 0:
            self.heads.append((self.insts[-1], counter))

    def _step_counter(self, counter: int, s: v.For) -> None:
        self.emit("add", [counter], [Part(counter)], [known(s.step)], line=s.end)

    def _for_with_jumps(self, s: v.For, turns: int) -> bool:
        """A loop that counts in a temporary."""
        counter = self._start_counter(s)
        left = self.cell()
        self.emit("mov", [left], [known(turns)], line=s.line)
        again = self.new_label()
        frame = self._enter(s.label, hardware=False)
        self.insts.append(Inst(LABEL, label=again))
        self._note_head(counter)
        frame.start += 1
        if self.block(s.body):
            self._step_counter(counter, s)
            self.emit("add", [left], [Part(left)], [Part(ONE.turned)], line=s.end)
            self._go_if(Leaf(LT, Part(ZERO), Part(left)), again, s.end)
        self._close(frame)
        self._label(frame.end)
        return True
