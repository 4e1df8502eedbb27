"""The timing rules: the specification's examples, and the tables of the reference for the public hardware."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lanewise.shadercore.isa import timing
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import BY_NAME, END, LANES
from lanewise.shadercore.isa.timing import Timing, time_program, time_waves
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_inst
from together import together


def timed(text: str, device: Device = RTL) -> Timing:
    result = read_source_text(text.replace("; ", "\n"), "x.sc")
    assert result.program is not None, result.diagnostics
    return time_program(result.program.insts, device)


def cycles(timing: Timing) -> list[int]:
    return [issue.cycle for issue in timing.issues]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mul r0.x, v0.x, v0.x; mov r1.x, r0.x; end", [0, 5, 9]),
        ("rcp r0.x, v0.x; mul r1.x, r0.x, v0.x", [0, 14]),
        ("rcp r0.x, v0.x; mul r1.x, v0.x, v0.x; end", [0, 4, 8]),
        ("exp r0.x, v0.x; mov r1.x, r0.x; end", [0, 14, 18]),
        ("rsq r0.x, v0.x; mov r1.x, r0.x; end", [0, 14, 18]),
        ("mov r0.x, v0.x; mov r1.x, v0.x, r0.x; end", [0, 4, 8]),
        ("add r0.x, v0.x, v0.x; mov r1.x, v0.x, r0.x; end", [0, 4, 8]),
        ("nop r0.x, 0, 0; mov r1.x, r0.x; end", [0, 4, 8]),
    ],
)
def test_document(text: str, expected: list[int]):
    """The specification: an instruction each four cycles, a source after the latency of what wrote it; NotImpl counts as 14."""
    assert cycles(timed(text, DOCUMENT)) == expected


def test_document_waits_at_the_end_for_the_last_write():
    timing = timed("rcp r0.x, v0.x; end", DOCUMENT)
    assert (timing.run_cycles, timing.drain_cycles, timing.total_cycles) == (5, 12, 17)  # quad 3 starts at 3, takes 14
    assert timed("nop; end", DOCUMENT).total_cycles == 5
    assert timed("rcp NULL, v0.x; end", DOCUMENT).drain_cycles == 0


def test_what_the_document_does_not_define_is_none():
    wave = time_waves(timed("end", DOCUMENT), 16, [(3, False)])
    assert (wave.setup, wave.export, wave.batch, wave.total, wave.fetch) == (None,) * 5
    assert wave.run == 1


ONE_CYCLE = ("mov", "min", "shft", "or", "bshftl8", "exp", "log")


def line(name: str, dest: str = "r0.x", source: str = "v0.x") -> str:
    op = BY_NAME[name]
    return ", ".join([f"{name} {dest}", *[source] * op.sources])


@together(
    ("first", "second", "gap"),
    [
        *((name, other, 8) for name in (*ONE_CYCLE, "add", "frc") for other in ("mov", "frc", "add", "mul")),
        *(("mul", other, gap) for other, gap in (("mov", 9), ("or", 9), ("frc", 8), ("add", 8), ("mul", 8), ("rcp", 8))),
        *(
            (special, other, gap)
            for special in ("rcp", "rsq")
            for other, gap in (("mov", 18), ("frc", 16), ("add", 15), ("mul", 15))
        ),
    ],
)
def test_gaps(first: str, second: str, gap: int):
    """Reference 3: 8; MUL to a 1-cycle operation 9; RCP and RSQ to a 1-cycle operation 18, CNV 16, ADD, MUL and RCP 15."""
    assert cycles(timed(f"{line(first)}; {line(second, 'r1.x', 'v1.x')}")) == [0, gap]


@pytest.mark.parametrize(("first", "gap"), [("mul", 9), ("rcp", 18), ("mov", 8), ("add", 8)])
def test_gaps_to_nop_and_end(first: str, gap: int):
    assert cycles(timed(f"{line(first)}; nop")) == [0, gap]
    assert cycles(timed(f"{line(first)}; end")) == [0, gap]


@together(("name", "distance"), [("mov", 8), ("or", 8), ("frc", 9), ("add", 10), ("mul", 11), ("rcp", 20), ("rsq", 20)])
@together("reader", ["mov r1.x, r0.x", "mul r1.x, v0.x, r0.x", "mov r1.x, v0.x, r0.x", "nop NULL, r0.x, 0"])
def test_read_after_write(name: str, distance: int, reader: str):
    """Reference 3: L + 6 and at least the interval; through either field, whether the instruction has the operand or not."""
    assert cycles(timed(f"{line(name)}; {reader}")) == [0, distance]


def test_read_after_write_of_seven_shows_at_a_shorter_interval():
    device = RTL.set("issue_interval=4,write_port=free")
    assert cycles(timed("mov r0.x, v0.x; mov r1.x, r0.x", device)) == [0, 7]


@pytest.mark.parametrize(("before", "wait"), [("nop", 1), ("mov", 2), ("frc", 4), ("add", 5), ("mul", 5), ("rcp", 5)])
def test_end_waits(before: str, wait: int):
    """Reference 3: 1 after NOP, 2 after a 1-cycle operation, 4 after CNV, 5 after ADD, MUL and RCP."""
    text = before if before == "nop" else line(before)
    assert timed(f"{text}; end").drain_cycles == wait


def test_end_with_a_destination_waits_for_itself():
    assert timed("end r0.x, 0, 0").drain_cycles == 10


def test_export():
    """Reference 3: 11 cycles per vertex and 1; 177 for 16 vertices. Four cycles before a wave, one to take its vertices."""
    timing = timed("mov o0.x, v0.x; end")
    wave = time_waves(timing, LANES, [(1, False)])
    assert (wave.waves, wave.setup, wave.export, wave.batch, wave.run) == (1, 4, 177, 1, timing.total_cycles)
    assert wave.total == 4 + 177 + 1 + 11
    two = time_waves(timing, 17)
    assert (two.waves, two.setup, two.export, two.batch) == (2, 8, 17 * 11 + 2, 2)
    with pytest.raises(ValueError, match="at least one vertex"):
        time_waves(timing, 0)


def test_fetch_is_an_estimate_apart():
    """Reference 3, read: 7 cycles for each lane and DWORD, and 1 for each group of four; 9 for a group of D3DCOLOR."""
    timing = timed("end")
    assert time_waves(timing, 16, [(3, False)]).fetch == 7 * 3 * 16 + 3 * 4
    assert time_waves(timing, 5, [(1, True)]).fetch == 7 * 5 + 9 * 2
    assert time_waves(timing, 16, [(3, False)]).total == time_waves(timing, 16).total


def test_x7x_hangs_the_hardware_alone():
    text = "mov r0.x, v0.x; mov r0.x, v0.x, x7.x; end"
    timing = timed(text)
    assert (timing.hangs, timing.ended, timing.total_cycles, cycles(timing)) == (1, False, None, [0])
    assert timed(text, DOCUMENT).hangs is None
    assert timed("mov r0.x, x7.y; end").hangs is None
    assert timed(text, RTL.set("x7x=normal")).hangs is None


def test_reasons():
    timing = timed("mul r0.x, v0.x, v0.x; mov r1.x, r0.x; end")
    issue = timing.issues[1]
    assert (issue.ready, issue.cycle, issue.output_stalls, issue.input_stalls, issue.waits_for) == (8, 11, 1, 2, (0,))
    assert (timing.output_stalls, timing.input_stalls, issue.stalls) == (1, 2, 3)
    assert list(timing.starts(issue)) == [16, 17, 18, 19]
    assert timing.occupancy("MUL") == 4


def test_a_program_without_end_has_no_total():
    timing = timed("mov r0.x, v0.x")
    assert (timing.ended, timing.run_cycles, timing.total_cycles) == (False, None, None)
    assert time_waves(timing, 16).total is None


def test_code_behind_end_takes_no_time():
    assert cycles(timed("end; mov r0.x, v0.x")) == [0]


def test_writes_that_overtake_are_told():
    """The document has no rule for them: RCP's result comes long after that of the MOV behind it."""
    text = "rcp r0.x, v0.x; mov r0.x, v0.x; mul r1.x, v0.x, v0.x; mov r1.x, v0.x; end"
    assert timed(text, DOCUMENT).overtaken == ((0, 1), (2, 3))
    assert timed(text).overtaken == ()


@pytest.mark.parametrize("device", [DOCUMENT, RTL, RTL.set("issue_interval=4"), RTL.set("read_delay=0,write_port=free")])
def test_any_program_keeps_the_rules(device: Device):
    """Issue in order, the interval at least, the sum of stalls what is left, results in the order of the program on rtl."""
    rng = random.Random(device.describe())
    for _ in range(60):
        insts = [*(random_inst(rng) for _ in range(30)), decode(END.opcode | 0xC0)]
        timing = time_program(insts, device)
        earliest = 0
        for issue in timing.issues:
            assert issue.ready == earliest
            assert issue.cycle == issue.ready + issue.stalls
            assert bool(issue.waits_for) == bool(issue.stalls)
            earliest = issue.cycle + issue.interval
        if device in (RTL, DOCUMENT) and timing.ended:
            assert timing.total_cycles is not None
            assert timing.total_cycles >= max(issue.cycle for issue in timing.issues) + 1
        if device == RTL:
            assert timing.overtaken == ()


def test_the_time_of_a_draw_does_not_depend_on_its_size():
    """A draw of 10^15 vertices: groups of four are counted for whole waves, and for the rest."""
    timing = timed("mov r0.x, v0.x; end")
    stream = [(3, False), (1, True)]
    for vertices in (1, 3, LANES - 1, LANES, LANES + 1, 5 * LANES + 3):
        one = [time_waves(timing, 1 + rest, stream).fetch for rest in range(LANES)]
        whole, rest = divmod(vertices, LANES)
        parts = [one[LANES - 1]] * whole + ([one[rest - 1]] if rest else [])
        assert time_waves(timing, vertices, stream).fetch == sum(part for part in parts if part is not None)
    assert time_waves(timing, 10**15, stream).waves == 10**15 // LANES


@pytest.mark.parametrize("device", [DOCUMENT, RTL], ids=lambda device: device.name)
def test_each_instruction_is_asked_once_for_its_register(device: Device, monkeypatch: pytest.MonkeyPatch):
    asked = 0

    def target_of(*arguments: Any, original: Any = timing.target_of) -> Any:
        nonlocal asked
        asked += 1
        return original(*arguments)

    monkeypatch.setattr(timing, "target_of", target_of)
    assert timed("; ".join([*(f"mul r{n % 7}.x, r{(n + 3) % 7}.x, v0.x" for n in range(300)), "end"]), device).ended
    assert asked == 301
