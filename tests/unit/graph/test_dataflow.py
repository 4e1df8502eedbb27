"""Dataflow, against the definition: the sets along every path, joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from lanewise.graph.dataflow import EVERYTHING, Step, after, backward, before, forward
from lanewise.graph.flow import Flow

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMBERS = 0b111
# A graph without cycles, so that its paths can be listed; the cycles are in `test_a_loop`.
DIAMOND = Flow(((1, 2), (3,), (3,), ()), frozenset({3}))
PATHS = ((0, 1, 3), (0, 2, 3))

steps = st.builds(Step, st.integers(0, MEMBERS), st.integers(0, MEMBERS))
bodies = st.lists(st.lists(steps, max_size=3), min_size=4, max_size=4)


def same(step: Step) -> Step:
    return step


def along(path: Sequence[int], body: Sequence[Sequence[Step]], value: int) -> int:
    for node in path:
        for keep, add in body[node]:
            value = value & keep | add
    return value


def joined(values: list[int], must: bool) -> int:
    found = MEMBERS if must else 0
    for value in values:
        found = found & value if must else found | value
    return found


@examples(50, 1000)
@given(bodies, st.integers(0, MEMBERS), st.booleans())
def test_forward(body: list[list[Step]], start: int, must: bool):
    values = forward(DIAMOND, body, same, {0: start}, must=must)
    for node in range(4):
        coming = [along(path[: path.index(node)], body, start) for path in PATHS if node in path]
        assert values[node] == joined(coming, must)


@examples(50, 1000)
@given(bodies, st.integers(0, MEMBERS), st.booleans())
def test_backward(body: list[list[Step]], end: int, must: bool):
    values = backward(DIAMOND, body, same, {3: end}, must=must)
    reversed_body = [items[::-1] for items in body]
    for node in range(4):
        coming = [along(path[: path.index(node) : -1], reversed_body, end) for path in PATHS if node in path]
        assert values[node] == joined(coming, must)


def test_a_loop():
    # 0 writes bit 0, 1 (a loop) writes bit 1 and then removes bit 0, 2 is after the loop.
    flow = Flow(((1,), (1, 2), ()), frozenset({2}))
    body = [[Step(EVERYTHING, 1)], [Step(EVERYTHING, 2), Step(~1)], [Step()]]
    assert forward(flow, body, same, {0: 0}, must=False) == (0, 3, 2)
    assert forward(flow, body, same, {0: 0}, must=True) == (0, 0, 2)


def test_sets_inside_nodes():
    body = [range(2), range(2, 3)]
    effects = {0: Step(EVERYTHING, 1), 1: Step(~1), 2: Step(EVERYTHING, 4)}
    flow = Flow(((1,), ()), frozenset({1}))
    values = forward(flow, body, effects.__getitem__, {0: 8}, must=True)
    assert list(before(body, values, effects.__getitem__)) == [(0, 0, 8), (0, 1, 9), (1, 2, 8)]
    values = backward(flow, body, effects.__getitem__, {1: 2})
    assert list(after(body, values, effects.__getitem__)) == [(0, 1, 6), (0, 0, 6), (1, 2, 2)]
