"""The search of -O3: one instruction in place of several, found on numbers and proved."""

from __future__ import annotations

from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.optimising import optimised_program
from lanewise.pica200.opt.driver import Options

SOURCE = """.fvec m[4], k
.constf one(1, 1, 1, 1)
.constf zero(0, 0, 0, 0)
.out outpos position
.out outclr color
.in inpos
.in inclr
.proc main
    dp4 outpos, m[0], inpos
    {code}
    end
.end
"""


def optimised(code: str, *, search: bool) -> tuple[list[str], list[str]]:
    made = assemble_sources([("a.v.pica", SOURCE.format(code=code))])
    assert made.data is not None, made.diagnostics
    found = optimised_program(made.program, Options(constants=True, search=search, pack=False))
    return [operation.op.name for operation in found.program.operations], [step.move for step in found.steps]


def test_a_product_with_one():
    """1 times a sum is the sum, as sums have been flushed."""
    code = "add r2, k, inclr\nmul outclr, one, r2"
    assert optimised(code, search=False) == (["dp4", "add", "mul", "end"], [])
    assert optimised(code, search=True) == (["dp4", "add", "end"], ["search"])


def test_what_is_equal_on_numbers_and_not_proved():
    """x + 0 - 0 by other zeros, and the larger of two again: a NaN or the sign of a zero tells them apart."""
    code = "mov r3, inpos\nmax r1, inclr, r3\nmin r2, inclr, r3\nmax outclr, r1, r2"
    assert "search" not in optimised(code, search=True)[1]
    code = "mov r1, zero\nmad outclr, inclr, k, r1"  # with IEEE zeros, -0 + 0 is +0
    assert "search" not in optimised(code, search=True)[1]
