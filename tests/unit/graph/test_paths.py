"""Dominators and what reaches what, against the definition: what is cut off when a block is taken away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from engines.shaders import program, word
from lanewise.pica200.ir.graph import Block, Branch, Goto, Graph, unfold
from lanewise.pica200.ir.paths import NOWHERE, dominates, dominators, ending, postdominators, reachable, reaching
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem.flow import Boolean, End, Hang, Shape

FEW = 9


def graph_of(goals: list[tuple[int, int]]) -> Graph:
    """A graph with two ways from each block; -1 is END, -2 a hang. Only what can be reached, numbered as `unfold` does it."""
    words: dict[int, int] = {}
    for n, (yes, no) in enumerate(goals):
        words[3 * n] = word("jmpu", dst=place(yes))
        words[3 * n + 1] = word("jmpu", dst=place(no))
        words[3 * n + 2] = word("jmpu", dst=place(no), num=1)
    words[90] = word("end")
    words[91] = word("break")
    graph = unfold([decode(value) for value in program(93, words)], 0)
    assert isinstance(graph, Graph)
    return graph


def place(goal: int) -> int:
    return {-1: 90, -2: 91}.get(goal, 3 * goal)


graphs = st.lists(st.tuples(st.integers(-2, FEW - 1), st.integers(-2, FEW - 1)), min_size=FEW, max_size=FEW).map(graph_of)


def spread(graph: Graph, start: int, without: int) -> set[int]:
    """The blocks on the paths from `start` that do not go through `without`."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number != without and number not in found:
            found.add(number)
            waiting += graph.successors[number]
    return found


def stops(graph: Graph, numbers: set[int]) -> bool:
    return any(not isinstance(p.target, int) for number in numbers for p in graph.passages[number])


@examples(150)
@given(graphs)
def test_dominators(graph: Graph):
    nearest = dominators(graph)
    assert nearest[0] == NOWHERE
    for above in range(len(graph.blocks)):
        free = spread(graph, 0, above)
        for below in range(len(graph.blocks)):
            assert dominates(nearest, above, below) is (below not in free)


@examples(150)
@given(graphs)
def test_postdominators(graph: Graph):
    nearest = postdominators(graph)
    for before in range(len(graph.blocks)):
        if not stops(graph, spread(graph, before, NOWHERE)):
            assert nearest[before] == NOWHERE
            continue
        for after in range(len(graph.blocks)):
            cut_off = not stops(graph, spread(graph, before, after))
            assert dominates(nearest, after, before) is cut_off


@examples(50)
@given(graphs)
def test_reaching(graph: Graph):
    numbers = range(len(graph.blocks))
    assert reachable(graph, [0]) == set(numbers)
    for number in numbers:
        assert reachable(graph, [number]) == spread(graph, number, NOWHERE)
        assert reaching(graph, [number]) == {other for other in numbers if number in spread(graph, other, NOWHERE)}
    ends = {n for n in numbers if any(p.target == End() for p in graph.passages[n] if not isinstance(p.target, int))}
    assert ending(graph) == {other for other in numbers if ends & spread(graph, other, NOWHERE)}


def way(goal: int) -> Goto | End:
    return Goto(goal) if goal >= 0 else End()


def test_by_hand():
    # 0 asks: 1 or 2, both to 3, which goes back to 0 or ends; 4 goes round for ever.
    goals = [(1, 2), (3, 3), (3, 4), (0, -1), (4, 4)]
    blocks = [Block(n, Shape(n), 1, Branch(Boolean(0), way(yes), way(no))) for n, (yes, no) in enumerate(goals)]
    graph = Graph(tuple(blocks))
    assert dominators(graph) == (NOWHERE, 0, 0, 0, 2)
    assert postdominators(graph) == (3, 3, 3, NOWHERE, NOWHERE)
    assert ending(graph) == {0, 1, 2, 3}
    assert reaching(graph, [4]) == {0, 1, 2, 3, 4}
    assert reachable(graph, [4]) == {4}


def test_hangs_are_not_ends():
    graph = Graph((Block(0, Shape(0), 1, Branch(Boolean(0), Goto(1), Hang("R002"))), Block(1, Shape(1), 1, Hang("R003"))))
    assert ending(graph) == frozenset()
    assert postdominators(graph) == (NOWHERE, NOWHERE)
