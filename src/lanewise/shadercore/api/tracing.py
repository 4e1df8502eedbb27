"""Traces of ShaderCore programs: the wave of one vertex, step by step, with its write log, and where a value came from.

All 16 lanes of a wave run together, so a trace has the whole wave; texts show one lane of it.
"""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.arguments import component_of
from lanewise.core.diagnostics import ERROR, VERTEX, About, Diagnostic, InputError
from lanewise.core.ranges import COUNT, whole
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.core.trace import Given, Operand, Step, Trace, Value, Write
from lanewise.shadercore.api.running import bind, never_ends, registers_of
from lanewise.shadercore.check.context import place_name
from lanewise.shadercore.engine.recording import Source as Origin
from lanewise.shadercore.engine.recording import computed_from, depends_on, record, write_log
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.table import ABS, COMPONENTS, LANES, NEG_ABS, NEGATE, QUADS, SOURCE_FILES, C
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.steps import X7X, exports, hang
from lanewise.shadercore.text.printer import line_of_inst, source_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.words import Words
    from lanewise.core.trace import Explanation
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.running import Bound
    from lanewise.shadercore.api.streams import Stream
    from lanewise.shadercore.engine.recording import Data, PortWrite, WaveRecord
    from lanewise.shadercore.isa.codec import Source
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Issue, Timing
    from lanewise.shadercore.sem.numbers import Wave
    from lanewise.shadercore.sem.steps import Register
    from lanewise.shadercore.sem.steps import Step as WaveStep

_UNITS = LANES // QUADS
_SIGNS = {NEGATE: "-", ABS: "abs ", NEG_ABS: "-abs "}


class Names(NamedTuple):
    """The names of registers in the program, and the constants that come from its source."""

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    constants: Mapping[tuple[int, int], str]
    own: Collection[int]


class WaveTrace(Trace):
    """The wave of one vertex. `waves` are those that it depends on and itself, last; `log` is what the write port has in each
    cycle of it.

    `text()` has a block for each instruction as the lane of the vertex saw it, `table()` the write log, `vcd()` the same as a
    waveform.
    """

    timing: Timing
    waves: tuple[WaveRecord, ...]
    lane: int
    bits: bool
    with_registers: bool

    def __init__(
        self,
        program: ShaderCoreProgram,
        timing: Timing,
        data: Data,
        waves: Sequence[WaveRecord],
        vertex: int,
        findings: Sequence[Diagnostic],
    ) -> None:
        self.timing, self.waves, self.lane, self.bits = timing, tuple(waves), vertex % LANES, False
        self.with_registers = False  # whether texts end with what all registers hold after the wave
        self._data, self._insts, self._names = data, timing.insts, names_of(program)
        self._program = program
        self._texts = [line_of_inst(inst) for inst in program.insts]
        self._spans: tuple[Span, ...] = program.placed().places
        wave = self.waves[-1]
        self.log: tuple[PortWrite, ...] = write_log(timing, wave)
        first = wave.first
        vertices = f"vertices {first} to {first + wave.active - 1}" if wave.active > 1 else f"vertex {first}"
        idle = f", {counted(LANES - wave.active, 'lane')} without a vertex" if wave.active < LANES else ""
        super().__init__(
            "shadercore",
            program.name,
            f"vertex {vertex}: wave {wave.number}, lane {self.lane}",
            [self._step(n, step, wave, [self.lane]) for n, step in enumerate(wave.steps)],
            given=self._given([wave], [self.lane]),
            results=self._results(),
            variant=timing.device.describe(),
            what="slot",
            heading=(f"wave {wave.number} of {data.waves}: {vertices}{idle}", _totals(timing)),
            diagnostics=findings,
            data={
                "wave": wave.number,
                "lane": self.lane,
                "vertices": [first, first + wave.active - 1],
                "cycles": timing.total_cycles,
                "log": [
                    {
                        "cycle": row.cycle,
                        "slot": row.slot,
                        "quad": row.quad,
                        "register": place_name(row.register),
                        "data": list(row.data),
                    }
                    for row in self.log
                ],
            },
        )

    @cached_property
    def registers(self) -> Mapping[str, NDArray[np.uint32]]:
        """Patterns of (16 lanes, 4 components) by register after the wave, of all registers of the core."""
        return registers_of(self.waves[-1])

    def text(self) -> str:
        """A block of lines for each instruction as the lane saw it."""
        if not self.with_registers:
            return super().text()
        lines = ["", f"registers of lane {self.lane} after wave {self.waves[-1].number}:"]
        for name, lanes in self.registers.items():
            lines.append(f"  {name} = {self.shown([_value(bits) for bits in lanes[self.lane].tolist()])}")
        return "\n".join([super().text(), *lines])

    def to_json(self) -> dict[str, object]:
        """Everything as plain values that `json.dumps` takes; `registers` has the patterns of all lanes."""
        more = {"registers": {name: lanes.tolist() for name, lanes in self.registers.items()}} if self.with_registers else {}
        return {**super().to_json(), **more}

    def table(self) -> str:
        """The write log: cycle, slot, quad, register and the four lanes of data; `bits` chooses patterns."""
        mark = divmod(self.lane, _UNITS)
        rows = [("cycle", "slot", "quad", "register", *[f"unit {unit}" for unit in range(_UNITS)], "instruction")]
        for row in self.log:
            shown = [f"{value:08x}" if self.bits else f"{number(value):.7g}" for value in row.data]
            marked = [f"{text}{'*' if (row.quad, unit) == mark else ' '}" for unit, text in enumerate(shown)]
            text = self._texts[row.slot] if row.quad == 0 else ""
            rows.append((str(row.cycle), str(row.slot), str(row.quad), place_name(row.register), *marked, text))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [f"{self.subject}, marked with *; lane = 4 * quad + unit; cycles from the first issue on {self.variant}", ""]
        for cells in rows:
            aligned = [
                cell.ljust(width) if n in (3, 8) else cell.rjust(width)
                for n, (cell, width) in enumerate(zip(cells, widths, strict=True))
            ]
            lines.append("  ".join(aligned).rstrip())
        return "\n".join(lines)

    def vcd(self) -> str:
        """Issues, stalls, pipes and the write port with its data as a value change dump, one nanosecond for each cycle."""
        from lanewise.shadercore.api.services.vcd import as_vcd

        return as_vcd(self.timing, self.log)

    def explain(self, component: str) -> Explanation:
        """Where a component of the lane came from, through other lanes and earlier waves: of an output (`position.x`), or any
        register (`r0.x`).

        A component of another lane is called `r0@3.x`. Raises InputError for one that is not there.
        """
        wanted = component_of(component)
        place = self.results.get(wanted, wanted)
        goal = _parsed(place, self.lane)
        if goal is None or goal[0] not in self.waves[-1].leaving:
            return super().explain(component)
        steps, lanes = self._slice(goal) if not self._cleared(goal) else ([self._clearing(goal[1])], {self.lane, goal[1]})
        given = self._given(self.waves, sorted(lanes))
        return Trace(
            self.isa,
            self.program,
            self.subject,
            steps,
            given=given,
            results=self.results,
            variant=self.variant,
            what=self.what,
        ).explain(component)

    def _cleared(self, goal: tuple[Register, int]) -> bool:
        """Whether idle write slots have cleared a component after the last instruction that wrote it."""
        steps = self.waves[-1].steps
        survives = len(steps) > 1 and steps[-2].target == X7X
        return goal[0] == X7X and goal[1] < _UNITS and self.timing.device.value("x7x") == "cleared" and not survives

    def _clearing(self, lane: int) -> Step:
        number = len(self.timing.issues)
        write = Write(register=f"x7{self._mark(lane)}", new=(_value(0),), components="x")
        return Step(
            number=number,
            address=number - 1,
            instruction="(idle write slots write 0 to quad 0 of x7.x)",
            writes=(write,),
            state="after the last instruction",
        )

    def _slice(self, goal: tuple[Register, int]) -> tuple[list[Step], set[int]]:
        """The steps that a component of a lane depends on, each for the lanes that count; all lanes that occur."""
        # a register, or the slot of a SPEC instruction whose result lands elsewhere, and a lane
        wanted: set[tuple[Register | int, int]] = {goal}
        seen = {self.lane, goal[1]}
        found: list[Step] = []
        for wave in reversed(self.waves):
            for step in reversed(wave.steps):
                lanes = [lane for lane in range(LANES) if step.target is not None and (step.target, lane) in wanted]
                stray = [lane for lane in range(LANES) if (step.number, lane) in wanted]
                if not lanes and not stray:
                    continue
                wanted -= {(step.target, lane) for lane in lanes if step.target is not None}
                wanted -= {(step.number, lane) for lane in stray}
                needed: list[Origin] = []
                for lane in lanes:
                    needed += depends_on(self.timing, wave.steps, step.number, lane)
                for lane in stray:
                    needed += computed_from(self.timing, step, lane)
                wanted |= {(origin.special if origin.place is None else origin.place, origin.lane) for origin in needed}
                seen |= {origin.lane for origin in needed}
                at = len(self.timing.issues) * (wave.number - self.waves[0].number) + step.number
                found.append(self._step(at, step, wave, lanes, stray))
            # each wave has inputs of its own, and what SPEC makes does not outlive it
            wanted = {(place, lane) for place, lane in wanted if not isinstance(place, int) and place[0] != "v"}
        return found[::-1], seen

    # One instruction

    def _step(self, at: int, step: WaveStep[Wave], wave: WaveRecord, lanes: Sequence[int], stray: Sequence[int] = ()) -> Step:
        """An instruction for some lanes; `stray`: the lanes of its result in the pipe SPEC that count, because they land
        elsewhere."""
        issue = self.timing.issues[step.number]
        operands: dict[Operand, None] = {}
        depends: dict[str, tuple[str, ...]] = {}
        writes: list[Write] = []
        for lane in lanes:
            origins = depends_on(self.timing, wave.steps, step.number, lane)
            landed = any(origin.place is None for origin in origins)
            places: list[str] = []
            for operand in self._operands(step, wave, lane):
                operands[operand] = None
                if not landed and self._counts(step):
                    places += [place for place in operand.places if _fixed(place)]
            for origin in origins:
                places.append(self._place(origin, wave))
                if origin.place is None or origin.lane != lane:
                    other = self._other(origin, wave, step)
                    operands[other] = None
            if step.target is not None:
                write = self._write(step, wave, lane)
                writes.append(write)
                depends[write.places[0]] = tuple(dict.fromkeys(places))
        for lane in stray:
            name = f"SPEC{step.number}{self._mark(lane)}"
            places = []
            for operand in self._operands(step, wave, lane):
                operands[operand] = None
                places += [place for place in operand.places if _fixed(place)]
            places += [self._place(origin, wave) for origin in computed_from(self.timing, step, lane)]
            writes.append(Write(register=name, new=(self._special(step, wave, lane),)))
            depends[name] = tuple(dict.fromkeys(places))
        span = self._spans[step.number] if step.number < len(self._spans) else None
        earlier = f"  (wave {wave.number})" if wave.number != self.waves[-1].number else ""
        return Step(
            number=at,
            address=step.number,
            instruction=self._texts[step.number] + earlier,
            span=span,
            operands=tuple(operands),
            writes=tuple(writes),
            made=depends,
            decisions=(),
            notes=self._notes(step, issue, span),
            state=f"cycle {issue.cycle}",
            data=self._data_of(step, issue),
        )

    def _counts(self, step: WaveStep[Wave]) -> bool:
        """Whether the result depends on the sources at all."""
        inst = self._insts[step.number]
        return bool(inst.op.dests) and (inst.op.built or self.timing.device.value("exp_log") != "zero")

    def _operands(self, step: WaveStep[Wave], wave: WaveRecord, lane: int) -> Iterator[Operand]:
        """The sources that an instruction has, as a lane saw them."""
        inst = self._insts[step.number]
        first = next((field for field in inst.fields if field.file == C), inst.a)
        seen = (step.a, step.b) if step.c is None else (step.a, step.b, step.c)
        for source, values in list(zip(inst.fields, seen, strict=True))[: inst.op.sources]:
            yield self._operand(source, _value(values[lane]), lane, first, wave)

    def _operand(self, source: Source, value: Value, lane: int, first: Source, wave: WaveRecord) -> Operand:
        sign = _SIGNS.get(source.modifier, "")
        place = register(source)
        if place is not None:
            where = self._named(place, lane, wave)
            return Operand(
                register=where.rpartition(".")[0],
                values=(value,),
                places=(where,),
                name=self._name(place, lane, wave),
                modifier=sign,
            )
        if source.file != C:
            return Operand(register=source_text(source), values=(value,), places=(SOURCE_FILES[source.file],))
        note, read = "", source
        if self.timing.device.value("constant_ports") == "one" and first.file == C and first != source:
            if (first.number, first.component) != (source.number, source.component):
                note = f"one constant port: not c{source.number}.{COMPONENTS[source.component]}"
            read = first
        return Operand(
            register=f"c{read.number}",
            values=(value,),
            places=(f"c{read.number}.{COMPONENTS[read.component]}",),
            name=self._constant(read.number, read.component),
            modifier=sign,
            note=note,
        )

    def _other(self, origin: Origin, wave: WaveRecord, step: WaveStep[Wave]) -> Operand:
        """A value of another lane that a result depends on, or one that SPEC has started with another instruction."""
        if origin.place is None:
            name = self._place(origin, wave)
            value = self._special(wave.steps[origin.special], wave, origin.lane)
            return Operand(
                register=name,
                values=(value,),
                places=(name,),
                note=f"unclaimed result of slot {origin.special}, lane {origin.lane}",
            )
        where = self._named(origin.place, origin.lane, wave)
        sign = _SIGNS.get(self._insts[step.number].a.modifier, "")
        note = f"lane {origin.lane}: a term of its unit is used"
        return Operand(
            register=where.rpartition(".")[0],
            values=(_value(step.a[origin.lane]),),
            places=(where,),
            name=self._name(origin.place, origin.lane, wave),
            modifier=sign,
            note=note,
        )

    def _special(self, step: WaveStep[Wave], wave: WaveRecord, lane: int) -> Value:
        """The result of SPEC in a lane, seen where it lands."""
        origin = Origin(None, lane, step.number)
        for later in wave.steps[step.number + 1 :]:
            for other in range(lane % _UNITS, LANES, _UNITS):
                if origin in depends_on(self.timing, wave.steps, later.number, other):
                    return _value(later.value[other])
        raise AssertionError("a result that is asked for lands somewhere")

    def _write(self, step: WaveStep[Wave], wave: WaveRecord, lane: int) -> Write:
        assert step.target is not None
        file, index, component = step.target
        old = next((other.value for other in reversed(wave.steps[: step.number]) if other.target == step.target), None)
        if old is None:
            old = wave.entering.get(step.target)
        return Write(
            register=f"{file}{index}{self._mark(lane)}",
            new=(_value(step.value[lane]),),
            old=(_value(old[lane]),) if old is not None else (),
            components=COMPONENTS[component],
            name=self._name(step.target, lane, wave),
        )

    def _notes(self, step: WaveStep[Wave], issue: Issue, span: Span | None) -> tuple[str, ...]:
        found: list[str] = []
        if span is not None and span.text.strip() and span.line:
            line = span.text.strip()
            if line.partition(";")[0].strip() != self._texts[step.number]:
                found.append(f"line: {line}")
        for wait in issue.waits:
            register_text = place_name(wait.register)
            reason = (
                f"{register_text}, written by slot {wait.writer}"
                if wait.kind == "i"
                else f"the write port, where slot {wait.writer} writes {register_text}"
            )
            found.append(f"waits {counted(wait.cycles, 'cycle')} for {reason}")
        return tuple(found)

    def _data_of(self, step: WaveStep[Wave], issue: Issue) -> dict[str, object]:
        return {
            "cycle": issue.cycle,
            "ready": issue.ready,
            "latency": issue.latency,
            "waits": [
                {
                    "for": "write port" if wait.kind == "o" else "source",
                    "register": place_name(wait.register),
                    "slot": wait.writer,
                    "cycles": wait.cycles,
                }
                for wait in issue.waits
            ],
            "wave": list(step.value) if step.target is not None else None,
        }

    # Names

    def _mark(self, lane: int) -> str:
        """`@3` for another lane than that of the trace."""
        return "" if lane == self.lane else f"@{lane}"

    def _whose(self, place: Register, lane: int, wave: WaveRecord) -> str:
        """The mark of a register: `@3` of another lane, `#5` of an input of vertex 5 in an earlier wave."""
        earlier = place[0] == "v" and wave.number != self.waves[-1].number
        return f"#{wave.first + lane}" if earlier else self._mark(lane)

    def _named(self, place: Register, lane: int, wave: WaveRecord) -> str:
        file, index, component = place
        return f"{file}{index}{self._whose(place, lane, wave)}.{COMPONENTS[component]}"

    def _place(self, origin: Origin, wave: WaveRecord) -> str:
        if origin.place is None:
            return f"SPEC{origin.special}{self._mark(origin.lane)}"
        return self._named(origin.place, origin.lane, wave)

    def _name(self, place: Register, lane: int, wave: WaveRecord) -> str:
        own = f"{place[0]}{place[1]}"
        name = (self._names.inputs if place[0] == "v" else self._names.outputs).get(own, "")
        return f"{name}{self._whose(place, lane, wave)}" if name else ""

    def _constant(self, index: int, component: int) -> str:
        return self._names.constants.get((index, component), "")

    def _results(self) -> dict[str, str]:
        """The components that leave the core and that the program writes, by what they are."""
        written = {step.target for step in self.waves[-1].steps}
        found: dict[str, str] = {}
        for place in exports(self.timing.device):
            if place in written:
                own = place_name(place)
                name = self._names.outputs.get(own.partition(".")[0])
                found[f"{name}.{COMPONENTS[place[2]]}" if name else own] = own
        return found

    def _given(self, waves: Sequence[WaveRecord], lanes: Sequence[int]) -> dict[str, Given]:
        """The values that are known before waves: inputs of each, constants, and registers that hold something before the
        first."""
        found: dict[str, Given] = {}
        for wave in waves:
            for place, values in wave.entering.items():
                for lane in lanes:
                    kind = "register" if wave.number == 0 else f"left by wave {wave.number - 1}:"
                    if place[1:] in self._data.inputs and place[0] == "v" and lane < wave.active:
                        kind = "input"
                    elif place in wave.idle and lane < -(-wave.active // _UNITS) * _UNITS:
                        kind = "leftover of the fetch"
                    if place[0] == "v" or wave is waves[0]:
                        found[self._named(place, lane, wave)] = Given(kind, _value(values[lane]), self._name(place, lane, wave))
        for (index, component), bits in sorted(self._data.constants.items()):
            kind = "constant" if index in self._names.own else "uniform"
            found[f"c{index}.{COMPONENTS[component]}"] = Given(kind, _value(bits), self._constant(index, component))
        for fixed in SOURCE_FILES[-3:]:
            found[fixed] = Given("fixed value", _value(self._fixed_bits(fixed)))
        return found

    def _fixed_bits(self, name: str) -> int:
        one = 0x3F800000 if self.timing.device.value("one_register") == "fixed" else 0
        return {"0": 0, "1": one, "-1": 0xBF800000}[name]


def trace(
    program: ShaderCoreProgram,
    inputs: Mapping[str, ArrayLike | Words],
    constants: Mapping[str, ArrayLike | Words],
    *,
    lane: int,
    device: Device,
    count: int | None,
    streams: Sequence[Stream],
    indices: ArrayLike | None,
    initial: Mapping[str, ArrayLike | Words],
    defaults: int | None,
) -> WaveTrace:
    """See `ShaderCoreProgram.trace`."""
    bound, timing = prepared(
        program,
        inputs,
        constants,
        device=device,
        count=count,
        streams=streams,
        indices=indices,
        initial=initial,
        defaults=defaults,
    )
    vertex = whole("lane", lane, COUNT)
    if vertex >= bound.data.vertices:
        there = f"there {'is' if bound.data.vertices == 1 else 'are'} {counted(bound.data.vertices, 'vertex', 'vertices')}"
        fix = (
            f"{there}, 0 to {bound.data.vertices - 1}"
            if bound.data.vertices > 1
            else "use 0: there is 1 vertex, and they are counted from 0; or give the inputs a row for each vertex"
        )
        raise InputError(
            [
                Diagnostic(
                    code="B008",
                    severity=ERROR,
                    message=f"vertex {vertex} does not exist",
                    about=(About(VERTEX, ""),),
                    span=Span(file=""),
                    notes=(),
                    fix=fix,
                )
            ]
        )
    return WaveTrace(program, timing, bound.data, record(timing, bound.data, vertex // LANES), vertex, bound.warnings)


def prepared(
    program: ShaderCoreProgram,
    inputs: Mapping[str, ArrayLike | Words],
    constants: Mapping[str, ArrayLike | Words],
    *,
    device: Device,
    count: int | None,
    streams: Sequence[Stream],
    indices: ArrayLike | None,
    initial: Mapping[str, ArrayLike | Words],
    defaults: int | None,
) -> tuple[Bound, Timing]:
    """The data of a run in registers, and the cycles of the program. Raises InputError, also for a program that never ends."""
    bound = bind(
        program,
        inputs,
        constants,
        device=device,
        count=count,
        streams=streams,
        indices=indices,
        initial=initial,
        defaults=defaults,
    )
    timing = time_program(program.insts, device)
    why = hang(timing)
    if why is not None:
        raise InputError([never_ends(program, device, why)])
    return bound, timing


def names_of(program: ShaderCoreProgram) -> Names:
    """The names of registers in a program and its interface."""
    beside = program.beside
    known: dict[tuple[int, int], str] = {}
    if beside is not None:
        known = {(number, n): name for number, name in beside.names.items() for n in range(len(COMPONENTS))}
        known |= {place: name for name, place in beside.numbers.items()}
    inputs = {f"v{index}": name for name, index in beside.inputs.items()} if beside is not None else {}
    inputs |= {register: name for name, register in program.inputs.items() if name != register}
    outputs = {register: name for name, register in program.outputs.items() if name != register}
    return Names(inputs, outputs, known, {constant.number for constant in program.program.constants})


def number(bits: int) -> float:
    """The float32 of a pattern."""
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def _value(bits: int) -> Value:
    return Value(bits, number(bits))


def _fixed(place: str) -> bool:
    """Whether a place is a constant or a fixed value, which all lanes share."""
    return place in SOURCE_FILES or place[0] == "c"


def _parsed(place: str, lane: int) -> tuple[Register, int] | None:
    """(register, lane) of `r0.x` or `r0@3.x`; None for what is neither."""
    whole, dot, letter = place.partition(".")
    name, at, other = whole.partition("@")
    if not dot or letter not in tuple(COMPONENTS) or not name[1:].isdigit() or (at and not other.isdigit()):
        return None
    chosen = int(other) if at else lane
    return ((name[0], int(name[1:]), COMPONENTS.index(letter)), chosen) if chosen < LANES else None


def _totals(timing: Timing) -> str:
    stalls = timing.input_stalls + timing.output_stalls
    return (
        f"{timing.total_cycles} cycles: {timing.run_cycles} until end has issued, {timing.drain_cycles} to write what is "
        f"left; {stalls} of them waited"
    )
