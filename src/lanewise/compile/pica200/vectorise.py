"""Instructions that do the same in several lanes as one: scalar code becomes vector code again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.pica200.machine import LANES, Inst, bank
from lanewise.pica200.isa.table import BY_NAME, YES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.pica200.machine import Source

_WIDTH = 4
_REACH = 60  # instructions that are looked at for one
# How much may be put in one register: nothing; what comes from one register, so that nothing has to be moved; anything.
NONE, ALIKE, ANY = range(3)


def vectorised(insts: Sequence[Inst], level: int, outputs: frozenset[int] = frozenset(), *, copies: bool = False) -> list[Inst]:
    """Instructions with those of one kind joined, up to `level`. `copies`: copies of inputs, uniforms and constants only.

    `outputs` are cells that will be in an output register, where others are not.
    """
    if level == NONE:
        return list(insts)
    origins = _Origins(insts)
    found: list[Inst] = []
    run: list[Inst] = []
    for inst in insts:
        if inst.sources:
            run.append(inst)
        else:
            found += _joined(run, level, origins, copies, outputs)
            found.append(inst)
            run = []
    return found + _joined(run, level, origins, copies, outputs)


class _Origins:
    """Which cells are of one register: those that one instruction writes."""

    def __init__(self, insts: Sequence[Inst]) -> None:
        self.parent: dict[int, int] = {}
        for inst in insts:
            self.unite(inst.dst)

    def of(self, cell: int) -> int:
        while self.parent.get(cell, cell) != cell:
            cell = self.parent[cell]
        return cell

    def unite(self, cells: Sequence[int]) -> None:
        for cell in cells[1:]:
            self.parent[self.of(cell)] = self.of(cells[0])


def _joined(run: list[Inst], level: int, origins: _Origins, copies: bool, outputs: frozenset[int]) -> list[Inst]:
    """The instructions of a block, joined."""
    n = 0
    while n < len(run):
        inst = run[n]
        place = n + 1
        while place < min(len(run), n + _REACH) and len(inst.dst) < _WIDTH and inst.op in LANES:
            other = run[place]
            apart = not outputs.isdisjoint((*inst.dst, *other.dst))
            sources = None if apart else _alike(inst, other, level, origins, copies)
            if sources is not None and _earlier(run, n, place):
                inst.dst, inst.sources = (*inst.dst, *other.dst), sources
                origins.unite(inst.dst)
                del run[place]
            elif sources is not None and _later(run, n, place):
                other.dst, other.sources = (*inst.dst, *other.dst), sources
                origins.unite(other.dst)
                del run[n]
                inst, place = run[n], n + 1
            else:
                place += 1
        n += 1
    return run


def _alike(inst: Inst, other: Inst, level: int, origins: _Origins, copies: bool) -> list[Source] | None:
    """The sources of two instructions as one; None where they are not of one kind, or would not be in one register."""
    if inst.op != other.op or len(inst.dst) + len(other.dst) > _WIDTH or set(inst.dst) & set(other.dst):
        return None
    if copies != (inst.op == "mov") or (copies and isinstance(inst.sources[0][0].what, int)):
        return None
    orders = [other.sources]
    if BY_NAME[inst.op].commutes == YES:
        orders.append([other.sources[1], other.sources[0], *other.sources[2:]])
    for sources in orders:
        if all(_fit(one, two, level, origins) for one, two in zip(inst.sources, sources, strict=True)):
            return [(*one, *two) for one, two in zip(inst.sources, sources, strict=True)]
    return None


def _fit(one: Source, two: Source, level: int, origins: _Origins) -> bool:
    banks = {bank(part) for part in one}
    others = {bank(part) for part in two}
    if len(banks | others) > max(len(banks), len(others)):
        return False
    if level == ANY:
        return True
    cells = {origins.of(part.what) for part in (*one, *two) if isinstance(part.what, int)}
    return len(cells) <= 1


def _reads(inst: Inst) -> set[int]:
    return inst.cells() | inst.indices()


def _writes(inst: Inst) -> set[int]:
    return {*inst.dst, *inst.sets()}


def _earlier(run: Sequence[Inst], place: int, n: int) -> bool:
    """Whether instruction `n` can be done with the one at `place`, before it."""
    reads, writes = _reads(run[n]), _writes(run[n])
    if _writes(run[place]) & reads:
        return False
    return not any(_writes(each) & (reads | writes) or _reads(each) & writes for each in run[place + 1 : n])


def _later(run: Sequence[Inst], n: int, place: int) -> bool:
    """Whether instruction `n` can be done with the one at `place`, after it."""
    reads, writes = _reads(run[n]), _writes(run[n])
    if _writes(run[n]) & _reads(run[place]):
        return False
    return not any(_writes(each) & (reads | writes) or _reads(each) & writes for each in run[n + 1 : place])
