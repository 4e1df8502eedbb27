"""Flow as compilers write it: nested blocks that end at different addresses.

Where two blocks end at one address, or one ends after an instruction that jumps, the rings of the hardware lose an end (3dbrew,
GPU/Shader Instruction Set, Control Flow); compilers pad with NOP, as picasso does.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import ARITHMETIC, BREAK, CALL, EMIT, JUMP, LOOP, NOP, SETEMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.vectors.model import Job
    from lanewise.pica200.isa.codec import Inst

_STRAIGHT = {ARITHMETIC, NOP, EMIT, SETEMIT}


class Block(Record):
    """Words from `start` to before `end`; `kind` is that of the instruction to which they belong."""

    start: int
    end: int
    kind: str


def is_nested(job: Job) -> bool:
    """Whether blocks and procedures lie in each other or apart, end at different addresses after an instruction that goes on to
    the next, and only breaks leave them, each the loop directly around it."""
    insts = [decode(word) for word in job.code]
    found = blocks(insts)
    ends = [block.end for block in found]
    if len(set(ends)) < len(ends) or not all(0 <= block.start < block.end <= len(insts) for block in found):
        return False
    if any(insts[end - 1].op.kind not in _STRAIGHT for end in ends):
        return False
    if any(one.start < other.start < one.end < other.end for one in found for other in found):
        return False
    for address, inst in enumerate(insts):
        if inst.op.kind == JUMP:
            return False
        if inst.op.kind == BREAK:
            around = [block for block in found if block.start <= address < block.end]
            if not around or max(around).kind != LOOP:
                return False
    return True


def blocks(insts: Sequence[Inst]) -> list[Block]:
    """The parts of IFs, the bodies of loops, and procedures, each once. One that goes backwards has its end in front of its
    start."""
    found: dict[Block, None] = {}
    for address, inst in enumerate(insts):
        kind = inst.op.kind
        if kind == LOOP:
            found[Block(address + 1, inst.field("dst") + 1, kind)] = None
        elif kind == CALL:
            found[Block(inst.field("dst"), inst.field("dst") + inst.field("num"), kind)] = None
        elif inst.op.opens_block:
            found[Block(address + 1, inst.field("dst"), kind)] = None
            if inst.field("num"):
                found[Block(inst.field("dst"), inst.field("dst") + inst.field("num"), kind)] = None
    return list(found)
