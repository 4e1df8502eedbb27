"""Divergence and reconvergence of lanes: the blocks that execute under masks."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.flow import predecessors
from lanewise.graph.paths import NOWHERE, closure, nearest_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.graph.order import Order


class Region(Record):
    """Blocks that execute under lane masks, in order, and the block of reconvergence.

    `NOWHERE`: lanes reconverge at the end of the program.
    """

    blocks: tuple[int, ...]
    meet: int


def regions(
    successors: Sequence[Sequence[int]], ending: Iterable[int], splitting: Iterable[int], order: Order
) -> tuple[Region, ...]:
    """The divergent regions if lanes diverge at the ends of blocks in `splitting`.

    `ending` are the blocks that may end the program. The regions are disjoint. All lanes execute a block of `splitting` outside
    all regions together.
    """
    before = predecessors(successors)
    after = nearest_after(successors, before, ending)
    reaching = closure(before, ending)
    place = {block: number for number, block in enumerate(order.blocks)}
    found: list[tuple[frozenset[int], int]] = []
    for block in sorted(set(splitting), key=place.__getitem__):
        meet = after[block]
        apart = _between(successors, successors[block], meet)
        merged = True
        while merged:
            merged = False
            for other in found:
                if other[0] & apart or (other[1] in apart) or (meet in other[0]):
                    found.remove(other)
                    # A region from which no path ends the program reconverges nowhere: the other's block counts.
                    if meet == NOWHERE and not apart & reaching:
                        meet = other[1]
                    elif other[1] != NOWHERE or other[0] & reaching:
                        meet = _common(after, meet, other[1], apart | other[0])
                    apart = _between(successors, apart | other[0], meet)
                    merged = True
                    break
            if not merged and not _comes_last(apart, meet, place, order):
                meet, apart = after[meet], _between(successors, apart | {meet}, after[meet])
                merged = True
        if apart:
            found.append((apart, meet))
    return tuple(Region(tuple(sorted(apart, key=place.__getitem__)), meet) for apart, meet in found)


def _between(successors: Sequence[Sequence[int]], starts: Iterable[int], meet: int) -> frozenset[int]:
    """The blocks on the paths from `starts` to `meet`, with `starts` and without `meet`."""
    waiting = [block for block in starts if block != meet]
    found = set(waiting)
    while waiting:
        for target in successors[waiting.pop()]:
            if target != meet and target not in found:
                found.add(target)
                waiting.append(target)
    return frozenset(found)


def _common(after: Sequence[int], a: int, b: int, apart: frozenset[int]) -> int:
    """The nearest block that comes after both on every path and is not among those `apart`."""
    above: list[int] = []
    while a != NOWHERE:
        above.append(a)
        a = after[a]
    while b != NOWHERE and (b not in above or b in apart):
        b = after[b]
    return b


def _comes_last(apart: frozenset[int], meet: int, place: Mapping[int, int], order: Order) -> bool:
    """Whether all lanes have left a region before `meet` is emitted: it comes later in the order, or heads a loop around the
    region."""
    if meet == NOWHERE or all(place[block] < place[meet] for block in apart):
        return True
    last = order.loops.get(meet)
    return last is not None and all(place[meet] < place[block] <= place[last] for block in apart)
