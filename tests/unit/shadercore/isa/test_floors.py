"""Floors: no program takes fewer cycles on any device, in no order, and some take no more."""

from __future__ import annotations

import random

from effort import times
from lanewise.shadercore.isa.codec import Inst
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.floors import CHAIN, ISSUE, PIPE, Floor, counts, floor_of, memory_floor
from lanewise.shadercore.isa.schedule import tasks_of
from lanewise.shadercore.isa.table import END
from lanewise.shadercore.isa.timing import Timing, time_program, time_waves
from lanewise.shadercore.isa.vertex_cache import Descriptor, fetch_waves
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_inst
from together import together


def floor(timing: Timing) -> Floor:
    found = floor_of(timing)
    assert found is not None
    return found


def timed(text: str, device: Device) -> Timing:
    program = read_source_text(text.replace("; ", "\n"), "x.sc").program
    assert program is not None
    return time_program(program.insts, device)


def any_device(rng: random.Random) -> Device:
    """A device of other numbers."""
    latencies = [f"{name}_latency={rng.randrange(1, 30)}" for name in ("mov", "add", "mul", "rcp", "min")]
    intervals = [f"{name}_interval={rng.randrange(4, 20)}" for name in ("add", "mul", "rsq")]
    delays = [f"read_delay={rng.randrange(9)}", f"drain_delay={rng.randrange(9)}", f"drain_least={rng.randrange(3)}"]
    parts = rng.sample([*latencies, *intervals, *delays], rng.randrange(8))
    return rng.choice((DOCUMENT, RTL)).set(",".join(["issue_interval=5,special_interval=9", *parts]))


def another_order(timing: Timing, rng: random.Random) -> list[Inst]:
    """The instructions in an order that keeps what each reads."""
    tasks = tasks_of(timing)
    left, order = {*range(len(tasks))}, list[Inst]()
    while left:
        ready = [n for n in sorted(left) if left.isdisjoint((*tasks[n].reads, *tasks[n].after))]
        order.append(timing.insts[place := rng.choice(ready)])
        left.remove(place)
    return [*order, Inst(op=END)]


def test_no_program_takes_fewer_cycles():
    tight = 0
    for seed in range(times(100, 4000)):
        rng = random.Random(seed)
        device = rng.choice((DOCUMENT, RTL, any_device(rng)))
        few = rng.randrange(1, 4)  # registers, so that instructions read each other
        insts = [random_inst(rng) for _ in range(rng.randrange(25))]
        insts = [inst._replace(dest=inst.dest._replace(number=rng.randrange(few))) for inst in insts if inst.op is not END]
        timing = time_program([*insts, Inst(op=END)], device)
        if timing.total_cycles is None:
            continue
        found = floor(timing)
        assert found.cycles <= timing.total_cycles, seed
        assert found.bounds[0].cycles == max(bound.cycles for bound in found.bounds)
        tight += found.cycles == timing.total_cycles
        other = time_program(another_order(timing, rng), device)
        assert other.total_cycles is not None
        assert found.cycles <= other.total_cycles, seed
        assert [(bound.kind, bound.cycles) for bound in floor(other).bounds] == [
            (bound.kind, bound.cycles) for bound in found.bounds
        ], seed
    assert tight > 10


@together(
    "text, device, kind, slots",
    [
        ("mov o0.x, v0.x; mov o0.y, v0.y; mov o0.z, v0.z; end", RTL, ISSUE, (0, 1, 2)),
        ("mul o0.x, v0.x, v0.x; add o0.z, v0.z, v0.z; mov o0.y, v0.y; end", RTL, ISSUE, (0, 1, 2)),
        ("end", RTL, ISSUE, ()),
        ("nop; nop; end", DOCUMENT, ISSUE, (0, 1)),
        ("rcp o0.x, v0.x; rcp o0.y, v0.y; mov o0.z, v0.z; end", DOCUMENT, PIPE, (0, 1)),
        ("mul r0.x, v0.x, v0.x; mul r0.x, r0.x, r0.x; mul o0.x, r0.x, r0.x; end", RTL, CHAIN, (0, 1, 2)),
        ("rcp r0.x, v0.x; mov o0.y, v0.y; add o0.x, r0.x, v0.y; end", DOCUMENT, CHAIN, (0, 2)),
    ],
)
def test_each_reason_is_what_some_program_takes(text: str, device: Device, kind: str, slots: tuple[int, ...]):
    timing = timed(text, device)
    bound = floor(timing).bounds[0]
    assert (bound.kind, bound.slots, bound.cycles) == (kind, slots, timing.total_cycles)
    intervals = sum(interval * count for interval, count in counts(timing, slots).items())
    longest = max((issue.interval for issue in timing.issues if issue.number in slots), default=0)
    if kind != CHAIN:
        assert bound.cycles >= intervals - longest + bound.last


def test_a_program_without_an_end_has_none():
    assert floor_of(timed("mov o0.x, v0.x", RTL)) is None
    assert floor_of(timed("mov o0.x, x7.x; end", RTL)) is None


def test_memory():
    """As many misses as lines where each is used until it is through; never fewer, whatever the cache."""
    device = RTL.set("memory_latency=20")
    streams = [Descriptor(3, False, 7), Descriptor(1, True, 1)]
    found, waves = memory_floor(device, streams, range(32)), fetch_waves(device, streams, range(32))
    assert found is not None
    wave = time_waves(timed("end", device), 32, [(stream.dwords, stream.color) for stream in streams], waves)
    assert (found.hits, found.missing, found.dwords) == (wave.fetch, wave.missing, wave.dwords)
    assert found.lines == wave.misses
    assert memory_floor(DOCUMENT, streams, range(32)) is None
    unknown = memory_floor(RTL, streams, range(32))
    assert unknown is not None
    assert (unknown.lines, unknown.missing) == (found.lines, 0)
    for seed in range(times(30, 2000)):
        rng = random.Random(seed)
        small = f"cache_sets={rng.randrange(1, 4)},cache_ways={rng.randrange(1, 4)},cache_kept={rng.choice(('kept', 'empty'))}"
        device = RTL.set(f"memory_latency={rng.randrange(9)},{small}")
        streams = [
            Descriptor(rng.randrange(1, 5), rng.random() < 0.2, rng.randrange(20), rng.randrange(9))
            for _ in range(rng.randrange(1, 4))
        ]
        indices = [rng.randrange(30) for _ in range(rng.randrange(1, 40))]
        found, waves = memory_floor(device, streams, indices), fetch_waves(device, streams, indices)
        assert found is not None
        assert found.lines is not None
        assert waves is not None
        assert found.lines <= sum(wave.misses for wave in waves)
