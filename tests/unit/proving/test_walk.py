"""The walk over two programs and its conclusion, on programs of the toy: loops, branches, jumps, and witnesses."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN
from lanewise.proving.machine import LOOP, PLAIN, joins
from together import together
from toy_isa.machine import INPUTS, MASK, OPS, REGISTERS, Inst, ended
from toy_isa.proof import EDGES, compare
from toy_isa.text import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.comparison import Comparison

NAMES = ("a.toy", "b.toy")
SQUARE = "load r0; add r1; store r4; mul r4; store r4"
EXPANDED = (
    "load r0; add r0; mul r1; store r5; load r0; mul r0; add r5; store r5; load r1; mul r1; add r5; store r4; set 0; store r5"
)
LOOP_DOWN = (
    "again:; load r0; jnz body; set 9; jnz done; body:; set 1; store r5; load r0; sub r5; store r0; "
    "load r4; add r1; store r4; set 1; jnz again; done:"
)
OTHER_LOOP = LOOP_DOWN.replace("add r1", "store r6; load r1; add r6").replace(
    "set 1; jnz again", "set 0; store r6; set 2; jnz again"
)
COUNTED = "set 3; store r7; a:; load r4; add r0; store r4; set 1; store r6; load r7; sub r6; store r7; jnz a"
UNROLLED = "load r0; add r0; add r0; store r4; set 1; store r6"
ENDLESS = "a:; set 1; jnz a"


def insts_of(source: str) -> tuple[Inst, ...]:
    parsed = read("a.toy", source.replace(";", "\n"))
    assert not parsed.diagnostics
    return parsed.insts


def compared(first: str, second: str) -> Comparison:
    return compare(insts_of(first), insts_of(second), NAMES)


@together(
    ("first", "second"),
    [
        (SQUARE, EXPANDED),
        ("load r0; sub r1; store r4", "set 0; sub r1; add r0; store r4"),
        ("set 4095; mul r0; store r4", "set 4095; store r4; load r0; mul r4; store r4"),
        ("load r0; jnz a; set 1; store r4; a:", "load r0; jnz b; set 1; store r4; set 1; jnz b; set 7; store r4; b:"),
        ("", "halt; set 1; store r4"),
        (LOOP_DOWN, OTHER_LOOP),
        (COUNTED, UNROLLED),
        ("load r0; mul r0; jnz a; set 0; store r4; a:", "load r0; jnz a; set 0; store r4; a:"),
        (ENDLESS, f"{ENDLESS}; set 1; store r4"),
    ],
    ids=["ring", "order", "constants", "flow", "nothing", "loop", "counted loop", "questions", "no end"],
)
def test_equal_programs_are_shown_to_be_equal(first: str, second: str):
    found = compared(first, second)
    assert found.verdict == EQUAL
    assert "arithmetic is modulo 2^32" in found.used


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SQUARE, EXPANDED.replace("add r0; mul r1", "mul r1")),
        ("load r0; jnz a; set 1; store r4; a:", "load r1; jnz a; set 1; store r4; a:"),
        (LOOP_DOWN, LOOP_DOWN.replace("add r1", "add r2")),
        ("set 1; store r4", "set 1; store r5"),
        ("load r0; mul r0; jnz a; set 1; store r4; a:", "load r0; jnz a; set 1; store r4; a:"),  # 2^16 squared is 0
    ],
    ids=["ring", "question", "loop", "output", "overflow"],
)
def test_programs_that_differ_have_a_witness_that_shows_it(first: str, second: str):
    found = compared(first, second)
    assert found.verdict == DIFFERS
    assert found.example is not None
    given = [int(setting.values[0]) for setting in found.example.vertices[0]]
    ends = [left(insts_of(source), given) for source in (first, second)]
    number = int(found.example.output[1:])
    assert (found.example.first, found.example.second) == (str(ends[0][number]), str(ends[1][number]))
    assert ends[0][number] != ends[1][number]


def test_where_neither_is_shown_the_answer_is_unknown():
    found = compared(
        "load r0; mul r0; jnz a; set 1; store r4; a:", "load r0; mul r0; jnz b; set 1; store r4; b:; load r0; jnz b"
    )
    assert found.verdict == UNKNOWN  # the second ends only where r0 is 0, and lanes that run too long show nothing
    assert "no difference found for 64 lanes" in found.reason


def left(insts: Sequence[Inst], given: Sequence[int]) -> list[int]:
    return ended(insts, [*given, *[0] * (REGISTERS - INPUTS)])


def drawn(rng: random.Random) -> list[Inst]:
    """A program of a few instructions whose jumps lead forward, so that it ends."""
    size = rng.randrange(4, 14)
    found: list[Inst] = []
    for address in range(size):
        op = rng.choice(OPS[:6] if rng.random() < 0.9 else OPS)
        operand = (
            rng.randrange(REGISTERS)
            if op.operand == "register"
            else rng.choice((0, 1, 2, 4095))
            if op.operand == "number"
            else 0
        )
        found.append(Inst(op, rng.randrange(address + 1, size + 1) if op.operand == "label" else operand))
    return found


def mutated(rng: random.Random, insts: Sequence[Inst]) -> list[Inst]:
    found = [*insts]
    at = rng.randrange(len(found))
    other = drawn(rng)
    if rng.random() < 0.5 and found[at].op.operand == "register":
        found[at] = found[at]._replace(operand=rng.randrange(REGISTERS))
    else:
        source = rng.choice(other)
        found[at] = source if source.op.operand != "label" else Inst(source.op, rng.randrange(at + 1, len(found) + 1))
    return found


def test_mutated_programs_that_are_called_equal_leave_the_same():
    rng = random.Random("toy pairs")
    verdicts: dict[str, int] = {}
    for _ in range(times(300, 20_000)):
        one = drawn(rng)
        other = mutated(rng, one)
        verdict = compare(one, other, NAMES).verdict
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
        if verdict == EQUAL:
            for _ in range(20):
                given = [
                    rng.choice((*EDGES, rng.getrandbits(32), rng.randrange(8), MASK - rng.randrange(8))) for _ in range(INPUTS)
                ]
                assert left(one, given)[INPUTS:] == left(other, given)[INPUTS:]
    assert verdicts[EQUAL] > 20
    assert verdicts[DIFFERS] > 20


def test_paths_meet_where_more_than_one_edge_leads():
    assert joins([[1, 2], [3], [3], [1, 4], []]) == {1: LOOP, 3: PLAIN}
    assert joins([[0]]) == {0: LOOP}
