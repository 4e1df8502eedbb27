"""Pairs of programs that look equal and are not, and such that are: the answer, and what the reference engine shows of them."""

from __future__ import annotations

import pytest

import lanewise as lw
from lanewise.pica200.engine.witness import Found, Pair, Side
from lanewise.pica200.engine.witness_data import FEW, data
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.proof.code import Code, code_of_words
from lanewise.pica200.proof.structure import Assumptions, Prover
from lanewise.pica200.sem.profile import HARDWARE

HEAD = """{}.fvec u[8]
.constf one(1.0, 0.0, 2.0, 0.5)
.in pos v0
.in col v1
.out o0 position
.out o1 color
.proc main
"""
GEOMETRY = ".gsh point c0\n"
Line = str | tuple[str, dict[str, int]]


def program(lines: str | list[Line], *, geometry: bool = False) -> Code:
    """A program of lines; a line of flow is an opcode with its fields, so that targets and ends are where the text says."""
    body = lines.split("; ") if isinstance(lines, str) else lines
    texts = [line if isinstance(line, str) else "nop" for line in body]
    file = lw.assemble(HEAD.format(GEOMETRY if geometry else "") + "\n".join(texts) + "\n.end\n")
    words = [*file.words][: len(body)]
    for at, line in enumerate(body):
        if not isinstance(line, str):
            words[at] = encode(decode(BY_NAME[line[0]].match[1]).replace(**line[1]))
    return code_of_words(words, file.programs[0].descriptors, file.program.interfaces[0])


def answers(first: Code, second: Code, *, known: bool = False) -> tuple[bool, Found | None]:
    """Whether the pair is called equal under the hardware's profile and its form that keeps registers, and a difference that
    the engine shows."""
    field = "keep_registers_between_invocations" if first.geometry else "initial_state"
    chosen = HARDWARE, HARDWARE.replace(**{field: "kept"})
    equal = Prover(first, chosen, Assumptions(constants=known)).compare(second) is None
    for profile in chosen:
        pair = Pair(*(Side(code, profile, constants=known, budget=2_000) for code in (first, second)))
        for number in range(8):
            given = data(
                f"tempting {number}", 6, profile, overwritten=False, style=FEW if number & 1 else None, started=pair.starts
            )
            if (found := pair.replay(given)) is not None:
                return equal, found
    return equal, None


def flow(op: str, **fields: int) -> Line:
    return op, fields


ADD, OUT, END = "add r0, pos, r0", "mov o0, r0", "end"
COMPARE = "cmp pos, gt, lt, r9"
X = {"condop": 2, "refx": 1}
DIFFERENT: dict[str, tuple[str | list[Line], str | list[Line]]] = {
    "0 * NaN": ("mul o0, one.yyyy, pos; end", "mov o0, one.yyyy; end"),
    "NaN is neither less nor not less": (
        "mov r8, col; sge o0, pos, r8; end",
        "mov r8, col; slt r0, pos, r8; add o0, one.xxxx, -r0; end",
    ),
    "a maximum with NaN has an order": (
        "mov r8, col; max r0, pos, r8; mov o0, -r0; end",
        "mov r8, col; min o0, -r8, -pos; end",
    ),
    "inf - inf": ("rcp r0, pos.x; add o0, r0, -r0; end", "mov o0, one.yyyy; end"),
    "sums of three have an order": ("mov r8, col; dp3 o0, pos, r8; end", "mov r8, col; dp3 o0, pos.yzxw, r8.yzxw; end"),
    "an index past the uniforms": (
        "mova a0.x, pos.x; mov o0, u[a0.x]; end",
        "max r0, one.yyyy, pos; mova a0.x, r0.x; mov o0, u[a0.x]; end",
    ),
    "the fourth return in a row": (
        [
            flow("call", dst=3, num=5),
            OUT,
            END,
            flow("call", dst=4, num=4),
            flow("call", dst=5, num=3),
            flow("call", dst=6, num=2),
            ADD,
            ADD,
        ],
        [ADD, ADD, OUT, END],
    ),
    "a fifth call": (
        [
            flow("call", dst=3, num=2),
            OUT,
            END,
            flow("call", dst=5, num=2),
            ADD,
            flow("call", dst=7, num=2),
            ADD,
            flow("call", dst=9, num=2),
            ADD,
            flow("call", dst=11, num=1),
            ADD,
            ADD,
        ],
        [ADD, ADD, ADD, ADD, ADD, OUT, END],
    ),
    "aL after a loop": ([flow("for", dst=1, reg=0), "nop", "mov o0, u[aL]", END], ["nop", "mov o0, u[aL]", END]),
    "a0 of the vertex before": ("mov o0, u[a0.x]; mova a0.x, pos.x; end", "mov o0, u[a0.x]; mova a0.y, pos.x; end"),
    "flags of the vertex before": (
        [flow("ifc", dst=2, num=0, condop=0, refx=1), ADD, OUT, "cmp pos, gt, gt, r9", END],
        [flow("ifc", dst=2, num=0, condop=0, refx=1), ADD, OUT, COMPARE, END],
    ),
    "a break before or after": (
        [COMPARE, flow("for", dst=4, reg=0), flow("breakc", **X), ADD, "nop", OUT, END],
        [COMPARE, flow("for", dst=4, reg=0), ADD, flow("breakc", **X), "nop", OUT, END],
    ),
    "values that a loop exchanges": (
        [flow("for", dst=3, reg=0), "mov r2, r0", "mov r0, r1", "mov r1, r2", OUT, END],
        [flow("for", dst=3, reg=0), "mov r2, r1", "mov r1, r0", "mov r0, r2", "mov o0, r1", END],
    ),
    "a component that is not written": (
        "mov o0, pos; mov o1.xyz, col; end",
        "mov o0, pos; mov o1.xyz, col; mov o1.w, one.y; end",
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_pair_that_is_not_equal(name: str):
    equal, found = answers(*(program(lines) for lines in DIFFERENT[name]), known=True)
    assert found is not None
    assert not equal


EMITS = "mov o0, pos; mov o1, col; setemit 0; emit; mov o0, col; mov o1, col; setemit 1; emit; {}setemit 2, prim; emit; end"


@pytest.mark.parametrize(
    ("last", "other", "same"),
    [
        ("", "mov o0, pos; ", True),  # the bank has what the emit before the last one sent
        ("", "mov o0, col; ", False),
        ("mov o0, col; ", "mov o0.yzw, col; ", False),
        ("setemit 1; ", "", True),
        ("emit; ", "", False),
    ],
)
def test_banks_of_outputs(last: str, other: str, same: bool):
    equal, found = answers(*(program(EMITS.format(text), geometry=True) for text in (last, other)))
    assert equal is same
    assert (found is None) is same
