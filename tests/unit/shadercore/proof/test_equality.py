"""Two programs of the ShaderCore: equal, different with an example, or not known."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from effort import times
from engines.waves import case as wave_case
from lanewise.arrays.words import Words
from lanewise.shadercore.api.equality import DIFFERS, EQUAL, UNKNOWN, Verdict, compare
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.codec import decode, encode
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL, Device
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import END
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.steps import hang

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.codec import Inst

BOTH = pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
HEAD = ".input v0 position\n.input v1 texcoord\n.output o0 position\n"


def program(text: str, head: str = "") -> Program:
    return ShaderCoreProgram.from_source(head + text + "\nend\n").program


def verdict(first: str, second: str, device: Device = DOCUMENT, *, constants_known: bool = False) -> Verdict:
    return compare(program(first), program(second), device, waves=4, constants_known=constants_known)


@BOTH
def test_other_registers_and_another_order_are_equal(device: Device):
    first = "mul r0.x, v0.x, c0.x\nadd r1.x, v0.y, c0.y\nadd o0.x, r0.x, r1.x"
    second = "add r5.w, v0.y, c0.y\nmul r2.z, v0.x, c0.x\nadd o0.x, r2.z, r5.w"
    assert verdict(first, second, device).answer == EQUAL


@BOTH
def test_products_commute(device: Device):
    assert verdict("mul o0.x, v0.x, c0.x", "mul o0.x, c0.x, v0.x", device).answer == EQUAL


def test_sums_of_the_public_hardware_do_not_commute():
    """Of two NaN its sum is the first."""
    pair = ("add o0.x, v0.x, v1.x", "add o0.x, v1.x, v0.x")
    assert verdict(*pair).answer == EQUAL
    found = compare(program(pair[0]), program(pair[1]), RTL)
    assert found.answer == DIFFERS
    assert found.example is not None
    assert {found.example.first & 0x7F800000, found.example.second & 0x7F800000} == {0x7F800000}


@BOTH
def test_signs_of_signs_are_equal(device: Device):
    assert verdict("mov r0.x, -v0.x\nmov o0.x, -r0.x", "mov o0.x, v0.x", device).answer == EQUAL
    assert verdict("mov r0.x, -v0.x\nmov o0.x, abs(r0.x)", "mov o0.x, abs(v0.x)", device).answer == EQUAL


@BOTH
def test_an_example_is_what_the_engines_give(device: Device):
    found = compare(program("add o0.x, v0.x, c0.x"), program("add o0.x, v0.x, c0.y"), device)
    assert found.answer == DIFFERS
    example = found.example
    assert example is not None
    assert example.output == "o0.x"
    uniforms = {f"c{n}": [example.constants[f"c{n}.{c}"] for c in "xyzw"] for n in range(1)}
    inputs = {"v0": Words([[example.inputs[f"v0.{c}"][lane] for c in "xyzw"] for lane in range(16)])}
    for text, expected in (("add o0.x, v0.x, c0.x", example.first), ("add o0.x, v0.x, c0.y", example.second)):
        shader = ShaderCoreProgram.from_source(text + "\nend\n")
        result = shader.run(inputs, {name: Words(row) for name, row in uniforms.items()}, device=device, engine="reference")
        assert int(result.bits["o0"][example.lane, 0]) == expected


def test_what_a_later_wave_reads_is_an_output():
    """On the public hardware registers are kept: r3 of the wave before is read."""
    first = "mov o0.x, r3.x\nmov r3.x, v0.x"
    second = "mov o0.x, r3.x\nmov r3.x, v0.y"
    assert verdict(first, second, DOCUMENT).answer == EQUAL
    assert compare(program(first), program(second), RTL).answer == DIFFERS
    assert verdict(first, "mov o0.x, r3.x\nmul r4.x, v0.x, v0.x\nmov r3.x, v0.x", RTL).answer == EQUAL


def test_constants_are_known_only_where_that_is_said():
    first, second = ".const c0 (1.0, 0, 0, 0)\nadd o0.x, v0.x, c0.x", ".const c4 (1.0, 0, 0, 0)\nadd o0.x, v0.x, c4.x"
    assert verdict(first, second).answer == DIFFERS
    found = verdict(first, second, constants_known=True)
    assert (found.answer, found.notes) == (EQUAL, ("constants of the files are not overwritten",))


def test_inputs_are_matched_by_what_they_are():
    one = program("add o0.x, v0.x, v1.y", HEAD)
    other = program("add o0.x, v1.x, v0.y", ".input v1 position\n.input v0 texcoord\n.output o0 position\n")
    assert compare(one, other, DOCUMENT).answer == EQUAL
    color = program("add o0.x, v0.x, v1.y", ".input v0 position\n.input v1 color\n.output o0 position\n")
    found = compare(one, color, DOCUMENT)
    assert (found.answer, found.reason) == (UNKNOWN, "v1 of the second program is color, of which the first has 0")


def test_a_program_that_never_ends_is_another():
    one, other = program("mov o0.x, v0.x"), Program(program("mov o0.x, v0.x").words[:1])
    assert compare(one, other, DOCUMENT).answer == DIFFERS
    assert compare(other, other, DOCUMENT).answer == EQUAL


def test_what_is_not_proved_is_not_said():
    """Twice a number is its sum with itself; no rule says so."""
    found = verdict(".const c0 (2.0, 0, 0, 0)\nmul o0.x, v0.x, c0.x", "add o0.x, v0.x, v0.x", constants_known=True)
    assert (found.answer, found.reason) == (UNKNOWN, "o0.x is computed by other operations, but 64 vertices gave the same")


def test_programs_called_equal_run_alike():
    """Random programs and others that differ in an instruction or its place, on random devices."""
    rng = random.Random(7)
    answers = {EQUAL: 0, DIFFERS: 0, UNKNOWN: 0}
    for number in range(times(60, 20000)):
        case = wave_case(7, number)
        other = mutated(rng, case.insts)
        one, two = (Program(tuple(map(encode, insts))) for insts in (case.insts, other))
        found = compare(one, two, case.device, seed=number, waves=1)
        answers[found.answer] += 1
        if found.answer == EQUAL and not hang(time_program(case.insts, case.device)):
            inputs = {key: values.repeat(-(-64 // len(values)))[:64] for key, values in case.inputs.items()}
            results = [
                run_waves(insts, case.device, case.constants, inputs, 64, initial=case.initial) for insts in (case.insts, other)
            ]
            assert all(np.array_equal(results[0][place], results[1][place]) for place in results[0])
    assert answers[EQUAL]
    assert answers[DIFFERS]


def mutated(rng: random.Random, insts: Sequence[Inst]) -> tuple[Inst, ...]:
    """A program with one change: an instruction away, swapped with the next, with its sources swapped, or with a bit of its word turned."""
    changed = list(insts)
    at = rng.randrange(len(changed))
    kind = rng.randrange(4)
    if kind == 0 and len(changed) > 1 and changed[at].op != END:
        del changed[at]
    elif kind == 1 and at + 2 < len(changed):
        changed[at : at + 2] = reversed(changed[at : at + 2])
    elif kind == 2:
        changed[at] = changed[at]._replace(a=changed[at].b, b=changed[at].a)
    else:
        changed[at] = decode(encode(changed[at]) ^ 1 << rng.randrange(43))
    return tuple(changed)
