"""The moves of the optimiser, one by one, on programs that each of them shortens and on one that it must not touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.optimising import optimised_program
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.opt.driver import Options
from lanewise.pica200.opt.moves import MOVES
from together import together

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Program
    from lanewise.pica200.opt.driver import Optimised

HEAD = """.fvec m[4]
.bool flag
.constf one(1, 1, 1, 1)
.constf half(0.5, 0.5, 0.5, 0.5)
.out outpos position
.out outclr color
.in inpos
.in inclr
.proc main
"""
TAIL = "\nend\n.end\n"
DOTS = "\n".join([f"dp4 {{to}}.{c}, m[{n}], {{v}}" for n, c in enumerate("xyzw")])
POSITION = DOTS.format(to="outpos", v="inpos")
COLOUR = "mov outclr, inclr"

# move: (code with it, words that go, whether constants are known)
SHORTER = {
    "dead": (f"{POSITION}\nadd r1, inpos, inpos\n{COLOUR}", 1, False),
    "unreachable": (f"{POSITION}\n{COLOUR}\nend\nmul r1, inpos, inpos", 2, False),
    "block": (f"{POSITION}\nifu flag\nadd r1, inpos, inpos\n.end\n{COLOUR}", 2, False),
    "padding": (f"{POSITION}\nnop\n{COLOUR}", 1, False),
    "one": (f"mov r0.xyz, inpos\nmov r0.w, one\n{DOTS.format(to='outpos', v='r0')}\n{COLOUR}", 2, True),
    "one copy": (f"mov r0.xyz, inpos\nmov r0.w, one\n{DOTS.format(to='outpos', v='r0')}\nmul outclr, inclr, r0.w", 1, True),
    "copy": (f"mov r0, -inpos.wzyx\n{DOTS.format(to='outpos', v='r0')}\n{COLOUR}", 1, False),
    "result": (f"{DOTS.format(to='r1', v='inpos')}\nmov outpos, r1.wzyx\n{COLOUR}", 1, False),
    "sum": (f"{POSITION}\nmul r1, m[0], inclr\nadd outclr, inclr, r1", 1, False),
    "rule": (f"{POSITION}\nadd r1, m[0], inclr\nmul r1, one, r1\nmul outclr, inclr, r1", 1, True),
    "renamed": (
        f"{POSITION}\nmul r1.xy, half, inclr\nrcp r2.x, inclr\nmul r2.z, half, inclr\nmax outclr, r1.xyxy, r2.xxzz",
        1,
        True,
    ),
    "parts": (f"{POSITION}\nmov outclr.x, inclr.y\nmov outclr.yz, inclr.x\nmov outclr.w, inclr", 2, False),
    "compared": (
        f"{POSITION}\ncmp one, eq, eq, inclr.xx\nifc cmp.x\nmov outclr, inclr\n.else\ncmp one, le, le, inclr.xx\nifc cmp.y\n"
        "mov outclr, -inclr\n.else\nmov outclr, inpos\n.end\n.end",
        1,
        True,
    ),
    "constants": (f"{POSITION}\nadd r1, one, inclr\nmul outclr, half, r1", 0, True),
    "twice": (f"{POSITION}\nmov r3, inpos\nadd r1, inclr, r3.x\nadd r2, r3.x, inclr\nmul outclr, r1, r2", 1, False),
}


def optimised(code: str, options: Options | None = None, head: str = HEAD) -> tuple[Program, Optimised]:
    made = assemble_sources([("a.v.pica", head + code + TAIL)])
    assert made.data is not None, made.diagnostics
    return made.program, optimised_program(made.program, options or Options())


@together("name", SHORTER)
def test_a_move(name: str):
    code, saved, constants = SHORTER[name]
    before, after = optimised(code, Options(constants=constants))
    assert name in {step.move for step in after.steps}
    assert len(before.operations) - len(after.program.operations) >= saved
    step = next(step for step in after.steps if step.move == name)
    assert step.reason
    assert step.fix
    assert step.spans


def test_every_move_is_tried():
    assert {move.name for move in MOVES} == {*SHORTER, "again"}


def test_constants_may_be_overwritten():
    code, _, _ = SHORTER["one"]
    before, after = optimised(code)
    assert len(after.program.operations) == len(before.operations)


def test_avoided_instructions_are_not_introduced():
    code, _, _ = SHORTER["one"]
    before, after = optimised(code, Options(constants=True, avoid=frozenset(("dph",))))
    assert len(after.program.operations) == len(before.operations)
    _, after = optimised(SHORTER["sum"][0], Options(avoid=frozenset(("mad",))))
    assert not after.steps


def test_a_step_names_what_it_rests_on():
    _, after = optimised(SHORTER["sum"][0])
    facts = [key for step in after.steps for key in step.rests_on]
    assert facts == ["mad_rounding"]
    assert CHOICES["mad_rounding"].known == "inferred"


def test_words_that_are_kept():
    made = assemble_sources([("a.v.pica", HEAD + SHORTER["padding"][0] + TAIL)])
    nop = next(pc for pc, operation in enumerate(made.program.operations) if operation.op.name == "nop")
    assert not optimised_program(made.program, Options(keep=frozenset((nop,)))).steps


GEOMETRY = """.gsh point c0
.entry gmain
.out outpos position
.out outclr color
.proc gmain
setemit 0
mov outpos, v0
mov outclr, v1
emit
setemit 1
mov outpos, v2
mov outclr, v1
emit
setemit 2, prim
mov outpos, v4
mov outclr, v1
emit
end
.end
"""


def test_the_other_bank():
    """An output holds the value of two emits ago; `check` reports one that is not rewritten, so it is left only where that is
    allowed."""
    made = assemble_sources([("a.g.pica", GEOMETRY)])
    assert not optimised_program(made.program, Options()).steps
    found = optimised_program(made.program, Options(allow=frozenset(("V088",))))
    assert [step.move for step in found.steps] == ["again"]
    assert len(found.program.operations) == len(made.program.operations) - 1


def test_the_other_bank_by_components():
    """The third vertex writes fewer components at once than the first, from the same registers."""
    text = GEOMETRY.replace("mov outpos, v4\nmov outclr, v1", "mov outpos.xz, v0.xz\nmov outpos.yw, v4.yw\nmov outclr, v1")
    made = assemble_sources([("a.g.pica", text)])
    found = optimised_program(made.program, Options(allow=frozenset(("V088",))))
    assert [step.move for step in found.steps] == ["again", "again"]
    assert len(found.program.operations) == len(made.program.operations) - 2


def test_no_new_finding():
    """A w that is zero at the start where registers start as zeros is not used: `check` would report the read, and registers
    may stay."""
    code = f"mov r0.xyz, inpos\nmov r0.w, zero\n{DOTS.format(to='outpos', v='r0')}\n{COLOUR}"
    made = assemble_sources([("a.v.pica", HEAD.replace(".out outpos", ".constf zero(0, 0, 0, 0)\n.out outpos") + code + TAIL)])
    assert not optimised_program(made.program, Options(constants=True, pack=False)).steps


def test_two_orders_of_moves():
    """A product that becomes part of a mad cannot be joined with another: joining first saves more."""
    code = f"""{POSITION}
mul r1.x, m[0].x, inclr
mul r1.y, m[0].y, inclr
mul r1.z, m[0].z, inclr
add r2.x, r1.x, inclr
add r2.x, r1.y, r2.x
add r2.x, r1.z, r2.x
mov outclr, r2.x"""
    before, after = optimised(code)
    assert len(before.operations) - len(after.program.operations) >= 3


def test_an_entry_keeps_a_word():
    """A program without `end` goes on past its last word: nothing that it does has an effect, and the file still has an
    entry."""
    made = assemble_sources([("a.v.pica", ".out o position\n.proc main\nmov r0, v0\nmov r1, v0\n.end\n")])
    found = optimised_program(made.program, Options())
    assert [operation.op.name for operation in found.program.operations] == ["nop"]


def test_results_that_the_next_vertex_reads_are_not_tried():
    dead = "\n".join([f"add r{n % 8}, inpos, r11" for n in range(24)])
    _, found = optimised(f"mul outclr, inpos, r9\nmul outpos, inpos, r10.x\n{dead}\nmov r9.x, inpos\nmov r10.xyz, inpos")
    assert (found.proofs, found.refused) == (1, 0), found.steps
    assert len(found.program.operations) == 5
