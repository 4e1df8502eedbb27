"""What single moves propose, before anything is proved: the proof refuses what is wrong, but takes its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.check.rules import contexts_of
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.opt.moves import MOVES
from lanewise.pica200.opt.values import Values

if TYPE_CHECKING:
    from lanewise.pica200.opt.operations import Candidate

FIND = {move.name: move.find for move in MOVES}
VERTEX = """.fvec m[4]
.constf one(1, 1, 1, 1)
.out outpos position
.out outclr color
.in inpos
.in inclr
.proc main
{code}
end
.end
"""
GEOMETRY = """.gsh point c0
.entry gmain
.out outpos position
.out outclr color
.proc gmain
{code}
end
.end
"""


def proposed(move: str, code: str, text: str = VERTEX) -> list[Candidate]:
    made = assemble_sources([("a.pica", text.format(code=code))])
    assert made.data is not None, made.diagnostics
    (context,) = contexts_of(made.program, *made.encoded)
    assert isinstance(context.graph, Graph)
    return list(FIND[move](Values(context, context.graph)))


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("nop", True),
        ("mov outpos, r3", False),  # reads what the result would overwrite
        ("mov r3.x, inpos", False),  # writes there
        ("mov outpos, r2", True),
    ],
)
def test_a_result_is_written_where_it_is_moved(between: str, found: bool):
    code = f"add r2, m[0], inclr\nadd r3, inpos, inpos\nmul r1, m[1], inclr\n{between}\nmov r3, r1\nmov outclr, r3"
    assert ("r1 is only moved to r3" in [one.finding.message for one in proposed("result", code)]) is found


@pytest.mark.parametrize("reader", ["mov outpos, r1.wwww", "nop"])
def test_a_result_is_moved_within_its_register(reader: str):
    """What reads other components of the register between does not matter."""
    code = f"add r1, m[0], inclr\nmul r1.y, m[1], inclr\n{reader}\nmov r1.x, r1.y\nmov outclr, r1.xxzw"
    assert "r1 is only moved to r1" in [one.finding.message for one in proposed("result", code)]


@pytest.mark.parametrize(("count", "named"), [(1, "a vector"), (2, "vectors")])
def test_vectors_that_end_with_one(count: int, named: str):
    dots = "\n".join([f"dp4 outpos.{'xy'[n]}, m[{n}], r0" for n in range(count)])
    (found,) = proposed("one", f"mov r0.xyz, inpos\nmov r0.w, one\n{dots}")
    assert found.finding.message == f"r0.w is 1, and only the w of {named} in `dp4`"
    assert len(found.edit.replaced) == count


@pytest.mark.parametrize(
    ("to", "between", "found"),
    [
        ("r1", "nop", True),
        ("r1", "setemit 0\nemit", True),
        ("r0", "setemit 0\nemit", True),
        ("outclr", "nop", True),
        ("outclr", "setemit 0\nemit", False),  # the vertex has what is written before it
        ("r1", "add r0, r1, r1", False),
    ],
)
def test_parts_are_joined_across_what_does_not_see_them(to: str, between: str, found: bool):
    seen = to if to.startswith("r") else "r1"
    code = f"mov outpos, v0\nmov {to}.x, v2\n{between}\nmov {to}.y, v2\nmov outclr.zw, {seen}.xyxy\nsetemit 1\nemit"
    assert [one.code for one in proposed("parts", code, GEOMETRY)] == ["H004"] * found


@pytest.mark.parametrize(("operator", "mirrored"), [("eq", 0), ("lt", 4), ("ge", 3)])
def test_a_copy_is_compared_from_the_other_side(operator: str, mirrored: int):
    """Only the first source can be a constant."""
    (found,) = proposed("copy", f"mov r1, one\ncmp inpos.x, {operator}, ne, r1.x\nifc cmp.x\nmov outclr, inclr\n.end")
    ((_, compare),) = found.edit.replaced
    assert compare.operands[1:3] == (mirrored, 1)
