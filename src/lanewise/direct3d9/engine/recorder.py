"""The parts of a trace of a Direct3D 9 shader: the machine that notes what a lane reads, steps while they are computed, and the
names of places."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.trace import Decision, Operand, Step, Value, Write
from lanewise.direct3d9.engine.reference import Machine
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.table import COMPONENTS, register_name
from lanewise.direct3d9.sem.algebra import BUMP, KILLED, Component
from lanewise.direct3d9.sem.flow import Walker
from lanewise.direct3d9.sem.issue import Fetched
from lanewise.direct3d9.sem.numbers import Flags, Integers, Waves
from lanewise.direct3d9.text.printer import instruction_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lanewise.core.source import Span
    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.isa.program import Inst, Source
    from lanewise.direct3d9.sem.algebra import Sampling
    from lanewise.direct3d9.sem.meaning import Operand as Fetching
    from lanewise.direct3d9.sem.tree import Flow, Loop
    from lanewise.direct3d9.text.printer import Names
    from lanewise.shadercore.sem.numbers import Wave


WHOLE = (KILLED, isa.LOOP)  # files whose registers have no components


class Labels:
    """How places are called."""

    names: Names

    def __init__(self, flow: Flow, names: Names, inputs: Sequence[Port]) -> None:
        self._version, self.names = flow.version, names
        self._inputs = {(port.file, port.number): port.name for port in inputs}

    def register(self, file: int, number: int) -> str:
        """`r0`, `c12`, `aL`, `bump1`; aL1 is the aL of a loop inside another with an aL."""
        if file == isa.LOOP:
            return f"aL{number or ''}"
        if file == KILLED:
            return "killed"
        if file == BUMP:
            return f"bump{number}" if number < 16 else f"luminance{number - 16}"
        if number < 0:
            return f"{(register_name(self._version, file, 0) or '?')[:-1]}[{number}]"
        return register_name(self._version, file, number) or f"file{file}_{number}"

    def place(self, cell: Component) -> str:
        register = self.register(cell.file, cell.number)
        return register if cell.file in WHOLE else f"{register}.{COMPONENTS[cell.component]}"

    def named(self, file: int, number: int) -> str:
        """The usage of an input, the name that the constant table has for a register, or the register."""
        return (
            self._inputs.get((file, number))
            or (self.names.register(file, number) if number >= 0 else None)
            or self.register(file, number)
        )

    def text(self, inst: Inst) -> str:
        return instruction_text(inst, self.names) or inst.op.name


class Read(NamedTuple):
    """A component that was read, by its place, with what the lane saw."""

    place: str
    cell: Component
    value: Value


class Draft:
    """A step that is being made."""

    address: int
    text: str
    place: Span | None
    killed: bool

    def __init__(self, inst: Inst, address: int, text: str) -> None:
        self.address, self.text, self.place = address, text, inst.place
        self.sources: list[Seen] = []
        self.operands: tuple[Operand, ...] = ()
        self.writes: list[tuple[Component, Value | None, Value]] = []
        self.decisions: list[Decision] = []
        self.notes: list[str] = []
        self.samples: list[dict[str, object]] = []
        self.state = ""
        self.data: dict[str, object] = {}
        self.made: dict[str, tuple[str, ...]] = {}
        self.shown: tuple[Write, ...] = ()
        self.killed = False
        self.routines: tuple[str, ...] = ()
        self.loops: tuple[tuple[str, int, int], ...] = ()

    def join(self, second: Draft) -> None:
        """Add the instruction that is issued together with this one; where both write a component, its value stays."""
        self.text += f" {second.text}"
        self.operands += second.operands
        later = {place for write in second.shown for place in write.places}
        kept = [without(write, later) for write in self.shown]
        self.shown = (*[write for write in kept if write.new], *second.shown)
        self.made = {**self.made, **second.made}
        self.decisions += second.decisions
        self.notes += second.notes
        self.samples += second.samples
        self.killed = self.killed or second.killed
        self.data["paired"] = second.address

    def record(self, number: int) -> Step:
        data = {**self.data, **({"samples": self.samples} if self.samples else {})}
        return Step(
            number=number,
            address=self.address,
            instruction=self.text,
            span=self.place,
            operands=self.operands,
            writes=self.shown,
            made=self.made,
            decisions=tuple(self.decisions),
            notes=tuple(self.notes),
            state=self.state,
            data=data,
            routines=self.routines,
            loops=self.loops,
        )


class Turns(NamedTuple):
    """A loop that the lane is in: its node, its step, and how many iterations there are."""

    node: Loop
    step: Draft | None


class Recorder(Machine):
    """The machine of the reference engine, noting what one lane reads."""

    def __init__(self, flow: Flow, ops: Waves, data: Data, lane: int) -> None:
        super().__init__(flow, ops, data)
        self.lane = lane
        self.reads: list[Read] | None = None  # None: not noted
        self.tracer: Observer | None = None
        self.sampled: dict[object, tuple[Wave, Wave, Wave, Wave]] = {}
        self.counter: tuple[Component, int, int] | None = None  # the last aL that was written: cell, before, after

    def note(self, cell: Component, value: Value) -> None:
        if self.reads is not None and self.tracer is not None:
            self.reads.append(Read(self.tracer.labels.place(cell), cell, value))

    def read(self, cell: Component) -> Wave:
        found = super().read(cell)
        self.note(cell, number(found[self.lane]))
        return found

    def read_indexed(self, file: int, base: int, index: Integers, component: int) -> Wave:
        reads, self.reads = self.reads, None
        found = super().read_indexed(file, base, index, component)
        self.reads = reads
        self.note(Component(file, base + index[self.lane], component), number(found[self.lane]))
        return found

    def read_truth(self, cell: Component) -> Flags:
        found = super().read_truth(cell)
        if cell.file == isa.PREDICATE:
            self.note(cell, whole(int(found[self.lane])))
        return found

    def read_integer(self, cell: Component) -> Integers:
        found = super().read_integer(cell)
        self.note(cell, whole(found[self.lane]))
        return found

    def write_integer(self, cell: Component, value: Integers) -> None:
        if cell.file == isa.LOOP:
            self.counter = cell, self.indices.get(cell, value)[self.lane], value[self.lane]
        super().write_integer(cell, value)

    def boolean(self, number: int) -> Flags:
        found = super().boolean(number)
        if self.reads is not None:
            self.reads.append(Read(f"b{number}", Component(isa.CONSTBOOL, number, 0), whole(int(found[0]))))
        return found

    def repeat(self, register: int, body: Callable[[Flags], None], live_lanes: Callable[[], Flags]) -> None:
        assert self.tracer is not None
        tracer, count = self.tracer, self._integer(register, 0)
        tracer.loop_begins(count)

        def turn(lanes: Flags) -> None:
            tracer.turn_begins()
            body(lanes)
            tracer.turn_ends(live_lanes())

        super().repeat(register, turn, live_lanes)

    def loop_numbers(self, register: int) -> Sequence[int]:
        """The patterns of i#."""
        return self.flow.integers.get(register) or self.data.integers.get(register) or (0,) * 4

    def sample(self, request: Sampling[Wave]) -> tuple[Wave, Wave, Wave, Wave]:
        """The result of a sampler, which is asked once for an instruction."""
        if request not in self.sampled:
            self.sampled[request] = super().sample(request)
        found = self.sampled[request]
        if self.tracer is not None:
            self.tracer.sampled(request, found)
        return found

    def difference(self, value: Wave, axis: int) -> Wave:
        if self.tracer is not None:
            near = self.first + self.lane - (self.lane & 1 << axis)
            self.tracer.remark(f"pixel {near + (1 << axis)} minus pixel {near}")
        return super().difference(value, axis)


class Observer(Walker["Wave", Flags, Integers], ABC):
    """A walker that is told what the recorder and the sources see."""

    labels: Labels
    recorder: Recorder

    @abstractmethod
    def took(self, operand: Seen) -> None:
        """Another row of a source is read."""

    @abstractmethod
    def remark(self, text: str) -> None:
        """Something that the step at hand does besides."""

    @abstractmethod
    def sampled(self, request: Sampling[Wave], found: tuple[Wave, Wave, Wave, Wave]) -> None:
        """A texture was sampled."""

    @abstractmethod
    def loop_begins(self, count: int) -> None: ...

    @abstractmethod
    def turn_begins(self) -> None: ...

    @abstractmethod
    def turn_ends(self, live: Flags) -> None: ...


class Seen(Fetched["Wave", Flags, Integers]):
    """A source that notes the components that are taken of it."""

    tracer: Observer
    source: Source
    offset: int

    def __init__(self, tracer: Observer, source: Source, offset: int = 0) -> None:
        super().__init__(tracer, source, offset)
        self.tracer, self.source, self.offset = tracer, source, offset
        self.taken: dict[int, tuple[Value, tuple[Read, ...]]] = {}

    def __getitem__(self, component: int) -> Wave:
        reads = self.tracer.recorder.reads
        before = len(reads or ())
        found = super().__getitem__(component)
        if component not in self.taken and reads is not None:
            self.taken[component] = number(found[self.tracer.recorder.lane]), tuple(reads[before:])
        return found

    def row(self, number: int) -> Fetching[Wave]:
        found = Seen(self.tracer, self.source, self.offset + number)
        self.tracer.took(found)
        return found


def without(write: Write, places: Collection[str]) -> Write:
    """A write without the components that another makes."""
    kept = [n for n, place in enumerate(write.places) if place not in places]
    return write._replace(
        new=tuple([write.new[n] for n in kept]),
        old=tuple([write.old[n] for n in kept]) if write.old else (),
        components="".join([write.components[n] for n in kept]) if write.components else "",
    )


def number(bits: int) -> Value:
    """A float32 pattern."""
    return Value(bits, struct.unpack("<f", struct.pack("<I", bits))[0])


def whole(value: int) -> Value:
    """An integer or truth value."""
    return Value(value & 0xFFFFFFFF, value)


__all__ = ["WHOLE", "Draft", "Labels", "Observer", "Read", "Recorder", "Seen", "Turns", "number", "whole", "without"]
