"""The compiled engine where lanes part, come together and stop in all ways, bit for bit as the reference engine, at each level
of the processor."""

from __future__ import annotations

import numpy as np
import pytest

from engines.compiled_runs import GE, GT, LT, NOBODY, X_IS_TRUE, compare, counted, levels, ran
from engines.shaders import word
from lanewise.pica200.isa.table import FLOAT, TEMPORARY

R, C = TEMPORARY, FLOAT
END = word("end")


@pytest.fixture(params=levels())
def level(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("lanes", [1, 7, 16, 17, 33, 100])
def test_al_after_a_divergent_breakc(level: str, lanes: int):
    """Each lane leaves the loop in its own round, and aL stays as it was there."""
    words = [
        word("mov", dst=R, src1=0),
        word("for", dst=5),
        word("add", dst=R, src1=C + 40, src2=R),
        compare(LT, R),
        word("breakc", **X_IS_TRUE),
        word("nop"),
        word("mov", dst=0, src1=C + 10, idx=3),
        END,
    ]
    floats = {40: [-1.0] * 4} | {n: [n, n + 0.5, -n, 1.0] for n in range(10, 40)}
    found = ran(words, {0: counted(lanes)}, floats, {0: (5, 2, 3, 0)}, level=level)
    rounds = np.minimum(np.arange(lanes) + 1, 6)  # aL takes its step when a loop is left, too
    assert found.result.outputs["o0"][:, 0].tolist() == (12 + 3 * rounds).tolist()
    assert not found.left
    assert not found.exact


def test_a_loop_that_some_lanes_enter_again(level: str):
    """A jump back to LOOP from its body leaves its slot in the ring; from the fifth on the oldest is lost. Behind the loop
    lanes come back to the last word of its body nine times, and each slot that is still there sends them through it once
    more."""
    words = [
        word("mov", dst=R, src1=0),
        word("for", dst=5),
        word("add", dst=R, src1=C + 40, src2=R),
        compare(GT, R),
        word("jmpc", dst=1, **X_IS_TRUE),
        word("add", dst=R + 1, src1=C + 10, src2=R + 1, idx=3),
        word("add", dst=R + 2, src1=C + 41, src2=R + 2),
        word("cmp", src1=C + 42, src2=R + 2, cmpx=GT, cmpy=GT),
        word("jmpc", dst=5, **X_IS_TRUE),
        word("mov", dst=0, src1=R + 1),
        word("mov", dst=1, src1=R + 2),
        word("mov", dst=2, src1=C + 10, idx=3),
        END,
    ]
    floats = {40: [-1.0] * 4, 41: [1.0] * 4, 42: [9.0] * 4} | {n: [n * n] * 4 for n in range(10, 40)}
    found = ran(words, {0: counted(40) % 9}, floats, {0: (1, 1, 2, 0)}, level=level)
    sums = found.result.outputs["o0"][:9, 0].tolist()
    assert sums == [2090 + 65 * min(max(n - 1, 0), 3) for n in range(9)]  # no more than four slots
    assert not found.left


def test_jumps_into_a_loop(level: str):
    """Who jumps into the body has no slot: it runs once, with aL as it was."""
    words = [
        compare(GT, 0),
        word("jmpc", dst=4, **X_IS_TRUE),
        word("for", dst=5),
        word("add", dst=R + 1, src1=C + 41, src2=R + 1),
        word("add", dst=R, src1=C + 10, src2=R, idx=3),
        word("add", dst=R + 2, src1=C + 41, src2=R + 2),
        word("mov", dst=0, src1=R),
        word("mov", dst=1, src1=R + 1),
        word("mov", dst=2, src1=R + 2),
        END,
    ]
    floats = {41: [1.0] * 4} | {n: [n] * 4 for n in range(10, 40)}
    found = ran(words, {0: counted(35) % 3 - 1}, floats, {0: (3, 4, 1, 0)}, level=level)
    inside = (np.arange(35) % 3 == 2).tolist()
    assert found.result.outputs["o1"][:, 0].tolist() == [0 if into else 4 for into in inside]
    assert found.result.outputs["o2"][:, 0].tolist() == [1 if into else 4 for into in inside]
    assert found.result.outputs["o0"][:, 0].tolist() == [10 if into else 14 + 15 + 16 + 17 for into in inside]
    assert not found.left


def test_the_call_ring_overflows_for_some_lanes(level: str):
    """A procedure that calls itself as often as the lane says: from the fifth call on, the oldest return is lost."""
    words = [
        word("mov", dst=R, src1=0),
        word("call", dst=6, num=5),
        word("mov", dst=0, src1=R + 1),
        END,
        word("nop"),
        word("nop"),
        word("add", dst=R, src1=C + 40, src2=R),
        compare(GT, R),
        word("callc", dst=6, num=5, **X_IS_TRUE),
        word("nop"),
        word("add", dst=R + 1, src1=C + 41, src2=R + 1),
        END,
    ]
    found = ran(words, {0: counted(24) % 8}, {40: [-1.0] * 4, 41: [1.0] * 4}, level=level)
    assert found.result.outputs["o0"][:8, 0].tolist()[:5] == [1, 1, 2, 3, 4]
    assert not found.result.faults


def test_the_if_ring_overflows_for_some_lanes(level: str):
    """Ten IFs in each other, of which a lane takes as many as it says; the oldest two have lost their ends."""
    depth = 10
    body = [word("mov", dst=R, src1=0)]
    for _ in range(depth):
        body += [compare(GT, R), 0, word("add", dst=R, src1=C + 40, src2=R), word("add", dst=R + 1, src1=C + 41, src2=R + 1)]
    size = len(body)
    tail: list[int] = []
    for n in range(depth):
        # The else part of each: a word of its own behind the words of those in it.
        other = size + n
        body[1 + 4 * (depth - 1 - n) + 1] = word("ifc", dst=other, num=1, **X_IS_TRUE)
        tail.append(word("add", dst=R + 2, src1=C + 50 + n, src2=R + 2))
    words = [*body, *tail, word("mov", dst=0, src1=R + 1), word("mov", dst=1, src1=R + 2), END]
    floats = {40: [-1.0] * 4, 41: [1.0] * 4} | {50 + n: [2.0**n] * 4 for n in range(depth)}
    found = ran(words, {0: counted(36) % 12}, floats, level=level)
    assert found.result.outputs["o0"][:12, 0].tolist() == [min(n, depth) for n in range(12)]
    elses = found.result.outputs["o1"][:12, 0].tolist()
    assert len(set(elses)) >= 5
    assert not found.left


def test_flags_and_address_registers_of_each_lane(level: str):
    words = [
        word("mova", src1=0),
        word("mov", dst=0, src1=C + 20, idx=1),
        compare(GE, 1),
        word("ifc", dst=5, num=0, **X_IS_TRUE),
        word("mova", src1=1),
        word("mov", dst=1, src1=C + 20, idx=2),
        END,
    ]
    rng = np.random.default_rng(1)
    data = {n: rng.uniform(-160, 160, (53, 4)).astype(np.float32) for n in (0, 1)}
    floats = {n: rng.uniform(-2, 2, 4).tolist() for n in range(96)}
    assert not ran(words, data, floats, level=level).result.faults


# Lanes that stop

STOPS = {
    "R010": [word("jmpu", dst=2, num=1)],  # for ever
    "R002": [word("break")],
    "R003": [word("jmpu", dst=90, num=1)],
    "R004": [0x1F << 26],
    "R005": [word("mov", dst=R, src1=0, desc=1)],
}


@pytest.mark.parametrize("code", STOPS)
@pytest.mark.parametrize("lanes", [1, 16, 37])
def test_lanes_that_stop_while_others_go_on(code: str, lanes: int, level: str):
    words = [
        compare(GT, 0),
        word("jmpc", dst=4, **X_IS_TRUE),
        STOPS[code][0],
        word("nop"),
        word("add", dst=0, src1=0, src2=0),
        END,
    ]
    found = ran(words, {0: counted(lanes) % 3}, budget=300, level=level)
    stopped = [lane for lane in range(lanes) if lane % 3 == 0]
    assert [(lane, fault.code) for lane, fault in found.result.faults] == [(lane, code) for lane in stopped]
    going = [lane for lane in range(lanes) if lane % 3]
    assert found.result.outputs["o0"][going, 0].tolist() == [2.0 * (lane % 3) for lane in going]
    assert set(stopped) <= set(found.left)


@pytest.mark.parametrize("inner", ["breakc", "callc", "ifc", "jmpc"])
@pytest.mark.parametrize("lanes", [1, 16, 37])
def test_lanes_that_part_again_and_then_all_stop(inner: str, lanes: int, level: str):
    """Where they go to nobody meets; the others go on behind the place where the first parted."""
    flags = {"condop": 3, "refy": 1}
    leads = {"num": 1, **flags} if inner == "callc" else flags
    words = [
        word("cmp", src1=0, src2=NOBODY, cmpx=GT, cmpy=GT),
        word("jmpc", dst=6, **X_IS_TRUE),
        word("cmp", src1=1, src2=NOBODY, cmpx=GT, cmpy=GT),
        word(inner, **({} if inner == "breakc" else {"dst": 5}), **leads),
        word("break"),
        word("jmpu", dst=90, num=1),
        word("add", dst=0, src1=0, src2=0),
        word("mov", dst=1, src1=1),
        END,
    ]
    found = ran(words, {0: counted(lanes) % 3, 1: counted(lanes) % 2}, level=level)
    stopped = [lane for lane in range(lanes) if lane % 3 == 0]
    assert [lane for lane, _ in found.result.faults] == stopped
    going = [lane for lane in range(lanes) if lane % 3]
    assert found.result.outputs["o0"][going, 0].tolist() == [2.0 * (lane % 3) for lane in going]


def test_what_was_written_before_a_lane_stopped(level: str):
    words = [
        word("mov", dst=1, src1=0),
        compare(GT, 0),
        word("ifc", dst=5, num=0, **X_IS_TRUE),
        word("mov", dst=2, src1=0),
        word("break"),
        word("mov", dst=3, src1=0),
        END,
    ]
    found = ran(words, {0: counted(20) % 2}, level=level).result
    assert found.written["o1"].all()
    assert found.written["o2"][:, 0].tolist() == [bool(lane % 2) for lane in range(20)]
    assert found.written["o3"][:, 0].tolist() == [not lane % 2 for lane in range(20)]
    assert found.outputs["o2"][:, 0].tolist() == [float(lane % 2) for lane in range(20)]


@pytest.mark.parametrize("budget", [*range(1, 40), 100, 1000])
def test_any_budget(budget: int):
    """Lanes with 0 to 8 rounds of four words, under budgets that some, all or none of them keep."""
    words = [
        word("mov", dst=R, src1=0),
        word("add", dst=R, src1=C, src2=R),
        word("mov", dst=0, src1=R),
        compare(GE, R),
        word("jmpc", dst=1, **X_IS_TRUE),
        END,
    ]
    found = ran(words, {0: counted(33) % 9}, {0: [-1.0] * 4}, budget=budget).result
    steps = np.arange(33) % 9 * 4 + 6
    assert [lane for lane, _ in found.faults] == np.nonzero(steps > budget)[0].tolist()
