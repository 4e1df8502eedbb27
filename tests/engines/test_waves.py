"""Compiled ShaderCore programs give the bits of the reference engine: random programs and devices, waves that are not whole,
what is kept."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from effort import times
from engines.kernels import need_level
from engines.wave_words import random_patterns
from engines.waves import COUNTS, Case, case, differing
from lanewise.core.engines import AUTO, LLVM, REFERENCE
from lanewise.llvm import cache, loading
from lanewise.llvm.target import MODES, compile_object, host, load_object
from lanewise.shadercore.engine import run as shadercore_run
from lanewise.shadercore.engine.llvm.wave_kernels import Kernels
from lanewise.shadercore.engine.llvm.waves import plan_waves
from lanewise.shadercore.engine.reference import Hang
from lanewise.shadercore.engine.run import WaveRunner, run_waves
from lanewise.shadercore.isa.codec import Inst
from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL, Device
from lanewise.shadercore.isa.table import LANES, OPS
from lanewise.shadercore.isa.timing import landing
from lanewise.shadercore.sem.fetch import Element, color_components
from lanewise.shadercore.text.reader import read_source_text
from together import together

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from lanewise.shadercore.engine.reference import Register

PROGRAMS = {"native": 300, "avx2": 100, "sse": 100}
SHARE = times(20, 1)  # one in so many of them is run


def insts_of(text: str) -> tuple[Inst, ...]:
    result = read_source_text(text.replace("; ", "\n"), "x.sc")
    assert result.program is not None, result.diagnostics
    return tuple(result.program.insts)


def both(
    text: str,
    device: Device,
    inputs: dict[tuple[int, int], NDArray[np.uint32]],
    count: int,
    initial: dict[Register, list[int]] | None = None,
) -> dict[Register, list[int]]:
    """What leaves the core, the same on both engines and on any number of threads."""
    insts = insts_of(text)
    wanted = run_waves(insts, device, {}, inputs, count, initial=initial, engine=REFERENCE)
    for threads in (1, 2, 5):
        found = run_waves(insts, device, {}, inputs, count, initial=initial, engine=LLVM, threads=threads)
        assert list(found) == list(wanted)
        for place, values in found.items():
            assert values.dtype == np.uint32
            assert values.tolist() == wanted[place].tolist(), place
    return {place: values.tolist() for place, values in wanted.items()}


@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("level", PROGRAMS)
def test_random_programs(level: str, part: int):
    need_level(level)
    share = PROGRAMS[level] // 5
    for number in range(part * share, (part + 1) * share, SHARE):
        found = differing(case(21, number), lambda it: Kernels(it.timing, level), everything=number // SHARE % 3 > 0)
        assert not found, f"case(21, {number}): {found[:3]}"


def test_paces_of_instructions():
    """Results of another pipe and latency than the table's land where the reference engine has them."""
    text = (
        "frc NULL, v0.x; add r0.x, v0.x, 1; exp r1.x, 0; cnv_unorm8 NULL, v0.y; mov r2.x, 0; exp r1.y, 0; mov o0.x, r1.x; "
        "mov o0.y, r1.y; end"
    )
    device = RTL.set("frc_pipe=SPEC,frc_interval=9,cnv_unorm8_pipe=SPEC,cnv_unorm8_interval=8,add_latency=3,special_latency=18")
    inputs = {(0, c): np.array(random_patterns(random.Random(f"paces {c}"), 40), np.uint32) for c in range(2)}
    found = both(text, device, inputs, 40)
    assert any(found["o", 0, 0])
    assert any(found["o", 0, 1])
    assert found != both(text, device.set("frc_pipe=CNV,cnv_unorm8_pipe=CNV"), inputs, 40)


def test_random_programs_have_it_all():
    """Every opcode, stray results that land, registers that go from wave to wave, fields of every kind set, every count of
    vertices."""
    seen: Counter[str] = Counter()
    often = [*[op.name for op in OPS], "carried", "entering", "lands", *[f"count {count}" for count in COUNTS]]
    answers = [f"{parameter.key}={value}" for parameter in PARAMETERS for value in parameter.answers]
    for number in range(PROGRAMS["native"]):
        if all(seen[wanted] > 3 for wanted in often) and all(seen[answer] for answer in answers):
            return
        made = case(21, number)
        plan = plan_waves(made.timing, list(made.inputs), [("o", 0, 0)])
        seen.update(inst.op.name for inst in plan.timing.insts)
        seen["carried"] += bool(plan.carried)
        seen["entering"] += bool(plan.entering)
        seen[f"count {made.vertices}"] += 1
        seen.update([f"{parameter.key}={value}" for parameter, value in zip(PARAMETERS, made.device.values, strict=True)])
        seen["lands"] += _lands(made)
    assert [wanted for wanted in often if seen[wanted] <= 3] == []
    assert [answer for answer in answers if not seen[answer]] == []


def _lands(made: Case) -> bool:
    timing = made.timing
    special = [issue for issue in timing.issues if made.insts[issue.number].op.pipe == "SPEC"]
    nothing = [
        issue for issue in timing.issues if made.insts[issue.number].op.pipe == "NONE" and timing.target(issue) is not None
    ]
    late = made.device.cycles("special_latency")
    pairs = [(one, two) for one in special for two in nothing if two.cycle > one.cycle]
    return made.device.value("stray_special") == "lands" and any(
        landing(one.cycle, two.cycle, two.latency, late) for one, two in pairs
    )


def patterns(count: int, seed: int = 1) -> NDArray[np.uint32]:
    return np.array(random_patterns(random.Random(seed), count), np.uint32)


@together("count", COUNTS)
@together("device", [DOCUMENT, RTL, RTL.set("between_waves=zero")], ids=["document", "rtl", "zero"])
def test_registers_from_wave_to_wave(device: Device, count: int):
    """A sum over waves, of lanes that are on and off, and an input that nobody gives."""
    text = "add r0.x, r0.x, v0.x; mov o0.x, r0.x; add o0.y, v1.x, v0.x; end"
    ones = np.full(count, 0x3F800000, np.uint32)
    initial: dict[Register, list[int]] = {("r", 0, 0): [0x40000000] * LANES, ("v", 1, 0): patterns(LANES).tolist()}
    found = both(text, device, {(0, 0): ones}, count, initial)
    waves = -(-count // LANES)
    kept = device.value("between_waves") == "kept"
    expected = [2.0 + (wave + 1 if kept else 1) for wave in range(waves) for _ in range(LANES)][:count]
    assert np.array(found["o", 0, 0], np.uint32).view(np.float32).tolist() == expected


def test_lanes_that_are_off_take_part_with_what_their_inputs_had():
    """RCP of the lanes that are on depends on the others: those of the wave before, or those that the call began with."""
    values = patterns(20, 3)
    tail = values[16:]
    on_rtl = both("rcp o0.x, v0.x; end", RTL, {(0, 0): values}, 20)["o", 0, 0][16:]
    alone = both("rcp o0.x, v0.x; end", RTL, {(0, 0): tail}, 4)["o", 0, 0]
    initial: dict[Register, list[int]] = {("v", 0, 0): values[:16].tolist()}
    assert both("rcp o0.x, v0.x; end", RTL, {(0, 0): tail}, 4, initial)["o", 0, 0] == on_rtl
    assert alone != on_rtl


def test_x7x_is_cleared_and_kept():
    for text in ("mov x7.x, v0.x; mov r0.x, v0.x; end", "mov r0.x, v0.x; mov x7.x, v0.x; end", "mov r0.x, v0.x; end"):
        made = Case(insts_of(text), RTL, {}, {(0, 0): patterns(20)}, 20, {("x", 7, 0): patterns(LANES, 2).tolist()})
        assert not differing(made, lambda it: Kernels(it.timing), everything=True)


def test_inputs_may_lie_anywhere():
    rows = patterns(4 * 33).reshape(33, 4)
    turned = np.asfortranarray(rows)
    given = {(0, n): rows[:, n] for n in range(4)}
    text = "add o0.x, v0.x, v0.y; mul o0.y, v0.z, v0.w; end"
    assert both(text, DOCUMENT, given, 33) == both(text, DOCUMENT, {(0, n): turned[:, n] for n in range(4)}, 33)
    reversed_rows = {(0, n): rows[::-1, n] for n in range(4)}
    assert both(text, DOCUMENT, reversed_rows, 33)["o", 0, 0] == both(text, DOCUMENT, given, 33)["o", 0, 0][::-1]


def test_what_never_ends():
    for engine in (REFERENCE, LLVM):
        with pytest.raises(Hang, match=r"instruction 1 never issues: it names x7\.x as a source") as caught:
            run_waves(insts_of("mov r0.x, v0.x; mov r0.y, x7.x; end"), RTL, {}, {}, 1, engine=engine)
        assert caught.value.number == 1
        with pytest.raises(Hang, match="the program has no end"):
            run_waves(insts_of("mov r0.x, v0.x"), DOCUMENT, {}, {}, 1, engine=engine)


@pytest.mark.parametrize("engine", [REFERENCE, LLVM])
def test_misuse(engine: str):
    program = insts_of("mov o0.x, v0.x; end")
    values = patterns(4)

    def refused(match: str, **changes: object) -> None:
        arguments = {"constants": {}, "inputs": {(0, 0): values}, "count": 4, "engine": engine} | changes
        with pytest.raises(ValueError, match=match):
            run_waves(program, RTL, **arguments)  # type: ignore[arg-type]

    refused("at least one vertex", count=0, inputs={})
    refused(r"v0\.x has 4 values for 5 vertices", count=5)
    refused("threads is 0", threads=0)
    refused("unknown engine 'fast'", engine="fast")
    refused("array of float32", inputs={(0, 0): values.view(np.float32)})
    refused(r"unknown component 0 of v8", inputs={(8, 0): values})
    refused(r"unknown component 4 of c0", constants={(0, 4): 0})
    refused(r"c255\.w is 4294967296", constants={(255, 3): 1 << 32})
    refused("16 lanes", initial={("r", 0, 0): [0]})


def test_which_engine():
    runner = WaveRunner(insts_of("mov o0.x, v0.x; end"), RTL)
    assert runner.choose(AUTO, 20) == (REFERENCE, "20 vertices are done before a kernel would be compiled")
    many = LANES * shadercore_run.BREAK_EVEN
    assert runner.choose(AUTO, many).engine == LLVM
    assert runner.choose(REFERENCE, many) == (REFERENCE, "it was requested")
    runner.run({}, {(0, 0): patterns(20)}, 20, engine=LLVM)
    assert runner.choose(AUTO, 20).engine == LLVM


def test_many_small_runs_are_worth_a_kernel():
    runner = WaveRunner(insts_of("mov o0.x, v0.x; end"), RTL)
    runs = shadercore_run.BREAK_EVEN // 4
    first, *_ = [runner.run({}, {(0, 0): patterns(20)}, 20) for _ in range(runs)]
    assert runner.choose(AUTO, 20).engine == LLVM
    again = runner.run({}, {(0, 0): patterns(20)}, 20)
    assert {place: values.tolist() for place, values in again.items()} == {
        place: values.tolist() for place, values in first.items()
    }


def test_outputs_that_nothing_writes():
    initial: dict[Register, list[int]] = {("o", 2, 1): patterns(LANES, 9).tolist()}
    found = both("mov o0.x, v0.x; end", RTL, {(0, 0): patterns(37)}, 37, initial)
    assert found["o", 2, 1] == (initial["o", 2, 1] * 3)[:37]
    assert set(found["o", 1, 1]) == {0}


def test_kernels_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    program = insts_of("mul o0.x, v0.x, v0.x; end")
    inputs = {(0, 0): patterns(32)}

    def run(device: Device) -> list[int]:
        return WaveRunner(program, device).run({}, inputs, 32, engine=LLVM)["o", 0, 0].tolist()

    first = run(RTL)
    assert len(cache.kept()) == 1
    run(DOCUMENT)
    run(RTL.set("issue_interval=4"))
    assert len(cache.kept()) == 3, "every field of a device is in the name"

    def never(*_: object) -> bytes:
        raise AssertionError("compiled again")

    monkeypatch.setattr(loading, "compile_object", never)
    assert run(RTL) == first


def test_kernels_set_rounding_and_flushing_themselves():
    """A caller that cuts and flushes, as audio libraries do, gets the same bits, and its mode back."""
    target = host()
    if target.family != "x86":
        pytest.skip("MXCSR is x86's")
    swap = """declare void @llvm.x86.sse.ldmxcsr(ptr)
declare void @llvm.x86.sse.stmxcsr(ptr)
define void @run(ptr %args) {
  %mode = getelementptr i32, ptr %args, i64 1
  call void @llvm.x86.sse.stmxcsr(ptr %mode)
  call void @llvm.x86.sse.ldmxcsr(ptr %args)
  ret void
}
"""
    loaded = load_object(compile_object(swap, target), target)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(loaded.address)
    values = patterns(320)
    runner = WaveRunner(insts_of("add o0.x, v0.x, v0.y; mul o0.y, v0.x, v0.y; rcp o0.z, v0.x; exp o0.w, v0.y; end"), DOCUMENT)
    inputs = {(0, 0): values, (0, 1): patterns(320, 2)}
    wanted = runner.run({}, inputs, 320, engine=LLVM)
    mode = np.array([MODES["zero-flush"]["x86"], 0], np.uint32)
    function(mode.ctypes.data)
    try:
        found = runner.run({}, inputs, 320, engine=LLVM)
    finally:
        mode[0], before = mode[1], mode[0]
        function(mode.ctypes.data)
    assert int(mode[1]) & ~0x3F == int(before)
    assert all(np.array_equal(found[place], wanted[place]) for place in wanted)


def test_a_partial_wave_after_a_full_one_as_measured():
    """RCP looks at lanes that have no vertex: vertices 21, 22, 25, 26 and 27 depend on what the fetch has left there."""
    values = [
        7.75,
        6,
        5,
        3,
        3.25,
        1.25,
        1.5,
        1,
        2.25,
        7.5,
        6,
        8.25,
        5,
        5.75,
        8.75,
        6.75,
        6,
        5.25,
        5.25,
        8.25,
        3,
        7.5,
        6.25,
        1,
        4,
        7.75,
        5.25,
        1.25,
        7,
    ]
    measured = [
        0x3E04210C, 0x3E2AAAA9, 0x3E4CCCCB, 0x3EAAAAA8, 0x3E9D89DB, 0x3F4CCCCB, 0x3F2AAAA8, 0x3F800000, 0x3EE38E36, 0x3E08888A,
        0x3E2AAAA8, 0x3DF83E12,
        0x3E4CCCCD, 0x3E321643, 0x3DEA0EA1, 0x3E17B426, 0x3E2AAAAB, 0x3E430C2E, 0x3E430C31, 0x3DF83E15, 0x3EAAAAAA, 0x3E088889,
        0x3E23D70C, 0x3F800000,
        0x3E800000, 0x3E042108, 0x3E430C31, 0x3F4CCCCD, 0x3E124925,
    ]  # fmt: skip
    inputs = {(0, 0): np.array(values, np.float32).view(np.uint32)}
    assert both("rcp o0.x, v0.x; end", RTL, inputs, len(values))["o", 0, 0] == measured
    kept = both("rcp o0.x, v0.x; end", RTL.set("idle_lanes=kept"), inputs, len(values))["o", 0, 0]
    assert [n for n, (x, y) in enumerate(zip(kept, measured, strict=True)) if x != y] == [21, 22, 25, 26, 27]


@pytest.mark.parametrize("count", [17, 18, 22, 23, 30])
def test_partial_waves_with_colours_are_the_same_on_both_engines(count: int):
    rng = random.Random(count)
    words = [np.array([rng.getrandbits(32) for _ in range(count)], np.uint32) for _ in range(2)]
    elements = [Element(1, [words[0]], True), Element(0, [words[1]])]
    inputs = {(1, n): np.array(lanes, np.uint32) for n, lanes in enumerate(color_components(words[0].tolist(), RTL))} | {
        (0, 0): words[1]
    }
    program = insts_of(
        "rcp o0.x, v1.x; rcp o0.y, v1.w; rcp o0.z, v0.x; rcp o0.w, v1.y; add r0.x, r0.x, v1.z; rcp o1.x, r0.x; end"
    )
    wanted = run_waves(program, RTL, {}, inputs, count, engine=REFERENCE, elements=elements)
    found = run_waves(program, RTL, {}, inputs, count, engine=LLVM, elements=elements)
    assert {place: lanes.tolist() for place, lanes in found.items()} == {
        place: lanes.tolist() for place, lanes in wanted.items()
    }
