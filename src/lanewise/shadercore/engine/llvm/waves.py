"""ShaderCore programs as LLVM IR: a kernel over waves of 16 lanes.

A program is straight-line code, so one run of `shadercore.sem.steps` over names is its kernel. Cycles are known beforehand, and
with them where stray results land. Registers that a wave may read before it has written them hold what the call began with, or,
on a device that keeps them, what the wave before has left: they are in memory when a kernel begins and ends, and so go from one
call of it to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.llvm.routines import Routines
from lanewise.llvm.target import wrapper
from lanewise.llvm.text import Text
from lanewise.shadercore.engine.llvm.ops import MODE, VectorOps
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.table import COMPONENTS, FILES, LANES
from lanewise.shadercore.sem.steps import Register, Stepper, hang

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name
    from lanewise.shadercore.isa.timing import Timing

# The words of 64 bits that a kernel is given: how many waves, where the constants are (c0.x to c255.w), and what registers hold
# (`Plan.entering`). Pointers to inputs and outputs follow, 32 bits for each lane of each wave.
WAVES, CONSTANTS, REGISTERS = range(3)
DATA = 3
CONSTANT_COUNT = FILES["c"].size * len(COMPONENTS)


class Plan(Record):
    """The inputs and outputs of a kernel."""

    timing: Timing
    "The program on its device."
    inputs: tuple[Register, ...]
    "Components of v registers that vertices have."
    outputs: tuple[Register, ...]
    "Components that are stored for each wave."
    entering: tuple[Register, ...]
    "Components whose contents before the program count."
    carried: frozenset[Register]
    "The part of `entering` that a wave leaves to the next."


def plan_waves(timing: Timing, inputs: Sequence[tuple[int, int]], outputs: Sequence[Register]) -> Plan:
    """`timing` is that of the program on a device; `inputs` by (number, component). Raises Hang for a program that never
    ends."""
    why = hang(timing)
    if why is not None:
        raise why
    given: list[Register] = [("v", number, component) for number, component in inputs]
    entering: dict[Register, None] = {}
    written: set[Register] = set()
    for issue in timing.issues:
        inst = timing.insts[issue.number]
        for source in inst.operands:
            place = register(source)
            if place is not None and place not in written and place not in given:
                entering[place] = None
        target = timing.target(issue)
        if target is not None:
            written.add(target)
    entering |= dict.fromkeys(place for place in outputs if place not in written and place not in given)
    kept = timing.device.value("between_waves") == "kept"
    carried = frozenset(place for place in entering if kept and place in written)
    return Plan(timing=timing, inputs=tuple(given), outputs=tuple(outputs), entering=tuple(entering), carried=carried)


class _Emitter(Stepper[str]):
    """The program on names of vectors."""

    def __init__(self, plan: Plan, ops: VectorOps, text: Text, constants: Name) -> None:
        super().__init__(plan.timing, ops)
        self._text, self._constants = text, constants

    def entering(self, place: Register) -> Name:
        """Of registers that are read for nothing: a field of an instruction without such an operand."""
        return self._text.integer(0)

    def uniform(self, number: int, component: int) -> Name:
        text = self._text
        at = text.new(f"getelementptr i32, ptr {self._constants}, i64 {len(COMPONENTS) * number + component}")
        return text.splat("i32", text.load("i32", at, 4))


def generate(plan: Plan, target: Target) -> str:
    """The module."""
    text = Text(target.width, rounds=target.rounds)
    routines = Routines(target)

    def argument(place: int, kind: str = "ptr") -> Name:
        return text.load(kind, text.new(f"getelementptr i64, ptr %args, i64 {place}"), 8)

    def row(base: Name, number: int | Name) -> Name:
        """Where the lanes of a register, or of a wave, begin."""
        at = str(LANES * number) if isinstance(number, int) else text.new(f"mul i64 {number}, {LANES}")
        return text.new(f"getelementptr i32, ptr {base}, i64 {at}")

    waves, constants, registers = argument(WAVES, "i64"), argument(CONSTANTS), argument(REGISTERS)
    pointers = [argument(DATA + n) for n in range(len(plan.inputs) + len(plan.outputs))]
    held: dict[Register, Name] = {}  # what is the same in all waves
    cells: dict[Register, Name] = {}
    for number, place in enumerate(plan.entering):
        first = text.load(text.i32, row(registers, number), 4)
        if place in plan.carried:
            cells[place] = text.variable(text.i32)
            text.store(text.i32, first, cells[place])
        else:
            held[place] = first
    text.add("  br label %wave")
    text.label("wave")
    text.add("  %number = phi i64 [ 0, %entry ], [ %next, %wave ]")
    emitter = _Emitter(plan, VectorOps(text, plan.timing.device, routines), text, constants)
    emitter.registers |= held
    emitter.registers |= {place: text.load(text.i32, cell) for place, cell in cells.items()}
    inputs, outputs = pointers[: len(plan.inputs)], pointers[len(plan.inputs) :]
    for place, pointer in zip(plan.inputs, inputs, strict=True):
        emitter.registers[place] = text.load(text.i32, row(pointer, "%number"), 4)
    emitter.run()
    for place, pointer in zip(plan.outputs, outputs, strict=True):
        text.store(text.i32, emitter.registers[place], row(pointer, "%number"), 4)
    for place, cell in cells.items():
        text.store(text.i32, emitter.registers[place], cell)
    text.add("  %next = add i64 %number, 1")
    more = text.new(f"icmp ult i64 %next, {waves}")
    text.add(f"  br i1 {more}, label %wave, label %done")
    text.label("done")
    for place, cell in cells.items():
        text.store(text.i32, text.load(text.i32, cell), row(registers, plan.entering.index(place)), 4)
    body = "\n".join([*text.heads, *text.lines])
    return (
        f"{routines.module(text.declared)}define internal void @kernel(ptr noalias %args) noinline nounwind {{\n"
        f"entry:\n{body}\n  ret void\n}}\n{wrapper(target, MODE)}"
    )
