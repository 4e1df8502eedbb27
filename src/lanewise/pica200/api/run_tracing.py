"""One run of a geometry shader step by step: what it was given, and which vertices and primitives it sent."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.naming import Naming
from lanewise.pica200.api.stages import Options
from lanewise.pica200.api.tracing import Given, Start, Trace
from lanewise.pica200.engine.geometry import Unit
from lanewise.pica200.engine.trace import trace_steps
from lanewise.pica200.engine.uninitialised import Watch
from lanewise.pica200.isa.table import GEOMETRY_MODES, RESERVED_BOOLEAN
from lanewise.pica200.sem.components import Component

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.stages import Bound, Runs
    from lanewise.pica200.engine.reference import Words
    from lanewise.pica200.engine.trace import TraceStep
    from lanewise.pica200.isa.program import Emission
    from lanewise.pica200.sem.emission import Emitted


class Taken(Record):
    """What a run was given in a register: `output` (o0) of a vertex, called `name` in its shader; or, with no `vertex`, how
    many vertices there are.

    `run` took it: this one, or an earlier one where a uniform has stayed.
    """

    run: int
    vertex: int | None
    output: str
    name: str


class Place(Record):
    """An EMIT: the number of the run, and of the EMIT in it, both from 0."""

    run: int
    number: int


class EmittedVertex(Record):
    """An EMIT of the run that is traced: its `number` from 0, the number of its step, and what it did.

    `corners` are the EMITs that have filled the slots 0, 1, 2 of the primitive that it sent, None for a slot that nothing has
    filled; empty if it sent none.
    """

    number: int
    step: int
    record: Emitted[int]
    corners: tuple[Place | None, ...]


class Run(Record):
    """The surroundings of the steps of a run."""

    vertex_shader: str
    "Name of the shader of its vertices."
    mode: str
    "How it takes vertices: point, variable or fixed."
    vertices: tuple[int, ...]
    "Numbers of the vertices that it takes."
    taken: Mapping[str, Taken]
    "Where the values of its v and c registers (`v0`, `c1`) came from."
    overwritten: Mapping[str, Words]
    "Words that c registers held before this run wrote them."
    b15: bool
    "Value of b15: false in the first run alone, unless it was given."
    emission: Emission
    "The last SETEMIT before the run."
    emitted: tuple[EmittedVertex, ...]
    "Its EMITs, in order."
    outputs: tuple[OutputBinding, ...]
    "Outputs after the geometry shader, as in `Pipeline.outputs`."
    findings: tuple[Diagnostic, ...]
    "Faults of the vertices that it takes."

    @property
    def primitives(self) -> tuple[EmittedVertex, ...]:
        """The EMITs that sent a primitive."""
        return tuple(vertex for vertex in self.emitted if vertex.corners)


class RunStart(Record):
    """A run in front of its first instruction: `around` is what it was given, without EMITs, `slots` are who filled the slots
    of vertices before."""

    start: Start
    around: Run
    slots: list[Place | None]


def start_run(
    vertex: Shader, bound: Bound, runs: Runs, number: int, outputs: tuple[OutputBinding, ...], budget: int, limit: int
) -> RunStart:
    """Start run `number`. The vertices and the runs before may do `budget` steps each, this one `limit`; `outputs` is as in
    `Run`."""
    rules = bound.rules
    chunks = runs.chunks.vertices(number + 1)
    done = bound.run_vertices(vertex, Options(budget), 1 + int(bound.places[: sum(map(len, chunks))].max()))
    unit = Unit(runs.program(rules, budget), runs.uniforms)
    watch = Watch(unit.program)
    slots: list[Place | None] = [None] * int(rules.emit_slots)
    names = Naming(vertex.interface, vertex.outputs).names
    feeds = list(runs.feeds(bound.places, done, rules, number + 1))
    taken: dict[str, Taken] = {}
    for run, (chunk, feed) in enumerate(zip(chunks, feeds, strict=True)):
        labels = runs.feed(
            [[Taken(run, at, f"o{o}", names.get(f"o{o}", f"o{o}")) for o in runs.registers] for at in chunk],
            Taken(run, None, "", ""),
        )
        taken |= {f"c{register}": label for register, label in labels.floats.items()}
        if run == number:
            taken |= {f"v{register}": label for register, label in labels.inputs.items()}
            break
        machine = unit.start(feed)
        way = bytearray()
        records: list[Emitted[int]] = []
        while not machine.finished:
            step = machine.step()
            for _, yes in step.answers:
                way.append(yes)
            if "emit" in step.result:
                records.append(step.result["emit"])
        watch.note(run, way, machine.steps, machine.fault)
        if machine.fault is not None and machine.fault.endless:
            continue
        for emitted, record in enumerate(records):
            unit.emitted(record)
            _fill(slots, record, Place(run, emitted))
    feed = feeds[number]
    overwritten = {f"c{register}": unit.floats[register] for register in feed.floats}
    program = runs.program(rules, limit)
    machine = unit.start(feed, program)
    emitter = machine.emitter
    assert emitter is not None
    readable = machine.registers.readable
    known = watch.known | _outputs("o", unit.written[0]) | _outputs("bank", unit.written[1])
    given = Given(
        inputs=tuple(readable[:16]),
        floats=tuple(readable[32:]),
        integers=unit.integers,
        booleans=tuple(unit.booleans),
        known=known,
    )
    findings = vertex.describe_faults([fault for fault in bound.lane_faults(done) if fault.lane in chunks[number]])
    around = Run(
        vertex_shader=vertex.name,
        mode=GEOMETRY_MODES[runs.geometry.interface.geometry_mode],
        vertices=chunks[number],
        taken=taken,
        overwritten=overwritten,
        b15=unit.booleans[RESERVED_BOOLEAN],
        emission=emitter.emission,
        emitted=(),
        outputs=outputs,
        findings=tuple(findings),
    )
    return RunStart(Start(program, machine, given), around, slots)


def trace_run(
    vertex: Shader, bound: Bound, runs: Runs, number: int, outputs: tuple[OutputBinding, ...], budget: int, limit: int
) -> Trace:
    """Trace run `number`, started as by `start_run`."""
    (program, machine, given), around, slots = start_run(vertex, bound, runs, number, outputs, budget, limit)
    steps = tuple(trace_steps(program, machine, given.known))
    around = around._replace(emitted=_emitted(steps, slots, number))
    return Trace(runs.geometry, number, bound.rules, steps, machine.lane(), given, around)


def _emitted(steps: Sequence[TraceStep], slots: list[Place | None], run: int) -> tuple[EmittedVertex, ...]:
    """The EMITs of the steps; `slots` are who filled them before."""
    found: list[EmittedVertex] = []
    for step in steps:
        if "emit" in step.result:
            record = step.result["emit"]
            _fill(slots, record, Place(run, len(found)))
            found.append(
                EmittedVertex(len(found), step.number, record, tuple(slots[:3]) if record.primitive is not None else ())
            )
    return tuple(found)


def _fill(slots: list[Place | None], record: Emitted[int], place: Place) -> None:
    if record.held:
        slots[record.emission.vertex] = place


def _outputs(file: str, masks: Sequence[int]) -> frozenset[Component]:
    return frozenset(
        Component(file, number, place) for number, mask in enumerate(masks) for place in range(4) if mask & 8 >> place
    )
