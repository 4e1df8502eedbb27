"""The order in which a graph is numbered: a node comes before those that follow it, except where a loop goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

Node = TypeVar("Node", bound="Hashable")


def reverse_postorder(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """The nodes that can be reached from `starts`, which count too, in reverse postorder of a depth-first search.

    What follows a node is visited in the order given, so the last of it comes first in the answer.
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
