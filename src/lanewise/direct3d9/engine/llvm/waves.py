"""LLVM IR of Direct3D 9 shaders: waves of 16 lanes, with branches and loops.

Registers are variables on the stack, which LLVM puts into registers of the processor; so what the walker keeps over a branch is
a mask that was computed before it. A wave has the bits of the reference engine, including lanes after the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.engine.data import DEFAULTS
from lanewise.direct3d9.engine.llvm.ops import FALSE, TRUE, Vectors, vectors_of
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import BUMP, KILLED, Component, Sampling
from lanewise.direct3d9.sem.flow import Control, Walker
from lanewise.llvm.movement import gather
from lanewise.llvm.routines import Routines
from lanewise.llvm.target import wrapper
from lanewise.llvm.text import Name, Text
from lanewise.shadercore.engine.llvm.ops import MODE
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.llvm.target import Target

# The arguments of a kernel, 64 bits each. Tables are rows of four integers of 32 bits; inputs and outputs a row of lanes for
# each component. A kernel does the waves from FIRST to LAST and stores in DONE how far it came. It returns before, in a wave
# that is to be done again, after QUOTA iterations of loops, or when the word at STOP is not 0.
(
    LANE_COUNT,
    WAVES,
    ITERATIONS,
    CONSTANTS,
    CONSTANT_ROWS,
    BUMPS,
    INTEGERS,
    BOOLEANS,
    INPUTS,
    OUTPUTS,
    EXHAUSTED,
    FIRST,
    LAST,
    DONE,
    QUOTA,
    STOP,
) = range(16)
ARGUMENTS = 16
INPUT_REGISTERS = 16
_QUAD = 4


class Refused(Exception):
    """A shader that only the reference engine runs; the message has the reason."""


class Machine(Control[Name, Name, Name]):
    """The state of a wave as variables of the function that is being written."""

    text: Text
    flow: Flow
    ops: Vectors

    def __init__(self, text: Text, flow: Flow, ops: Vectors, given: Sequence[tuple[int, int]]) -> None:
        """`given`: the inputs that there is data for, by (file, number)."""
        self.text, self.flow, self.ops = text, flow, ops
        self._given = {key: place for place, key in enumerate(given)}
        self.values: dict[Component, Name] = {}
        self.predicates: dict[Component, Name] = {}
        self.indices: dict[Component, Name] = {}
        self._pixel = flow.version.kind == isa.PIXEL
        self._literal = not (self._pixel and flow.version.major < 2)  # ps_1_x: the data has them, within limits
        self.active = self.iterations = self.quota = ""

    # Cells

    def _place(self, cells: dict[Component, Name], cell: Component, kind: str) -> Name:
        if cell not in cells:
            cells[cell] = self.text.variable(kind)
        return cells[cell]

    def read(self, cell: Component) -> Name:
        if cell.file == isa.CONST:
            return self._constant(cell)
        if cell.file == BUMP:
            return self._uniform("%bumps", cell.number, cell.component)
        return self.text.load(self.text.i32, self._place(self.values, cell, self.text.i32))

    def _constant(self, cell: Component) -> Name:
        defined = self.flow.constants.get(cell.number) if self._literal else None
        if defined is not None:
            return self.text.integer(defined[cell.component])
        return self._uniform("%constants", cell.number, cell.component)

    def _scalar(self, table: Name, row: int, component: int) -> Name:
        return self.text.load("i32", self.text.new(f"getelementptr i32, ptr {table}, i64 {4 * row + component}"), 4)

    def _uniform(self, table: Name, row: int, component: int) -> Name:
        return self.text.splat("i32", self._scalar(table, row, component))

    def write(self, cell: Component, value: Name) -> None:
        self.text.store(self.text.i32, value, self._place(self.values, cell, self.text.i32))

    def read_truth(self, cell: Component) -> Name:
        return self.text.load(self.text.i1, self._place(self.predicates, cell, self.text.i1))

    def write_truth(self, cell: Component, value: Name) -> None:
        self.text.store(self.text.i1, value, self._place(self.predicates, cell, self.text.i1))

    def read_integer(self, cell: Component) -> Name:
        return self.text.load(self.text.i32, self._place(self.indices, cell, self.text.i32))

    def write_integer(self, cell: Component, value: Name) -> None:
        self.text.store(self.text.i32, value, self._place(self.indices, cell, self.text.i32))

    def read_indexed(self, file: int, base: int, index: Name, component: int) -> Name:
        text = self.text
        place = text.iadd(index, text.integer(base))
        if file != isa.CONST:
            rows = [self.read(Component(file, number, component)) for number in range(INPUT_REGISTERS)]
            return self.ops.look_up(rows, place, text.integer(0))
        there = text.icmp("ult", place, text.splat("i32", text.load("i32", "%rows")))
        inside = text.iselect(there, place, text.integer(0))
        offset = text.iadd(text.shift_left(inside, 2), text.integer(component))
        addresses = text.new(f"getelementptr i32, ptr %constants, {text.i64} {text.lengthen(offset)}")
        return gather(text, addresses, text.i32, there)

    # Flow

    def known(self, truth: Name) -> bool | None:
        return True if truth == TRUE else False if truth == FALSE else None

    def _any(self, mask: Name) -> Name:
        """Whether a lane of the caller's is on."""
        return self.text.any(self.ops.both(mask, self.active))

    def when(self, mask: Name, body: Callable[[], None]) -> None:
        text = self.text
        if mask == FALSE:
            return
        if mask == TRUE:
            body()
            return
        inside, behind = text.fresh_label("when"), text.fresh_label("behind")
        text.add(f"  br i1 {self._any(mask)}, label %{inside}, label %{behind}")
        text.label(inside)
        body()
        text.add(f"  br label %{behind}")
        text.label(behind)

    def repeat(self, register: int, body: Callable[[Name], None], live_lanes: Callable[[], Name]) -> None:
        text = self.text
        turn = text.variable("i32")
        head, inside, counted, onward, behind = map(text.fresh_label, ("head", "turn", "counted", "onward", "behind"))
        text.store("i32", "0", turn)
        text.add(f"  br label %{head}")
        text.label(head)
        at = text.load("i32", turn)
        more = text.new(f"icmp ult i32 {at}, {self._integer(register, 0)}")
        on = text.new(f"and i1 {more}, {self._any(live_lanes())}")
        text.add(f"  br i1 {on}, label %{inside}, label %{behind}")
        text.label(inside)
        text.store("i32", text.new(f"add i32 {at}, 1"), turn)
        total = text.new(f"add i64 {text.load('i64', self.iterations)}, 1")
        text.store("i64", total, self.iterations)
        text.add(f"  br i1 {text.new(f'icmp ugt i64 {total}, %limit')}, label %exhausted, label %{counted}")
        text.label(counted)
        left = text.new(f"sub i64 {text.load('i64', self.quota)}, 1")
        text.store("i64", left, self.quota)
        stop = text.new("load volatile i64, ptr %halt")
        ends = text.new(f"or i1 {text.new(f'icmp slt i64 {left}, 0')}, {text.new(f'icmp ne i64 {stop}, 0')}")
        text.add(f"  br i1 {ends}, label %done, label %{onward}")
        text.label(onward)
        body(TRUE)
        text.add(f"  br label %{head}")
        text.label(behind)

    def _integer(self, register: int, component: int) -> Name:
        defined = self.flow.integers.get(register)
        return str(defined[component]) if defined is not None else self._scalar("%integers", register, component)

    def boolean(self, number: int) -> Name:
        defined = self.flow.booleans.get(number)
        if defined is not None:
            return TRUE if defined else FALSE
        bits = self.text.splat("i32", self._scalar("%booleans", 0, number))
        return self.text.icmp("ne", bits, self.text.integer(0))

    def loop_value(self, register: int, component: int) -> Name:
        return self.text.splat("i32", self._integer(register, component))

    # Pixels

    def sample(self, request: Sampling[Name]) -> tuple[Name, Name, Name, Name]:
        raise Refused(f"{request.name} samples a texture: only the reference engine supports it")

    def difference(self, value: Name, axis: int) -> Name:
        step = 1 << axis
        near = [lane - lane % _QUAD + (lane % _QUAD & ~step) for lane in range(LANES)]
        far = [lane + step for lane in near]
        first, second = (self.text.shuffle("i32", LANES, value, value, places) for places in (near, far))
        return self.ops.sub(second, first)

    # A wave's beginning

    def initialise(self) -> None:
        """Set every cell that the wave has used to what it is at the start: to be put before the code that was written."""
        text = self.text
        for cell, place in self.values.items():
            key = cell.file, cell.number
            if key in self._given:
                row = 4 * self._given[key] + cell.component
                value = text.load(text.i32, _lanes(text, "%inputs", row), 4)
            else:
                is_input = cell.file == isa.INPUT or (self._pixel and cell.file in (isa.TEXTURE, isa.MISC))
                value = text.integer(DEFAULTS[cell.component] if is_input else 0)
            text.store(text.i32, value, place)
        for place in self.predicates.values():
            text.store(text.i1, FALSE, place)
        for place in self.indices.values():
            text.store(text.i32, text.integer(0), place)


def _lanes(text: Text, table: Name, row: int) -> Name:
    """Where the lanes of this wave are in a row of inputs or outputs."""
    start = text.new(f"mul i64 %stride, {row}")
    return text.new(f"getelementptr i32, ptr {table}, i64 {text.new(f'add i64 {start}, %first')}")


def generate(
    flow: Flow, rule: Rule, given: Sequence[tuple[int, int]], outputs: Sequence[tuple[int, int]], target: Target
) -> str:
    """The module of a kernel: `given` inputs and wanted `outputs` by (file, number); a last row of outputs has the killed
    pixels. Raises Refused."""
    text = Text(LANES, rounds=target.rounds)
    routines = Routines(target)
    ops = vectors_of(text, rule, routines)
    machine = Machine(text, flow, ops, given)
    machine.iterations, machine.quota = text.variable("i64"), text.variable("i64")
    wave = text.variable("i64")
    head = _arguments(wave)
    machine.active = _begin(text, wave, machine.iterations)
    start = len(text.lines)
    Walker(flow, ops, machine, rule.choices).run(TRUE)
    for number, (file, register) in enumerate(outputs):
        for component in range(4):
            cell = Component(file, register, component)
            value = machine.read(cell) if cell in machine.values else text.integer(0)
            text.store(text.i32, value, _lanes(text, "%outputs", 4 * number + component), 4)
    killed = Component(KILLED, 0, 0)
    if killed in machine.predicates:
        value = text.iselect(machine.read_truth(killed), text.integer(1), text.integer(0))
        text.store(text.i32, value, _lanes(text, "%outputs", 4 * len(outputs)), 4)
    body = text.lines[start:]
    del text.lines[start:]
    machine.initialise()
    lines = "\n".join([*head, *text.heads, *_first(wave, machine.quota), *text.lines, *body, *_end(wave)])
    return routines.module(text.declared) + lines + wrapper(target, MODE)


def _arguments(wave: Name) -> list[str]:
    names = {"lanes": LANE_COUNT, "waves": WAVES, "limit": ITERATIONS, "begin": FIRST, "last": LAST, "iterations": QUOTA}
    pointers = {
        "constants": CONSTANTS,
        "bumps": BUMPS,
        "integers": INTEGERS,
        "booleans": BOOLEANS,
        "inputs": INPUTS,
        "outputs": OUTPUTS,
        "halt": STOP,
    }
    lines = ["define internal void @kernel(ptr %args) noinline nounwind {", "entry:"]
    for kind, table in (("i64", names), ("ptr", pointers)):
        for name, place in table.items():
            lines += [f"  %{name}.at = getelementptr i64, ptr %args, i64 {place}", f"  %{name} = load {kind}, ptr %{name}.at"]
    lines += [
        f"  %rows = getelementptr i64, ptr %args, i64 {CONSTANT_ROWS}",
        f"  %stop = getelementptr i64, ptr %args, i64 {EXHAUSTED}",
        f"  %reached = getelementptr i64, ptr %args, i64 {DONE}",
        f"  %stride = mul i64 %waves, {LANES}",
    ]
    return lines


def _first(wave: Name, quota: Name) -> list[str]:
    return [f"  store i64 %begin, ptr {wave}", f"  store i64 %iterations, ptr {quota}", "  br label %next"]


def _begin(text: Text, wave: Name, iterations: Name) -> Name:
    """The head of the loop over waves; the mask of the caller's lanes."""
    text.label("next")
    text.add(f"  %number = load i64, ptr {wave}")
    text.add(f"  %first = mul i64 %number, {LANES}")
    text.add("  %more = icmp ult i64 %number, %last")
    text.add("  br i1 %more, label %wave, label %done")
    text.label("wave")
    text.store("i64", "0", iterations)
    left = text.new(f"trunc i64 {text.new('sub i64 %lanes, %first')} to i32")
    lanes = ", ".join([f"i32 {lane}" for lane in range(LANES)])
    return text.new(f"icmp ult {text.i32} <{lanes}>, {text.splat('i32', left)}")


def _end(wave: Name) -> list[str]:
    return [
        "  %following = add i64 %number, 1",
        f"  store i64 %following, ptr {wave}",
        "  br label %next",
        "exhausted:",
        "  store i64 1, ptr %stop",
        "  br label %done",
        "done:",
        "  store i64 %number, ptr %reached",
        "  ret void",
        "}",
        "",
    ]
