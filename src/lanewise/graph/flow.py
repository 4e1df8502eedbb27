"""The edges of a control-flow graph, whatever its nodes are."""

from __future__ import annotations

from lanewise.core.cached import cached_property
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Flow:
    """A graph of nodes that are numbered from 0, the entry.

    `successors` are by node the nodes that may come next, each once; `exits` the nodes at which the program may stop.
    """

    def __init__(self, successors: tuple[tuple[int, ...], ...], exits: frozenset[int] = frozenset()) -> None:
        self.successors, self.exits = successors, exits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flow) and (self.successors, self.exits) == (other.successors, other.exits)

    def __hash__(self) -> int:
        return hash((self.successors, self.exits))

    def __repr__(self) -> str:
        return f"Flow(successors={self.successors!r}, exits={self.exits!r})"

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """By node: the nodes from which it may be reached in one step, in order."""
        return predecessors(self.successors)


class BudgetExceeded(Record):
    """The result would be too large; `reason` is a sentence without its full stop."""

    reason: str


def predecessors(successors: Sequence[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """By node: the nodes from which it may be reached in one step, in order."""
    found: list[list[int]] = [[] for _ in successors]
    for number, following in enumerate(successors):
        for target in following:
            found[target].append(number)
    return tuple(map(tuple, found))
