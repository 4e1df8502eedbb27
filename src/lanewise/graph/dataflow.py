"""Dataflow over any flow graph: sets as bits, one equation for each item of a node, solved to a fixed point.

A set is an integer with a bit for each member. A node is a sequence of items, such as the addresses of its instructions; what
an item does to a set is a `Step`: what comes out is `(in & keep) | add`. That is enough for definite assignment, liveness,
reaching definitions and so on. The sets of a graph are a tuple with one for each node.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lanewise.graph.flow import Flow

EVERYTHING = -1

Item = TypeVar("Item")


class Step(Record):
    """The effect of one item on a set."""

    keep: int = EVERYTHING
    add: int = 0


NOTHING = Step()


def forward(
    flow: Flow, nodes: Sequence[Sequence[Item]], step: Callable[[Item], Step], starts: Mapping[int, int], *, must: bool
) -> tuple[int, ...]:
    """The set before the first item of each node.

    `must`: elements that hold on every path to it; otherwise on some path.

    `nodes` are the items of each node, `starts` the sets that come in from outside, by node: that of the entry.
    """
    return forward_of(flow, [_composed(map(step, items)) for items in nodes], starts, must=must)


def forward_of(flow: Flow, effects: Sequence[Step], starts: Mapping[int, int], *, must: bool) -> tuple[int, ...]:
    """As `forward`, from the effect of each node."""
    return _solve(flow.predecessors, flow.successors, effects, starts, must, reverse=False)


def backward(
    flow: Flow,
    nodes: Sequence[Sequence[Item]],
    step: Callable[[Item], Step],
    ends: Mapping[int, int],
    *,
    must: bool = False,
) -> tuple[int, ...]:
    """The set after the last item of each node, for facts that depend on later items.

    `ends` are the sets after nodes that stop."""
    return backward_of(flow, [_composed(map(step, reversed(items))) for items in nodes], ends, must=must)


def backward_of(flow: Flow, effects: Sequence[Step], ends: Mapping[int, int], *, must: bool = False) -> tuple[int, ...]:
    """As `backward`, from the effect of each node, its last item first."""
    return _solve(flow.successors, flow.predecessors, effects, ends, must, reverse=True)


def before(
    nodes: Sequence[Sequence[Item]], values: Sequence[int], step: Callable[[Item], Step]
) -> Iterator[tuple[int, Item, int]]:
    """Yield (node, item, set before that item) for every item of every node.

    `values` are those of `forward`.
    """
    for number, (items, coming) in enumerate(zip(nodes, values, strict=True)):
        value = coming
        for item in items:
            yield number, item, value
            keep, add = step(item)
            value = value & keep | add


def after(
    nodes: Sequence[Sequence[Item]], values: Sequence[int], step: Callable[[Item], Step]
) -> Iterator[tuple[int, Item, int]]:
    """Yield (node, item, set after that item), last items first.

    `values` are those of `backward`.
    """
    return before([items[::-1] for items in nodes], values, step)


def _composed(steps: Iterable[Step]) -> Step:
    """Some steps one after the other as one."""
    all_keep, all_add = EVERYTHING, 0
    for keep, add in steps:
        all_keep, all_add = all_keep & keep, all_add & keep | add
    return Step(all_keep, all_add)


def _solve(
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    effects: Sequence[Step],
    starts: Mapping[int, int],
    must: bool,
    *,
    reverse: bool,
) -> tuple[int, ...]:
    """The set that flows into each node. A node that nothing flows into has everything (`must`) or nothing."""
    neutral = EVERYTHING if must else 0
    flowing = [neutral] * len(effects)
    waiting = dict.fromkeys(range(len(effects) - 1, -1, -1) if reverse else range(len(effects)))
    coming = [neutral] * len(effects)
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        value = starts.get(number, neutral)
        for source in sources[number]:
            value = value & flowing[source] if must else value | flowing[source]
        coming[number] = value
        keep, add = effects[number]
        out = value & keep | add
        if out != flowing[number]:
            flowing[number] = out
            waiting.update(dict.fromkeys(targets[number]))
    return tuple(coming)
