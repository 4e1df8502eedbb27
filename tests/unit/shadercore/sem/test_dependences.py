"""Dependences between instructions: kinds, what they cost, and that an order which keeps them computes the same."""

from __future__ import annotations

import random

import pytest

from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.dependences import DRAIN, PORT, RAW, STRAY, UNUSED, WAR, WAW, dependences
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_inst


def found(text: str, device: Device = RTL) -> list[tuple[str, int, int, str, int]]:
    program = read_source_text(text, "a.sc").program
    assert program is not None
    listed = dependences(time_program(program.insts, device))
    return [
        (d.kind, d.earlier, d.later, f"{d.place[0]}{d.place[1]}.{'xyzw'[d.place[2]]}" if d.place else "", d.cycles)
        for d in listed
    ]


def test_a_result_that_is_waited_for():
    # RCP: interval 15, its result can be read after 20 cycles (reference 3)
    assert found("rcp r0.x, v0.x\nmov o0.x, r0.x\nend\n")[0] == (RAW, 0, 1, "r0.x", 5)
    assert found("rcp r0.x, v0.x\nmov o0.x, r0.x\nend\n", DOCUMENT)[0] == (RAW, 0, 1, "r0.x", 10)


def test_what_only_keeps_an_order():
    listed = found("mov r0.x, v0.x\nmov o0.x, r0.x\nmov r0.x, v0.y\nmov r0.x, v0.z\nend\n")
    assert (WAR, 1, 2, "r0.x", 0) in listed
    assert (WAW, 2, 3, "r0.x", 0) in listed
    assert not [row for row in listed if row[:3] == (WAW, 0, 2)], "0 -> 1 -> 2 implies it"


def test_an_instruction_does_not_depend_on_itself():
    assert [row for row in found("add r0.x, r0.x, r0.x\nend\n") if row[1] == row[2]] == []


def test_the_write_port_and_the_end():
    listed = found("mul r0.x, v0.x, v0.y\nmov r0.y, v0.x\nend\n")
    assert (PORT, 0, 1, "", 1) in listed
    assert [row for row in listed if row[0] == DRAIN] == [(DRAIN, 1, 2, "", 2)]


def test_a_field_that_is_not_used():
    # the second source field of a mov that names r0.x: the device waits for it, the document does not
    text = "mul r0.x, v0.x, v0.y\nadd r1.x, v0.x, v0.x\nrcp r0.x, v0.x\nmov o0.x, v0.x, r0.x\nend\n"
    assert (UNUSED, 2, 3, "r0.x", 5) in found(text)
    assert not [row for row in found(text, DOCUMENT) if row[0] == UNUSED]


def test_a_stray_result():
    # 16 cycles after EXP, quad 0 of its reciprocal lands (reference 2b, effect 1)
    text = "exp NULL, v0.x\nmov r1.x, v0.x\nnop r0.x, 0, 0\nend\n"
    assert (STRAY, 0, 2, "r0.x", 0) in found(text)
    assert not [row for row in found(text, DOCUMENT) if row[0] == STRAY]


@pytest.mark.parametrize("seed", range(6))
def test_an_order_that_keeps_them_computes_the_same(seed: int):
    rng = random.Random(seed)
    insts = [random_inst(rng) for _ in range(24)]
    insts = [inst for inst in insts if inst.op.name not in ("end", "nop", "unused")]
    device = DOCUMENT  # whose results do not depend on cycles
    kept = dependences(time_program(insts, device))
    before = {n: {d.earlier for d in kept if d.later == n} for n in range(len(insts))}
    order: list[int] = []
    while len(order) < len(insts):
        order.append(rng.choice([n for n in before if n not in order and before[n] <= set(order)]))
    assert order != sorted(order)
    registers = {
        (file, n, c): [rng.getrandbits(32) for _ in range(LANES)] for file in "vorx" for n in range(8) for c in range(4)
    }
    constants = {(n, c): rng.getrandbits(32) for n in range(256) for c in range(4)}
    end = decode(0x1F)._replace(dest=decode(0x00000001400280DF).dest)

    def run(program: list[int]) -> dict[tuple[str, int, int], tuple[int, ...]]:
        core = Core([*(insts[n] for n in program), end], device, constants, registers)
        core.run()
        return {place: tuple(core.value(place)) for place in registers}

    assert run(order) == run(sorted(order))


@pytest.mark.parametrize("seed", range(4))
def test_every_stall_has_a_reason(seed: int):
    rng = random.Random(f"stalls {seed}")
    timing = time_program([random_inst(rng) for _ in range(60)], RTL)
    reasons: dict[int, list[int]] = {}
    for d in dependences(timing):
        if d.kind != DRAIN and d.cycles:
            reasons.setdefault(d.later, []).append(d.cycles)
    for issue in timing.issues:
        cycles = reasons.get(issue.number, [])
        assert max(cycles, default=0) <= issue.stalls <= sum(cycles)
