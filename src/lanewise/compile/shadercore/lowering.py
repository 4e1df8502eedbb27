"""Vector programs on symbols: values become ShaderCore code, lane by lane.

The device has no flow control: loops are unrolled, and where two paths meet the variables are selected. A path is a predicate
within the innermost loop or scope; what leaves one early keeps its values until the end of what it leaves.
"""

from __future__ import annotations

import math
import struct
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.code import CONSTANT, Output, modified
from lanewise.compile.shadercore.if_conversion import Index, Predicates
from lanewise.compile.vector import code as v
from lanewise.compile.vector.walk import leaves
from lanewise.core.diagnostics import PortableError
from lanewise.shadercore.isa.table import ABS, NEGATE, NONE, SLOTS
from lanewise.shadercore.sem.numbers import MAGNITUDE, ONE, is_nan
from lanewise.shadercore.sem.routines import Routines
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.shadercore.if_conversion import Predicate
    from lanewise.compile.vector.code import Operand, Program, Statement
    from lanewise.shadercore.isa.devices import Device

MOST_STEPS = (
    20000  # statements that are followed, and instructions: after that a program is too long whatever its optimiser does
)
_Lane = tuple[int, int]  # a variable and one of its lanes
_State = dict[_Lane, Ref]


class Refused(PortableError):
    """A program that cannot be compiled: the code of a diagnostic, the message, the fix, and the index of the line (-1:
    none)."""

    code: str
    message: str
    fix: str
    line: int

    def __init__(self, code: str, message: str, fix: str, line: int = -1) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.line = code, message, fix, line


class Registers(NamedTuple):
    """Where the program finds what the application gives: v# of inputs, the first c# of uniforms, components of c# of flags and
    counts."""

    inputs: Sequence[int]
    uniforms: Sequence[int]
    flags: Sequence[tuple[int, int]]
    counts: Sequence[tuple[int, int]]


class _Frame:
    """A loop or scope: which lanes are still in it, whether one has left it for what follows, and which have gone further
    out."""

    def __init__(self, label: int, path: Predicate = True) -> None:
        self.label, self.path = label, path
        self.gone: list[Predicate] = []  # who has left, one after another
        self.left = False
        self.lost: Predicate = False


class _Affine(NamedTuple):
    """A whole number as a multiple of another, and what is added."""

    base: Ref
    scale: int = 1
    added: int = 0


class Lowering:
    """One walk through a program. `bounds`: the most that counts, and uniforms of one number, can be; none is less than 0."""

    program: Program
    registers: Registers
    bounds: Mapping[str, int]
    builder: Builder
    predicates: Predicates
    routines: Routines[Ref]
    frames: list[_Frame]
    steps: int

    def __init__(self, program: Program, device: Device, registers: Registers, bounds: Mapping[str, int]) -> None:
        self.program, self.registers, self.bounds = program, registers, bounds
        self.builder = Builder(device)
        self.predicates = Predicates(self.builder, sums=program.free)
        self.routines = Routines(self.builder, device, lambda bits: self.builder.constant(bits, "coefficient"))
        self.values: dict[int, Sequence[Ref]] = {}
        self.state: _State = {}
        self.frames = [_Frame(-1)]
        self.affine: dict[Ref, _Affine] = {}
        self.floors: dict[Ref, Ref] = {}  # what each is the floor of
        self.most: dict[Ref, int] = {}  # leaves that are at most so great
        for uniform, first in zip(program.uniforms, registers.uniforms, strict=True):
            if uniform.name in bounds and uniform.rows == 1:
                self.most[self.builder.uniform(first, 0)] = bounds[uniform.name]
        self.steps = 0
        r = self.routines
        self._arithmetic: Mapping[str, Callable[..., Ref]] = {
            v.ADD: self._added,
            v.MUL: self._product,
            v.MIN: self.builder.min,
            v.MAX: self._greater,
            v.FLOOR: self._floor,
            v.TRUNC: r.trunc,
            v.RCP: r.rcp,
            v.RSQ: r.rsq,
            v.EXP2: r.exp2,
            v.LOG2: r.log2_relative,
            v.MAD: self._sum,
        }
        p = self.predicates
        self._logic: Mapping[str, Callable[..., Predicate]] = {v.AND: p.both, v.OR: p.either, v.NOT: p.invert}

    def all(self, outputs: Sequence[int]) -> None:
        """Walk the program; `outputs` are the o# of its outputs. Raises Refused."""
        self.block(self.program.body)
        for output, register in zip(self.program.outputs, outputs, strict=True):
            for lane in output.lanes:
                self.builder.outputs.append(Output(register, lane, self.held((output.variable, lane)), output.line))

    # Values

    def constant(self, value: float, why: str = "") -> Ref:
        return self.builder.constant(pattern(value), why)

    def take(self, ref: v.Ref) -> Ref:
        """A component, or any value that has the same bits on this path."""
        found = self.predicates.where(self.frames[-1].path, self.values[ref.value][ref.lane])
        if not ref.negated:
            return found
        known = self.builder.bits(found)
        return modified(found, NEGATE) if known is None else self.builder.negate(found)

    def takes(self, operand: Operand) -> list[Ref]:
        return [self.take(ref) for ref in operand]

    def truth(self, value: Ref) -> Predicate:
        """Whether a value is 1.0, which a truth is or else 0.0."""
        bits = self.builder.bits(value)
        return value if bits is None else bits == ONE

    def held(self, lane: _Lane) -> Ref:
        """Return the value of a variable; 0 where nothing was stored."""
        found = self.state.get(lane)
        return self.builder.constant(0) if found is None else found

    def _lane(self, op: str, lanes: Sequence[Ref]) -> Ref:
        """An operation by lane on one lane."""
        p = self.predicates
        if op in self._arithmetic:
            return self._arithmetic[op](*lanes)
        if op in self._logic:
            return p.number(self._logic[op](*map(self.truth, lanes)))
        if op == v.SELECT:
            return self.select(self.truth(lanes[0]), lanes[1], lanes[2])
        return p.number(self._compared(op, *lanes))

    def _compared(self, op: str, a: Ref, b: Ref) -> Predicate:
        p = self.predicates
        if op == v.LT:
            return self._ordered(a, b, or_equal=False)
        at_most = self._ordered(b, a, or_equal=True)
        if op == v.LE:
            return at_most
        equal = at_most if a == b else p.both(at_most, self._ordered(a, b, or_equal=True))
        return equal if op == v.EQ else p.invert(equal)

    def _ordered(self, a: Ref, b: Ref, *, or_equal: bool) -> Predicate:
        """a >= b, or a < b: known where the bounds of uniforms say so."""
        low_a, high_a = self._range(a)
        low_b, high_b = self._range(b)
        if high_a < low_b:
            return not or_equal
        if low_a >= high_b:
            return or_equal
        return self.predicates.ordered(a, b, or_equal=or_equal)

    def _range(self, ref: Ref) -> tuple[float, float]:
        """The least and greatest number that a value can be; any number where nothing is known."""
        if self.most:
            known = self._whole(ref)
            if known is not None:
                return known, known
            turned = ref.modifier == NEGATE
            base, scale, added = self._index(Ref(ref.node) if turned else ref)
            if base in self.most:
                low, high = added, scale * self.most[base] + added
                return (-high, -low) if turned else (low, high)
        return -math.inf, math.inf

    def _sum(self, a: Ref, b: Ref, c: Ref) -> Ref:
        return self.builder.add(self._term(a, b), c)

    def _greater(self, a: Ref, b: Ref) -> Ref:
        """The greater one of a number and its opposite is its magnitude, which costs nothing."""
        if a.node == b.node and {a.modifier, b.modifier} == {NONE, NEGATE} and self.builder.bits(a) is None:
            return Ref(a.node, ABS)
        return self.builder.max(a, b)

    def _floor(self, x: Ref) -> Ref:
        found = self.routines.floor(x)
        self.floors.setdefault(found, x)
        return found

    def _added(self, a: Ref, b: Ref) -> Ref:
        """A number less its floor is its fraction, which an instruction computes."""
        for x, floor in ((a, b), (b, a)):
            if floor.modifier == NEGATE and self.floors.get(Ref(floor.node)) == x:
                return self.builder.fraction(x)
        return self.builder.add(a, b)

    def select(self, truth: Predicate, yes: Ref, no: Ref) -> Ref:
        """One of two values. It is the lesser or greater of both where they are compared, and what is taken if the other is a
        NaN or another zero is a known number."""
        p = self.predicates
        if isinstance(truth, bool):
            return yes if truth else no
        node = self.builder.nodes[truth.node]
        bits = self.builder.bits(no)
        if node.op in ("slt", "sge") and {yes, no} == set(node.sources) and bits is not None and not is_nan(bits):
            greater = (node.op == "slt") == (yes == node.sources[1])
            if bits & MAGNITUDE or (greater and node.op == "slt" and not bits):
                return self.builder.max(yes, no) if greater else self.builder.min(yes, no)
        return p.select(truth, yes, no)

    def _product(self, a: Ref, b: Ref) -> Ref:
        found = self.builder.mul(a, b)
        for value, factor in ((a, b), (b, a)):
            scale = self._whole(factor)
            if scale is not None and scale > 0 and found not in self.affine:
                self.affine[found] = _Affine(value, scale)
        return found

    def _term(self, a: Ref, b: Ref) -> Ref:
        """A product that is added to something: by 1.0 it is the other factor, as ADD flushes what MUL flushes. A NaN keeps its
        pattern."""
        for value, factor in ((a, b), (b, a)):
            if self.builder.bits(factor) == ONE:
                return value
        return self.builder.mul(a, b)

    def _whole(self, ref: Ref) -> int | None:
        bits = self.builder.bits(ref)
        if bits is None:
            return None
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        return int(value) if abs(value) < 1 << 20 and value == int(value) else None

    def _index(self, ref: Ref) -> _Affine:
        """A whole number as a multiple of another one, as far as its instructions say so."""
        if ref.modifier != NONE:
            return _Affine(ref)
        known = self.affine.get(ref)
        if known is not None:
            return known
        node = self.builder.nodes[ref.node]
        if node.op == "add":
            for value, other in (node.sources, node.sources[::-1]):
                added = self._whole(other)
                if added is not None:
                    inner = self._index(value)
                    self.affine[ref] = inner._replace(added=inner.added + added)
                    return self.affine[ref]
        return _Affine(ref)

    def look_up(self, index: Ref, rows: int, first: int, row: Callable[[int, int], Ref]) -> list[Ref]:
        """The four lanes of row `first` + index of so many; those before and after them are the first and the last. `row` gives
        a lane of one."""
        known = self._whole(index)
        if known is not None:
            at = min(max(first + known, 0), rows - 1)
            return [row(at, lane) for lane in range(4)]
        base, scale, added = self._index(index)
        added += first
        possible = [n for n in range(rows) if (n - added) % scale == 0]
        if not possible:
            return [self.builder.constant(0)] * 4
        lowest = (possible[0] - added) // scale
        hot = self.predicates.one_hot(Index(base, "up", -lowest), len(possible), clamped=True)
        zero = self.builder.constant(0)
        found: list[Ref] = []
        for lane in range(4):
            values = [row(n, lane) for n in possible]
            same = len(set(values)) == 1
            found.append(values[0] if same else self.predicates.look_up(values, hot, zero))
        return found

    # Statements

    def block(self, body: Sequence[Statement]) -> None:
        for statement in body:
            if self.frames[-1].path is False:
                return
            self.steps += 1
            if max(self.steps, len(self.builder.nodes)) > MOST_STEPS:
                raise Refused(
                    "L003",
                    f"the program takes more than {MOST_STEPS} instructions after unrolling loops",
                    "unroll less: lower the counts of loops, or split the program",
                    statement.line,
                )
            self.builder.line = statement.line
            self.statement(statement)

    def statement(self, s: Statement) -> None:
        b = self.builder
        match s:
            case v.Number(result, values):
                self.values[result] = [self.constant(value) for value in values]
            case v.Attribute(result, number):
                self.values[result] = self._attribute(number)
            case v.Row(result, uniform, row, offset):
                start = self.registers.uniforms[uniform]
                if offset is None:
                    self.values[result] = [b.uniform(start + row, lane) for lane in range(4)]
                else:
                    rows = self.program.uniforms[uniform].rows
                    self.values[result] = self.look_up(self.take(offset), rows, row, lambda n, lane: b.uniform(start + n, lane))
            case v.Table(result, rows, at):
                self.values[result] = self.look_up(
                    self.take(at), len(rows), 0, lambda n, lane: self.constant(rows[n][lane], "table")
                )
            case v.Truth(result, flag):
                self.values[result] = [b.uniform(*self.registers.flags[flag])]
            case v.Load(result, variable):
                lanes = range(self.program.variables[variable].lanes)
                self.values[result] = [self.held((variable, lane)) for lane in lanes]
            case v.Operate(result, op, operands):
                self.values[result] = self.operated(op, [self.takes(operand) for operand in operands])
            case v.Store(variable, _, operand):
                for lane, value in zip(s.lanes, self.takes(operand), strict=True):
                    self.store((variable, lane), value)
            case v.If(condition, yes, no):
                self.conditional(self.truth(self.take(condition)), lambda: self.block(yes), lambda: self.block(no))
            case v.Leave(label):
                self.leave(label)
            case v.Scope(label, body):
                self.within(label, lambda: self.block(body))
            case v.Loop(label, body):
                self.within(label, lambda: self.repeat(body, s.line))
            case v.For():
                self.within(s.label, lambda: self.count(s))

    def operated(self, op: str, operands: Sequence[Sequence[Ref]]) -> list[Ref]:
        if op != v.DOT:
            return [self._lane(op, lanes) for lanes in zip(*operands, strict=True)]
        products = [self._term(x, y) for x, y in zip(*operands, strict=True)]
        total = products[0]
        for product in products[1:]:
            total = self.builder.add(total, product)
        return [total]

    def _attribute(self, number: int) -> list[Ref]:
        """All lanes of an input; those that it has not are (0, 0, 0, 1)."""
        lanes = self.program.inputs[number].lanes
        register = self.registers.inputs[number]
        return [self.builder.input(register, n) if n < lanes else self.constant(float(n == 3), "default") for n in range(4)]

    # Flow

    def conditional(self, truth: Predicate, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """Both arms: what they store is selected."""
        if isinstance(truth, bool):
            (yes if truth else no)()
            return
        frame, p = self.frames[-1], self.predicates
        before = frame.path
        starts = p.both(before, truth), p.both(before, p.invert(truth))
        ends: list[Predicate] = []
        count = len(frame.gone)
        for start, arm in zip(starts, (yes, no), strict=True):
            frame.path = start
            if start is not False:
                arm()
            ends.append(frame.path)
        gone = frame.gone[count:]
        if False in ends or not gone:
            frame.path = p.either(*ends) if gone else before
        else:
            frame.path = p.both(before, p.invert(reduce(p.either, gone)))

    def store(self, lane: _Lane, value: Ref) -> None:
        """Set a variable where the path leads. What nothing has stored is whatever this is."""
        path, other = self.frames[-1].path, self.state.get(lane)
        self.state[lane] = value if other is None or path is True else self.select(path, value, other)

    def within(self, label: int, body: Callable[[], None]) -> None:
        """A loop or scope. What has left it keeps its values until the end."""
        outer = self.frames[-1]
        frame = _Frame(label, outer.path)
        self.frames.append(frame)
        body()
        self.frames.pop()
        if frame.lost is not False:
            outer.gone.append(frame.lost)
        ends = frame.left or frame.path is not False
        outer.path = self.predicates.both(outer.path, self.predicates.invert(frame.lost)) if ends else False

    def leave(self, label: int) -> None:
        top = self.frames[-1]
        top.gone.append(top.path)
        for frame in reversed(self.frames):
            if frame.label == label:
                frame.left = True
                break
            frame.lost = self.predicates.either(frame.lost, top.path)
        top.path = False

    def repeat(self, body: Sequence[Statement], line: int) -> None:
        """The body until no lane is left in the loop. A turn takes an instruction at least, so that what is still open after as
        many turns as slots is too long."""
        for _ in range(SLOTS):
            self.block(body)
            if self.frames[-1].path is False:
                return
        names = self._asked(self.frames[-1].path)
        fix = (
            f"give the most that {names[0]} can be: --bound {names[0]}=COUNT"
            if names
            else "write it as a `for` with a known number of turns, and a `break` in it"
        )
        raise Refused("L006", f"loop without a known bound: lanes may still be in it after {SLOTS} turns", fix, line)

    def _asked(self, path: Predicate) -> list[str]:
        """The uniforms of one number that a predicate asks, which no bound is given for."""
        first = {number: uniform for uniform, number in zip(self.program.uniforms, self.registers.uniforms, strict=True)}
        seen: set[int] = set()
        found: dict[str, None] = {}
        waiting = [] if isinstance(path, bool) else [path.node]
        while waiting:
            node = self.builder.nodes[waiting.pop()]
            uniform = first.get(node.number) if node.op == CONSTANT and not node.component else None
            if uniform is not None and uniform.rows == uniform.columns == 1 and uniform.name not in self.bounds:
                found[uniform.name] = None
            waiting += [ref.node for ref in node.sources if ref.node not in seen]
            seen.update(ref.node for ref in node.sources)
        return sorted(found)

    def count(self, s: v.For) -> None:
        if isinstance(s.turns, int):
            most, number = s.turns, None
        else:
            count = self.program.counts[s.turns.number]
            most, number = self.bound(count, s.line), self.builder.uniform(*self.registers.counts[s.turns.number])
        frame = self.frames[-1]
        frame.left = number is not None
        leaving = frame.left and any(leaves(s.body))
        for turn in range(most):
            if frame.path is False:
                return
            self.steps += 1
            self.values[s.counter] = [self.constant(float(s.start + s.step * turn), "turn")]
            before = frame.path
            if number is not None:
                more = self.predicates.ordered(self.constant(float(turn), "turn"), number, or_equal=False)
                frame.path = self.predicates.both(before, more)
            self.block(s.body)
            if number is not None and not leaving:
                frame.path = before  # else those that are through stay so: they have no further turn

    def bound(self, count: v.Count, line: int) -> int:
        """The most turns of a count. Raises Refused where nothing says it."""
        if count.name in self.bounds:
            return self.bounds[count.name]
        if count.most < v.MOST_TURNS:
            return count.most
        fix = f"give the most that it is set to, an upper bound: --bound {count.name}=COUNT"
        raise Refused("L006", f"the iteration count '{count.name}' is unknown", fix, line)


def pattern(value: float) -> int:
    """The float32 nearest to a number."""
    try:
        return int(struct.unpack("<I", struct.pack("<f", value))[0])
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000
