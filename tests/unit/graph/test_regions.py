"""The order of emission, and where lanes are apart, on random graphs: the properties that code under masks relies on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lanewise.graph.order import weak_order
from lanewise.graph.paths import NOWHERE
from lanewise.graph.regions import regions


def graphs() -> st.SearchStrategy[list[list[int]]]:
    """Up to nine blocks with up to two successors each."""
    return st.integers(1, 9).flatmap(
        lambda count: st.lists(st.lists(st.integers(0, count - 1), max_size=2, unique=True), min_size=count, max_size=count)
    )


def reached(successors: list[list[int]]) -> set[int]:
    found, waiting = {0}, [0]
    while waiting:
        for target in successors[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


@given(graphs())
def test_edges_lead_forward_or_to_the_head_of_a_round(successors: list[list[int]]):
    order = weak_order(successors)
    assert sorted(order.blocks) == sorted(reached(successors))
    place = {block: number for number, block in enumerate(order.blocks)}
    for block in order.blocks:
        for target in successors[block]:
            if place[target] <= place[block]:
                assert place[block] <= place[order.loops[target]]
    for head, last in order.loops.items():
        assert place[head] <= place[last]


@given(graphs(), st.data())
def test_lanes_that_part_meet_again(successors: list[list[int]], data: st.DataObject):
    order = weak_order(successors)
    place = {block: number for number, block in enumerate(order.blocks)}
    ending = data.draw(st.sets(st.sampled_from(order.blocks)))
    splitting = data.draw(st.sets(st.sampled_from(order.blocks)))
    found = regions(successors, ending, splitting, order)
    inside = [block for region in found for block in region.blocks]
    assert len(inside) == len(set(inside))
    for region in found:
        assert list(region.blocks) == sorted(region.blocks, key=place.__getitem__)
        assert region.meet not in inside
        for block in region.blocks:
            # Whoever leaves a region goes where all meet; nobody ends inside unless they never meet.
            assert all(target in region.blocks or target == region.meet for target in successors[block])
            assert region.meet == NOWHERE or block not in ending
    for block in splitting:
        beyond = {region.meet for region in found}
        for target in successors[block]:
            if len(set(successors[block])) > 1 and block not in inside:
                assert target in inside or target in beyond
        mine = [region for region in found if set(region.blocks) & set(successors[block])]
        if block not in inside and mine:
            # All ways from where lanes part are in one region, or lead to where it ends.
            (region,) = mine
            assert set(successors[block]) <= {*region.blocks, region.meet}


def test_lanes_that_only_stop_meet_nobody():
    """0 parts to 1, which ends, and to 2, which parts to 3 and 4, which stop: those at 1 go on when the others have stopped."""
    successors = [[1, 2], [], [3, 4], [], []]
    (region,) = regions(successors, [1], [0, 2], weak_order(successors))
    assert sorted(region.blocks) == [2, 3, 4]
    assert region.meet == 1
