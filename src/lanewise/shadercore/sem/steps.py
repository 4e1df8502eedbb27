"""Run a wave through a ShaderCore program: shared by the engines.

`shadercore.sem.meaning` defines instructions. This module reads sources, writes results and models effects of the public
hardware (reference 2b and 3) that depend on the cycle, as counted by `shadercore.isa.timing`. Nothing here depends on what is
in a register.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import Record
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.table import LANES, MINUS_ONE, ONE, SPEC, ZERO, C
from lanewise.shadercore.isa.timing import strays
from lanewise.shadercore.sem.functions import is_opaque
from lanewise.shadercore.sem.meaning import added_meaning, meanings, modified
from lanewise.shadercore.sem.numbers import MINUS_ONE as MINUS_ONE_BITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.shadercore.isa.codec import Inst, Source
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.algebra import WaveAlgebra

V = TypeVar("V")

Register = tuple[str, int, int]  # file, number, component
X7X: Register = ("x", 7, 0)
# Where the hardware sends what leaves the core, in this order (SC:1884-1955).
EXPORTS: tuple[Register, ...] = (*(("o", 0, n) for n in range(4)), ("o", 2, 0), ("o", 2, 1), *(("o", 1, n) for n in range(4)))


class Step(Record, Generic[V]):
    """An instruction that has run."""

    number: int
    "The number of the instruction in the program."
    cycle: int
    "The cycle of its issue, from the first issue."
    a: V
    "The first source as it saw it, with its modifier."
    b: V
    "The second source as it saw it, with its modifier."
    c: V | None
    "The third source, of an instruction that has one."
    target: Register | None
    "The component that was written; None where nothing was."
    value: V
    "The result, saturated if the instruction saturates."


class Hang(PortableError):
    """The wave never ends: the instruction `number` never issues, or END is missing (`number` None)."""

    def __init__(self, number: int | None, message: str) -> None:
        super().__init__(message)
        self.number = number


def hang(timing: Timing) -> Hang | None:
    """Why a wave of this timing never ends; None for one that does."""
    if timing.hangs is not None:
        return Hang(timing.hangs, f"instruction {timing.hangs} never issues: it names x7.x as a source")
    return None if timing.ended else Hang(None, "the program has no end")


def exports(device: Device) -> tuple[Register, ...]:
    """The registers that leave the core, in order."""
    return device.choose("exports", {"fixed": EXPORTS, "all": tuple([("o", n, c) for n in range(8) for c in range(4)])})


class Stepper(ABC, Generic[V]):
    """Runs the program over a wave. `registers` has their values; `entering` gives those of the others."""

    timing: Timing
    device: Device

    def __init__(self, timing: Timing, ops: WaveAlgebra[V]) -> None:
        """`timing` is that of the program and device (`time_program`)."""
        self.timing, self.device = timing, timing.device
        self.registers: dict[Register, V] = {}
        self._ops = ops
        self._meanings = meanings(ops)
        self._added: dict[str, Callable[[Sequence[V]], V]] = {}  # of instructions that the device adds

    @abstractmethod
    def entering(self, place: Register) -> V:
        """The value of a register that was never written."""

    @abstractmethod
    def uniform(self, number: int, component: int) -> V:
        """A constant."""

    def value(self, place: Register) -> V:
        """The value of a component of a register in all lanes."""
        found = self.registers.get(place)
        return self.entering(place) if found is None else found

    def steps(self) -> Iterator[Step[V]]:
        """Run the program over the wave, an instruction for each step. Raises Hang if an instruction never issues or END is
        missing."""
        started: dict[int, V] = {}  # by instruction: what SPEC was started with
        targets: list[Register | None] = []
        for issue in self.timing.issues:
            inst = self.timing.insts[issue.number]
            sources = [self._source(source, inst) for source in inst.fields]
            a = sources[0]
            step = self._step(issue.number, issue.cycle, sources, started)
            if step.target is not None:
                self.registers[step.target] = step.value
            if self.device.pipe(inst.op) == SPEC:
                started[issue.number] = a
            targets.append(step.target)
            yield step
        why = hang(self.timing)
        if why is not None:
            raise why
        self._clear(targets)

    def run(self) -> None:
        """Run the program over the wave. Raises Hang."""
        for _ in self.steps():
            pass

    # One instruction

    def _step(self, number: int, cycle: int, sources: Sequence[V], started: Mapping[int, V]) -> Step[V]:
        inst = self.timing.insts[number]
        target = written(inst.dest)
        result = self._result(inst.op, sources)
        if result is None:
            result = self._ops.constant(0, LANES)
            if self.device.value("nop_dest") == "ignored":
                target = None
        for earlier, moved in strays(self.timing, number):
            result = self._ops.quads_from(result, self._special(self.timing.insts[earlier], started[earlier]), moved)
        if inst.dest.saturate:
            result = self._ops.saturate(result)
        a, b, *rest = sources
        return Step(number=number, cycle=cycle, a=a, b=b, c=rest[0] if rest else None, target=target, value=result)

    def _result(self, op: Op, sources: Sequence[V]) -> V | None:
        """The result of an instruction; None where it computes nothing."""
        if op.name in self._meanings and not is_opaque(op):
            function = self._meanings[op.name]
            return None if function is None else function(sources[0], sources[1])
        if op.name not in self._added:
            self._added[op.name] = added_meaning(self._ops, op)
        return self._added[op.name](sources)

    def _source(self, source: Source, inst: Inst) -> V:
        place = register(source)
        if place is not None:
            value = self.value(place)
        elif source.file == C:
            # one port: the address is that of the first source that is a constant
            one = self.device.value("constant_ports") == "one"
            read = next((field for field in inst.fields if field.file == C), source) if one else source
            value = self.uniform(read.number, read.component)
        elif source.file == ONE:
            value = self._ops.one_register(LANES)
        else:
            assert source.file in (ZERO, MINUS_ONE)
            value = self._ops.constant(0 if source.file == ZERO else MINUS_ONE_BITS, LANES)
        return modified(self._ops, value, source.modifier)

    # What the hardware does besides

    def _special(self, inst: Inst, a: V) -> V:
        """The result of the SPEC pipe: EXP and LOG start a reciprocal that nothing reads (SC:834,892)."""
        result = self._result(inst.op, (a, a)) if inst.op.built else None
        return self._ops.rcp(a) if result is None else result

    def _clear(self, targets: Sequence[Register | None]) -> None:
        """Idle write slots clear x7.x in quad 0, but for a write right before END (reference 2b, effect 2)."""
        if self.device.value("x7x") != "cleared" or (len(targets) > 1 and targets[-2] == X7X):
            return
        if X7X in self.registers:
            self.registers[X7X] = self._ops.quads_from(self.registers[X7X], self._ops.constant(0, LANES), ((0, 0),))
