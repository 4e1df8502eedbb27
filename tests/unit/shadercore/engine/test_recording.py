"""Recorded waves: as many before as count, the write log, and what a result depends on."""

from __future__ import annotations

import random

import numpy as np
import pytest

from effort import times
from lanewise.shadercore.engine import recording
from lanewise.shadercore.engine.recording import PLACES, Data, depends_on, record, waves_before, write_log
from lanewise.shadercore.engine.reference import Core, Register
from lanewise.shadercore.isa.codec import Inst, Source, register
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import LANES, OPS, SPEC, V
from lanewise.shadercore.isa.timing import Timing, time_program
from lanewise.shadercore.sem.fetch import elements_of
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_inst

X7X = ("x", 7, 0)


def timed(text: str, device: Device = RTL) -> Timing:
    program = read_source_text(text, "a.sc").program
    assert program is not None
    return time_program(program.insts, device)


def random_program(rng: random.Random, count: int, device: Device = RTL) -> Timing:
    """Instructions that issue, with END."""
    insts: list[Inst] = []
    while len(insts) < count:
        inst = random_inst(rng)
        if inst.op is not OPS[-1] and register(inst.a) != X7X and register(inst.b) != X7X:
            insts.append(inst)
    return time_program([*insts, Inst(op=OPS[-1])], device)


def numbers(rng: random.Random, count: int) -> list[int]:
    """Patterns of numbers near 1, none of them a power of two."""
    return [rng.getrandbits(1) << 31 | rng.randrange(124, 130) << 23 | rng.randrange(1, 1 << 23) for _ in range(count)]


def random_data(rng: random.Random, vertices: int) -> Data:
    constants = {(number, n): numbers(rng, 1)[0] for number in range(256) for n in range(4)}
    inputs = {(number, n): np.array(numbers(rng, vertices), np.uint32) for number in range(8) for n in range(4)}
    initial = {place: numbers(rng, LANES) for place in PLACES if place[0] != "v"}
    return Data(constants=constants, inputs=inputs, vertices=vertices, initial=initial, elements=elements_of(inputs))


def test_waves_that_count():
    assert waves_before(timed("mov o0.x, v0.x\nend\n", DOCUMENT)) == 0
    assert waves_before(timed("mov r0.x, v0.x\nmov o0.x, r0.x\nend\n")) == 1
    assert waves_before(timed("mov o0.x, r0.x\nmov r0.x, v0.x\nend\n")) == 2
    assert waves_before(timed("mov o0.x, r1.x\nmov r1.x, r0.x\nmov r0.x, v0.x\nend\n")) == 3
    assert waves_before(timed("add r0.x, r0.x, v0.x\nend\n")) is None
    assert waves_before(timed("add r0.x, r1.x, v0.x\nend\n")) == 1, "nothing writes r1.x"


def whole_run(timing: Timing, data: Data) -> Core:
    """The core after all waves, one after the other."""
    core = Core(timing.insts, timing.device, data.constants, data.initial, timing)
    for number in range(data.waves):
        inputs, _, active = recording.fetched(data, number, timing)
        core.begin(inputs, active)
        core.run()
    return core


@pytest.mark.parametrize("seed", range(times(6, 60)))
def test_a_wave_is_as_in_the_whole_run(seed: int):
    rng = random.Random(seed)
    device = rng.choice([RTL, RTL, DOCUMENT])
    timing = random_program(rng, 12, device)
    data = random_data(rng, rng.choice([5, 37, 48, 61]))
    last = record(timing, data, data.waves - 1)[-1]
    core = whole_run(timing, data)
    assert {place: tuple(last.leaving[place]) for place in PLACES} == {place: tuple(core.value(place)) for place in PLACES}


def test_sums_over_many_waves():
    """An accumulator needs all waves; compiled code runs those that are not recorded."""
    timing = timed("add r0.x, r0.x, v0.x\nmov x3.y, r0.x\nend\n")
    data = random_data(random.Random(1), LANES * (recording.MOST_WAVES + 5) + 3)
    waves = record(timing, data, data.waves - 1)
    assert len(waves) == recording.MOST_WAVES and waves[-1].active == 3
    core = whole_run(timing, data)
    assert {place: tuple(waves[-1].leaving[place]) for place in PLACES} == {place: tuple(core.value(place)) for place in PLACES}


@pytest.mark.parametrize("seed", range(3))
def test_the_log_is_what_was_written(seed: int):
    rng = random.Random(f"log {seed}")
    timing = random_program(rng, 20)
    (wave,) = record(timing, random_data(rng, LANES), 0)
    log = write_log(timing, wave)
    assert [row.cycle for row in log] == sorted({row.cycle for row in log}), "one quad in a cycle"
    registers = {place: list(wave.entering[place]) for place in PLACES}
    for row in log:
        registers[row.register][4 * row.quad : 4 * row.quad + 4] = row.data
    del registers[X7X]
    assert registers == {place: list(wave.leaving[place]) for place in registers}


def test_the_cycles_of_a_write():
    # issue at 0, first quad starts at 5, the latency of MUL is 5 (reference 3)
    timing = timed("mul r0.x, v0.x, v0.x\nend\n")
    (wave,) = record(timing, random_data(random.Random(2), LANES), 0)
    assert [(row.cycle, row.quad) for row in write_log(timing, wave)] == [(10, 0), (11, 1), (12, 2), (13, 3)]


Cause = tuple[Register, int]


def inputs_of(timing: Timing, data: Data, goal: Cause) -> set[Cause]:
    """The components of lanes before the first wave that a component after it depends on."""
    (wave,) = record(timing, data, 0)
    wanted: set[tuple[Register | int, int]] = {goal}
    for step in reversed(wave.steps):
        lanes = [lane for lane in range(LANES) if step.target is not None and (step.target, lane) in wanted]
        spec = [lane for lane in range(LANES) if (step.number, lane) in wanted]
        wanted -= {(step.target, lane) for lane in lanes if step.target is not None}
        for lane in lanes:
            wanted |= {
                (origin.place or origin.special, origin.lane) for origin in depends_on(timing, wave.steps, step.number, lane)
            }
        for lane in spec:
            wanted |= {(origin.place or origin.special, origin.lane) for origin in recording.computed_from(timing, step, lane)}
    return {(place, lane) for place, lane in wanted if not isinstance(place, int)}


@pytest.mark.parametrize("seed", range(times(16, 160)))
def test_nothing_else_counts(seed: int):
    """Another value of what a result does not depend on changes nothing; some of what it depends on does."""
    rng = random.Random(f"causes {seed}")
    names = ("rcp", "rsq", "add", "mul", "mov", "exp", "nop", "frc")
    insts: list[Inst] = []
    while len(insts) < 14:
        inst = random_inst(rng)
        if inst.op.name in names and inst.dest.file != 3 and register(inst.a) != X7X and register(inst.b) != X7X:
            inst = inst._replace(dest=inst.dest._replace(number=inst.dest.number % 2, saturate=0))
            if (
                inst.op.pipe == SPEC
            ):  # whose sigma is taken depends on zeros and powers of two, which is no value: inputs have none
                inst = inst._replace(a=Source(V, rng.randrange(2), rng.randrange(4)))
            insts.append(inst)
    timing = time_program([*insts, Inst(op=OPS[-1])], RTL)
    data = random_data(rng, LANES)
    (wave,) = record(timing, data, 0)
    targets = list(dict.fromkeys([step.target for step in wave.steps if step.target is not None]))
    for target in rng.sample(targets, min(3, len(targets))):
        lane = rng.randrange(LANES)
        causes = inputs_of(timing, data, (target, lane))
        others = {place: [*lanes] for place, lanes in data.initial.items()}
        inputs = {place: values.copy() for place, values in data.inputs.items()}
        for place in PLACES:
            for other in range(LANES):
                if (place, other) not in causes:
                    changed = others[place] if place[0] != "v" else inputs[place[1], place[2]]
                    changed[other] ^= rng.randrange(1, 1 << 20) << 2  # no mantissa becomes 0: bit 0 and 1 stay
        (again,) = record(timing, data._replace(initial=others, inputs=inputs), 0)
        assert again.leaving[target][lane] == wave.leaving[target][lane], (target, lane)
