"""Dominators and reachability, against the definition: what is cut off when a node is taken away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from lanewise.graph.flow import Flow
from lanewise.graph.paths import NOWHERE, dominates, dominators, postdominators, reachable, reaching

FEW = 9


def graph_of(successors: list[list[int]], exits: frozenset[int]) -> Flow:
    return Flow(tuple(tuple(dict.fromkeys(targets)) for targets in successors), exits)


nodes = st.integers(0, FEW - 1)
graphs = st.builds(graph_of, st.lists(st.lists(nodes, max_size=2), min_size=FEW, max_size=FEW), st.frozensets(nodes))


def spread(graph: Flow, start: int, without: int) -> set[int]:
    """The nodes on the paths from `start` that do not go through `without`."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number != without and number not in found:
            found.add(number)
            waiting += graph.successors[number]
    return found


@examples(75, 1500)
@given(graphs)
def test_dominators(graph: Flow):
    """Nodes may have any numbers, and some cannot be reached."""
    nearest = dominators(graph)
    reached = spread(graph, 0, NOWHERE)
    assert nearest[0] == NOWHERE
    for below in range(FEW):
        if below not in reached:
            assert nearest[below] == NOWHERE
            continue
        for above in reached:
            assert dominates(nearest, above, below) is (below not in spread(graph, 0, above))


@examples(75, 1500)
@given(graphs)
def test_postdominators(graph: Flow):
    nearest = postdominators(graph)
    for before in range(FEW):
        if not graph.exits & spread(graph, before, NOWHERE):
            assert nearest[before] == NOWHERE
            continue
        for after in range(FEW):
            cut_off = not graph.exits & spread(graph, before, after)
            assert dominates(nearest, after, before) is cut_off


@examples(30, 500)
@given(graphs)
def test_reaching(graph: Flow):
    for number in range(FEW):
        assert reachable(graph, [number]) == spread(graph, number, NOWHERE)
        assert reaching(graph, [number]) == {other for other in range(FEW) if number in spread(graph, other, NOWHERE)}
    assert reaching(graph, graph.exits) == {other for other in range(FEW) if graph.exits & spread(graph, other, NOWHERE)}


def test_by_hand():
    # 0 branches to 1 or 2, both go to 3, which goes back to 0 or stops; 4 is an endless loop.
    graph = Flow(((1, 2), (3,), (3, 4), (0,), (4,)), frozenset({3}))
    assert graph.predecessors == ((3,), (0,), (0,), (1, 2), (2, 4))
    assert dominators(graph) == (NOWHERE, 0, 0, 0, 2)
    assert postdominators(graph) == (3, 3, 3, NOWHERE, NOWHERE)
    assert reaching(graph, graph.exits) == {0, 1, 2, 3}
    assert reaching(graph, [4]) == {0, 1, 2, 3, 4}
    assert reachable(graph, [4]) == {4}
