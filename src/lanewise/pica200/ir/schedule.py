"""In which order blocks are emitted for lanes that go different ways, and where the lanes come together again.

The order is Bourdoncle's weak topological one (Efficient chaotic iteration strategies with widenings, 1993): whatever goes round
stands together behind its head, and every edge leads forward or to the head of a round that holds it. Code that runs the blocks in
this order under masks, and at the end of a round goes back to the head while lanes wait there, is right for any graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.graph.order import reverse_postorder
from lanewise.pica200.ir.paths import NOWHERE, nearest_after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Order(NamedTuple):
    """`blocks` in the order of emission; `rounds` maps the head of each round to the last block of it in that order."""

    blocks: tuple[int, ...]
    rounds: Mapping[int, int]


class Region(NamedTuple):
    """Blocks that lanes run by their masks, in order, and the block where all are together again (`NOWHERE`: at the very end)."""

    blocks: tuple[int, ...]
    meet: int


def weak_order(successors: Sequence[Sequence[int]], entry: int = 0) -> Order:
    """The order of all blocks that can be reached from `entry`."""
    rounds: dict[int, int] = {}
    return Order(tuple(_ordered(successors, [entry], None, rounds)), rounds)


def _ordered(
    successors: Sequence[Sequence[int]], starts: Sequence[int], inside: frozenset[int] | None, rounds: dict[int, int]
) -> list[int]:
    """The blocks of `inside` (None: all) that can be reached from `starts`, in weak topological order."""

    def following(block: int) -> list[int]:
        return [target for target in successors[block] if inside is None or target in inside]

    order = reverse_postorder(starts, following)
    place = {block: number for number, block in enumerate(order)}
    found: list[int] = []
    for group in _strongly_connected(order, following):
        head = min(group, key=place.__getitem__)
        if len(group) == 1:
            found.append(head)
            if head in successors[head]:
                rounds[head] = head
            continue
        rest = frozenset(group) - {head}
        inner = _ordered(successors, [target for target in following(head) if target in rest], rest, rounds)
        found += [head, *inner]
        rounds[head] = inner[-1]
    return found


def _strongly_connected(order: Sequence[int], following: Callable[[int], Sequence[int]]) -> list[list[int]]:
    """Groups of blocks that reach each other, a group before those that follow it (Kosaraju's algorithm)."""
    before: dict[int, list[int]] = {block: [] for block in order}
    for block in order:
        for target in following(block):
            before[target].append(block)
    owner: dict[int, int] = {}
    groups: list[list[int]] = []
    for root in order:
        if root in owner:
            continue
        owner[root] = len(groups)
        group, waiting = [root], [root]
        while waiting:
            for other in before[waiting.pop()]:
                if other not in owner:
                    owner[other] = len(groups)
                    group.append(other)
                    waiting.append(other)
        groups.append(group)
    return groups


def regions(
    successors: Sequence[Sequence[int]], ending: Iterable[int], splitting: Iterable[int], order: Order
) -> tuple[Region, ...]:
    """Where lanes are apart if they part at the ends of the blocks in `splitting`. `ending` are the blocks that may do END.

    The regions have no block in common. A block of `splitting` that is in no region is run by all lanes together.
    """
    predecessors: list[list[int]] = [[] for _ in successors]
    for block, following in enumerate(successors):
        for target in following:
            predecessors[target].append(block)
    after = nearest_after(successors, predecessors, ending)
    reaching = _reaching(predecessors, ending)
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
                    # Who only stops without END meets nobody: the others' place stands.
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


def _reaching(predecessors: Sequence[Sequence[int]], ending: Iterable[int]) -> frozenset[int]:
    """The blocks from which END can be reached."""
    waiting = [*ending]
    found = set(waiting)
    while waiting:
        for block in predecessors[waiting.pop()]:
            if block not in found:
                found.add(block)
                waiting.append(block)
    return frozenset(found)


def _between(successors: Sequence[Sequence[int]], starts: Iterable[int], meet: int) -> frozenset[int]:
    """The blocks on the ways from `starts`, which count too, up to `meet`, which does not."""
    waiting = [block for block in starts if block != meet]
    found = set(waiting)
    while waiting:
        for target in successors[waiting.pop()]:
            if target != meet and target not in found:
                found.add(target)
                waiting.append(target)
    return frozenset(found)


def _common(after: Sequence[int], a: int, b: int, apart: frozenset[int]) -> int:
    """The nearest block that comes after both on every way and is not among those `apart`."""
    above: list[int] = []
    while a != NOWHERE:
        above.append(a)
        a = after[a]
    while b != NOWHERE and (b not in above or b in apart):
        b = after[b]
    return b


def _comes_last(apart: frozenset[int], meet: int, place: Mapping[int, int], order: Order) -> bool:
    """Whether all lanes have left a region before `meet` is emitted: it stands behind, or heads a round that holds it."""
    if meet == NOWHERE or all(place[block] < place[meet] for block in apart):
        return True
    last = order.rounds.get(meet)
    return last is not None and all(place[meet] < place[block] <= place[last] for block in apart)
