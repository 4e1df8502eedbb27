"""Cells that must be in one register, and components of registers for them."""

from __future__ import annotations

from lanewise.compile.pica200.machine import WIDTH
from lanewise.core.bits import bit_numbers
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import FLOAT, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.pica200.machine import Inst

TEMPORARIES = FLOAT - TEMPORARY
_LARGEST = 24  # cells of a group that is coloured; larger ones would take long
_TRIES = 4000  # assignments that are tried for one group
# By the component that is wanted: all of them, in the order in which they are tried.
_ORDERS = tuple([(wanted, *[n for n in range(WIDTH) if n != wanted]) for wanted in range(WIDTH)])

Home = tuple[int, int]  # (register as in `Dest`, component)


class Groups:
    """Cells that must be in one register, and which of them must not share a component."""

    same: list[int]
    against: list[int]
    leader: list[int]
    members: dict[int, list[int]]
    homes: dict[int, Home]

    def __init__(self, count: int, homes: dict[int, Home]) -> None:
        self.same = list(range(count))  # the cell that a cell has become
        self.against = [0] * count  # cells whose value is needed while this one's is
        self.leader = list(range(count))
        self.members = {cell: [cell] for cell in range(count)}
        self.homes = dict(homes)

    def cell(self, number: int) -> int:
        while self.same[number] != number:
            number = self.same[number]
        return number

    def group(self, number: int) -> int:
        number = self.cell(number)
        while self.leader[number] != number:
            number = self.leader[number]
        return number

    def conflict(self, a: int, b: int) -> None:
        self.against[a] |= 1 << b
        self.against[b] |= 1 << a

    def join(self, one: int, other: int) -> bool:
        """Make the groups of two cells one. False where four components are not enough."""
        a, b = self.group(one), self.group(other)
        if a == b:
            return True
        cells = self.members[a] + self.members[b]
        if a in self.homes or b in self.homes or not self.fits(cells):
            return False
        self.leader[b] = a
        self.members[a] = cells
        del self.members[b]
        return True

    def unite(self, one: int, other: int) -> bool:
        """Make two cells one. False where they hold different values at one time, or their groups do not fit together."""
        a, b = self.cell(one), self.cell(other)
        if a == b:
            return True
        if self.against[a] >> b & 1 or a in self.homes or b in self.homes:
            return False
        first, second = self.group(a), self.group(b)
        cells = self.members[first] + ([] if first == second else self.members[second])
        if any(cell in self.homes for cell in cells):
            return False
        saved = self.against[a]
        self.against[a] |= self.against[b]
        for other_cell in bit_numbers(self.against[b]):
            self.against[other_cell] |= 1 << a
        remaining = [cell for cell in cells if cell != b]
        if not self.fits(remaining):
            self.against[a] = saved
            for other_cell in bit_numbers(self.against[b] & ~saved):
                self.against[other_cell] &= ~(1 << a)
            return False
        self.same[b] = a
        if first != second:
            self.leader[second] = first
            del self.members[second]
        self.members[first] = remaining
        if b == first:  # the leader of a group stays one of its cells
            self.leader[b] = b
            leader = remaining[0]
            self.members[leader] = self.members.pop(first)
            self.leader[first] = leader
            self.leader[leader] = leader
            for cell in remaining:
                self.leader[cell] = leader
        return True

    def fits(self, cells: Sequence[int]) -> bool:
        """Whether four components are enough for cells."""
        if len(cells) <= WIDTH:
            return True
        if len(cells) > _LARGEST:
            return False
        mask = sum(1 << cell for cell in cells)
        order = sorted(cells, key=lambda cell: -(self.against[cell] & mask).bit_count())
        return _placed(order, [0] * WIDTH, self, {}) is not None


def coloured(insts: Sequence[Inst], groups: Groups) -> dict[int, Home] | None:
    """A register and component for each cell that is used."""
    first: dict[int, int] = {}
    hint: dict[int, int] = {}
    for n, inst in enumerate(insts):
        for lane, cell in enumerate(inst.dst):
            first.setdefault(groups.cell(cell), n)
            hint.setdefault(groups.cell(cell), lane)
        for cell in inst.cells():
            first.setdefault(groups.cell(cell), n)
    members: dict[int, list[int]] = {}
    for cell in first:
        if cell not in groups.homes:
            members.setdefault(groups.group(cell), []).append(cell)
    every = list(members.values())

    def begin(cells: Sequence[int]) -> tuple[int, int]:
        return 0, min(first[cell] for cell in cells)

    def large(cells: Sequence[int]) -> tuple[int, int]:
        return -len(cells), begin(cells)[1]

    def crowded(cells: Sequence[int]) -> tuple[int, int]:
        return -sum(groups.against[cell].bit_count() for cell in cells), 0

    for order in (begin, large, crowded):
        found = _assigned(sorted(every, key=order), groups, hint)
        if found is not None:
            return found | groups.homes
    return None


def _assigned(every: Sequence[list[int]], groups: Groups, hint: dict[int, int]) -> dict[int, Home] | None:
    taken = [[0] * WIDTH for _ in range(TEMPORARIES)]
    found: dict[int, Home] = {}
    for cells in every:
        order = sorted(cells, key=lambda cell: -groups.against[cell].bit_count())
        for register in range(TEMPORARIES):
            placed = _placed(order, taken[register], groups, hint)
            if placed is not None:
                for cell, component in placed.items():
                    found[cell] = TEMPORARY + register, component
                break
        else:
            return None
    return found


def _placed(order: Sequence[int], taken: list[int], groups: Groups, wanted: Mapping[int, int]) -> dict[int, int] | None:
    """Components of a register for cells, beside those that are `taken`, which is changed where there are; `wanted` is tried
    first."""
    found: dict[int, int] = {}
    tries = 0

    def place(n: int) -> bool:
        nonlocal tries
        if n == len(order):
            return True
        tries += 1
        if tries > _TRIES:
            return False
        cell = order[n]
        empty = False
        for component in _ORDERS[wanted.get(cell, 0) % WIDTH]:
            if groups.against[cell] & taken[component] or (empty and not taken[component]):
                continue  # an empty component is like another
            empty = empty or not taken[component]
            taken[component] |= 1 << cell
            found[cell] = component
            if place(n + 1):
                return True
            taken[component] ^= 1 << cell
            del found[cell]
        return False

    return found if place(0) else None
