"""Group the nodes of an acyclic graph into trees with one result, so that a drawing shows expressions and not single
instructions."""

from __future__ import annotations

import heapq

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

MOST = 24  # nodes of a tree: a longer box does not fit on a screen


def trees(
    count: int,
    values: Iterable[tuple[int, int]],
    orders: Iterable[tuple[int, int]] = (),
    kept: Collection[int] = (),
    most: int = MOST,
) -> tuple[tuple[int, ...], ...]:
    """The groups of `count` nodes, in an order in which no edge leads back; the nodes of each ascend.

    `values` are edges (node, later node) that a value takes: a node whose value only one group takes joins that group, if it
    then has no more than `most` nodes, and if no path leaves the group and comes back. `orders` are edges that only keep an
    order. The values of `kept` are results by themselves and join no group.
    """
    users: list[set[int]] = [set() for _ in range(count)]
    after: list[set[int]] = [set() for _ in range(count)]  # by group: groups that must come later, some of them by former names
    for source, target in values:
        users[source].add(target)
        after[source].add(target)
    for source, target in orders:
        after[source].add(target)
    group = list(range(count))  # by node: the last node of its group
    members: dict[int, list[int]] = {node: [node] for node in range(count)}
    for node in reversed(range(count)):
        takers = {group[user] for user in users[node]}
        if node in kept or len(takers) != 1:
            continue
        (root,) = takers
        if len(members[root]) < most and not _returns(node, root, after, group):
            members[root].append(node)
            del members[node]
            group[node] = root
            after[root] |= after[node]
    return _sorted({root: tuple(sorted(nodes)) for root, nodes in members.items()}, after, group)


def _returns(node: int, root: int, after: Sequence[set[int]], group: Sequence[int]) -> bool:
    """Whether a path leads from a node to a group through others, so that the two cannot be one."""
    waiting = [group[target] for target in after[node] if group[target] != root]
    seen = set(waiting)
    while waiting:
        for target in after[waiting.pop()]:
            found = group[target]
            if found == root:
                return True
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    return False


def _sorted(
    members: dict[int, tuple[int, ...]], after: Sequence[set[int]], group: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """The groups in topological order, of those that may come next the one that begins first."""
    following = {root: {group[target] for target in after[root]} - {root} for root in members}
    missing = dict.fromkeys(members, 0)
    for targets in following.values():
        for target in targets:
            missing[target] += 1
    ready = [(members[root], root) for root, left in missing.items() if not left]
    heapq.heapify(ready)
    found: list[tuple[int, ...]] = []
    while ready:
        nodes, root = heapq.heappop(ready)
        found.append(nodes)
        for target in following[root]:
            missing[target] -= 1
            if not missing[target]:
                heapq.heappush(ready, (members[target], target))
    return tuple(found)
