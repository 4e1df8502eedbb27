"""Paths of graphs: dominators, postdominators, reachability."""

from __future__ import annotations

from lanewise.core.objects import checked
from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.order import reverse_postorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.graph.flow import Flow

# The number of no node: what dominates the entry, and the outside into which a program stops.
NOWHERE = -1


@checked
def dominators(flow: Flow) -> tuple[int, ...]:
    """The immediate dominator of each node: the nearest other node on every path from node 0.

    `NOWHERE` for node 0 and for nodes that cannot be reached.
    """
    order = reverse_postorder([0], flow.successors.__getitem__)
    place = {number: n for n, number in enumerate(order)}
    nearest = _nearest([[place[source] for source in flow.predecessors[number] if source in place] for number in order])
    return tuple(
        order[nearest[place[number]]] if number and number in place else NOWHERE for number in range(len(flow.successors))
    )


def postdominators(flow: Flow) -> tuple[int, ...]:
    """The immediate postdominator of each node, or `NOWHERE`.

    It is the nearest other node on every path to an exit. Nodes of an endless loop, from which no path ends, have `NOWHERE`.
    """
    return nearest_after(flow.successors, flow.predecessors, flow.exits)


def nearest_after(
    successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]], leaving: Iterable[int]
) -> tuple[int, ...]:
    """The nearest other node on every path from a node to `leaving`, or `NOWHERE`.

    The result has an entry for each node.
    """
    outside = frozenset(leaving)
    # The reversed graph, with one more node 0 for the outside, numbered as `_nearest` wants it.
    order = [NOWHERE, *reverse_postorder(sorted(outside), predecessors.__getitem__)]
    place = {number: n for n, number in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for number in order[1:]:
        following = [place[target] for target in successors[number] if target in place]
        before[place[number]] = following + [0] * (number in outside)
    nearest = _nearest(before)
    return tuple(order[nearest[place[number]]] if number in place else NOWHERE for number in range(len(successors)))


def dominates(nearest: Sequence[int], above: int, below: int) -> bool:
    """Whether `above` is `below` or an ancestor of it in the tree `nearest`.

    `nearest` is the result of `dominators` or `postdominators`.
    """
    while below not in (above, NOWHERE):
        below = nearest[below]
    return below == above


def reachable(flow: Flow, start: Iterable[int]) -> frozenset[int]:
    """The nodes that can be reached from these, with these themselves."""
    return closure(flow.successors, start)


@checked
def reaching(flow: Flow, goal: Iterable[int]) -> frozenset[int]:
    """The nodes from which these can be reached, with these themselves."""
    return closure(flow.predecessors, goal)


def closure(following: Sequence[Sequence[int]], start: Iterable[int]) -> frozenset[int]:
    """The nodes of the paths along `following` that begin at one of `start`."""
    waiting = list(start)
    found = set(waiting)
    while waiting:
        for number in following[waiting.pop()]:
            if number not in found:
                found.add(number)
                waiting.append(number)
    return frozenset(found)


def _nearest(before: Sequence[Sequence[int]]) -> list[int]:
    """The immediate dominators of nodes in reverse postorder, node 0 the root (its own dominator).

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
