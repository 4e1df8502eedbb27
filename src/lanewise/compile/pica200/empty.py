"""Blocks, comparisons and jumps that do nothing."""

from __future__ import annotations

from lanewise.compile.pica200.machine import CONDITIONALS, ELSE, END_FOR, END_IF, JUMPS, LABEL
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Condition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.pica200.machine import Inst


def without_empty(insts: Sequence[Inst]) -> list[Inst]:
    """Without blocks that do nothing, the comparisons that only they use, and jumps to the next word."""
    kept: list[Inst] = []
    for n, inst in enumerate(insts):
        kept.append(inst)
        while kept and _empty(kept, insts[n + 1 :]):
            pass
    targets = {inst.label for inst in kept if inst.op != LABEL}
    return [inst for inst in kept if inst.op != LABEL or inst.label in targets]


def _jumps_over(kept: Sequence[Inst], following: Sequence[Inst]) -> bool:
    """Whether a conditional jump leads around one that is always taken."""
    if len(kept) < 2 or kept[-1].op != "jmpu" or not following or following[0].op != LABEL:
        return False
    always = not kept[-1].inverted and kept[-1].pinned
    return always and kept[-2].op in JUMPS and not kept[-2].pinned and kept[-2].label == following[0].label


def _inverted(condition: Condition | None) -> Condition | None:
    """The condition that holds where one does not."""
    if condition is None or condition.combine > 1:
        return condition and condition._replace(x=1 - condition.x)
    return Condition(1 - condition.combine, 1 - condition.x, 1 - condition.y)


def _empty(kept: list[Inst], following: Sequence[Inst]) -> bool:
    """Whether the last instructions did nothing, which then are removed."""
    last = kept[-1].op
    opened = len(kept) - 2
    while opened >= 0 and kept[opened].op == "nop":
        opened -= 1
    if last == ELSE and opened >= 0 and kept[opened].op == "ifc":
        kept[opened].condition = _inverted(kept[opened].condition)
        del kept[opened + 1 :]
        return False
    if last == END_IF and opened >= 0 and kept[opened].op == ELSE:
        del kept[opened:-1]
        return True
    if (last == END_IF and opened >= 0 and kept[opened].op in CONDITIONALS) or (
        last == END_FOR and opened >= 0 and kept[opened].op == "for"
    ):
        del kept[opened:]
    elif _jumps_over(kept, following):
        jump = kept.pop()
        kept[-1].label = jump.label
        kept[-1].condition, kept[-1].inverted = _inverted(kept[-1].condition), not kept[-1].inverted
        return False
    elif kept[-1].label and last != LABEL and following and following[0].op == LABEL and following[0].label == kept[-1].label:
        del kept[-1]
    else:
        return False
    if kept and kept[-1].op == "cmp":
        del kept[-1]
    return False
