"""Places of boxes and arrows: nothing overlaps, arrows lead where they should, few crossings."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import examples, times
from lanewise.graph import layered, svg
from lanewise.graph.layered import Arrow, Box, Places, joints, place, sweeps


class Rectangle(NamedTuple):
    """The sides of a box in a picture."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Rectangle) -> bool:
        return self.left <= other.left and self.top <= other.top and other.right <= self.right and other.bottom <= self.bottom

    def touches(self, other: Rectangle) -> bool:
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


def places_of(count: int, pairs: list[tuple[int, int]]) -> tuple[Places, list[Box], list[Arrow]]:
    """Boxes of several sizes; a pair that goes to a lower number leads to the box that far up a path to its source."""
    boxes = [Box(60.0 + 37 * (n % 5), 20.0 + 23 * (n % 3)) for n in range(count)]
    arrows = [Arrow(n * 2 // 3, n) for n in range(1, count)]
    for a, b in pairs:
        source, target = a % count, b % count
        if target <= source:
            target = source
            for _ in range(b % 4):
                target = target * 2 // 3
        if target:
            arrows.append(Arrow(source, target))
    return place(boxes, arrows), boxes, arrows


@examples(36, 600)
@given(st.integers(1, 14), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=20))
def test_boxes_never_overlap_and_arrows_lead_where_they_should(count: int, pairs: list[tuple[int, int]]):
    places, boxes, arrows = places_of(count, pairs)
    sides = [Rectangle(x, y, x + box.width, y + box.height) for (x, y), box in zip(places.corners, boxes, strict=True)]
    whole = Rectangle(0, 0, places.width, places.height)
    assert all(whole.holds(side) for side in sides)
    assert not any(a.touches(b) for i, a in enumerate(sides) for b in sides[:i])
    for arrow, route in zip(arrows, places.routes, strict=True):
        source, target = sides[arrow.source], sides[arrow.target]
        goal = route.segments[-1][-1]
        assert source.left < route.start[0] < source.right and abs(route.start[1] - source.bottom) < 1e-6
        assert target.left < goal[0] < target.right and abs(goal[1] - target.top) < 1e-6
        if not arrow.back:
            assert target.top > source.bottom
        stations = [route.start, *(segment[-1] for segment in route.segments)]
        for here, there in pairwise(stations):
            assert whole.holds(
                Rectangle(min(here[0], there[0]), min(here[1], there[1]), max(here[0], there[0]), max(here[1], there[1]))
            )
            if here[0] == there[0]:  # what is straight goes through no box
                line = Rectangle(here[0] - 0.1, min(here[1], there[1]) + 0.1, here[0] + 0.1, max(here[1], there[1]) - 0.1)
                assert not any(line.touches(side) for side in sides)


def crossings(places: Places) -> int:
    """Crossing pairs of straight lines between the stations of the routes."""
    lines = [
        (here, there)
        for route in places.routes
        for here, there in pairwise([route.start, *(segment[-1] for segment in route.segments)])
    ]

    def side(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return sum(
        side(*one, other[0]) * side(*one, other[1]) < 0 and side(*other, one[0]) * side(*other, one[1]) < 0
        for n, one in enumerate(lines)
        for other in lines[:n]
    )


def test_a_tree_has_no_crossings():
    boxes = [Box(80, 30)] * 15
    arrows = [Arrow((n - 1) // 2, n) for n in range(1, 15)]
    for mixed in (arrows, arrows[::-1], arrows[::2] + arrows[1::2]):
        assert crossings(place(boxes, mixed)) == 0


def test_branches_and_loops_in_a_row_have_no_crossings_and_stand_in_a_column():
    # 0 -> 1 or 2 -> 3, 3 again, 3 -> 4 or 5 -> 6
    arrows = [
        Arrow(0, 1),
        Arrow(0, 2),
        Arrow(1, 2),
        Arrow(2, 3),
        Arrow(3, 3),
        Arrow(3, 4),
        Arrow(3, 5),
        Arrow(4, 5),
        Arrow(5, 6),
    ]
    boxes = [Box(100, 40)] * 7
    places = place(boxes, arrows)
    assert crossings(places) == 0
    middles = [places.corners[n][0] + 50 for n in (0, 2, 3, 5, 6)]
    assert max(middles) - min(middles) < 60


def test_the_order_is_not_that_of_the_numbers_where_that_crosses():
    arrows = [Arrow(0, 1), Arrow(0, 2), Arrow(1, 4), Arrow(2, 3), Arrow(3, 6), Arrow(4, 5), Arrow(4, 7)]
    assert crossings(place([Box(80, 30)] * 8, arrows)) == 0


def test_long_arrows_are_straight_between_their_ends():
    arrows = [Arrow(a, b) for a, b in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (4, 6), (5, 7), (0, 5), (0, 7)]]
    places = place([Box(60 + 40 * (n % 3), 30) for n in range(8)], arrows)
    for route in places.routes[-2:]:
        assert len({segment[-1][0] for segment in route.segments}) <= 3


def test_what_follows_only_one_box_stands_exactly_below_it():
    arrows = [Arrow(a, b) for a, b in [(0, 1), (0, 2), (2, 3), (3, 4), (3, 5), (5, 6), (1, 2), (0, 4)]]
    boxes = [Box(60 + 40 * (n % 3), 30) for n in range(7)]
    middles = [x + box.width / 2 for (x, _), box in zip(place(boxes, arrows).corners, boxes, strict=True)]
    assert middles[2] == middles[3]
    assert middles[5] == middles[6]


def test_a_row_of_boxes_is_one_straight_line():
    places = place([Box(50 + 30 * (n % 3), 20) for n in range(9)], [Arrow(n, n + 1) for n in range(8)])
    assert all(len(route.segments) == 1 and route.segments[0][0][0] == route.start[0] for route in places.routes)


def test_joints_count_what_arrows_pass():
    arrows = [Arrow(0, 1), Arrow(1, 2), Arrow(0, 2), Arrow(2, 0), Arrow(1, 1)]
    assert joints(3, arrows) == 1 + 1 + 2 + 3 + 1


def crossing_jumps(count: int) -> tuple[list[Box], list[Arrow]]:
    """A column of boxes; each of the upper half has an arrow that passes all arrows before it."""
    column = [Arrow(n, n + 1) for n in range(2 * count - 1)]
    return [Box(60.0, 20.0)] * (2 * count), column + [Arrow(n, count + n) for n in range(count)]


def test_sweeps_visit_a_bounded_number_of_vertices(monkeypatch: pytest.MonkeyPatch):
    visits = {"fit": 0, "sort_layer": 0}
    for name in visits:
        original = getattr(layered._Sketch, name)  # pyright: ignore[reportPrivateUsage]

        def counted(self: object, layer: list[int], *rest: object, name: str = name, original: Any = original) -> None:
            visits[name] += len(layer)
            original(self, layer, *rest)

        monkeypatch.setattr(layered._Sketch, name, counted)  # pyright: ignore[reportPrivateUsage]
    boxes, arrows = crossing_jumps(30)
    place(boxes, arrows)
    vertices = joints(len(boxes), arrows) + len(boxes) - len(arrows)
    assert visits["fit"] == (1 + 60) * vertices, "a picture of this size is placed with all sweeps"
    for count in (60, *times(0, 1) * (100,)):
        visits.update(fit=0, sort_layer=0)
        boxes, arrows = crossing_jumps(count)
        made = place(boxes, arrows)
        vertices = joints(len(boxes), arrows) + len(boxes) - len(arrows)
        assert visits["fit"] <= vertices + 300_000
        assert visits["sort_layer"] <= 120_000
        assert len(made.corners) == 2 * count


def test_a_picture_with_too_many_joints_is_refused():
    assert joints(2 * 138, crossing_jumps(138)[1]) < svg.MOST_JOINTS < joints(2 * 142, crossing_jumps(142)[1])


def test_sweeps():
    assert [sweeps(60, 300_000, vertices) for vertices in (0, 10, 5_000, 5_500, 20_000, 1_000_000)] == [60, 60, 60, 54, 14, 2]
