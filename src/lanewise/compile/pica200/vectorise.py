"""Instructions that do the same in several lanes as one: scalar code becomes vector code again."""

from __future__ import annotations

from lanewise.compile.pica200.machine import LANES, WIDTH, Inst, bank
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BY_NAME, YES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.pica200.machine import Source

_REACH = 60  # instructions that are looked at for one


def vectorised(insts: Sequence[Inst], outputs: frozenset[int]) -> list[Inst]:
    """Instructions with those of one kind joined, whatever their sources: many of them can be in one register.

    `outputs` are cells that will be in an output register, where others are not.
    """
    return _by_runs(insts, lambda one, other: _alike(one, other, outputs))


def with_copies_joined(insts: Sequence[Inst], outputs: frozenset[int]) -> list[Inst]:
    """Copies of constants, and of components of one input or uniform, as one where their results need not be in several
    registers."""
    origins = _Origins(insts)

    def alike(one: Inst, other: Inst) -> list[Source] | None:
        if one.op != "mov" or other.op != "mov" or isinstance(one.sources[0][0].what, int):
            return None
        if not outputs.isdisjoint((*one.dst, *other.dst)) or not origins.together(one, other):
            return None
        found = _sources(one, other)
        if found is not None:
            origins.unite((*one.dst, *other.dst))
        return found

    return _by_runs(insts, alike)


def _by_runs(insts: Sequence[Inst], alike: Callable[[Inst, Inst], list[Source] | None]) -> list[Inst]:
    found: list[Inst] = []
    run: list[Inst] = []
    for inst in insts:
        if inst.sources:
            run.append(inst)
        else:
            found += _joined(run, alike)
            found.append(inst)
            run = []
    return found + _joined(run, alike)


class _Origins:
    """Which cells are of one register: those that one instruction writes, or reads by one source."""

    def __init__(self, insts: Sequence[Inst]) -> None:
        self.parent: dict[int, int] = {}
        self.size: dict[int, int] = {}
        for inst in insts:
            self.unite(inst.dst)
            for source in inst.sources:
                self.unite([part.what for part in source if isinstance(part.what, int)])

    def of(self, cell: int) -> int:
        while self.parent.get(cell, cell) != cell:
            cell = self.parent[cell]
        return cell

    def unite(self, cells: Sequence[int]) -> None:
        for cell in cells[1:]:
            one, other = self.of(cells[0]), self.of(cell)
            if one != other:
                self.parent[other] = one
                self.size[one] = self.size.get(one, 1) + self.size.get(other, 1)

    def together(self, one: Inst, other: Inst) -> bool:
        """Whether the results of two instructions are of one register, or those of one are of none."""
        first, second = self.of(one.dst[0]), self.of(other.dst[0])
        alone = any(self.size.get(origin, 1) == len(set(inst.dst)) for origin, inst in ((first, one), (second, other)))
        return first == second or alone


def _joined(run: list[Inst], alike: Callable[[Inst, Inst], list[Source] | None]) -> list[Inst]:
    """The instructions of a block, joined."""
    n = 0
    while n < len(run):
        inst = run[n]
        place = n + 1
        while place < min(len(run), n + _REACH) and len(inst.dst) < WIDTH and inst.op in LANES:
            other = run[place]
            fits = inst.op == other.op and len(inst.dst) + len(other.dst) <= WIDTH and not set(inst.dst) & set(other.dst)
            early, late = (fits and order(run, n, place) for order in (_earlier, _later))
            sources = alike(inst, other) if early or late else None
            if sources is None:
                place += 1
            elif early:
                inst.dst, inst.sources = (*inst.dst, *other.dst), sources
                del run[place]
            else:
                other.dst, other.sources = (*inst.dst, *other.dst), sources
                del run[n]
                inst, place = run[n], n + 1
        n += 1
    return run


def _alike(one: Inst, other: Inst, outputs: frozenset[int]) -> list[Source] | None:
    """The sources of two instructions as one; None where they are not of one kind."""
    return None if one.op == "mov" or not outputs.isdisjoint((*one.dst, *other.dst)) else _sources(one, other)


def _sources(one: Inst, other: Inst) -> list[Source] | None:
    orders = [other.sources]
    if BY_NAME[one.op].commutes == YES:
        orders.append([other.sources[1], other.sources[0], *other.sources[2:]])
    for sources in orders:
        if all(_fit(a, b) for a, b in zip(one.sources, sources, strict=True)):
            return [(*a, *b) for a, b in zip(one.sources, sources, strict=True)]
    return None


def _fit(one: Source, two: Source) -> bool:
    banks = {bank(part) for part in one}
    others = {bank(part) for part in two}
    return len(banks | others) <= max(len(banks), len(others))


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
