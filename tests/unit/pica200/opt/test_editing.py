"""Words that go away: what names addresses moves, and no block loses its last word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.isa.program import Target
from lanewise.pica200.opt.editing import Edit, draft_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.isa.program import Operand
    from lanewise.pica200.opt.editing import Draft

SOURCE = """.proc sub
    mov r1, r0
    mov r2, r0
.end
.proc main
    mov r0, v0
    ifu b0
        mov r3, v0
        mov r3, v0
    .else
        mov r4, v0
        mov r4, v0
    .end
    for i0
        mov r5, v0
        mov r5, v0
    .end
    call sub
    jmpu b1, over
    mov r6, v0
over:
    end
.end
.bool b0u, b1u
.out o position
"""


def draft() -> Draft:
    made = assemble_sources([("a.v.pica", SOURCE)])
    return draft_of(made.program)


def targets(draft: Draft) -> Mapping[str, Operand]:
    return {
        operation.op.name: operation.operands[-1]
        for operation in draft.program.operations
        if operation.operands and isinstance(operation.operands[-1], Target)
    }


def test_targets_move():
    before = draft()
    assert targets(before) == {"ifu": Target(6, 2), "for": Target(10), "call": Target(0, 2), "jmpu": Target(14)}
    after = before.edited(Edit((1, 2, 4, 6, 9)))
    assert targets(after) == {"ifu": Target(3, 1), "for": Target(5), "call": Target(0, 1), "jmpu": Target(9)}
    assert after.origins == (0, 3, 5, 7, 8, 10, 11, 12, 13, 14)
    assert dict(after.program.labels)["over"] == 9
    assert [(p.name, p.start, p.size) for p in after.program.procedures] == [("sub", 0, 1), ("main", 1, 9)]
    interface = after.program.interfaces[0]
    assert (interface.entry, interface.entry_end) == (1, 10)


def test_a_block_keeps_a_word():
    before = draft()
    after = before.edited(Edit((0, 1, 4, 5, 9, 10)))
    names = {origin: operation.op.name for origin, operation in zip(after.origins, after.program.operations, strict=True)}
    assert [names[origin] for origin in (1, 5, 10)] == ["nop", "nop", "nop"]
    assert targets(after) == {"ifu": Target(4, 2), "for": Target(7), "call": Target(0, 1), "jmpu": Target(11)}


def test_an_else_part_may_go():
    after = draft().edited(Edit((6, 7)))
    assert targets(after)["ifu"] == Target(6, 0)


def test_a_block_goes_with_its_instruction():
    after = draft().edited(Edit((3, 4, 5, 6, 7)))
    assert "ifu" not in targets(after)
    assert len(after.origins) == len(draft().origins) - 5
