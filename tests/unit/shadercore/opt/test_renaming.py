"""Orders with results in other registers: the same values leave the core, on any device, and the registers suffice."""

from __future__ import annotations

import random

from effort import times
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import Inst, Source, written
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import ABS, BY_NAME, END, LANES, C, V
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.opt.program import optimised_program
from lanewise.shadercore.opt.renaming import renamed_orders
from lanewise.shadercore.sem.steps import Register, exports
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_inst
from together import together

INPUTS: list[Register] = [("v", n, c) for n in range(8) for c in range(4)]


def leaves(insts: list[Inst], device: Device, seed: int) -> list[tuple[int, ...]]:
    """The values that leave the core, of a run with values of its own in each register that the program does not write."""
    rng = random.Random(seed)

    def bits() -> int:
        return rng.choice([rng.getrandbits(32), rng.getrandbits(1) << 31 | rng.randrange(120, 134) << 23 | rng.getrandbits(23)])

    constants = {(n, c): bits() for n in range(256) for c in range(4)}
    core = Core(insts, device, constants, {place: [bits() for _ in range(LANES)] for place in INPUTS})
    core.run()
    return [core.value(place) for place in exports(device)]


def program(rng: random.Random) -> list[Inst]:
    """Instructions that read only inputs, constants and what is written."""
    found: list[Inst] = []
    there: list[Source] = []
    for inst in [random_inst(rng) for _ in range(60)]:
        place = written(inst.dest)
        if not inst.op.dests or not inst.op.built or place is None or place == ("x", 7, 0):
            continue
        fresh = [Source(rng.choice((V, C)), rng.randrange(8), rng.randrange(4), rng.randrange(4)) for _ in range(2)]
        a, b = [rng.choice(there) if there and rng.random() < 0.6 else each for each in fresh]
        found.append(inst._replace(a=a, b=b))
        there = [*there[-5:], Source({"r": 0, "x": 3, "o": 4}[place[0]], place[1], place[2], rng.choice((0, ABS)))]
    return [*found, Inst(op=END)]


@together("name, device", [("rtl", RTL), ("document", DOCUMENT), ("slow", DOCUMENT.set("mul_latency=20"))])
def test_what_leaves_the_core_stays(name: str, device: Device):
    orders = 0
    for seed in range(times(3, 300)):
        insts = program(random.Random(f"{name} {seed}"))
        expected = leaves(insts, device, seed)
        for order, other in renamed_orders(time_program(insts, device), exports(device)):
            orders += 1
            assert sorted(order) == list(range(len(insts)))
            assert ("x", 7, 0) not in [written(inst.dest) for inst in other] or device is not RTL
            assert leaves(other, device, seed) == expected, seed
    assert orders > 3


def insts_of(text: str) -> list[Inst]:
    found = read_source_text(text.replace("; ", "\n"), "x.sc").program
    assert found is not None
    return found.insts


ROWS = "; ".join(
    [
        f"mul r0.xy, v0.xy, c{row}.xy; add r0.x, r0.x, r0.y; add o0.{component}, r0.x, c{row}.z"
        for row, component in enumerate("xyzw")
    ]
)


def test_rows_in_one_register_reach_the_floor():
    found = read_source_text(f"{ROWS}; end".replace("; ", "\n"), "x.sc").program
    assert found is not None
    (step,) = optimised_program(found, RTL).steps
    assert step.reason == "the instructions wait 20 cycles less for each other in another order and other registers"
    assert step.saved == (0, 20)


@together(
    "text",
    [
        "mov o0.x, r0.x; end",  # of an earlier wave
        "exp r0.x, v0.x; mov o0.x, r0.x; end",  # depends on the cycles
        "nop r0.x, 0, 0; mov o0.x, r0.x; end",
        "mul NULL, v0.x, v0.x; end",
        "mov o0.x, v0.x",
    ],
)
def test_no_other_order(text: str):
    assert not [*renamed_orders(time_program(insts_of(text), RTL), exports(RTL))]


def test_an_operand_that_is_not_used_is_nothing():
    insts = insts_of("mul r0.x, v0.x, v0.y; mov r1.x, v0.x, r0.x; add o0.x, r0.x, r1.x; end")
    assert insts[1].b.file == 0
    assert insts[1].op is BY_NAME["mov"]
    for _, other in renamed_orders(time_program(insts, RTL), exports(RTL)):
        assert all(inst.b.file for inst in other if inst.op.sources == 1)
