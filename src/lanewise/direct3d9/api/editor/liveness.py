"""Live registers of a Direct3D 9 shader: which components are needed after each instruction."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from lanewise.direct3d9.isa.table import (
    ADDR,
    ALL,
    BEGINS,
    BREAKS,
    CALLS,
    CLOSES,
    DECLARATION,
    DEFINITION,
    IF_BLOCK,
    OPENS,
    PREDICATE,
    RETURNS,
    SPLITS,
    TEMP,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.check.context import AnalysisContext
    from lanewise.direct3d9.isa.program import Inst

Live = dict[tuple[int, int], int]

_MOST_LOOPS, _MOST_BLOCKS = 4, 64  # inside each other: a loop is gone through twice


def live_after(context: AnalysisContext) -> list[Live] | None:
    """The components that are needed after each instruction, by its number; None for blocks that are not balanced or too deep.

    What a subroutine reads counts as read at its calls, and all that is read anywhere is needed at the end of a subroutine.
    """
    return _Backwards(context).run()


class _Backwards:
    """Goes through the instructions from the last to the first."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.files = (TEMP, ADDR, PREDICATE) if context.vertex else (TEMP, PREDICATE, *((ADDR,) if context.ps13 else ()))
        self.after: list[Live] = [{} for _ in context.insts]
        self.read: Live = {}
        self.routines: dict[int, Live] = {}

    def run(self) -> list[Live] | None:
        insts = self.context.insts
        partners = self._partners()
        if partners is None:
            return None
        for inst in insts:
            self._reads(inst, self.read)
        starts = [n for n, inst in enumerate(insts) if inst.op.part == BEGINS]
        for n, first in enumerate(starts):
            if insts[first].sources:
                read: Live = {}
                for inst in insts[first : starts[n + 1] if n + 1 < len(starts) else len(insts)]:
                    self._reads(inst, read)
                    if inst.op.part == CALLS:  # callees come later: anything
                        _join(read, self.read)
                self.routines[insts[first].sources[0].number] = read
        bounds = [0, *starts, len(insts)]
        for first, last in pairwise(bounds):
            end: Live = dict(self.read) if first in starts else {}
            if self.context.pixel and self.context.model < 2 and not starts:
                end[TEMP, 0] = ALL  # the colour
            self._block(first, last, end, end, end, partners)
        return self.after

    def _partners(self) -> dict[int, tuple[int, int]] | None:
        """The opening and the `else` (or the opening again) of each instruction that closes a block, by its number."""
        found: dict[int, tuple[int, int]] = {}
        opened: list[tuple[int, int]] = []
        loops = 0
        for n, inst in enumerate(self.context.insts):
            part = inst.op.part
            if part == OPENS:
                opened.append((n, n))
                loops += inst.op.block != IF_BLOCK
                if loops > _MOST_LOOPS or len(opened) > _MOST_BLOCKS:
                    return None
            elif part == SPLITS and opened:
                opened[-1] = opened[-1][0], n
            elif part == CLOSES:
                if not opened:
                    return None
                found[n] = opened.pop()
                loops -= self.context.insts[found[n][0]].op.block != IF_BLOCK
            elif part == BEGINS and opened:
                return None
        return None if opened else found

    def _block(
        self,
        first: int,
        last: int,
        live: Mapping[tuple[int, int], int],
        left: Live,
        end: Live,
        partners: dict[int, tuple[int, int]],
    ) -> Live:
        """The components that are needed before the instructions from `first` to before `last`. `left` is needed after the loop
        around, `end` where a routine ends."""
        now: Live = dict(live)
        insts = self.context.insts
        at = last - 1
        while at >= first:
            inst = insts[at]
            self.after[at] = dict(now)
            part = inst.op.part
            if part == CLOSES:
                opening, middle = partners[at]
                if insts[opening].op.block == IF_BLOCK:
                    whole = dict(now)
                    now = self._block(middle + 1, at, whole, left, end, partners)
                    if middle != opening:
                        self.after[middle] = dict(whole)
                        _join(now, self._block(opening + 1, middle, whole, left, end, partners))
                    else:
                        _join(now, whole)
                else:
                    after = dict(now)
                    once = self._block(opening + 1, at, after, after, end, partners)
                    _join(once, after)
                    now = self._block(opening + 1, at, once, after, end, partners)
                    self.after[at] = dict(once)
                    _join(now, after)
                self.after[opening] = dict(now)
                at = opening
                inst = insts[at]
            elif part == BREAKS:
                if inst.sources:
                    _join(now, left)
                else:
                    now = dict(left)
            elif part == RETURNS:
                now = dict(end)
            elif part == CALLS and inst.sources:
                _join(now, self.routines.get(inst.sources[0].number, self.read))
            self._writes(inst, now)
            self._reads(inst, now)
            at -= 1
        return now

    def _writes(self, inst: Inst, now: Live) -> None:
        dest = inst.dest
        if dest is None or inst.predicate is not None or dest.is_relative or inst.op.dest is None or not inst.op.dest.written:
            return
        key = dest.file, dest.number
        if key in now:
            left = now[key] & ~dest.mask
            if left:
                now[key] = left
            else:
                del now[key]

    def _reads(self, inst: Inst, now: Live) -> None:
        if inst.op.role in (DECLARATION, DEFINITION):
            return
        for index, source in enumerate(inst.sources):
            kinds = inst.op.sources
            if source.file in self.files and not (index < len(kinds) and kinds[index].scratch):
                needed = self.context.reads(inst, index) if index < len(kinds) else ALL
                now[source.file, source.number] = now.get((source.file, source.number), 0) | needed
            self._address(source.relative, now, is_relative=source.is_relative)
        if inst.predicate is not None:
            key = PREDICATE, inst.predicate.number
            now[key] = now.get(key, 0) | ALL
        dest = inst.dest
        if dest is not None:
            self._address(dest.relative, now, is_relative=dest.is_relative)
            if inst.op.dest is not None and not inst.op.dest.written and dest.file in self.files:
                now[dest.file, dest.number] = now.get((dest.file, dest.number), 0) | ALL

    def _address(self, token: int | None, now: Live, *, is_relative: bool) -> None:
        if is_relative and ADDR in self.files and (token is None or token >> 28 & 7 == ADDR):
            now[ADDR, 0] = now.get((ADDR, 0), 0) | (1 << (token >> 16 & 3) if token is not None else 1)


def _join(now: Live, other: Mapping[tuple[int, int], int]) -> None:
    for key, mask in other.items():
        now[key] = now.get(key, 0) | mask
