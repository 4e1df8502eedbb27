"""The wave engine beside the measured programs: devices, lanes that are off, registers from wave to wave, what hangs."""

from __future__ import annotations

import struct

import pytest

from lanewise.shadercore.engine.reference import Core, Hang
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.steps import Register
from lanewise.shadercore.text.reader import read_source_text

ONE = 0x3F800000


def bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def core(
    text: str,
    device: Device = RTL,
    constants: dict[tuple[int, int], int] | None = None,
    initial: dict[Register, list[int]] | None = None,
) -> Core:
    result = read_source_text(text.replace("; ", "\n"), "x.sc")
    assert result.program is not None, result.diagnostics
    return Core(result.program.insts, device, constants, initial)


def after(
    text: str, place: Register, device: Device = RTL, constants: dict[tuple[int, int], int] | None = None
) -> tuple[int, ...]:
    made = core(text, device, constants)
    made.begin({(0, 0): [bits(float(n)) for n in range(1, LANES + 1)]})
    made.run()
    return made.value(place)


@pytest.mark.parametrize(("device", "value"), [(DOCUMENT, ONE), (RTL, 0), (RTL.set("one_register=fixed"), ONE)])
def test_the_register_1(device: Device, value: int):
    assert after("mov r0.x, 1; end", ("r", 0, 0), device) == (value,) * LANES
    assert after("mov r0.x, -(-1); end", ("r", 0, 0), device) == (ONE,) * LANES


@pytest.mark.parametrize(("device", "value"), [(DOCUMENT, 6.0), (RTL, 4.0), (RTL.set("constant_ports=two"), 6.0)])
def test_two_constants(device: Device, value: float):
    constants = {(0, 0): bits(2.0), (0, 1): bits(3.0)}
    assert after("mul r0.x, c0.x, c0.y; end", ("r", 0, 0), device, constants=constants) == (bits(value),) * LANES
    assert after("mul r0.x, -(-1), c0.y; end", ("r", 0, 0), device, constants=constants) == (bits(3.0),) * LANES


@pytest.mark.parametrize(("device", "value"), [(DOCUMENT, bits(1.0)), (RTL, 0), (RTL.set("nop_dest=ignored"), bits(1.0))])
def test_a_destination_of_nop(device: Device, value: int):
    assert after("mov r0.x, -(-1); nop r0.x, 0, 0; end", ("r", 0, 0), device)[0] == value


def test_reciprocals_of_a_wave_touch_each_other_on_rtl_alone():
    text = "mul r0.x, v0.x, v0.x; rcp r1.x, r0.x; rsq r1.y, r0.x; end"
    exact = [bits(1 / (n * n)) for n in range(1, LANES + 1)]
    assert list(after(text, ("r", 1, 0), DOCUMENT)) == exact
    rtl = after(text, ("r", 1, 0))
    alone = after(text, ("r", 1, 0), RTL.set("rcp_sigma=fixed"))
    assert rtl != alone
    assert max(abs(a - b) for a, b in zip(alone, exact, strict=True)) <= 1
    assert after(text, ("r", 1, 1))[:4] == after(text, ("r", 1, 1), RTL.set("rsq_gate=fixed"))[:4]
    assert after(text, ("r", 1, 1)) != after(text, ("r", 1, 1), RTL.set("rsq_gate=fixed"))


def test_stray_results_can_be_lost():
    text = "exp r0.x, v0.x; mov r1.x, v0.x; nop r0.y, 0, 0; end"
    assert any(after(text, ("r", 0, 1)))
    assert not any(after(text, ("r", 0, 1), RTL.set("stray_special=lost")))


def test_x7x():
    text = "mov x7.x, -1; mov r0.x, v0.x; end"
    assert after(text, ("x", 7, 0)) == (0,) * 4 + (0xBF800000,) * 12
    assert after(text, ("x", 7, 0), RTL.set("x7x=normal")) == (0xBF800000,) * 16
    assert after("mov r0.x, v0.x; mov x7.x, -1; end", ("x", 7, 0)) == (0xBF800000,) * 16


def test_lanes_that_are_off_compute_with_what_they_have():
    made = core("add r0.x, r0.x, v0.x; end", initial={("v", 0, 0): [bits(9.0)] * LANES})
    made.begin({(0, 0): [bits(1.0), bits(2.0)]}, 2)
    made.run()
    assert made.value(("r", 0, 0)) == (bits(1.0), bits(2.0), *(bits(9.0),) * 14)
    made.begin({(0, 0): [bits(5.0)]}, 1)
    made.run()
    assert made.value(("r", 0, 0))[:3] == (bits(6.0), bits(4.0), bits(18.0)), "registers are kept on rtl"


def test_registers_between_waves():
    made = core("add r0.x, r0.x, v0.x; end", DOCUMENT, initial={("r", 0, 0): [bits(1.0)] * LANES})
    for _ in range(2):
        made.begin({(0, 0): [bits(2.0)] * LANES})
        made.run()
        assert made.value(("r", 0, 0)) == (bits(3.0),) * LANES


def test_exports():
    made = core("mov o0.x, v0.x; mov o3.y, v0.x; end")
    made.begin({(0, 0): [ONE] * LANES})
    made.run()
    assert ("o", 3, 1) not in made.exported()
    assert list(made.exported())[:5] == [("o", 0, 0), ("o", 0, 1), ("o", 0, 2), ("o", 0, 3), ("o", 2, 0)]
    assert len(core("end", DOCUMENT).exported()) == 32


def test_steps_tell_what_was_read_and_written():
    made = core("add_sat r0.x, -v0.x, abs(v0.x); nop; end")
    made.begin({(0, 0): [bits(2.0)] * LANES})
    first, second, last = made.steps()
    assert (first.number, first.cycle, first.target) == (0, 0, ("r", 0, 0))
    assert (first.a[0], first.b[0], first.value[0]) == (bits(-2.0), bits(2.0), 0)
    assert (second.cycle, second.target, last.target) == (8, None, None)


def test_what_hangs():
    with pytest.raises(Hang, match=r"x7\.x") as caught:
        core("mov r0.x, v0.x; mov r0.y, x7.x; end").run()
    assert caught.value.number == 1
    with pytest.raises(Hang, match="no end") as caught:
        core("mov r0.x, v0.x").run()
    assert caught.value.number is None
    core("mov r0.y, x7.x; end", DOCUMENT).run()


def test_misuse():
    with pytest.raises(ValueError, match="16 lanes"):
        core("end", initial={("r", 0, 0): [0]})
    with pytest.raises(ValueError, match="32 bits"):
        core("end", initial={("r", 0, 0): [1 << 32] * LANES})
    with pytest.raises(ValueError, match="1 to 16"):
        core("end").begin({}, 17)
    with pytest.raises(ValueError, match=r"v1\.y has 3 values for 4 lanes"):
        core("end").begin({(1, 1): [0] * 3}, 4)
