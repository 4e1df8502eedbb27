"""Traces of Direct3D 9 shaders: what one lane does, recorded while the reference engine runs its wave.

The walker of `sem.flow` runs over a machine that notes every component that is read. An instruction is computed once more for
each component that it writes, so that the trace knows which values that component depends on. Steps that the lane skips are
left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.core.trace import Decision, Given, Operand, Step, Trace, Value, Write
from lanewise.direct3d9.engine.data import signed
from lanewise.direct3d9.engine.recorder import WHOLE, Draft, Labels, Observer, Read, Recorder, Seen, Turns, number, whole
from lanewise.direct3d9.engine.reference import check_size, wave_inputs
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import KILLED as TESTED
from lanewise.direct3d9.isa.program import Dest, addresses, block_ends
from lanewise.direct3d9.isa.table import COMPONENTS
from lanewise.direct3d9.sem.algebra import BUMP, KILLED, LIVE, Component
from lanewise.direct3d9.sem.numbers import Flags, Integers, waves_of
from lanewise.direct3d9.text.names import MODIFIERS
from lanewise.direct3d9.text.printer import condition_text
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.isa.program import Inst, Shader, Source
    from lanewise.direct3d9.sem.algebra import Sampling
    from lanewise.direct3d9.sem.meaning import Operand as Fetching
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Call, Flow, If, Leave, Loop, Routine
    from lanewise.direct3d9.text.printer import Names
    from lanewise.shadercore.sem.numbers import Wave

MOST_STEPS = 20_000  # every step is kept
_MAIN, _KILLED = "main", "killed"


def trace_lane(
    shader: Shader,
    flow: Flow,
    rule: Rule,
    data: Data,
    lane: int,
    names: Names,
    *,
    inputs: Sequence[Port],
    outputs: Sequence[Port],
    program: str,
    diagnostics: Sequence[Diagnostic] = (),
    most: int | None = None,
) -> Trace:
    """The trace of a lane, with its wave. A run that cannot end is no error here: the trace has the steps until then, and the
    finding.

    `names` are those of the constant table, `diagnostics` findings about the data; the trace ends after `most` steps (default:
    `MOST_STEPS`). Raises InputError for a shader that is too large.
    """
    run = LaneRun(
        shader,
        flow,
        rule,
        data,
        lane,
        names,
        inputs=inputs,
        outputs=outputs,
        program=program,
        diagnostics=diagnostics,
        most=MOST_STEPS if most is None else most,
    )
    steps: list[Step] = []
    head = run.head
    found = list(head.diagnostics)
    try:
        run.run(steps.append)
    except InputError as error:
        found += error.diagnostics
    results = {name: place for name, place in head.results.items() if name != _KILLED or run.killed}
    return Trace(
        head.isa,
        head.program,
        head.subject,
        steps,
        given=head.given,
        results=results,
        variant=head.variant,
        heading=head.heading,
        diagnostics=found,
        data=head.data,
    )


class LaneRun:
    """The run of a lane with its wave, that gives its steps one by one. `head` is its trace without them."""

    head: Trace

    def __init__(
        self,
        shader: Shader,
        flow: Flow,
        rule: Rule,
        data: Data,
        lane: int,
        names: Names,
        *,
        inputs: Sequence[Port],
        outputs: Sequence[Port],
        program: str,
        diagnostics: Sequence[Diagnostic] = (),
        most: int = MOST_STEPS,
    ) -> None:
        """The arguments are those of `trace_lane`. Raises InputError for a shader that is too large."""
        check_size(flow)
        first = lane - lane % LANES
        active = min(LANES, data.lanes - first)
        recorder = Recorder(flow, waves_of(rule), data, lane - first)
        recorder.begin(first, wave_inputs(data, first, active), active)
        labels = Labels(flow, names, inputs)
        self._walker = _Tracer(
            shader, flow, recorder, rule, labels, {(port.file, port.number): port.name for port in outputs}, most
        )
        results: dict[str, str] = {}
        for port in outputs:
            for n, component in enumerate(port.components):
                results[f"{port.name}.{COMPONENTS[n]}"] = labels.place(Component(port.file, port.number, component))
        if any(inst.op.dest == TESTED for inst in shader.insts):
            results[_KILLED] = labels.place(Component(KILLED, 0, 0))
        self.head = Trace(
            "direct3d9",
            program,
            f"lane {lane}",
            (),
            given=_given(flow, data, lane, labels),
            results=results,
            variant=rule.describe(),
            heading=(f"{flow.version.name}, with lanes {_ranges(range(first, first + active))} in its wave",)
            if active > 1
            else (),
            diagnostics=diagnostics,
            data={"version": flow.version.name, "lane": lane, "wave": list(range(first, first + active))},
        )

    @property
    def killed(self) -> bool:
        """Whether a step so far has killed the lane's pixel."""
        return self._walker.killed

    def run(self, emit: Callable[[Step], None]) -> None:
        """Run once and give each step to `emit`. Raises InputError for a run that cannot end, after its last step."""
        self._walker.emit = emit
        try:
            self._walker.run((True,) * LANES)
        except InputError:
            self._walker.flush()
            raise
        self._walker.flush()


class _Tracer(Observer):
    """The walker, with a step for each instruction that the lane executes."""

    def __init__(
        self,
        shader: Shader,
        flow: Flow,
        recorder: Recorder,
        rule: Rule,
        labels: Labels,
        outputs: Mapping[tuple[int, int], str],
        most: int,
    ) -> None:
        super().__init__(flow, recorder.ops, recorder, rule.choices)
        self.recorder, self.labels, self.lane = recorder, labels, recorder.lane
        self.steps: list[Draft] = []  # those that are not given to `emit` yet: one, or a pair
        self.emit: Callable[[Step], None] | None = None
        self.killed = False
        self._count = 0
        self._together = False
        self._depends: dict[int, dict[int, tuple[str, ...]]] = {}  # by instruction
        self._outputs, self._most = outputs, most
        self._addresses = addresses(shader)
        self._ends = block_ends(shader)
        self._open: Draft | None = None  # the step that is computed
        self._writing: Draft | None = None
        self._mask: Flags = ()  # of the flow instruction that is asked
        self._known: set[Component] = set()  # written by this lane
        self._loops: list[Turns] = []
        self._counts: list[list[int]] = []  # iteration and count of each loop
        self._addressing = (isa.LOOP, isa.ADDR) if flow.version.kind == isa.VERTEX else (isa.LOOP,)
        self._routines: list[str] = []
        self._labels_of = {id(flow.main): _MAIN, **{id(routine): f"l{label}" for label, routine in flow.routines.items()}}
        recorder.tracer = self

    # Steps

    def _begin(self, inst: Inst, mask: Flags) -> Draft:
        if not self._together:
            self.flush()
        if self._count >= self._most:
            message = f"more than {self._most:,} steps: the trace ends here"
            raise InputError(
                [
                    Diagnostic(
                        code="R305",
                        severity=ERROR,
                        message=message,
                        span=inst.place or Span(file=""),
                        notes=(),
                        fix="lower the counts in i#",
                    )
                ]
            )
        step = Draft(inst, self._addresses.get(id(inst), 0), self.labels.text(inst))
        self.steps.append(step)
        self._count += 1
        self._open = step
        self._describe(step, mask)
        return step

    def flush(self) -> None:
        """Give away the steps that are complete."""
        done, self.steps = self.steps, []
        first = self._count - len(done)
        for n, step in enumerate(done, first):
            self.killed = self.killed or step.killed
            if self.emit is not None:
                self.emit(step.record(n))

    def _describe(self, step: Draft, mask: Flags) -> None:
        """The flow around a step: routine, loops, lanes, predicate."""
        recorder = self.recorder
        there = [lane for lane, on in enumerate(recorder.active) if on]
        lanes = [recorder.first + lane for lane in there if mask[lane]]
        parts = [f"in {self._routines[-1]}"] if self._routines[-1] != _MAIN else []
        loops: list[dict[str, object]] = []
        depth = 0
        for loop, (iteration, count) in zip(self._loops, self._counts, strict=False):
            counter = recorder.indices[Component(isa.LOOP, depth, 0)][self.lane] if loop.node.counts else None
            depth += loop.node.counts
            register = f"i{loop.node.register}"
            shown = f", aL = {counter}" if counter is not None else ""
            parts.append(f"iteration {iteration} of {count} ({register}){shown}")
            loops.append({"register": register, "iteration": iteration, "count": count, "aL": counter})
        if len(lanes) < len(there):
            parts.append(f"lanes {_ranges(lanes)} of {_ranges([recorder.first + lane for lane in there])}")
        predicate = [recorder.predicates.get(Component(isa.PREDICATE, 0, c)) for c in range(4)]
        bits = [bool(flags[self.lane]) if flags is not None else False for flags in predicate]
        if any(flags is not None for flags in predicate):
            parts.append(f"p0 = {', '.join(str(int(bit)) for bit in bits)}")
        step.state = "; ".join(parts)
        step.routines = tuple(self._routines)
        step.loops = tuple(
            [
                (f"i{loop.node.register}", iteration, count)
                for loop, (iteration, count) in zip(self._loops, self._counts, strict=False)
            ]
        )
        step.data = {"lanes": lanes, "loops": loops, "predicate": bits, "routine": self._routines[-1]}

    def took(self, operand: Seen) -> None:
        if self._open is not None:
            self._open.sources.append(operand)

    def remark(self, text: str) -> None:
        if self._open is not None and text not in self._open.notes:
            self._open.notes.append(text)

    def sampled(self, request: Sampling[Wave], found: tuple[Wave, Wave, Wave, Wave]) -> None:
        step = self._open
        if step is None:
            return
        at = [number(part[self.lane]) for part in request.coordinates]
        result = [number(part[self.lane]) for part in found]
        texts = [", ".join(f"{value.number:.7g}" for value in values) for values in (at, result)]
        step.notes.append(f"s{request.stage} at ({texts[0]}) gives ({texts[1]})")
        step.samples.append(
            {
                "sampler": request.stage,
                "instruction": request.name,
                "coordinates": [value.bits for value in at],
                "gradients": [[part[self.lane] for part in gradient] for gradient in request.gradients],
                "result": [value.bits for value in result],
            }
        )

    def fetched(self, source: Source) -> Fetching[Wave]:
        if self._open is None:
            return super().fetched(source)
        found = Seen(self, source)
        self.took(found)
        return found

    # Instructions

    def step(self, insts: Sequence[Inst], mask: Flags) -> None:
        """A pair that reads before either writes is one step."""
        if len(insts) == 1 or self.choices.value("coissue") == "in_order":
            super().step(insts, mask)
            return
        self.flush()
        self._together = True
        super().step(insts, mask)
        self._together = False
        if len(self.steps) == 2:
            second = self.steps.pop()
            self.steps[-1].join(second)
            self._count -= 1

    def _compute(self, inst: Inst, mask: Flags) -> Callable[[], None]:
        if not mask[self.lane]:
            return super()._compute(inst, mask)
        recorder = self.recorder
        recorder.sampled.clear()
        dest = inst.dest
        assert dest is not None
        sources = self._dependencies(inst, dest, mask)
        step = self._begin(inst, mask)
        recorder.reads = []
        write = super()._compute(inst, mask)
        reads, recorder.reads, self._open = recorder.reads, None, None
        step.operands = self._operands(step, reads)
        everything = tuple(dict.fromkeys(read.place for read in reads))

        def finish() -> None:
            self._writing = step
            write()
            self._writing = None
            for cell, _, _ in step.writes:
                own = cell.file == dest.file and cell.component in sources
                step.made[self.labels.place(cell)] = sources[cell.component] if own else everything
            if inst.op.dest == TESTED:
                step.decisions.append(Decision("killed?", "yes" if step.killed else "no", everything))
            step.shown = self._shown(step.writes)

        return finish

    def _dependencies(self, inst: Inst, dest: Dest, mask: Flags) -> dict[int, tuple[str, ...]]:
        """The places that each component of the result depends on: the same ones each time, if no register says which ones."""
        kept = self._depends.get(id(inst))
        if kept is not None:
            return kept
        recorder = self.recorder
        found: dict[int, tuple[str, ...]] = {}
        for component in (n for n in range(4) if dest.mask >> n & 1):
            single = Dest(dest.word & ~0xF0000 | 1 << 16 + component, dest.relative)
            recorder.reads = []
            if dest.is_relative:
                self.index(dest.relative)
            super()._compute(inst._replace(dest=single), mask)
            found[component] = tuple(dict.fromkeys(read.place for read in recorder.reads))
        recorder.reads = None
        relative = dest.is_relative or any(source.is_relative for source in inst.sources)
        if not relative and inst.predicate is None and inst.op.role != isa.TEXTURING:
            self._depends[id(inst)] = found
        return found

    def _operands(self, step: Draft, reads: Sequence[Read]) -> tuple[Operand, ...]:
        """The sources that something was taken of, then what was read without being named."""
        found: list[Operand] = []
        named: set[str] = set()
        for source in step.sources:
            if source.taken:
                found.append(self._operand(source))
                reads_of = [read for _, taken in source.taken.values() for read in taken]
                named |= {read.place for read in reads_of if read.cell.file not in self._addressing}
        others: dict[tuple[int, int], list[Read]] = {}
        for read in dict.fromkeys(reads):
            if read.place not in named:
                others.setdefault((read.cell.file, read.cell.number), []).append(read)
        for (file, n), unsorted in others.items():
            parts = sorted(unsorted, key=lambda read: read.cell.component)
            values, places = tuple([part.value for part in parts]), tuple([part.place for part in parts])
            register = f"b{n}" if file == isa.CONSTBOOL else self.labels.register(file, n)
            found.append(Operand(register=register, values=values, places=places))
        return tuple(found)

    def _operand(self, source: Seen) -> Operand:
        taken = [source.taken[position] for position in sorted(source.taken)]
        given, addressing = source.source, self._addressing
        mains = [next(read for read in reads if read.cell.file not in addressing) for _, reads in taken]
        cell = mains[0].cell
        index = [read for _, reads in taken for read in reads if read.cell.file in addressing]
        note = ""
        if index:
            base = self.labels.register(cell.file, (given.constant if cell.file == isa.CONST else given.number) + source.offset)
            outside = cell.file == isa.CONST and cell.number not in self.recorder.constants
            note = f"{index[0].place}: {index[0].value.number:+d} from {base}" + (", without a value" if outside else "")
        before, after = MODIFIERS.get(given.modifier, ("", ""))
        written = any(Component(cell.file, cell.number, n) in self._known for n in range(4))
        own = self.labels.register(cell.file, cell.number)
        name = (own if written else self.labels.named(cell.file, cell.number)) + after  # ps_1_x writes to its inputs
        places = tuple([read.place for read in mains])
        return Operand(
            register=own, values=tuple([value for value, _ in taken]), places=places, name=name, modifier=before, note=note
        )

    def _shown(self, writes: Iterable[tuple[Component, Value | None, Value]]) -> tuple[Write, ...]:
        """The components that were written, by register."""
        registers: dict[tuple[int, int], list[tuple[Component, Value | None, Value]]] = {}
        for write in writes:
            registers.setdefault((write[0].file, write[0].number), []).append(write)
        found: list[Write] = []
        for (file, n), parts in registers.items():
            old = tuple([before for _, before, _ in parts if before is not None])
            letters = "" if file in WHOLE else "".join(COMPONENTS[cell.component] for cell, _, _ in parts)
            name = self._outputs.get((file, n), "") if file != isa.TEMP else ""
            new = tuple([value for _, _, value in parts])
            found.append(
                Write(
                    register=self.labels.register(file, n),
                    new=new,
                    old=old if len(old) == len(new) else (),
                    components=letters,
                    name=name,
                )
            )
        return tuple(found)

    # Writes

    def _wrote(self, cell: Component, old: Value, new: Value) -> None:
        if self._writing is not None:
            self._writing.writes.append((cell, old if cell in self._known else None, new))
            self._known.add(cell)

    def _write_cell(self, cell: Component, value: Wave, mask: Flags) -> None:
        if self._writing is not None and mask[self.lane]:
            self._wrote(cell, number(self.recorder.read(cell)[self.lane]), number(value[self.lane]))
        super()._write_cell(cell, value, mask)

    def write_truth(self, cell: Component, value: Flags, mask: Flags) -> None:
        if self._writing is not None and mask[self.lane] and cell.file != LIVE:
            self._writing.killed = self._writing.killed or cell.file == KILLED
            old = self.recorder.predicates.get(cell)
            self._wrote(cell, whole(int(old[self.lane]) if old is not None else 0), whole(int(value[self.lane])))
        super().write_truth(cell, value, mask)

    def _write_integers(self, dest: Dest, values: dict[int, Integers], masks: dict[int, Flags]) -> None:
        for component, value in values.items():
            if self._writing is not None and masks[component][self.lane]:
                cell = Component(dest.file, dest.number, component)
                self._wrote(cell, whole(self.recorder.read_integer(cell)[self.lane]), whole(value[self.lane]))
        super()._write_integers(dest, values, masks)

    # Flow

    def condition(self, inst: Inst) -> Flags:
        if not self._mask[self.lane]:
            return super().condition(inst)
        step = self._begin(inst, self._mask)
        self.recorder.reads = []
        found = super().condition(inst)
        reads, self.recorder.reads, self._open = self.recorder.reads, None, None
        step.operands = self._operands(step, reads)
        question = condition_text(inst, self.labels.names) or "a reserved comparison"
        places = tuple(dict.fromkeys(read.place for read in reads))
        step.decisions.append(Decision(f"{question}?", "yes" if found[self.lane] else "no", places))
        return found

    def _if(self, node: If, mask: Flags) -> None:
        self._mask = mask
        super()._if(node, mask)

    def _leave(self, node: Leave, mask: Flags) -> None:
        self._mask = mask
        if mask[self.lane] and not node.inst.sources:
            self._begin(node.inst, mask)
            self._open = None
        super()._leave(node, mask)

    def _call(self, node: Call, mask: Flags) -> None:
        self._mask = mask
        if mask[self.lane] and len(node.inst.sources) == 1:
            self._begin(node.inst, mask)
            self._open = None
        super()._call(node, mask)

    def _routine(self, routine: Routine, mask: Flags) -> None:
        self._routines.append(self._labels_of[id(routine)])
        super()._routine(routine, mask)
        self._routines.pop()

    def _loop(self, node: Loop, mask: Flags) -> None:
        step = self._begin(node.inst, mask) if mask[self.lane] else None
        self._open = None
        self._loops.append(Turns(node, step))
        super()._loop(node, mask)
        self._loops.pop()
        self._counts.pop()

    def loop_begins(self, count: int) -> None:
        """The innermost loop knows its count, and has set aL."""
        node, step = self._loops[-1]
        self._counts.append([0, max(count, 0)])
        if step is None:
            return
        register = f"i{node.register}"
        step.decisions.append(Decision(f"{register}.x > 0?", "yes" if count > 0 else "no", (f"{register}.x",)))
        step.notes.append(f"{count} iteration{'' if count == 1 else 's'}")
        letters = COMPONENTS[: 3 if node.counts else 1]
        values = [whole(signed(self.recorder.loop_numbers(node.register), n)) for n in range(len(letters))]
        places = tuple([f"{register}.{letter}" for letter in letters])
        name = self.labels.named(isa.CONSTINT, node.register)
        step.operands = (Operand(register=register, values=tuple(values), places=places, name=name),)
        if node.counts:
            self._counted(step, f"{register}.y")

    def turn_begins(self) -> None:
        self._counts[-1][0] += 1

    def turn_ends(self, live: Flags) -> None:
        """The end of an iteration, for a lane that is still in the loop."""
        node, _ = self._loops[-1]
        end = self._ends.get(id(node.inst))
        if not live[self.lane] or end is None:
            return
        iteration, count = self._counts[-1]
        step = self._begin(end, live)
        self._open = None
        register = f"i{node.register}"
        answer = "yes" if iteration < count else "no"
        step.decisions.append(Decision(f"fewer than {count} iterations?", answer, (f"{register}.x",)))
        if node.counts:
            counter = self._counted(step, f"{register}.z")
            stride = whole(signed(self.recorder.loop_numbers(node.register), 2))
            name = self.labels.named(isa.CONSTINT, node.register)
            step.operands = (
                Operand(register=counter[0], values=(counter[1],), places=(counter[0],)),
                Operand(register=register, values=(stride,), places=(f"{register}.z",), name=name),
            )

    def _counted(self, step: Draft, source: str) -> tuple[str, Value]:
        """Record what was written to the aL of the innermost loop; its place, and what it held before."""
        assert self.recorder.counter is not None
        cell, old, new = self.recorder.counter
        place = self.labels.place(cell)
        step.made[place] = (source,) if step is self._loops[-1].step else (place, source)
        again = cell in self._known and step is not self._loops[-1].step
        self._known.add(cell)
        step.shown = (Write(register=place, new=(whole(new),), old=(whole(old),) if again else ()),)
        return place, whole(old)


def _given(flow: Flow, data: Data, lane: int, labels: Labels) -> dict[str, Given]:
    """The values of inputs and constants at the start."""
    found: dict[str, Given] = {}
    for (file, number_), grid in data.inputs.items():
        for component, bits in enumerate(grid[lane].tolist()):
            place = labels.place(Component(file, number_, component))
            found[place] = Given("input", number(bits), labels.named(file, number_))
    for n, row in data.constants.items():
        kind = "constant" if n in flow.constants else "uniform"
        for component, bits in enumerate(row):
            found[labels.place(Component(isa.CONST, n, component))] = Given(kind, number(bits), labels.named(isa.CONST, n))
    for n, row in {**data.integers, **flow.integers}.items():
        for component in range(4):
            given = Given(
                "constant" if n in flow.integers else "uniform", whole(signed(row, component)), labels.named(isa.CONSTINT, n)
            )
            found[f"i{n}.{COMPONENTS[component]}"] = given
    for n, truth in {**data.booleans, **flow.booleans}.items():
        found[f"b{n}"] = Given(
            "constant" if n in flow.booleans else "uniform", whole(int(truth)), labels.named(isa.CONSTBOOL, n)
        )
    for n, row in data.bumps.items():
        for component, bits in enumerate(row):
            found[labels.place(Component(BUMP, n, component))] = Given("uniform", number(bits))
    return found


def _ranges(numbers: Iterable[int]) -> str:
    """`0-3, 7`."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs) or "none"
