"""Throughput of this processor: what an operation on a vector of 16 vertices costs, measured by small loops.

A kind of operation has several costs. Its *own* is the time of one where nothing else is done. The others say how much longer a
loop that keeps a part of the processor busy (with bitwise operations, sums, shuffles or quotients) takes for one more operation
of the kind: the time that this part cannot do without. The sum of such costs over operations is a lower limit of the time that
they take, for each of these parts, and so is the time that all operations of one kind take; the largest of these limits is that
of all (`Limits.of`).

Nothing here knows the ports of a processor. Loops are in the L1 cache, with enough independent chains that latencies do not
matter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.llvm.movement import gather
from lanewise.llvm.target import compile_object, load_object
from lanewise.llvm.text import Text
from lanewise.pica200.engine.llvm.repeat import Sampled, seconds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name

WIDTH = 16
DIVIDER = "div"
PARTS = ("logic", "add", "shuffle", DIVIDER)  # what keeps a part of the processor busy
LOAD, ONE_KIND = "load", "one kind"  # further limits
SAMPLES, _SAMPLE = 60, 40e-6
_OPERATIONS = 24  # of a loop's body, at least; a loop does its body so many times in a call:
_TURNS = 16
# Operations of a part for one of a kind: few where one execution unit does the part, more where several share it unevenly.
_FILLING = {"logic": 5, "add": 5, "shuffle": 4, DIVIDER: 2}
_MOST_FILLING = 96
_MEMORY = 2048  # bytes that loads and stores go through, after as many of constants
_ZEROS, _ONES, _DOUBLE_ONES, _SET = 0, 64, 128, 256  # offsets of constants


class _Maker:
    """Code of single operations: the next value of a chain."""

    def __init__(self, text: Text, target: Target, element: str) -> None:
        self.text, self.target, self.element = text, target, element
        # Operands come from memory, so that nothing is known of them.
        self.zero, self.all = self._constant(_ZEROS), self._constant(_SET)
        self.one = self._constant(_ONES if element == "float" else _DOUBLE_ONES)
        self.bits = text.new(f"bitcast i{WIDTH} {text.new(f'load volatile i{WIDTH}, ptr %args')} to {text.i1}")
        self._place = 0

    def _constant(self, offset: int) -> Name:
        at = self.text.new(f"getelementptr i8, ptr %args, i64 {offset}")
        return self.text.splat(self.element, self.text.new(f"load volatile {self.element}, ptr {at}"))

    def bitwise(self, op: str, a: Name, b: Name) -> Name:
        return self.text.number_of(self.text.int_op(op, self.text.bits(a), self.text.bits(b)))

    def long(self, op: str, a: Name, b: Name) -> Name:
        text = self.text
        return text.double_of(text.long_op(op, text.double_bits(a), b if b.startswith("splat") else text.double_bits(b)))

    def memory(self) -> Name:
        """The address of a vector."""
        self._place = (self._place + 4 * WIDTH) % _MEMORY
        return self.text.new(f"getelementptr i8, ptr %args, i64 {_MEMORY + self._place}")

    def unpacked(self, a: Name) -> Name:
        places = [n for start in range(0, WIDTH, 4) for n in (start, WIDTH + start, start + 1, WIDTH + start + 1)]
        return self.text.shuffle("float", WIDTH, a, self.one, places)

    def loaded(self, a: Name) -> Name:
        self.text.new(f"load volatile {self.text.f32}, ptr {self.memory()}, align 64")
        return a

    def stored(self, a: Name) -> Name:
        self.text.add(f"  store volatile {self.text.f32} {self.one}, ptr {self.memory()}, align 64")
        return a

    def gathered(self, a: Name) -> Name:
        text = self.text
        numbers = ", ".join(f"i64 {16 * n}" for n in range(WIDTH))
        # The address is not known to be the same each time.
        offset = text.new("load volatile i64, ptr %args, align 8")
        base = text.new(f"getelementptr i8, ptr {self.memory()}, i64 {offset}")
        return text.fadd(a, gather(text, text.new(f"getelementptr i8, ptr {base}, {text.i64} <{numbers}>")))

    def estimated(self, a: Name) -> Name:
        """An estimate of 1 / sqrt(a) with 14 bits; a quotient where there is none."""
        text = self.text
        if not self.target.embedded_rounding:
            return text.fdiv(a, self.one)
        name, every = "llvm.x86.avx512.rsqrt14.ps.512", ("i16", "-1")
        return text.call(text.f32, name, (text.f32, a), (text.f32, a), every)

    def below(self, a: Name) -> Name:
        return self.text.new(f"fcmp olt <{WIDTH} x {self.element}> {a}, {self.zero}")

    def chosen(self, condition: Name, a: Name) -> Name:
        kind = f"<{WIDTH} x {self.element}>"
        return self.text.new(f"select {self.text.i1} {condition}, {kind} {self.one}, {kind} {a}")


def _root(m: _Maker, a: Name) -> Name:
    return m.text.call(m.text.f64, f"llvm.sqrt.v{WIDTH}f64", (m.text.f64, a))


# By kind: one operation on 16 numbers.
_FLOAT: Mapping[str, Callable[[_Maker, Name], Name]] = {
    "add": lambda m, a: m.text.fadd(a, m.zero),
    "mul": lambda m, a: m.text.fmul(a, m.one),
    "fma": lambda m, a: m.text.fma(a, m.one, m.zero),
    "div": lambda m, a: m.text.fdiv(a, m.one),
    "sqrt": lambda m, a: m.text.unary("sqrt", a),
    "estimate": lambda m, a: m.estimated(a),
    "round": lambda m, a: m.text.unary("floor", a),
    "convert": lambda m, a: m.text.new(f"sitofp {m.text.i32} {m.text.bits(a)} to {m.text.f32}"),
    "max": lambda m, a: m.text.select(m.text.fcmp("ogt", a, m.zero), a, m.zero),
    "range": lambda m, a: m.target.larger(m.text, a, m.zero),
    "compare": lambda m, a: m.chosen(m.below(a), a),
    "select": lambda m, a: m.chosen(m.bits, a),
    "mask": lambda m, a: m.chosen(m.text.new(f"xor {m.text.i1} {m.below(a)}, {m.bits}"), a),
    "logic": lambda m, a: m.bitwise("and", a, m.all),
    "integer": lambda m, a: m.bitwise("add", a, m.zero),
    "shift": lambda m, a: m.text.number_of(m.text.int_op("ashr", m.text.bits(a), m.text.integer(1))),
    "bound": lambda m, a: m.text.number_of(m.text.umax(m.text.bits(a), m.text.bits(m.zero))),
    "shuffle": lambda m, a: m.unpacked(a),
    "broadcast": lambda m, a: m.text.fadd(a, m.text.splat("float", m.text.load("float", m.memory(), 4))),
    "load": lambda m, a: m.loaded(a),
    "store": lambda m, a: m.stored(a),
    "gather": lambda m, a: m.gathered(a),
}
_DOUBLE: Mapping[str, Callable[[_Maker, Name], Name]] = {
    "double add": lambda m, a: m.text.double_op("fadd", a, m.zero),
    "double mul": lambda m, a: m.text.double_op("fmul", a, m.one),
    "double fma": lambda m, a: m.text.double_fma(a, m.one, m.zero),
    "double div": lambda m, a: m.text.double_op("fdiv", a, m.one),
    "double sqrt": _root,
    "double logic": lambda m, a: m.long("and", a, m.all),
    "double integer": lambda m, a: m.long("add", a, m.zero),
    "double shift": lambda m, a: m.long("lshr", a, m.text.long(1)),
    "double compare": lambda m, a: m.chosen(m.below(a), a),
    "double select": lambda m, a: m.chosen(m.bits, a),
    "double convert": lambda m, a: m.text.widen(m.text.narrow(a)),
}
KINDS = (*_FLOAT, *_DOUBLE)
# Measured together with operations of other kinds, whose costs are taken off again.
_LESS: Mapping[str, tuple[str, ...]] = {
    "mask": ("compare", "select"),
    "broadcast": ("add",),
    "gather": ("add",),
    "double compare": ("double select",),
    "compare": ("select",),
}
_TWO = frozenset(("double convert",))  # measured in pairs
_DIVIDING = frozenset(("sqrt", "double div", "double sqrt"))
_MEMORY_ONLY = frozenset((LOAD, "store", "broadcast"))  # they need nothing of what computes


class Limits(NamedTuple):
    """Costs in ns for a vector of 16: `own` by kind, `parts` by part of the processor and kind."""

    own: Mapping[str, float]
    parts: Mapping[str, Mapping[str, float]]

    def by_part(self, operations: Mapping[str, float]) -> dict[str, float]:
        """The lower limits of the time of so many operations, in ns: of each part, and of the kind that takes longest."""
        found = {
            part: sum(count * costs.get(kind, 0.0) for kind, count in operations.items()) for part, costs in self.parts.items()
        }
        found[ONE_KIND] = max([count * self.own[kind] for kind, count in operations.items()], default=0.0)
        return found

    def of(self, operations: Mapping[str, float]) -> float:
        """The lower limit of the time of so many operations, in ns."""
        return max(self.by_part(operations).values())


class _Loop(NamedTuple):
    """A loop in memory, with the number of operations of its kind in a call."""

    sampled: Sampled
    operations: int

    @property
    def ns(self) -> float:
        return 1e9 * self.sampled.usual / self.operations


class Throughput:
    """Measures this processor with the instructions of a level, each kind of operation when it is first asked for."""

    def __init__(self, target: Target) -> None:
        self._target = target
        # As measured, with what is computed besides.
        self._own: dict[str, float] = {}
        self._parts: dict[str, dict[str, float]] = {part: {} for part in PARTS}
        self._filling: dict[str, _Loop] = {}
        self._latencies: dict[str, float] = {}

    def limits(self, kinds: Iterable[str]) -> Limits:
        """The costs of at least these kinds."""
        wanted = {*PARTS, LOAD, *kinds}
        wanted |= {other for kind in wanted for other in _LESS.get(kind, ())}
        self._measure(wanted - self._own.keys())
        own, parts = dict(self._own), {part: dict(costs) for part, costs in self._parts.items()}
        for costs in (own, *parts.values()):
            whole = dict(costs)
            for kind, others in _LESS.items():
                if kind in whole:
                    costs[kind] = max(whole[kind] - sum(whole[other] for other in others), 0.0)
            for kind in _TWO & whole.keys():
                costs[kind] /= 2
        # What an operation takes from memory is a load as well.
        if "broadcast" in own:
            own["broadcast"] = own[LOAD]
        parts[LOAD] = {kind: own[kind] for kind in (LOAD, "broadcast", "gather") if kind in own}
        return Limits(own, parts)

    def latencies(self, kinds: Iterable[str]) -> dict[str, float]:
        """The ns from the start of an operation to the start of one that takes its result, by kind; 0 for memory."""
        wanted = {*kinds}
        wanted |= {other for kind in wanted for other in _LESS.get(kind, ())}
        fresh = {kind: _loop(self._target, kind, chains=1) for kind in sorted(wanted - self._latencies.keys() - _MEMORY_ONLY)}
        seconds_of([loop.sampled for loop in fresh.values()], SAMPLES)
        self._latencies |= {kind: loop.ns for kind, loop in fresh.items()}
        whole = self._latencies
        found = {kind: max(ns - sum(whole[other] for other in _LESS.get(kind, ())), 0.0) for kind, ns in whole.items()}
        return {kind: ns / 2 if kind in _TWO else ns for kind, ns in found.items() if kind not in _MEMORY_ONLY}

    def _measure(self, kinds: set[str]) -> None:
        target, own = self._target, self._own
        plain = {kind: _loop(target, kind) for kind in KINDS if kind in kinds}
        seconds_of([loop.sampled for loop in plain.values()], SAMPLES)
        for part in PARTS:
            if part in plain:
                loop = _loop(target, part, part, _FILLING[part])
                self._filling[part] = loop._replace(operations=loop.operations * (1 + _FILLING[part]))
        seconds_of([loop.sampled for loop in self._filling.values()], SAMPLES)
        filled: dict[tuple[str, str], tuple[int, _Loop]] = {}
        for part, filler in self._filling.items():
            for kind, loop in plain.items():
                if kind in _MEMORY_ONLY or kind == part or (part == DIVIDER and kind not in _DIVIDING):
                    continue
                filling = min(max(_FILLING[part], round(1.5 * loop.ns / filler.ns)), _MOST_FILLING)
                filled[part, kind] = filling, _loop(target, kind, part, filling)
        # What is compared is sampled in turns, as the clock of a processor changes.
        together = [*plain.values(), *self._filling.values(), *(loop for _, loop in filled.values())]
        seconds_of([loop.sampled for loop in together], SAMPLES)
        own |= {kind: loop.ns for kind, loop in plain.items()}
        for (part, kind), (filling, loop) in filled.items():
            self._parts[part][kind] = min(max(loop.ns - filling * self._filling[part].ns, 0.0), own[kind])
        for part, filler in self._filling.items():
            self._parts[part][part] = own[part] = filler.ns


@cache
def throughput(target: Target) -> Throughput:
    return Throughput(target)


@cache
def _memory() -> NDArray[np.uint8]:
    """Aligned memory: constants, then room for loads and stores."""
    raw = np.zeros(2 * _MEMORY + 64, np.uint8)
    found = raw[-raw.ctypes.data % 64 :][: 2 * _MEMORY]
    found[_ONES : _ONES + 4].view(np.float32)[0] = 1.0
    found[_DOUBLE_ONES : _DOUBLE_ONES + 8].view(np.float64)[0] = 1.0
    found[_SET : _SET + 8] = 0xFF
    return found


def _loop(target: Target, kind: str, part: str = "", filling: int = 0, chains: int = 0) -> _Loop:
    """A loop with operations of a kind, each after so many that keep a part of the processor busy; `chains`: as many as
    registers allow.

    An operation and the next of its chain are in two blocks, as instruction selection joins what it can within one.
    """
    text = Text(WIDTH, rounds=target.rounds)
    double = kind in _DOUBLE
    mine = _Maker(text, target, "double" if double else "float")
    other = _Maker(text, target, "float") if part else mine
    make = (_DOUBLE if double else _FLOAT)[kind]
    most, fillers = _chains(target, double=double, filled=bool(part))
    chains = chains or most
    values = [mine.zero] * chains
    names, starts = [f"%own{n}" for n in range(chains)], list(values)
    types = [text.f64 if double else text.f32] * chains
    if part:
        names += [f"%fill{n}" for n in range(fillers)]
        starts += [other.zero] * fillers
        types += [text.f32] * fillers
    # The numbers of chains in turn: those of what fills come after the others.
    order: list[int] = []
    turn = 0
    rounds = -(-_OPERATIONS // (chains * (1 + filling)))
    for _ in range(rounds):
        for chain in range(chains):
            for _ in range(filling):
                order.append(chains + turn % fillers)
                turn += 1
            order.append(chain)
    values, used, label = list(names), set[int](), 0
    head, text.lines = text.lines, []
    for chain in order:
        if chain in used:
            used, label = set[int](), label + 1
            text.add(f"  br label %s{label}")
            text.label(f"s{label}")
        used.add(chain)
        values[chain] = make(mine, values[chain]) if chain < chains else _FLOAT[part](other, values[chain])
    body, text.lines = text.lines, head
    place = text.variable("ptr")
    for number in range(label + 1):  # a block whose address is known is not joined to another
        text.add(f"  store volatile ptr blockaddress(@kernel, %s{number}), ptr {place}")
    text.add("  br label %s0")
    text.label("s0")
    for name, of, first, last in zip(names, types, starts, values, strict=True):
        text.add(f"  {name} = phi {of} [ {first}, %entry ], [ {last}, %s{label} ]")
    text.add(f"  %done = phi i64 [ 0, %entry ], [ %next, %s{label} ]")
    text.lines += body
    text.add("  %next = add i64 %done, 1")
    text.add(f"  %more = icmp ult i64 %next, {_TURNS}")
    text.add("  br i1 %more, label %s0, label %over")
    text.label("over")
    for of, last in zip(types, values, strict=True):
        text.add(f"  store volatile {of} {last}, ptr {mine.memory()}, align 4")
    text.add("  ret void")
    ir = (
        "\n".join([*sorted(text.declared.values()), "define void @run(ptr noalias %args) nounwind {", "entry:"])
        + "\n".join(["", *text.heads, *text.lines, "}", ""])
    ).replace("@kernel", "@run")
    code = load_object(compile_object(ir, target), target)
    return _Loop(Sampled(code.address, _memory().ctypes.data, _SAMPLE, code), rounds * chains * _TURNS)


def _chains(target: Target, *, double: bool, filled: bool) -> tuple[int, int]:
    """How many chains there are registers for, of a kind and of what fills."""
    many = target.level in ("avx512", "neon")
    registers = {"avx512": 1, "avx2": 2}.get(target.level, 4)
    mine = registers * (2 if double else 1)
    if not filled:
        return max((16 if many else 10) // mine, 1), 0
    room = 10 if many else 6
    return max(room // 2 // mine, 1), max(room // registers, 1)
