"""Equality by structure: what is shown, and what must not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from lanewise.pica200.proof.code import code_of
from lanewise.pica200.proof.structure import NOTHING_ASSUMED, Assumptions, Prover
from lanewise.pica200.sem.profile import profiles
from lanewise.proving.terms import MOST_EFFORT
from together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.profile import Profile
    from lanewise.proving.walk import Reason

HEAD = """.fvec m[4]
.fvec offset
.ivec n
.bool flag
.constf one(1.0, 0.0, 2.0, 0.5)
.consti three(2, 0, 1, 0)
.in pos v0
.in col v1
.out outp position
.out outc color
.proc main
"""
TAIL = "\nend\n.end\n"


def shown(
    first: str, second: str, *, assumptions: Assumptions = NOTHING_ASSUMED, chosen: Sequence[Profile] | None = None
) -> Reason | None:
    codes: list[Code] = []
    for text in (first, second):
        file = lw.assemble(HEAD + text + TAIL)
        codes.append(code_of(file.program, file.programs[0].interface))
    return Prover(codes[0], chosen, assumptions).compare(codes[1])


PLAIN = """mov r0, pos
dp4 outp.x, m[0], r0
dp4 outp.y, m[1], r0
dp4 outp.z, m[2], r0
dp4 outp.w, m[3], r0
add r1, offset, col
mov outc, r1"""

LOOP = """mov r0, pos
for n
  add r0, m[aL], r0
  ifu flag
    mul r0, r0, pos
  .end
.end
mov outp, r0
mov outc, r0"""


def test_words_that_nothing_needs_and_orders_do_not_matter():
    other = """dp4 outp.w, m[3], pos
dp4 outp.x, m[0], pos
nop
dp4 outp.y, m[1], pos
mov r7, outp_is_not_read
dp4 outp.z, m[2], pos
add outc, offset, col""".replace("outp_is_not_read", "pos")
    assert shown(PLAIN, other) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("m[3], r0", "m[2], r0"),
        ("add r1, offset, col", "add r1, offset, -col"),
        ("mov outc, r1", "mov outc.xyz, r1"),
        ("mov outc, r1", "mov outc, r1.xyzz"),
        ("dp4 outp.w", "dp3 outp.w"),
        ("mov outc, r1", "mov outc, r2"),
        ("mov r0, pos", "mov r0.xyz, pos"),
    ],
)
def test_a_changed_word_is_not_equal(old: str, new: str):
    reason = shown(PLAIN, PLAIN.replace(old, new))
    assert reason is not None
    assert reason.definite


def test_loops_are_matched_by_what_they_do():
    other = """mov r3, pos
mov r7, r3
for n
  mov r5, r3
  add r3, m[aL], r3
  ifu flag
    mul r3, pos, r3
  .end
  nop
.end
mov outp, r3
mov outc, r3"""
    assert shown(LOOP, other) is None
    assert shown(LOOP, other.replace("mul r3, pos, r3", "mul r3, pos, r5")) is not None
    assert shown(LOOP, other.replace("for n", "for three")) is not None
    assert shown(LOOP, other.replace("mov outc, r3", "mov outc, r5")) is not None


def test_a_value_from_the_vertex_before_is_an_output():
    first = "add outp, pos, r0\nmov r0, col\nmov outc, col"
    assert shown(first, first.replace("mov r0, col\n", "")) is not None
    assert shown(first, first.replace("mov r0, col\n", ""), chosen=[profiles["hardware"]]) is None
    # What is shown for zeros under one profile does not serve another that gives the same answers but keeps registers.
    others = [profiles["hardware"], profiles["hardware"].replace(initial_state="kept", upload="nearest")]
    assert shown(first, first.replace("mov r0, col\n", ""), chosen=others) is not None
    # r1 is never read, so nothing hangs on what it has
    assert shown(first, first + "\nmov r1, pos") is None


def test_an_unrolled_loop_is_equal_where_its_count_is_known():
    rolled = "mov r0, pos\nfor three\n  add r0, m[aL], r0\n.end\nmov outp, r0\nmov outc, r0"
    straight = "mov r0, pos\n" + "".join([f"add r0, m[{n}], r0\n" for n in range(3)]) + "mov outp, r0\nmov outc, r0"
    assert shown(rolled, straight) is not None
    known = Assumptions(constants=True)
    # Panda3DS's interpreter does one more iteration.
    assert shown(rolled, straight, assumptions=known) is not None
    most = [profiles["hardware"], profiles["azahar"]]
    assert shown(rolled, straight, assumptions=known, chosen=most) is None
    shorter = straight.replace("add r0, m[2], r0\n", "")
    assert shown(rolled, shorter, assumptions=known, chosen=most) is not None


def test_a_branch_with_equal_sides_is_no_branch():
    first = (
        "cmp pos.x, lt, lt, pos.y\nifc cmp.x\n  mov r0, pos\n.else\n  mov r1, pos\n  mov r0, r1\n.end\nmov outp, r0\n"
        "mov outc, r0"
    )
    assert shown(first, "mov outp, pos\nmov outc, pos") is None
    assert shown(first, "mov outp, pos\nmov outc, col") is not None


def test_a_program_that_does_not_end_is_not_equal_to_one_that_does():
    endless = "mov outp, pos\nmov outc, col\nagain:\nnop\njmpu flag, again\nnop"
    ends = "mov outp, pos\nmov outc, col\nnop"
    assert shown(endless, endless) is None
    assert shown(endless, ends) is not None
    assert shown(ends, endless) is not None


def test_nan_patterns():
    swapped = PLAIN.replace("m[0], r0", "m[0], pos")
    assert shown(PLAIN, swapped, assumptions=Assumptions(nan_patterns=True)) is None
    first = PLAIN.replace("add r1, offset, col", "mov r2, offset\nadd r1, r2, col")
    second = PLAIN.replace("add r1, offset, col", "mov r2, offset\nadd r1, col, r2")
    assert shown(first, second) is None
    assert shown(first, second, assumptions=Assumptions(nan_patterns=True)) is not None
    for pattern in ("one", "kept"):  # the pattern of the first operand, or the only one
        profile = profiles["hardware"].replace(nan_pattern=pattern)
        reason = shown(first, second, chosen=[profile], assumptions=Assumptions(nan_patterns=True))
        assert (reason is None) == (pattern == "one")


@together(
    ("first", "second", "everywhere"),
    [
        ("mul r0, -pos, col", "mul r0, pos, -col", True),
        ("mul r0, -pos, -col", "mul r0, pos, col", True),
        ("add r0, r1, r1", "mul r0, one.z, r1", True),
        ("mul r0, r1, r1\nmul r0, one.x, r0", "mul r0, r1, r1", True),
        ("max r0, r1, r1", "mov r0, r1", True),
        ("mul r0, r1, r1\nadd r0, one.y, r0", "mul r0, r1, r1", False),
        ("mad r0, r1, r1, one.y", "mul r0, r1, r1", False),
        ("mul r0, r1, r2\nmov r0, -r0", "mul r0, -r1, r2", False),
        ("add r0, r1, -r2\nmov r0, -r0", "add r0, r2, -r1", False),
    ],
)
def test_rules(first: str, second: str, everywhere: bool):
    head, tail = "mov r1, pos\nmov r2, col\n", "\nmov outp, r0\nmov outc, r0"
    first, second = (
        head
        + text.replace("-pos, col", "-r1, r2")
        .replace("pos, -col", "r1, -r2")
        .replace("-pos, -col", "-r1, -r2")
        .replace("pos, col", "r1, r2")
        + tail
        for text in (first, second)
    )
    known = Assumptions(constants=True)
    assert shown(first, second, assumptions=known, chosen=[profiles["hardware"]]) is None
    assert (shown(first, second, assumptions=known) is None) == everywhere


def test_litp_flags_that_are_signs_see_the_sign_of_a_nan():
    first = "mov r1, pos\nmov r2, col\nadd r0, r1, r2\nlitp r3, r0\nifc cmp.x\nmov outp, pos\n.end\nmov outc, r3"
    second = first.replace("add r0, r1, r2", "add r0, r2, r1")
    profile = profiles["azahar"]
    assert shown(first, second, chosen=[profile]) is None
    assert shown(first, second, chosen=[profile.replace(litp_flags="sign")]) is not None
    assert shown(first, second, chosen=[profile.replace(litp_flags="sign", nan_pattern="one")]) is None


def test_words_that_overwrite_others_are_the_program():
    """With `code_limit` wrap, word 512 is in the place of word 0."""
    file = lw.assemble(HEAD + "mov outp, pos\nnop\nmov outp, col" + TAIL)
    code = code_of(file.program, file.programs[0].interface)
    plain, nop, other, end = code.words[:4]
    codes = [code._replace(words=(plain, end, *[nop] * 510, last)) for last in (plain, other)]
    hardware = profiles["hardware"]
    assert Prover(codes[0], [hardware]).compare(codes[1]) is None
    assert Prover(codes[0], [hardware.replace(code_limit="wrap")]).compare(codes[1]) is not None


def test_presets_of_constants_that_both_programs_read():
    head = ".constf k(1.0, 2.0, 3.0, 4.0)\n.in pos v0\n.out outp position\n.proc main\n"
    texts = [head + "mul outp, k, pos" + TAIL, head.replace("4.0", "5.0") + "mul outp, k, pos" + TAIL]
    codes = [code_of(file.program, file.programs[0].interface) for file in map(lw.assemble, texts)]
    hardware = [profiles["hardware"]]
    assert Prover(codes[0], hardware).compare(codes[1]) is not None
    assert Prover(codes[0], hardware).compare(codes[0]) is None
    # A value that one program does not read does not matter to it.
    unused = code_of(lw.assemble(head + "mov outp, pos" + TAIL).program, lw.assemble(texts[0]).programs[0].interface)
    other = lw.assemble(head.replace("4.0", "5.0") + "mul r0, k, pos\nmov outp, pos" + TAIL)
    assert Prover(unused, hardware).compare(code_of(other.program, other.programs[0].interface)) is None


CLAMPED = "mov r0, one\nmax r2, r0.yyyy, pos\nmov outc, r2\nmin outp, r0.xxxx, r2"


@pytest.mark.parametrize("chosen", [None, [profiles["azahar"]]])
@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        (CLAMPED, CLAMPED.replace("min outp", "min r2, r0.zzzz, r2\nmin outp"), True),
        (CLAMPED, CLAMPED.replace("min outp", "min r2, r0.wwww, r2\nmin outp"), False),
        # A constant that is computed: 1 + 0.5.
        (
            CLAMPED,
            CLAMPED.replace("min outp", "add r3, r0.xxxx, r0.wwww\nmin r4, r3, r2\nmin outp").replace(
                "r0.xxxx, r2", "r0.xxxx, r4"
            ),
            True,
        ),
        ("slt r0, pos, r9\nmov outp, r0\nmov outc, r0", "slt r0, -r9, -pos\nmov outp, r0\nmov outc, r0", True),
        ("slt r0, pos, r9\nmov outp, r0\nmov outc, r0", "slt r0, pos, r9\nmul r0, r0, r0\nmov outp, r0\nmov outc, r0", True),
        # Maxima with zeros of both signs, which 1 minus them does not tell apart.
        (
            "mov r0, one\nmax r1, r0.yyyy, pos\nadd outp, r0.xxxx, -r1\nmov outc, r0",
            "mov r0, one\nmax r1, -r0.yyyy, pos\nadd outp, r0.xxxx, -r1\nmov outc, r0",
            True,
        ),
        ("slt r0, pos, r9\nmov outp, r0\nmov outc, r0", "slt r0, r9, pos\nmov outp, r0\nmov outc, r0", False),
    ],
)
def test_terms_that_are_equal_in_every_order_of_their_values(
    first: str, second: str, equal: bool, chosen: Sequence[Profile] | None
):
    reason = shown(first, second, assumptions=Assumptions(constants=True), chosen=chosen)
    assert (reason is None) == equal, reason


ENDLESS = """ifu flag
again:
  mul r0, r0, pos
  add outc, r0, col
  jmpu flag, again
.end
mov outp, pos"""


def effort(first: str, second: str) -> tuple[Reason | None, int]:
    """The answer, and what it took."""
    codes: list[Code] = []
    for text in (first, second):
        file = lw.assemble(HEAD + text + TAIL)
        codes.append(code_of(file.program, file.programs[0].interface))
    prover = Prover(codes[0], [profiles["hardware"]])
    return prover.compare(codes[1]), MOST_EFFORT - prover.effort.left


def test_a_loop_of_one_program_that_changes_its_values_for_ever():
    reason, used = effort(ENDLESS, "mov outp, pos")
    assert reason is not None
    assert used < 200_000


def test_a_comparison_ends_when_its_effort_is_spent(monkeypatch: pytest.MonkeyPatch):
    assert effort(LOOP, LOOP)[0] is None
    monkeypatch.setattr("lanewise.proving.terms.MOST_EFFORT", 100)
    reason = effort(LOOP, LOOP)[0]
    assert reason is not None
    assert reason.what == "the programs have too many paths and cases"


def test_one_instruction_with_other_registers_and_indices_is_not_the_same():
    """A prover remembers what instructions give for registers that they have read; what an index reads is no such register."""
    text = "mova a0.x, {}\nadd r0, m[a0.x], {}\nmova a0.x, {}\nadd r1, m[a0.x], pos\nadd outp, r0, r1\nmov outc, col"
    file = lw.assemble(HEAD + text.format("pos", "pos", "col") + TAIL)
    prover = Prover(code_of(file.program, file.programs[0].interface))
    for given in (("pos", "pos", "col"), ("pos", "pos", "pos"), ("pos", "col", "col"), ("pos", "pos", "col")):
        other = lw.assemble(HEAD + text.format(*given) + TAIL)
        reason = prover.compare(code_of(other.program, other.programs[0].interface))
        assert (reason is None) == (given == ("pos", "pos", "col")), given
