"""Two programs of the ShaderCore: equal, different with an example, or not known."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from documents import checked
from effort import times
from engines.waves import case as wave_case
from lanewise.arrays.words import Words
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison
from lanewise.shadercore.api.equality import compare
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.codec import decode, encode
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL, Device
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import END
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.steps import hang
from lanewise.tools import cli
from shadercore_pairs import campaign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.codec import Inst

BOTH = pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
HEAD = ".input v0 position\n.input v1 texcoord\n.output o0 position\n"


def program(text: str, head: str = "") -> Program:
    return ShaderCoreProgram.from_source(head + text + "\nend\n").program


def verdict(first: str, second: str, device: Device = DOCUMENT, *, constants_known: bool = False) -> Comparison:
    return compare(program(first), program(second), device, waves=4, constants_known=constants_known)


@BOTH
def test_other_registers_and_another_order_are_equal(device: Device):
    first = "mul r0.x, v0.x, c0.x\nadd r1.x, v0.y, c0.y\nadd o0.x, r0.x, r1.x"
    second = "add r5.w, v0.y, c0.y\nmul r2.z, v0.x, c0.x\nadd o0.x, r2.z, r5.w"
    assert verdict(first, second, device).verdict == EQUAL


@BOTH
def test_products_commute(device: Device):
    assert verdict("mul o0.x, v0.x, c0.x", "mul o0.x, c0.x, v0.x", device).verdict == EQUAL


def test_sums_of_the_public_hardware_do_not_commute():
    """Of two NaN its sum is the first."""
    pair = ("add o0.x, v0.x, v1.x", "add o0.x, v1.x, v0.x")
    assert verdict(*pair).verdict == EQUAL
    found = compare(program(pair[0]), program(pair[1]), RTL)
    assert found.verdict == DIFFERS
    assert found.example is not None
    assert {found.example.first[:3], found.example.second[:3]} == {"nan"}


@BOTH
def test_signs_of_signs_are_equal(device: Device):
    assert verdict("mov r0.x, -v0.x\nmov o0.x, -r0.x", "mov o0.x, v0.x", device).verdict == EQUAL
    assert verdict("mov r0.x, -v0.x\nmov o0.x, abs(r0.x)", "mov o0.x, abs(v0.x)", device).verdict == EQUAL


@BOTH
def test_an_example_is_what_the_engines_give(device: Device):
    found = compare(program("add o0.x, v0.x, c0.x"), program("add o0.x, v0.x, c0.y"), device)
    assert found.verdict == DIFFERS
    example = found.example
    assert example is not None
    assert example.output == "o0.x"
    patterns = {each.register: [int(bits, 16) for bits in each.bits] for each in example.uniforms}
    inputs = {"v0": Words([[int(bits, 16) for bits in vertex[0].bits] for vertex in example.vertices])}
    for text, expected in (("add o0.x, v0.x, c0.x", example.first), ("add o0.x, v0.x, c0.y", example.second)):
        shader = ShaderCoreProgram.from_source(text + "\nend\n")
        result = shader.run(
            inputs, {register: Words(row) for register, row in patterns.items()}, device=device, engine="reference"
        )
        assert f"(0x{int(result.bits['o0'][-1, 0]):08x})" in expected


def test_what_a_later_wave_reads_is_an_output():
    """On the public hardware registers are kept: r3 of the wave before is read."""
    first = "mov o0.x, r3.x\nmov r3.x, v0.x"
    second = "mov o0.x, r3.x\nmov r3.x, v0.y"
    assert verdict(first, second, DOCUMENT).verdict == EQUAL
    assert compare(program(first), program(second), RTL).verdict == DIFFERS
    assert verdict(first, "mov o0.x, r3.x\nmul r4.x, v0.x, v0.x\nmov r3.x, v0.x", RTL).verdict == EQUAL


def test_constants_are_known_only_where_that_is_said():
    first, second = ".const c0 (1.0, 0, 0, 0)\nadd o0.x, v0.x, c0.x", ".const c4 (1.0, 0, 0, 0)\nadd o0.x, v0.x, c4.x"
    assert verdict(first, second).verdict == DIFFERS
    found = verdict(first, second, constants_known=True)
    assert (found.verdict, found.used[1]) == (EQUAL, "constants of the files are not overwritten")


def test_constants_of_other_values_are_another_program():
    """An application need not overwrite them."""
    found = verdict(".const c0 (1.0, 0, 0, 0)\nadd o0.x, v0.x, c0.x", ".const c0 (2.0, 0, 0, 0)\nadd o0.x, v0.x, c0.x")
    assert found.verdict == DIFFERS
    assert found.unmatched == ("c0.x is preset to other values in the second program than in the first program",)
    one = verdict("mul o0.x, v0.x, c0.x", ".const c0 (1.0, 0, 0, 0)\nmul o0.x, v0.x, c0.x")
    assert one.unmatched == ("c0.x is preset only in the second program",)


def test_inputs_are_matched_by_what_they_are():
    one = program("add o0.x, v0.x, v1.y", HEAD)
    other = program("add o0.x, v1.x, v0.y", ".input v1 position\n.input v0 texcoord\n.output o0 position\n")
    assert compare(one, other, DOCUMENT).verdict == EQUAL
    color = program("add o0.x, v0.x, v1.y", ".input v0 position\n.input v1 color\n.output o0 position\n")
    found = compare(one, color, DOCUMENT)
    assert (found.verdict, found.unmatched) == (UNKNOWN, ("v1 of the second program is color, of which the first has 0",))


def test_a_program_that_never_ends_is_another():
    one, other = program("mov o0.x, v0.x"), Program(words=program("mov o0.x, v0.x").words[:1])
    assert compare(one, other, DOCUMENT).verdict == DIFFERS
    assert compare(other, other, DOCUMENT).verdict == EQUAL


@BOTH
def test_comparisons_are_proved_in_every_case(device: Device):
    """1.0 and 0.0 are their squares, and at most one of two comparisons holds."""
    first = "slt r0.x, v0.x, v1.x\nslt r0.y, v1.x, v0.x\nadd r0.z, r0.x, r0.y\nmul o0.x, r0.z, r0.z"
    second = "slt r0.x, v0.x, v1.x\nslt r0.y, v1.x, v0.x\nor o0.x, r0.x, r0.y"
    assert verdict(first, second, device).verdict == EQUAL
    assert verdict(first, second.replace("v1.x, v0.x", "v0.x, v1.x"), device).verdict == DIFFERS


def test_what_is_not_proved_is_not_said():
    """Four times a number is twice its double; no rule says so."""
    first = ".const c0 (4.0, 0, 0, 0)\nmul o0.x, v0.x, c0.x"
    found = verdict(first, "add r0.x, v0.x, v0.x\nadd o0.x, r0.x, r0.x", constants_known=True)
    assert (found.verdict, found.reason) == (
        UNKNOWN,
        "no proof: o0.x is computed by other operations; no difference found for 64 vertices",
    )


def test_programs_called_equal_run_alike():
    """Random programs and others that differ in an instruction or its place, on random devices."""
    rng = random.Random(7)
    answers = {EQUAL: 0, DIFFERS: 0, UNKNOWN: 0}
    for number in range(times(20, 20000)):
        case = wave_case(7, number)
        other = mutated(rng, case.insts)
        one, two = (Program(words=tuple(map(encode, insts))) for insts in (case.insts, other))
        found = compare(one, two, case.device, seed=number, waves=1)
        answers[found.verdict] += 1
        if found.verdict == EQUAL and not hang(time_program(case.insts, case.device)):
            inputs = {key: values.repeat(-(-64 // len(values)))[:64] for key, values in case.inputs.items()}
            results = [
                run_waves(insts, case.device, case.constants, inputs, 64, initial=case.initial) for insts in (case.insts, other)
            ]
            assert all(np.array_equal(results[0][place], results[1][place]) for place in results[0])
    assert answers[EQUAL]
    assert answers[DIFFERS]


def test_programs_that_are_written_otherwise_are_called_equal():
    """Nine in ten at least: a program may read registers that nothing has written."""
    verdicts = [found.verdict for _, _, found in campaign(1, range(times(15, 4000)))]
    assert DIFFERS not in verdicts
    assert 10 * verdicts.count(EQUAL) >= 9 * len(verdicts)


def mutated(rng: random.Random, insts: Sequence[Inst]) -> tuple[Inst, ...]:
    """A program with one change: an instruction away, swapped with the next, with its sources swapped, or with a bit of its
    word turned."""
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


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = [tmp_path / name for name in ("a.sc", "b.sc", "c.sc")]
    for path, text in zip(files, ("mul o0.x, v0.x, c0.x", "mul o0.x, c0.x, v0.x", "mul o0.x, c0.x, v0.y"), strict=True):
        path.write_text(text + "\nend\n")
    assert cli.main(["diff", str(files[0]), str(files[1])]) == 0
    assert "are equal" in capsys.readouterr().out
    assert cli.main(["diff", str(files[0]), str(files[2]), "--device", "document", "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    assert (document["verdict"], document["example"]["output"]) == ("differs", "o0.x")
    assert cli.main(["diff", str(files[0]), str(files[1]), "--waves", "0"]) == 2


def test_in_python():
    one, other = (ShaderCoreProgram.from_source(f"mul o0.x, {pair}\nend\n", pair) for pair in ("v0.x, c0.x", "c0.x, v0.x"))
    assert one.equivalent(other, device="document")
    assert not one.equivalent(ShaderCoreProgram.from_source("mov o0.x, v0.x\nend\n", "mov"))
