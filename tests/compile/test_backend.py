"""Random code through passes, schedule, registers and words: what the core computes is what the code means."""

from __future__ import annotations

import random

import pytest

from compile.devices import random_device
from compile.evaluate import evaluate
from lanewise.compile.shadercore.allocate import TooMany
from lanewise.compile.shadercore.backend import Finished, TooLong, finish
from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.code import Code, Output, without_dead
from lanewise.compile.shadercore.constants import NoRoom, pool
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import LANES, SLOTS, C
from lanewise.shadercore.isa.timing import time_program
from lanewise.ssa.nodes import Ref
from together import together

EDGES = (
    0,
    0x80000000,
    1,
    0x807FFFFF,
    0x800000,
    0x3F800000,
    0xBF800000,
    0x7F7FFFFF,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0xFFA12345,
    0x4B000000,
)
TWO = ("add", "mul", "min", "max", "slt", "sge", "or", "and")
ONE = ("frc", "sgn", "rnd_sint16ne", "cnv_unorm16", "cnv_unorm8", "shft", "bshftl8", "bshftr16", "cnv_u32_to_f", "rcp", "mov")
DEVICES = {
    "document": DOCUMENT,
    "rtl": RTL,
    "quick": RTL.replace({"issue_interval": "4", "special_interval": "4", "write_port": "free"}),
}


def random_code(rng: random.Random, device: Device, count: int, *, optimise: bool = True) -> Code:
    builder = Builder(device, optimise=optimise)
    values = [builder.input(n, c) for n in range(2) for c in range(2)]
    values += [builder.uniform(n, c) for n in range(3) for c in range(2)]
    values += [builder.constant(rng.choice(EDGES)) for _ in range(3)] + [
        builder.constant(rng.getrandbits(32)) for _ in range(3)
    ]
    for line in range(count):
        builder.line = line

        def pick() -> Ref:
            ref = rng.choice(values[-12:] if rng.random() < 0.6 else values)
            return rng.choice((ref, ref, builder.negate(ref), builder.absolute(ref)))

        name = rng.choice(TWO + ONE)
        made = builder.op(name, *(pick() for _ in range(2 if name in TWO else 1)))
        values.append(builder.saturate(made) if rng.random() < 0.15 else made)
    builder.outputs = [Output(rng.randrange(8), c, rng.choice(values[-20:]), count) for c in range(4)]
    return builder.code()


def run(
    finished: Finished, device: Device, inputs: dict[tuple[int, int], tuple[int, ...]], constants: dict[tuple[int, int], int]
):
    uploads = {(u.number, c): bits or 0 for u in finished.pool.uploads for c, bits in enumerate(u.values)}
    core = Core(finished.insts, device, constants | uploads)
    core.begin(inputs)
    core.run()
    return core


def data(rng: random.Random) -> tuple[dict[tuple[int, int], tuple[int, ...]], dict[tuple[int, int], int]]:
    def bits() -> int:
        return (
            rng.choice(EDGES)
            if rng.random() < 0.4
            else rng.getrandbits(32)
            if rng.random() < 0.3
            else 0x3F000000 + rng.getrandbits(24)
        )

    inputs = {(n, c): tuple(bits() for _ in range(LANES)) for n in range(2) for c in range(2)}
    return inputs, {(n, c): bits() for n in range(3) for c in range(2)}


@together("device", DEVICES.values(), ids=DEVICES)
@together("seed", range(40))
def test_the_core_computes_what_the_code_means(device: Device, seed: int):
    rng = random.Random(seed)
    code = random_code(rng, device, rng.choice((5, 20, 60)), optimise=seed % 3 > 0)
    inputs, constants = data(rng)
    finished = finish(code, device, optimise=seed % 2 > 0)
    expected = evaluate(code, device, inputs, constants)
    core = run(finished, device, inputs, constants)
    for (number, component), wave in expected.items():
        assert core.value(("o", number, component)) == wave


@together("device", DEVICES.values(), ids=DEVICES)
@together("seed", range(20))
def test_the_schedule_counts_the_cycles_that_the_timing_counts(device: Device, seed: int):
    finished = finish(random_code(random.Random(seed), device, 50), device)
    timing = time_program(finished.insts, device)
    assert timing.issues[-1].cycle == finished.schedule.cycles
    assert not timing.overtaken


@pytest.mark.parametrize("first", range(0, 160, 40))
def test_any_device_computes_what_the_code_means_in_the_cycles_that_were_counted(first: int):
    """Devices by chance, values by chance in any of the 32 components of outputs."""
    done = 0
    for seed in range(first, first + 40):
        rng = random.Random(seed)
        device = random_device(rng)
        code = random_code(rng, device, rng.choice((3, 10, 40, 80)), optimise=seed % 3 > 0)
        seen = [Ref(n, rng.randrange(4)) for n in range(len(code.nodes))]
        places = [(n, c) for n in range(8) for c in range(4) if rng.random() < 0.4]
        code = code._replace(outputs=tuple(Output(n, c, rng.choice(seen)) for n, c in places))
        inputs, constants = data(rng)
        optimise = seed % 2 > 0
        try:
            finished = finish(code, device, optimise=optimise)
        except (TooMany, TooLong):
            continue
        done += 1
        timing = time_program(finished.insts, device)
        assert timing.hangs is None and timing.ended
        if optimise:
            assert timing.issues[-1].cycle == finished.schedule.cycles, device.describe()
            assert not timing.overtaken
        core = run(finished, device, inputs, constants)
        for (number, component), wave in evaluate(code, device, inputs, constants).items():
            assert core.value(("o", number, component)) == wave, (seed, device.describe())
    assert done > 30


@together("seed", range(20))
def test_an_instruction_reads_one_constant_where_there_is_one_port(seed: int):
    finished = finish(random_code(random.Random(seed), RTL, 50), RTL)
    for inst in finished.insts:
        constants = {(s.number, s.component) for s in (inst.a, inst.b) if s.file == C}
        assert len(constants) < 2
        assert register(inst.a) != ("x", 7, 0) != register(inst.b)
        assert (inst.dest.file, inst.dest.number, inst.dest.component) != (1, 7, 0)


def test_a_schedule_takes_fewer_cycles_than_the_order_of_the_source():
    total = {False: 0, True: 0}
    for seed in range(10):
        code = without_dead(random_code(random.Random(seed), RTL, 60))
        for optimise in total:
            total[optimise] += finish(code, RTL, optimise=optimise).schedule.cycles
    assert total[True] < total[False]


def test_saturation_is_part_of_the_instruction_that_makes_the_value():
    builder = Builder(RTL)
    total = builder.add(builder.input(0, 0), builder.input(0, 1))
    builder.outputs.append(Output(0, 0, builder.saturate(total)))
    insts = finish(builder.code(), RTL).insts
    assert [inst.op.name for inst in insts] == ["add", "end"]
    assert insts[0].dest.saturate


def test_a_value_that_is_wanted_unsaturated_too_is_moved():
    builder = Builder(RTL)
    total = builder.add(builder.input(0, 0), builder.input(0, 1))
    builder.outputs += [Output(0, 0, builder.saturate(total)), Output(0, 1, total)]
    assert [inst.op.name for inst in finish(builder.code(), RTL).insts] == ["add", "mov", "end"]


def test_what_is_constant_is_computed_by_the_rule_of_the_device():
    found: list[int | None] = []
    for device in (DOCUMENT, RTL):
        builder = Builder(device)
        found.append(builder.bits(builder.mul(builder.constant(0x3EAAAAAB), builder.constant(0x3EAAAAAB))))
        assert not builder.code().slots
    assert found == [0x3DE38E3A, 0x3DE38E39]  # to nearest, and toward zero


def test_more_values_than_places_are_refused():
    builder = Builder(RTL)
    values = [builder.add(builder.input(n, c), builder.uniform(m, 0)) for n in range(8) for c in range(4) for m in range(6)]
    total = values[0]
    for a, b in zip(values, reversed(values), strict=True):
        total = builder.min(total, builder.mul(a, b))
    for value in values:
        total = builder.max(total, value)
    builder.outputs.append(Output(0, 0, total))
    with pytest.raises((TooMany, TooLong)) as caught:
        finish(builder.code(), RTL)
    assert " but " in str(caught.value)


def test_a_program_that_is_too_long_is_refused_with_its_length():
    builder = Builder(RTL, optimise=False)
    value = builder.input(0, 0)
    for _ in range(SLOTS):
        value = builder.add(value, value)
    builder.outputs.append(Output(0, 0, value))
    with pytest.raises(TooLong) as caught:
        finish(builder.code(), RTL)
    assert caught.value.slots == SLOTS + 1


def test_patterns_share_places_with_definitions_whatever_their_sign():
    places = pool({0x3F000000: "coefficient", 0x40000000: "coefficient"}, {5: (0xBF000000, 1, 2, 3)}, [255])
    assert places.places[0x3F000000] == (5, 0, True)
    assert places.places[0x40000000] == (254, 0, False)
    assert [u.number for u in places.uploads] == [5, 254]


def test_too_many_patterns_are_refused():
    with pytest.raises(NoRoom):
        pool(dict.fromkeys(range(2, 9), ""), {}, range(1, 256))
