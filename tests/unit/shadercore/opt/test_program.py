"""Programs of fewer slots and cycles, and what stays."""

from __future__ import annotations

import pytest

from lanewise.shadercore.api.reading import SOURCE, read_program
from lanewise.shadercore.api.services import fuzz_optimised
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.opt.operands import cycles
from lanewise.shadercore.opt.program import least_slots, optimised_program
from lanewise.shadercore.text.printer import line_of
from together import together

DEVICE = DEVICES["document"]


def smaller(text: str, device: str = "document") -> list[str]:
    program = read_program(text.replace("; ", "\n").encode(), "a.sc", SOURCE).program
    assert program is not None
    found = optimised_program(program, DEVICES[device])
    assert cycles(found.program.insts, DEVICES[device]) <= cycles(program.insts, DEVICES[device])
    return [line_of(word) for word in found.program.words]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("mul r0.x, v0.x, v0.x; mov o0.x, v0.y; end", ["mov o0.x, v0.y", "end"], id="dead"),
        pytest.param("nop; mov o0.x, v0.y; end; mov o0.x, 1", ["mov o0.x, v0.y", "end"], id="nop, and behind end"),
        pytest.param("mov r0.x, -v0.x; mul o0.x, r0.x, abs(r0.x); end", ["mul o0.x, -v0.x, abs(v0.x)", "end"], id="copy"),
        pytest.param("mov r0.x, -v0.x; add o0.x, -r0.x, v0.y; end", ["add o0.x, v0.x, v0.y", "end"], id="sign of a sign"),
        pytest.param("mul r0.x, v0.x, v0.y; mov_sat o0.x, r0.x; end", ["mul_sat o0.x, v0.x, v0.y", "end"], id="saturated copy"),
        pytest.param(
            "mul r0.x, v0.x, v0.y; mul r0.y, v0.y, v0.x; add o0.x, r0.x, v0.z; add o0.y, r0.y, v0.w; end",
            ["mul r0.x, v0.x, v0.y", "add o0.x, r0.x, v0.z", "add o0.y, r0.x, v0.w", "end"],
            id="twice",
        ),
        pytest.param(
            "mul r0.x, v0.x, c0.x; add o0.x, r0.x, v0.y; mul r0.x, v0.z, v0.z; add o0.y, r0.x, v0.y; mul r0.y, v0.x, c0.x; "
            "add o0.z, r0.y, v0.w; end",
            [
                "mul r0.z, v0.x, c0.x",
                "mul r0.x, v0.z, v0.z",
                "add o0.x, r0.z, v0.y",
                "add o0.y, r0.x, v0.y",
                "add o0.z, r0.z, v0.w",
                "end",
            ],
            id="twice, kept in a free register",
        ),
        pytest.param(
            "max r0.x, v0.x, 0; min o0.x, 1, r0.x; min r1.x, v0.y, 1; max o0.y, r1.x, 0; end",
            ["max_sat o0.x, v0.x, 0", "min_sat o0.y, v0.y, 1", "end"],
            id="both limits",
        ),
        pytest.param(
            "max r0.x, v0.x, 0; min o0.x, r0.x, v0.y; min r1.x, v0.y, 1; max o0.y, -r1.x, 0; end",
            ["max r0.x, v0.x, 0", "min o0.x, r0.x, v0.y", "min r1.x, v0.y, 1", "max o0.y, -r1.x, 0", "end"],
            id="other limits",
        ),
        pytest.param(
            "mov r0.x, v0.x; add r0.x, r0.x, v0.y; mov o0.x, r0.x; end", ["add o0.x, v0.x, v0.y", "end"], id="one after another"
        ),
    ],
)
def test_what_is_left(text: str, left: list[str]):
    assert smaller(text) == left


@together(
    "text, device, left",
    [
        ("mul r0.x, -1, -1; add o0.x, r0.x, v0.x; end", "rtl", ["add o0.x, abs(-1), v0.x", "end"]),
        ("mul r0.x, 1, 1; add o0.x, r0.x, v0.x; end", "document", ["add o0.x, abs(-1), v0.x", "end"]),
        ("add r0.x, 1, 1; mul o0.x, -r0.x, v0.x; end", "rtl", ["mul o0.x, -(0), v0.x", "end"]),  # 1 reads 0 there
        ("add r0.x, 1, 1; mul o0.x, r0.x, v0.x; end", "document", ["add r0.x, 1, 1", "mul o0.x, r0.x, v0.x", "end"]),
        ("slt r0.x, 0, abs(-1); mul r1.x, r0.x, -1; add o0.x, v0.x, r1.x; end", "rtl", ["add o0.x, v0.x, -1", "end"]),
        ("rcp r0.x, -1; mul o0.x, v0.x, r0.x; end", "document", ["mul o0.x, v0.x, -1", "end"]),
        ("add_sat r0.x, -1, -1; add o0.x, v0.x, r0.x; end", "rtl", ["add o0.x, v0.x, 0", "end"]),
    ],
)
def test_results_of_constants(text: str, device: str, left: list[str]):
    assert smaller(text, device) == left


def test_codes_of_the_steps():
    """A dead store, a value computed twice, constants that fold; and nothing of what is left."""
    text = "mul r0.x, v0.x, v0.y; mul r1.x, -1, -1; add o0.x, v0.x, r1.x; add r3.x, v0.x, r1.x; mov o0.y, r3.x; end"
    program = read_program(text.replace("; ", "\n").encode(), "a.sc", SOURCE).program
    assert program is not None
    found = optimised_program(program, DEVICES["rtl"])
    assert sorted({step.code for step in found.steps}) == ["H102", "H104", "H106"]
    assert not optimised_program(found.program, DEVICES["rtl"]).steps


def test_a_faster_order():
    text = "mul r0.x, v0.x, v0.x; add o0.x, r0.x, v0.y; mul r1.x, v0.z, v0.z; add o0.y, r1.x, v0.w; end"
    assert smaller(text)[:2] == ["mul r0.x, v0.x, v0.x", "mul r1.x, v0.z, v0.z"]


def test_one_constant_port():
    """The public hardware reads one constant in an instruction."""
    text = "mov r0.x, c0.x; mul o0.x, r0.x, c1.x; end"
    assert smaller(text, "rtl") == ["mov r0.x, c0.x", "mul o0.x, r0.x, c1.x", "end"]
    assert smaller(text) == ["mul o0.x, c0.x, c1.x", "end"]


def test_registers_that_the_next_wave_reads_stay():
    text = "mov o0.x, r0.x; mov r0.x, v0.x; end"
    assert smaller(text, "rtl") == ["mov o0.x, r0.x", "mov r0.x, v0.x", "end"]


def test_a_program_without_end():
    program = read_program(b"mov o0.x, v0.x\n", "a.sc", SOURCE).program
    assert program is not None
    with pytest.raises(ValueError, match="has no end"):
        optimised_program(program, DEVICE)


def test_random_programs_leave_the_same_bits():
    found = [fuzz_optimised.compare(5, number, "native") for number in range(4)]
    assert [each.difference for each in found] == [None] * 4
    assert any(each.lanes for each in found)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("min r0.x, v0.x, v0.x; add o0.x, r0.x, v0.y; end", ["add o0.x, v0.x, v0.y", "end"], id="twice the same"),
        pytest.param("or r0.x, v0.x, 0; add o0.x, -r0.x, v0.y; end", ["add o0.x, -v0.x, v0.y", "end"], id="bits of nothing"),
        pytest.param(
            "mul r0.x, -v0.x, v0.y; mul r0.y, v0.x, -v0.y; add o0.x, r0.x, r0.y; end",
            ["mul r0.x, -v0.x, v0.y", "add o0.x, r0.x, r0.x", "end"],
            id="signs of a product",
        ),
    ],
)
def test_peephole_rules_of_the_compiler(text: str, left: list[str]):
    assert smaller(text) == left


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("mov o0.x, v0.x; mov o0.y, v0.y; mov o0.x, v0.z; end", 3),
        ("mul r0.x, v0.x, v0.x; end", 1),
        ("mov o0.x, v0.x; end; mov o1.x, v0.x", 2),
    ],
)
def test_the_fewest_slots_are_one_for_each_component_and_end(text: str, least: int):
    program = read_program(text.replace("; ", "\n").encode(), "a.sc", SOURCE).program
    assert program is not None
    assert least_slots(program.insts, DEVICE) == least
    assert least <= len(smaller(text))
