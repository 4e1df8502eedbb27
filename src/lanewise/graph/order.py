"""Topological orders of graphs: nodes before successors, except over back edges."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import TypeVar

    Node = TypeVar("Node", bound=Hashable)


def reverse_postorder(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """The nodes reachable from `starts`, with `starts`, in reverse postorder.

    The depth-first search visits the successors of a node in the given order, so the last of them comes first in the result.
    """
    seen: set[Node] = set()
    done: list[Node] = []
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(following(start)))]
        while path:
            node, rest = path[-1]
            after = next((other for other in rest if other not in seen), None)
            if after is None:
                done.append(node)
                path.pop()
            else:
                seen.add(after)
                path.append((after, iter(following(after))))
    return done[::-1]


class Order(Record):
    """`blocks` in weak topological order.

    `loops` maps the head of each loop to its last block in that order.
    """

    blocks: tuple[int, ...]
    loops: Mapping[int, int]


def weak_order(successors: Sequence[Sequence[int]], entry: int = 0) -> Order:
    """The weak topological order of all blocks that can be reached from `entry`.

    The blocks of a loop follow each other, its head first, and every edge leads forward or to the head of a loop that holds it.
    Code that runs the blocks in this order under masks, and at the end of a loop goes back to the head while lanes wait there,
    is right for any graph. Source: Bourdoncle, Efficient chaotic iteration strategies with widenings (1993).
    """
    loops: dict[int, int] = {}
    return Order(tuple(_ordered(successors, [entry], None, loops)), loops)


def _ordered(
    successors: Sequence[Sequence[int]], starts: Sequence[int], inside: frozenset[int] | None, loops: dict[int, int]
) -> list[int]:
    """The blocks of `inside` (None: all) that can be reached from `starts`, in weak topological order."""

    def following(block: int) -> list[int]:
        return [target for target in successors[block] if inside is None or target in inside]

    order = reverse_postorder(starts, following)
    place = {block: number for number, block in enumerate(order)}
    found: list[int] = []
    for group in strongly_connected(order, following):
        head = min(group, key=place.__getitem__)
        if len(group) == 1:
            found.append(head)
            if head in successors[head]:
                loops[head] = head
            continue
        rest = frozenset(group) - {head}
        inner = _ordered(successors, [target for target in following(head) if target in rest], rest, loops)
        found += [head, *inner]
        loops[head] = inner[-1]
    return found


def strongly_connected(order: Sequence[Node], following: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components, in topological order (Kosaraju's algorithm).

    `order` is the reverse postorder of the nodes.
    """
    before: dict[Node, list[Node]] = {node: [] for node in order}
    for node in order:
        for target in following(node):
            before[target].append(node)
    seen: set[Node] = set()
    groups: list[list[Node]] = []
    for root in order:
        if root in seen:
            continue
        seen.add(root)
        group, waiting = [root], [root]
        while waiting:
            for other in before[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    group.append(other)
                    waiting.append(other)
        groups.append(group)
    return groups
