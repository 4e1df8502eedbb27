"""Which cells are needed after each instruction."""

from __future__ import annotations

from lanewise.compile.pica200.machine import successors
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.compile.pica200.machine import Inst


class Liveness:
    """The cells that are needed before and after each instruction, as sets of bits."""

    writes: list[int]
    before: list[int]
    after: list[int]

    def __init__(self, insts: Sequence[Inst], always: int) -> None:
        following = successors(list(insts), always)
        count = len(insts)
        reads = [_as_bits(inst.reads()) for inst in insts]
        self.writes = [_as_bits((*inst.dst, *inst.sets())) for inst in insts]
        self.before, self.after = [0] * (count + 1), [0] * count
        changed = True
        while changed:
            changed = False
            for n in range(count - 1, -1, -1):
                after = 0
                for place in following[n]:
                    after |= self.before[place]
                self.after[n] = after
                before = reads[n] | after & ~self.writes[n]
                if before != self.before[n]:
                    self.before[n] = before
                    changed = True


def _as_bits(cells: Iterable[int]) -> int:
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found
