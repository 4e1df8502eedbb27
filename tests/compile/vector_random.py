"""Random vector programs with data, to compare a back end with the interpreter."""

from __future__ import annotations

import random

from compile.vector_builder import LETTERS, Builder, Value
from lanewise.compile.vector import code as v

NUMBERS = (0.0, 1.0, -1.0, 0.5, 2.0, -3.25, 0.125, 100.0)
EDGES = (0x000000, 0x3F0000, 0xBF0000, 0x7F0000, 0xFF0000, 0x7F8000, 0x000001, 0x010000, 0x400000, 0x408000)
_PLAIN = (v.ADD, v.MUL, v.ADD, v.MUL, v.MAD, v.MIN, v.MAX, v.FLOOR, v.TRUNC)
_FUNCTIONS = (v.RCP, v.RSQ, v.EXP2, v.LOG2)
_COMPARISONS = (v.LT, v.LE, v.EQ, v.NE)


class Random:
    """Makes one program. `values` are those that can be read here, by nesting of blocks."""

    def __init__(self, seed: int, *, loops: bool = True) -> None:
        self.r = random.Random(seed)
        self.b = Builder(f"random{seed}")
        self.values: list[list[Value]] = [[]]
        self.truths: list[list[Value]] = [[]]
        self.offsets: list[list[Value]] = [[]]
        self.loops = loops
        self.labels: list[tuple[int, str]] = []
        self.inside = 0

    def program(self) -> v.Program:
        r, b = self.r, self.b
        for n in range(r.randint(1, 3)):
            self.values[0].append(b.input(f"in{n}", r.randint(1, 4)))
        single = b.uniform("single")
        self.values[0].append(b.row(single))
        self.array = b.uniform("rows", 4)
        self.values[0].append(b.row(self.array, 2))
        b.flags += [v.Flag("on"), v.Flag("off")]
        for n in range(2):
            number = b.new()
            b.add(v.Truth(number, n))
            self.truths[0].append(Value(b, [v.Ref(number)]))
        if self.loops:
            b.counts.append(v.Count("turns", -1, 5))
        self.variables = [b.variable(4, f"t{n}") for n in range(r.randint(1, 3))]
        self.outs = [b.output(name, None, lanes) for name, lanes in (("position", 4), ("color", 4), ("texcoord0", 2))]
        for variable in (*self.variables, *self.outs):
            b.store(variable, self.wide(b.variables[variable].lanes))
        self.block(r.randint(4, 14))
        for out in self.outs:
            if r.random() < 0.7:
                b.store(out, self.wide(b.variables[out].lanes))
        return b.program()

    def pick(self) -> Value:
        return self.r.choice([value for scope in self.values for value in scope])

    def lane(self) -> Value:
        value = self.pick()
        if self.r.random() < 0.15:
            return self.b.value(self.r.choice(NUMBERS))
        found = Value(self.b, [self.r.choice(value.refs)])
        return -found if self.r.random() < 0.2 else found

    def wide(self, width: int) -> Value:
        """A value of a width: lanes of one value, or of several."""
        r = self.r
        value = self.pick()
        if r.random() < 0.15:
            return self.b.value([r.choice(NUMBERS) for _ in range(width)])
        if r.random() < 0.25:
            return self.b.vec(*[self.lane() for _ in range(width)])
        found = (
            Value(self.b, [r.choice(value.refs) for _ in range(width)])
            if len(value) < width
            else Value(self.b, value.refs[:width])
        )
        return -found if r.random() < 0.2 else found

    def truth(self) -> Value:
        found = [truth for scope in self.truths for truth in scope]
        return self.r.choice(found)

    def block(self, count: int) -> None:
        for _ in range(count):
            self.statement()

    def inner(self, count: int) -> None:
        for kind in (self.values, self.truths, self.offsets):
            kind.append([])
        self.inside += 1
        self.block(count)
        self.inside -= 1
        for kind in (self.values, self.truths, self.offsets):
            kind.pop()

    def statement(self) -> None:
        r, b = self.r, self.b
        kind = r.random()
        if kind < 0.3:
            op = r.choice(_PLAIN)
            width = r.randint(1, 4)
            self.values[-1].append(b.op(op, *[self.wide(width) for _ in range(v.OPERATIONS[op])]))
        elif kind < 0.38:
            self.values[-1].append(b.op(r.choice(_FUNCTIONS), self.wide(r.randint(1, 2))))
        elif kind < 0.48:
            width = r.randint(2, 4)
            other = b.vec(self.wide(width - 1), 1.0) if r.random() < 0.3 else self.wide(width)
            self.values[-1].append(b.dot(self.wide(width), other))
        elif kind < 0.56:
            found = b.op(r.choice(_COMPARISONS), self.lane(), self.lane())
            self.truths[-1].append(found)
            if r.random() < 0.3:
                self.values[-1].append(found)
        elif kind < 0.6:
            op = r.choice((v.AND, v.OR, v.NOT))
            self.truths[-1].append(b.op(op, *[self.truth() for _ in range(v.OPERATIONS[op])]))
        elif kind < 0.64:
            width = r.randint(1, 3)
            condition = Value(b, [self.truth().refs[0] for _ in range(width)])
            self.values[-1].append(b.op(v.SELECT, condition, self.wide(width), self.wide(width)))
        elif kind < 0.7:
            self.values[-1].append(b.load(r.choice(self.variables)))
        elif kind < 0.8:
            variable = r.choice((*self.variables, *self.outs))
            lanes = b.variables[variable].lanes
            letters = "".join(r.sample(LETTERS[:lanes], r.randint(1, lanes)))
            b.store(variable, self.wide(len(letters)), letters)
        elif kind < 0.84:
            offset = self.offset()
            self.values[-1].append(b.row(self.array, r.randint(0, 1), offset))
        elif kind < 0.86 and self.labels:
            with b.when(self.truth()):
                self.inner(r.randint(0, 1))
                b.leave(self.leaving())
        elif self.inside < 3:
            self.flow(kind)

    def offset(self) -> Value:
        """A whole number of 0 to 2: a truth, a counter, or a sum."""
        r = self.r
        counters = [offset for scope in self.offsets for offset in scope]
        if counters and r.random() < 0.7:
            return r.choice(counters)
        truth = self.truth()
        found = truth + self.truth() if r.random() < 0.3 else truth
        return self.b.op(v.TRUNC, found + 0.25) if r.random() < 0.3 else found

    def leaving(self) -> int:
        return self.r.choice(self.labels)[0]

    def flow(self, kind: float) -> None:
        r, b = self.r, self.b
        if kind < 0.94 or not self.loops:
            with b.when(self.truth()):
                self.inner(r.randint(0, 3))
            if r.random() < 0.5:
                with b.otherwise():
                    self.inner(r.randint(1, 3))
        elif kind < 0.96:
            label = b.label()
            self.labels.append((label, "scope"))
            with b.scope(label):
                self.inner(r.randint(2, 4))
            self.labels.pop()
        elif kind < 0.985:
            label = b.label()
            turns = v.CountOf(0) if r.random() < 0.4 else r.randint(0, 3)
            step = r.choice((1, 1, 1, 2, -1))
            start = r.randint(0, 1) if step > 0 else 2
            counter, loop = b.loop_over(label, turns, start, step)
            self.labels.append((label, "for"))
            with loop:
                self.values.append([counter])
                if step == 1 and not isinstance(turns, v.CountOf) and start + turns < 4:
                    self.offsets.append([counter])
                else:
                    self.offsets.append([])
                self.truths.append([])
                self.inner(r.randint(1, 4))
                for each in (self.values, self.truths, self.offsets):
                    each.pop()
            self.labels.pop()
        else:
            label = b.label()
            turn = b.variable(1, "turn")
            b.store(turn, 0.0)
            self.labels.append((label, "loop"))
            with b.loop(label):
                now = b.load(turn) + 1.0
                b.store(turn, now)
                with b.when(now >= float(r.randint(1, 3))):
                    b.leave(label)
                self.inner(r.randint(1, 3))
            self.labels.pop()


def words(r: random.Random, count: int) -> list[list[int]]:
    """Rows of float24 words: plain numbers, now and then one at which arithmetic changes its rule."""

    def word() -> int:
        if r.random() < 0.08:
            return r.choice(EDGES)
        return r.getrandbits(1) << 23 | r.randint(57, 68) << 16 | r.getrandbits(16)

    return [[word() for _ in range(4)] for _ in range(count)]
