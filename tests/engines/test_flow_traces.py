"""Every quirk of the three rings as a table of the steps that show it: `flow_traces/NAME.txt`, rewritten by `pytest --bless`.

The programs are those of tests/unit/test_flow.py, which says what is right about each; here it can be read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from engines.shaders import ALWAYS, PLAIN, descriptor, program, word
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Interface, Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.api.tracing import Trace

HERE = Path(__file__).parent / "flow_traces"
X_SET, X_CLEAR = {"condop": 2, "refx": 1}, {"condop": 2, "refx": 0}  # the flag itself is never set in these programs


class Quirk(NamedTuple):
    """A program and what to look for in its trace; b0 is true, the other booleans are false."""

    title: str
    words: Sequence[int]
    integers: Mapping[int, tuple[int, int, int]] = {}
    budget: int = 200
    profile: str = "hardware"


def calls(levels: int, size: int, then: Mapping[int, int]) -> list[int]:
    """`levels` calls, each of the next ten words further on and `size` words long."""
    return program(10 * levels + 10, {10 * n: word("call", dst=10 * n + 10, num=size) for n in range(levels)} | dict(then))


JUMPS = {
    "branch": {0: word("ifu", dst=2, num=1), 1: word("jmpu", dst=7)},
    "procedure": {0: word("call", dst=4, num=1), 4: word("jmpu", dst=7), 1: word("end")},
    "loop": {0: word("for", dst=2), 2: word("jmpu", dst=7)},
}
IF_IN_LOOP = program(9, {0: word("for", dst=2), 2: word("ifu", dst=7, num=1, reg=1)})
IF_IN_LOOP_TRUE = program(9, {0: word("for", dst=2), 2: word("ifu", dst=7, num=1)})

QUIRKS = {
    "call_overflow": Quirk(
        "a fifth call overwrites the oldest: word 0x1, after the first call, is never reached",
        calls(5, 2, {12: word("end")}),
    ),
    "if_overflow": Quirk(
        "a ninth true branch overwrites the oldest: the outermost else part at 0x1a runs although its condition held",
        program(29, {n: word("ifu", dst=26 - 2 * n, num=1) for n in range(9)}),
    ),
    "loop_overflow": Quirk(
        "a fifth loop overwrites the oldest, and the counters move down with their slots: the outermost body runs once",
        program(11, {n: word("for", dst=9 - n, reg=n % 4) for n in range(5)}),
        {0: (1, 0, 1), 1: (0, 0, 0), 2: (0, 0, 0), 3: (0, 0, 0)},
    ),
    "four_call_pops": Quirk(
        "four calls end at once: all four are popped, but the fourth comes too late to change the address (0xb, not 0x1)",
        calls(4, 1, {1: word("end"), 11: word("end")}),
    ),
    "three_call_pops": Quirk("three calls end at once: back to the first at once", calls(3, 1, {1: word("end")})),
    "two_ifs_at_one_end": Quirk(
        "two branches end at one address: the inner one is popped, the outer one stays and never jumps over its else part",
        program(7, {0: word("ifu", dst=3, num=1), 1: word("ifu", dst=3, num=2)}),
    ),
    "two_loops_at_one_end": Quirk(
        "two loops end at one address: the exit of the inner one is the pop of that step, so the outer one does not come round",
        program(4, {0: word("for", dst=2), 1: word("for", dst=2, reg=1)}),
        {0: (3, 0, 1), 1: (1, 5, 1)},
    ),
    "jump_at_branch_end": Quirk(
        "a jump as the last word of a branch is not taken: the branch ends", program(9, JUMPS["branch"])
    ),
    "jump_at_branch_end_panda3ds": Quirk(
        "the same as Panda3DS's interpreter does it: the jump is taken, and the branch stays open",
        program(9, JUMPS["branch"]),
        profile="panda3ds",
    ),
    "jump_at_procedure_end": Quirk(
        "a jump as the last word of a procedure is not taken: the call comes back", program(9, JUMPS["procedure"])
    ),
    "jump_at_loop_end": Quirk(
        "a jump as the last word of a loop is not taken: the next round begins", program(9, JUMPS["loop"]), {0: (1, 0, 0)}
    ),
    "false_if_at_loop_end": Quirk(
        "an if as the last word of a loop, false: its jump is lost to the loop's", IF_IN_LOOP, {0: (1, 0, 0)}
    ),
    "true_if_at_loop_end": Quirk(
        "an if as the last word of a loop, true: pushed once a round, popped once", IF_IN_LOOP_TRUE, {0: (1, 0, 0)}
    ),
    "breakc_last": Quirk(
        "breakc as the last word of an inner loop: if it holds, the outer loop still comes round",
        program(7, {0: word("for", dst=3), 1: word("for", dst=2, reg=1), 2: word("breakc", **X_CLEAR)}),
        {0: (1, 0, 1), 1: (4, 10, 1)},
    ),
    "breakc_last_never": Quirk(
        "breakc as the last word of a loop: if it does not hold, the end of the loop is checked as ever",
        program(4, {0: word("for", dst=1), 1: word("breakc", **X_SET)}),
        {0: (2, 0, 1)},
    ),
    "breakc_last_of_two": Quirk(
        "breakc as the last word of two loops: one is popped, the outer one stays open",
        program(4, {0: word("for", dst=2), 1: word("for", dst=2, reg=1), 2: word("breakc", **X_CLEAR)}),
        {0: (1, 0, 1), 1: (4, 0, 1)},
    ),
    "break_inside_if": Quirk(
        "break inside a branch leaves the branch open",
        program(8, {0: word("for", dst=4), 1: word("ifu", dst=4, num=2), 2: word("break")}),
        {0: (3, 0, 1)},
    ),
    "break_without_loop": Quirk("break where no loop is under way hangs", program(3, {1: word("break")})),
    "budget": Quirk(
        "a loop of 256 rounds inside a branch inside a call, with a budget of 9 steps: the message names all three",
        program(
            6, {0: word("call", dst=1, num=4), 1: word("ifu", dst=5, num=3), 2: word("for", dst=3), 3: word("jmpu", dst=2)}
        ),
        {0: (255, 0, 1)},
        budget=9,
    ),
}


def traced(quirk: Quirk) -> Trace:
    descriptors = (PLAIN, descriptor(0))
    interface = Interface(name="quirk")
    shader = Shader(
        "quirk",
        Program(operations=lift(quirk.words, descriptors), interfaces=(interface,), labels={}),
        interface,
        quirk.words,
        descriptors,
    )
    uniforms = {f"i{n}": quirk.integers.get(n, (0, 0, 0)) for n in range(4)}
    booleans = {f"b{n}": n == ALWAYS for n in range(15)}
    return shader.trace({}, uniforms | booleans, budget=quirk.budget, profile=quirk.profile)


@pytest.mark.parametrize("name", QUIRKS)
def test_golden(name: str, bless: bool):
    quirk = QUIRKS[name]
    found = f"{quirk.title}\n\n{traced(quirk).table()}\n"
    expected = HERE / f"{name}.txt"
    if bless:
        HERE.mkdir(exist_ok=True)
        expected.write_text(found)
    assert expected.read_text() == found


def test_every_golden_trace_is_expected():
    assert {path.stem for path in HERE.glob("*.txt")} == set(QUIRKS)
