"""What holds on all paths of a graph, or on some: dominators, postdominators, what reaches what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.graph.order import reverse_postorder
from lanewise.pica200.sem.flow import End

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.pica200.ir.graph import Graph

# The number that stands for no block: what dominates the entry, and the outside into which a program stops.
NOWHERE = -1


def dominators(graph: Graph) -> tuple[int, ...]:
    """By block: the nearest other block that every path to it from the entry goes through; `NOWHERE` for the entry."""
    found = _nearest(graph.predecessors)
    return (NOWHERE, *found[1:])


def postdominators(graph: Graph) -> tuple[int, ...]:
    """By block: the nearest other block that every path from it to END or a hang goes through; `NOWHERE` if there is none.

    `NOWHERE` too for a block from which no path stops, because it goes round for ever.
    """
    leaving = [number for number, block in enumerate(graph.passages) if any(not isinstance(p.target, int) for p in block)]
    return nearest_after(graph.successors, graph.predecessors, leaving)


def nearest_after(
    successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]], leaving: Iterable[int]
) -> tuple[int, ...]:
    """By node: the nearest other node that every path goes through which leaves from one of `leaving`; `NOWHERE` if there is none."""
    outside = frozenset(leaving)
    # The graph turned round, with one more node 0 for the outside, numbered as `_nearest` wants it.
    order = [NOWHERE, *reverse_postorder(sorted(outside), predecessors.__getitem__)]
    place = {number: n for n, number in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for number in order[1:]:
        following = [place[target] for target in successors[number] if target in place]
        before[place[number]] = following + [0] * (number in outside)
    nearest = _nearest(before)
    return tuple(order[nearest[place[number]]] if number in place else NOWHERE for number in range(len(successors)))


def dominates(nearest: Sequence[int], above: int, below: int) -> bool:
    """Whether `above` is `below` or comes up the tree from it; `nearest` is what `dominators` or `postdominators` gave."""
    while below not in (above, NOWHERE):
        below = nearest[below]
    return below == above


def reachable(graph: Graph, start: Iterable[int]) -> frozenset[int]:
    """The blocks that can be reached from these, which count too."""
    return _closure(graph.successors, start)


def reaching(graph: Graph, goal: Iterable[int]) -> frozenset[int]:
    """The blocks from which these can be reached, which count too."""
    return _closure(graph.predecessors, goal)


def ending(graph: Graph) -> frozenset[int]:
    """The blocks from which END can be reached."""
    return reaching(graph, (n for n, leaving in enumerate(graph.passages) if any(isinstance(p.target, End) for p in leaving)))


def _closure(following: Sequence[Sequence[int]], start: Iterable[int]) -> frozenset[int]:
    waiting = list(start)
    found = set(waiting)
    while waiting:
        for number in following[waiting.pop()]:
            if number not in found:
                found.add(number)
                waiting.append(number)
    return frozenset(found)


def _nearest(before: Sequence[Sequence[int]]) -> list[int]:
    """The immediate dominators of nodes numbered in reverse postorder, node 0 the root (which gets itself).

    Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
    """
    nearest = [0] + [NOWHERE] * (len(before) - 1)
    changed = True
    while changed:
        changed = False
        for node in range(1, len(before)):
            known = [other for other in before[node] if nearest[other] != NOWHERE]
            meet = known[0]
            for other in known[1:]:
                meet = _meet(nearest, meet, other)
            if nearest[node] != meet:
                nearest[node] = meet
                changed = True
    return nearest


def _meet(nearest: Sequence[int], a: int, b: int) -> int:
    while a != b:
        while a > b:
            a = nearest[a]
        while b > a:
            b = nearest[b]
    return a
