"""Waves of a run, recorded step by step: what traces, write logs and the registers at the end are made of.

The reference engine runs the wave, and as many before it as it can depend on: on a device that keeps registers, a value may
come from any wave before. Most programs write what they read, so that one wave before is enough, whatever the number of
vertices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.extras import compiler_lacks
from lanewise.core.record import Record
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.table import LANES, QUADS, SPEC
from lanewise.shadercore.isa.timing import strays
from lanewise.shadercore.sem import special
from lanewise.shadercore.sem.dependences import places_read
from lanewise.shadercore.sem.fetch import idle_lanes
from lanewise.shadercore.sem.steps import X7X, Register

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.shadercore.engine.reference import Step
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.fetch import Element
    from lanewise.shadercore.sem.numbers import Wave

MOST_WAVES = 16  # recorded waves: older ones only leave registers
_CHUNK = 4096  # waves of one call of a kernel
_UNITS = LANES // QUADS
PLACES: tuple[Register, ...] = tuple(
    [(file, number, component) for file in "rvxo" for number in range(8) for component in range(4)]
)
"""The components of registers of a core: 128, of 16 lanes each."""


class Data(Record):
    """The data of a run, as for `engine.run.run_waves`."""

    constants: Mapping[tuple[int, int], int]
    "Patterns by (number, component)."
    inputs: Mapping[tuple[int, int], NDArray[np.uint32]]
    "Patterns (vertices) by (number, component) of v registers."
    vertices: int
    "The number of vertices."
    initial: Mapping[Register, Sequence[int]]
    "Patterns of 16 lanes before the first wave."
    elements: Sequence[Element]
    "The elements that the fetch delivers, in the order of its streams."

    @property
    def waves(self) -> int:
        return -(-self.vertices // LANES)


class WaveRecord(Record):
    """A wave that has run, step by step."""

    number: int
    "The number of the wave, from 0."
    active: int
    "Lanes with a vertex, 1 to 16."
    entering: Mapping[Register, Wave]
    "Registers before the first instruction."
    steps: tuple[Step[Wave], ...]
    "The instructions in order."
    leaving: Mapping[Register, Wave]
    "Registers after the last instruction."
    idle: frozenset[Register]
    "Components of inputs that the fetch has written to lanes without a vertex."

    @property
    def first(self) -> int:
        """The vertex of lane 0."""
        return self.number * LANES


class PortWrite(Record):
    """A write of one quad."""

    cycle: int
    "The cycle of the write, from the first issue of the wave."
    slot: int
    "The number of the instruction."
    quad: int
    "The number of the quad, 0 to 3."
    register: Register
    "The component that is written."
    data: tuple[int, ...]
    "The patterns of the four lanes."


class Source(NamedTuple):
    """A lane of a component that a result depends on; where `place` is None, of what SPEC makes with the instruction in slot
    `special`."""

    place: Register | None
    lane: int
    special: int = -1


def record(timing: Timing, data: Data, wave: int) -> tuple[WaveRecord, ...]:
    """The waves up to number `wave` that it can depend on, at most `MOST_WAVES`. Raises Hang."""
    needed = waves_before(timing)
    start = 0 if needed is None else max(0, wave - needed)
    recorded = max(start, wave - MOST_WAVES + 1) if not compiler_lacks() else start  # those before run as compiled code
    held = dict(data.initial)
    if recorded > start:
        held |= _run_before(timing, data, recorded)
    core = Core(timing.insts, timing.device, data.constants, data.initial, timing)
    if recorded:
        core.begin(fetched(data, recorded - 1, timing)[0])
        core.registers |= {place: tuple(lanes) for place, lanes in held.items() if place[0] != "v"}
    return tuple([_recorded(core, data, number, timing) for number in range(recorded, wave + 1)])


def waves_before(timing: Timing) -> int | None:
    """How many waves before a wave its registers and results can depend on; None for all."""
    device = timing.device
    if device.value("between_waves") == "zero":
        return 0
    depends: dict[Register, frozenset[Register]] = {}  # by register: those before the wave that its last value depends on
    written: set[Register] = set()
    started: dict[int, frozenset[Register]] = {}
    for issue in timing.issues:
        inst = timing.insts[issue.number]
        sources = (
            [depends.get(place, frozenset({place})) for place in places_read(inst)]
            if inst.op.operation or inst.op.dests
            else []
        )
        found = frozenset[Register]().union(*sources)
        if device.pipe(inst.op) == SPEC:
            started[issue.number] = found
        target = timing.target(issue)
        if target is not None:
            depends[target] = found.union(*[started[number] for number, _ in strays(timing, issue.number)])
            written.add(target)
    wanted = frozenset(written | {X7X} if device.value("x7x") == "cleared" else written)
    seen: set[frozenset[Register]] = set()
    while wanted:
        if wanted in seen:
            return None
        seen.add(wanted)
        wanted = frozenset[Register]().union(*[depends[place] for place in wanted if place in depends]) & written
    return len(seen)


def write_log(timing: Timing, wave: WaveRecord) -> tuple[PortWrite, ...]:
    """The writes of instructions to the register file in a wave, quad by quad, in the order of the cycles, which count from the
    first issue.

    Idle slots, which write x7.x on the public hardware, are not in it.
    """
    found: list[PortWrite] = []
    for step in wave.steps:
        if step.target is not None:
            issue = timing.issues[step.number]
            for quad, start in enumerate(timing.starts(issue)):
                data = step.value[_UNITS * quad : _UNITS * (quad + 1)]
                found.append(
                    PortWrite(cycle=start + issue.latency, slot=step.number, quad=quad, register=step.target, data=tuple(data))
                )
    return tuple(sorted(found, key=lambda row: (row.cycle, row.slot)))


def depends_on(timing: Timing, steps: Sequence[Step[Wave]], number: int, lane: int) -> list[Source]:
    """The components that the result of an instruction depends on in a lane, other lanes among them where units share a term.

    Constants are not in it. `steps` are those of the wave.
    """
    inst = timing.insts[number]
    landed = [(n, dict(quads)[lane // _UNITS]) for n, quads in strays(timing, number) if lane // _UNITS in dict(quads)]
    if landed:  # the last one that lands is what is written
        slot, quad = landed[-1]
        return [Source(None, quad * _UNITS + lane % _UNITS, slot)]
    if not inst.op.dests or (not inst.op.built and timing.device.value("exp_log") == "zero"):
        return []
    return computed_from(timing, steps[number], lane)


def computed_from(timing: Timing, step: Step[Wave], lane: int) -> list[Source]:
    """The components that a pipe's result depends on in a lane."""
    inst, device = timing.insts[step.number], timing.device
    lanes: Sequence[int] = (lane,)
    reciprocal = inst.op.operation == "rcp" or (
        device.pipe(inst.op) == SPEC and not inst.op.built and device.value("exp_log") == "zero"
    )
    if reciprocal and device.value("rcp") == "table" and device.value("rcp_sigma") == "stale":
        lanes = special.rcp_lanes(step.a, lane)
    elif inst.op.operation == "rsq" and device.value("rsq") == "table" and device.value("rsq_gate") == "stale":
        lanes = special.rsq_lanes(step.a, lane)
    return [Source(place, other) for place in places_read(inst) for other in lanes]


def _recorded(core: Core, data: Data, number: int, timing: Timing) -> WaveRecord:
    inputs, idle, active = fetched(data, number, timing)
    core.begin(inputs, active)
    entering = dict(core.registers)
    steps = tuple(core.steps())
    return WaveRecord(
        number=number,
        active=active,
        entering=entering,
        steps=steps,
        leaving=dict(core.registers),
        idle=frozenset([("v", *place) for place in idle]),
    )


def fetched(
    data: Data, number: int, timing: Timing
) -> tuple[dict[tuple[int, int], list[int]], frozenset[tuple[int, int]], int]:
    """The inputs of a wave, those of them that idle lanes get, and how many lanes are active."""
    first = number * LANES
    active = min(LANES, data.vertices - first)
    idle = idle_lanes(data.elements, data.vertices, timing.device) if first + active == data.vertices else {}
    inputs = {place: [*values[first : first + active].tolist(), *idle.get(place, ())] for place, values in data.inputs.items()}
    return inputs, frozenset(idle), active


def _run_before(timing: Timing, data: Data, waves: int) -> dict[Register, tuple[int, ...]]:
    """The values that the first so many waves leave in the registers that the program writes, by compiled code."""
    from lanewise.shadercore.engine.llvm.wave_kernels import Kernels

    kernels = Kernels(timing)
    written = list(dict.fromkeys([place for issue in timing.issues if (place := timing.target(issue)) is not None]))
    held = {place: tuple(lanes) for place, lanes in data.initial.items()}
    for first, last in _parts(waves):
        inputs = {place: values[first * LANES : last * LANES] for place, values in data.inputs.items()}
        found = kernels.run(data.constants, inputs, (last - first) * LANES, held, outputs=written)
        held |= {place: tuple(values[-LANES:].tolist()) for place, values in found.items()}
    return held


def _parts(waves: int) -> Iterator[tuple[int, int]]:
    for first in range(0, waves, _CHUNK):
        yield first, min(first + _CHUNK, waves)
