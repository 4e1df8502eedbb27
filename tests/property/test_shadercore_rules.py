"""Where a rule for ShaderCore is silent, the answer of the device that it asks makes no difference: on random programs, to
every register."""

from __future__ import annotations

import random

import pytest

from effort import times
from lanewise.core.source import Span
from lanewise.shadercore.check.rules import check
from lanewise.shadercore.engine.reference import Core, Register
from lanewise.shadercore.isa.codec import Inst, encode, register
from lanewise.shadercore.isa.devices import RTL, Device
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import BY_NAME, LANES, OPS
from lanewise.shadercore.isa.timing import time_program
from shadercore_cases import random_inst

# The rule, the question, the other answer.
RULES = (
    ("V213", "x7x", "normal"),
    ("V214", "one_register", "fixed"),
    ("V215", "constant_ports", "two"),
    ("V216", "nop_dest", "ignored"),
    ("V220", "rsq_gate", "fixed"),
    ("V221", "exp_log", "exact"),
    ("V222", "stray_special", "lost"),
)
PROGRAMS = times(50, 400)
_X7X = ("x", 7, 0)
_COMMON = ("mov", "add", "mul", "rcp", "exp", "nop", "rsq")


def program(rng: random.Random) -> Program:
    """A few instructions that issue on the device, mostly of operations that the rules are about, and END."""
    insts: list[Inst] = []
    while len(insts) < 8:
        inst = random_inst(rng)
        if rng.random() < 0.7:
            inst = inst._replace(op=BY_NAME[rng.choice(_COMMON)])
        if inst.op is not OPS[-1] and _X7X not in (register(inst.a), register(inst.b)):
            insts.append(inst)
    return Program(words=tuple(encode(inst) for inst in (*insts, Inst(op=OPS[-1]))))


def codes(made: Program, device: Device = RTL) -> set[str]:
    return {finding.code for finding in check(made, device, lambda slot: Span(file="x", offset=max(slot, 0)))}


def registers(
    made: Program, device: Device, first: dict[Register, list[int]], constants: dict[tuple[int, int], int]
) -> dict[Register, tuple[int, ...]]:
    core = Core(made.insts, device, constants, first)
    core.run()
    return {place: tuple(value) for place, value in core.registers.items() if place != _X7X}


def setting(rng: random.Random) -> tuple[dict[Register, list[int]], dict[tuple[int, int], int]]:
    def bits() -> int:
        return rng.getrandbits(1) << 31 | rng.randrange(120, 134) << 23 | rng.getrandbits(23)

    first = {(file, n, c): [bits() for _ in range(LANES)] for file in "vrxo" for n in range(8) for c in range(4)}
    return first, {(n, c): bits() for n in range(256) for c in range(4)}


@pytest.mark.parametrize(("code", "key", "other"), RULES)
def test_silence_means_no_difference(code: str, key: str, other: str):
    """And where something is found, there is a difference often enough for the test to be able to fail."""
    rng = random.Random(code)
    silent = found = different = 0
    device = RTL.set(f"{key}={other}")
    for _ in range(PROGRAMS):
        made = program(rng)
        first, constants = setting(rng)
        same = registers(made, RTL, first, constants) == registers(made, device, first, constants)
        # a root that goes to NULL does harm where it lands, and that is V222's
        if codes(made) & ({code, "V222"} if code == "V220" else {code}):
            found += 1
            different += not same
        else:
            silent += 1
            assert same, [hex(word) for word in made.words]
    assert silent
    assert found
    assert different or key == "x7x"  # nothing can read x7.x, so a write there changes nothing else


def test_programs_that_read_nothing_unwritten_do_not_depend_on_what_was_there():
    rng = random.Random(210)
    silent = different = 0
    for _ in range(PROGRAMS):
        made = program(rng)
        one, constants = setting(rng)
        two, _ = setting(rng)
        two |= {place: lanes for place, lanes in one.items() if place[0] == "v"}
        written = {inst.dest for inst in made.insts}
        places = {("rxo"[dest.file], dest.number, dest.component) for dest in written if dest.file < 3} - {_X7X}
        first, second = (registers(made, RTL, held, constants) for held in (one, two))
        same = all(first[place] == second[place] for place in places)
        if "V210" in codes(made):
            different += not same
        else:
            silent += 1
            assert same, [hex(word) for word in made.words]
    assert silent
    assert different


def test_what_is_said_of_false_dependences_is_what_they_cost():
    """Programs of a single finding: without the field the wave is as much shorter as the message says."""
    rng = random.Random(223)
    told = 0
    for _ in range(times(120, 400)):
        made = program(rng)
        findings = [f for f in check(made, RTL, lambda slot: Span(file="x", offset=slot)) if f.code == "V223"]
        before, after = (
            time_program(made.insts, RTL.set(f"hazard_fields={fields}")).total_cycles for fields in ("both", "used")
        )
        assert before is not None
        assert after is not None
        if not findings:
            continue
        assert after < before
        if len(findings) == 1:
            told += 1
            assert f": {before - after} cycle" in findings[0].message
    assert told
