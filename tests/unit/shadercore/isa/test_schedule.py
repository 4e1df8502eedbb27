"""Faster orders: they keep what every register holds, on any device, and take as long as they say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from effort import times
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import Inst
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.schedule import Pace, Task, depends_on_cycles, faster_order, list_schedule
from lanewise.shadercore.isa.table import END, LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.steps import Register
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_inst

REGISTERS: list[Register] = [(file, n, c) for file in "vorx" for n in range(8) for c in range(4)]
DEVICES = {"rtl": RTL, "document": DOCUMENT, "other": RTL.set("issue_interval=4,read_delay=1,hazard_fields=used")}


def registers(insts: list[Inst], device: Device, seed: int) -> list[tuple[int, ...]]:
    rng = random.Random(seed)

    def bits() -> int:
        return rng.choice([rng.getrandbits(32), rng.getrandbits(1) << 31 | rng.randrange(120, 134) << 23 | rng.getrandbits(23)])

    constants = {(n, c): bits() for n in range(256) for c in range(4)}
    core = Core(insts, device, constants, {place: [bits() for _ in range(LANES)] for place in REGISTERS})
    core.run()
    return [core.value(place) for place in REGISTERS]


@pytest.mark.parametrize("name", DEVICES)
def test_dependences_are_kept(name: str):
    """Also without the comparison that `faster_order` gets: every order that it offers to compare leaves the same in all
    registers."""
    device = DEVICES[name]
    faster = 0
    for seed in range(times(5, 400)):
        rng = random.Random(f"{name} {seed}")
        insts = [inst for inst in (random_inst(rng) for _ in range(30)) if inst.op.dests and inst.op.built]
        insts.append(Inst(op=END))
        timing = time_program(insts, device)
        if timing.hangs is not None:
            continue
        expected = registers(insts, device, seed)

        def same(order: list[Inst] | tuple[Inst, ...], expected: list[tuple[int, ...]] = expected, seed: int = seed) -> bool:
            assert registers(list(order), device, seed) == expected
            return True

        found = faster_order(timing, lambda order, same=same: same(list(order)))
        if found is None:
            continue
        faster += 1
        assert sorted(found.order) == list(range(len(insts)))
        assert found.order[-1] == len(insts) - 1
        again = time_program([insts[slot] for slot in found.order], device)
        assert again == found.timing
        assert again.total_cycles is not None
        assert timing.total_cycles is not None
        assert again.total_cycles < timing.total_cycles
    assert faster > 1


def test_an_order_that_changes_a_register_is_not_given():
    program = ShaderCoreProgram.from_source("rcp r0.x, v0.x\nmov r1.x, r0.x\nadd r2.x, v0.x, v0.y\nend\n")
    assert program.faster_order() is not None
    assert faster_order(program.time(), lambda _: False) is None


@pytest.mark.parametrize(
    ("text", "device", "expected"),
    [
        ("mov x7.x, v0.x\nend", RTL, True),
        ("mov x7.x, v0.x\nend", DOCUMENT, False),
        ("exp r0.x, v0.x\nend", RTL, True),
        ("exp r0.x, v0.x\nend", DOCUMENT, False),
        ("rcp r0.x, v0.x\nnop r1.x, 0, 0\nend", RTL, True),
        ("add r0.x, v0.x, v0.x\nnop r1.x, 0, 0\nend", RTL, False),
        ("rcp r0.x, v0.x\nnop\nend", RTL, False),
    ],
)
def test_results_that_depend_on_cycles(text: str, device: Device, expected: bool):
    program = read_source_text(text, "x.sc").program
    assert program is not None
    assert depends_on_cycles(time_program(program.insts, device)) == expected


def test_programs_without_an_end_have_no_order():
    assert ShaderCoreProgram.from_source("mov r0.x, v0.x\n").faster_order() is None
    assert ShaderCoreProgram.from_source("mov r0.x, x7.x\nend\n").faster_order() is None


def _naive(tasks: list[Task], device: Device, ranks: list[tuple[int, ...]], place: int) -> list[int]:
    """What `list_schedule` is defined to give, with a look at every task in every step."""
    pace = Pace(device)
    readable: dict[int, int] = {}
    order: list[int] = []
    while len(order) < len(tasks):
        choices: list[tuple[tuple[int, ...], int, int]] = []
        for n, task in enumerate(tasks):
            if n not in order and all(before in order for before in (*task.reads, *task.after)):
                cycle = pace.earliest(task.op, max([readable[before] for before in task.reads], default=0))
                choices.append(((*ranks[n][:place], cycle, *ranks[n][place:]), cycle, n))
        _, cycle, n = min(choices)
        readable[n] = pace.issue(tasks[n].op, cycle, writes=tasks[n].writes)
        order.append(n)
    return order


@pytest.mark.parametrize("name", DEVICES)
def test_the_list_scheduler_takes_the_least_of_all(name: str):
    rng = random.Random(7)
    for number in range(times(60, 3000)):
        tasks: list[Task] = []
        for n in range(rng.randrange(1, 25)):
            reads = tuple({rng.randrange(n) for _ in range(rng.randrange(3))}) if n else ()
            after = tuple({rng.randrange(n) for _ in range(rng.randrange(2))} - set(reads)) if n else ()
            tasks.append(Task(rng.choice(("mov", "add", "mul", "rcp", "rsq", "exp")), reads, after, rng.random() < 0.9))
        ranks = [(rng.randrange(3), n) for n in range(len(tasks))]
        for place in (0, 1):
            expected = _naive(tasks, DEVICES[name], ranks, place)
            assert list_schedule(tasks, Pace(DEVICES[name]), ranks, place) == expected, number


def test_the_scheduler_asks_once_for_each_latency(monkeypatch: pytest.MonkeyPatch):
    """Of many tasks that wait for nothing only the least of each latency is looked at in a step."""
    asked = 0

    def earliest(pace: Pace, latency: int, ready: int, original: Any = Pace.earliest_after) -> int:
        nonlocal asked
        asked += 1
        return original(pace, latency, ready)

    monkeypatch.setattr(Pace, "earliest_after", earliest)
    tasks = [Task(("add", "mul")[n % 2], ()) for n in range(300)]
    list_schedule(tasks, Pace(RTL), [(n,) for n in range(300)], 0)
    assert asked <= 600


def test_orders_follow_the_latency_of_a_device():
    """Where MUL is slow, what does not need its result goes between."""
    text = "mul r0.x, v0.x, v0.x\nadd o0.x, r0.x, v0.y\nadd o0.y, v0.x, v0.y\nadd o0.z, v0.x, v0.z\nadd o0.w, v0.y, v0.z\nend\n"
    program = read_source_text(text, "x.sc").program
    assert program is not None
    device = RTL.set("mul_latency=40,mul_interval=8")
    found = faster_order(time_program(program.insts, device), lambda _: True)
    assert found is not None
    assert found.order == (0, 2, 3, 4, 1, 5)
    assert Pace(device).latency("mul") == 40
