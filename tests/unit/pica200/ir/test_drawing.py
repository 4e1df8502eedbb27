"""Drawings of graphs: the words they use, what is in the picture, and that nothing in it overlaps or is cut off."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import CONFORMANCE, REPOSITORY, needs_shared
from effort import examples
from engines.shaders import program, word
from lanewise.api.loading import load
from lanewise.graph.layered import Arrow, Box, Places, joints, place
from lanewise.pica200.ir import svg
from lanewise.pica200.ir.drawing import as_dot, as_text
from lanewise.pica200.ir.graph import GivenUp, Graph, unfold
from lanewise.pica200.ir.svg import as_svg
from lanewise.pica200.ir.wording import Wording, action_text, question_text
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import Boolean, CounterIsZero, Flags
from lanewise.tools.graph import wording as wording_of

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = Wording("word number {}".format)


def place_name(address: int) -> str:
    return {0: "main", 6: "helper"}.get(address, "")


def long_line(address: int) -> str:
    return "<&> " + "long word " * 30


def graph_of(words: list[int]) -> Graph:
    graph = unfold([decode(value) for value in words], 0)
    assert isinstance(graph, Graph)
    return graph


NESTED = program(
    9, {0: word("for", dst=4, reg=2), 1: word("for", dst=3, reg=1), 2: word("callu", dst=6, num=1, reg=9), 5: word("end")}
)


def test_text():
    names = PLAIN._replace(boolean="fog{}".format, integer="times{}".format, place=place_name)
    assert (
        as_text(graph_of(NESTED), names)
        == """\
7 blocks, 7 words, starts at 0x0

block 0: main, word 0x0
      0  word number 0
  rounds = times2.x, aL = times2.y -> 1

block 1: word 0x1  (from 0, 5)
  in a loop over times2, 0x1 to 0x4
      1  word number 1
  rounds2 = times1.x, aL = times1.y -> 2

block 2: word 0x2  (from 1, 4)
  in a loop over times2, 0x1 to 0x4
  in a loop over times1, 0x2 to 0x3 (rounds2)
      2  word number 2
  fog9?
    true -> 3
    false -> 4

block 3: helper, word 0x6  (from 2)
  in a call: at 0x7 back to 0x3
  in a loop over times2, 0x1 to 0x4
  in a loop over times1, 0x2 to 0x3 (rounds2)
      6  word number 6
  -> 4

block 4: word 0x3  (from 2, 3)
  in a loop over times2, 0x1 to 0x4
  in a loop over times1, 0x2 to 0x3 (rounds2)
      3  word number 3
  rounds2 == 0?
    true: aL += times1.z, aL as before rounds2, drop rounds2 -> 5
    false: aL += times1.z, rounds2 -= 1 -> 2

block 5: word 0x4  (from 4)
  in a loop over times2, 0x1 to 0x4
      4  word number 4
  rounds == 0?
    true: aL += times2.z, drop rounds -> 6
    false: aL += times2.z, rounds -= 1 -> 1

block 6: word 0x5  (from 5)
      5  word number 5
  -> end
"""
    )


def test_text_of_questions_after_questions_and_of_hangs():
    text = as_text(graph_of(program(5, {0: word("for", dst=2), 2: word("ifu", dst=3, num=1)})), PLAIN)
    assert (
        """
  b0?
    true:
      rounds == 0?
        true: aL += i0.z, drop rounds -> 2
        false: aL += i0.z, rounds -= 1 -> 1
    false:
      rounds == 0?
        true: aL += i0.z, drop rounds -> 2
        false: aL += i0.z, rounds -= 1 -> 1
"""
        in text
    )
    hangs = PLAIN._replace(hang={"R002": "break without a loop", "R003": "past the end"}.__getitem__)
    assert "    true -> hang R002: break without a loop\n    false -> 1\n" in as_text(graph_of([word("breakc")]), hangs)
    assert as_text(graph_of([word("nop")]), hangs).endswith(
        "block 1: 0x1: no word is there  (from 0)\n  -> hang R003: past the end\n"
    )
    assert "  -> hang R002\n" in as_text(graph_of([word("break")]), PLAIN)


def test_text_of_a_true_branch_and_an_empty_loop():
    text = as_text(graph_of(program(6, {0: word("ifu", dst=3, num=2), 3: word("ifu", dst=4, num=0)})), PLAIN)
    assert "  in a true branch: at 0x3 on to 0x5\n" in text
    assert "  in a true branch: at 0x4 it ends\n" not in text  # an empty one ends at once
    assert "  rounds = i0.x, aL = i0.y\n  rounds == 0?\n    true: " in as_text(
        graph_of(program(3, {0: word("for", dst=0)})), PLAIN
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (Boolean(3), "b3?"),
        (CounterIsZero(0), "rounds == 0?"),
        (CounterIsZero(3), "rounds4 == 0?"),
        (Flags(0, 1, 0), "cmp.x || !cmp.y?"),
        (Flags(1, 0, 1), "!cmp.x && cmp.y?"),
        (Flags(2, 0, 0), "!cmp.x?"),
        (Flags(3, 0, 1), "cmp.y?"),
    ],
)
def test_questions(question: flow.Question, text: str):
    assert question_text(question, PLAIN) == text


def test_every_action_has_words_of_its_own():
    actions = [
        flow.Push(1, 2),
        flow.DropOldest(),
        flow.Pop(1),
        flow.StartAl(2),
        flow.StepAl(2),
        flow.RestoreAl(1),
        flow.CountDown(1),
    ]
    texts = [action_text(action, PLAIN) for action in actions]
    assert texts == [
        "rounds2 = i2.x", "forget the oldest loop", "drop rounds2", "aL = i2.y", "aL += i2.z", "aL as before rounds2", "rounds2 -= 1",
    ]  # fmt: skip


def test_dot():
    text = as_dot(graph_of(program(5, {0: word("for", dst=2), 1: word("breakc")})), PLAIN._replace(instruction='"{}\\'.format))
    lines = text.splitlines()
    assert lines[0] == "digraph flow {" and lines[-1] == "}"
    assert r'  block0 [label="0: word 0x0\l    0  \"0\\\lrounds = i0.x, aL = i0.y\l"];' in lines
    assert '  block2 -> block1 [color="#b5442f", fontcolor="#b5442f", style=dashed, label="false"];' in lines
    assert '  block1 -> block3 [color="#1b7f4b", fontcolor="#1b7f4b", label="true"];' in lines
    assert '  block3 -> stop3_0 [color="#475467", fontcolor="#475467"];' in lines
    named = set(re.findall(r"^  (\w+) \[", text, re.MULTILINE)) - {"graph", "node", "edge"}
    assert named == {"entry", "block0", "block1", "block2", "block3", "stop3_0"}
    assert set(re.findall(r"^  (\w+) -> (\w+)", text, re.MULTILINE)) <= {(a, b) for a in named for b in named}
    strings = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert '"' not in strings  # each quotation mark has a partner


# Pictures


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


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib[name])


def rectangle(element: ElementTree.Element) -> Rectangle:
    x, y = number(element, "x"), number(element, "y")
    return Rectangle(x, y, x + number(element, "width"), y + number(element, "height"))


def letters(element: ElementTree.Element) -> Rectangle:
    """Where a text is: on its base line, as long as it is told to be."""
    x, y = number(element, "x"), number(element, "y")
    return Rectangle(x, y - 9, x + number(element, "textLength"), y + 3)


def check_picture(graph: Graph, names: Wording) -> ElementTree.Element:
    """All that must be true of every picture."""
    picture = as_svg(graph, names, "a & b")
    assert isinstance(picture, str)
    root = ElementTree.fromstring(picture)
    whole = Rectangle(0, 0, number(root, "width"), number(root, "height"))
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    groups = root.findall(f"{SVG}g")
    boxes: dict[str, Rectangle] = {}
    for n, group in enumerate(groups):
        box = rectangle(next(iter(group)))
        assert whole.holds(box)
        boxes[group.attrib.get("id", f"pill{n}")] = box
        lines = [letters(text) for text in group.findall(f"{SVG}text")]
        assert lines and all(box.holds(line) for line in lines)
        assert not any(a.touches(b) for i, a in enumerate(lines) for b in lines[:i])
    assert not any(a.touches(b) for i, a in enumerate(boxes.values()) for b in list(boxes.values())[:i])
    labels = [letters(text) for text in root.findall(f"{SVG}text")]
    assert all(whole.holds(label) for label in labels)
    assert not any(label.touches(box) for label in labels for box in boxes.values())
    assert not any(a.touches(b) for i, a in enumerate(labels) for b in labels[:i])
    for block in graph.blocks:
        group = next(group for group in groups if group.attrib.get("id") == f"block{block.number}")
        told = [text.text or "" for text in group.findall(f"{SVG}text")]
        for address in block.addresses:
            assert f"{address:x}" in told
            assert names.instruction(address).split()[0] in " ".join(told)
    check_arrows(graph, root, boxes)
    return root


def check_arrows(graph: Graph, root: ElementTree.Element, boxes: dict[str, Rectangle]) -> None:
    """Every passage has an arrow from the lower side of its box to the upper side of another, with the label at its start."""
    arrows = [path for path in root.findall(f"{SVG}path") if "arrow" in path.attrib["class"]]
    passages = [passage for leaving in graph.passages for passage in leaving]
    assert len(arrows) == len(passages) + 1
    labels = {(number(text, "x"), number(text, "y")) for text in root.findall(f"{SVG}text")}
    for passage, arrow in zip(passages, arrows[1:], strict=True):
        points = course(arrow.attrib["d"])
        start, goal = points[0], points[-1]
        source = boxes[f"block{passage.source}"]
        assert source.left < start[0] < source.right
        assert abs(start[1] - source.bottom) < 0.2
        ends = [boxes[f"block{passage.target}"]] if isinstance(passage.target, int) else list(boxes.values())
        assert any(box.left < goal[0] < box.right and abs(goal[1] - box.top) < 0.2 for box in ends)
        assert ("back" in arrow.attrib["class"]) is passage.back
        for x, y in points:
            spot = Rectangle(x - 0.5, y - 0.5, x + 0.5, y + 0.5)
            assert not any(spot.touches(letters(text)) for text in root.findall(f"{SVG}text"))
            assert not any(box.holds(spot) for box in boxes.values())
        if passage.answers:
            assert any(abs(x - start[0] - 5) < 0.2 and abs(y - start[1] - 13) < 0.2 for x, y in labels)


def course(path: str) -> list[tuple[float, float]]:
    """Points on a path, near to each other on its curves."""
    found: list[tuple[float, float]] = []
    for letter, rest in re.findall(r"([MLC])([^MLC]+)", path):
        values = [float(value) for value in rest.split()]
        points = list(zip(values[::2], values[1::2], strict=True))
        if letter == "M":
            found += points
            continue
        a, b, c, d = (found[-1], *points) if letter == "C" else (found[-1], found[-1], points[0], points[0])
        for n in range(1, 41):
            t = n / 40
            u = 1 - t
            weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            x, y = (sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True)) for axis in (0, 1))
            found.append((x, y))
    return found


def test_a_picture():
    """What is in it, as a golden structure."""
    root = check_picture(graph_of(NESTED), PLAIN._replace(place=place_name))
    assert [child.tag.removeprefix(SVG) for child in root][:5] == ["title", "style", "defs", "rect", "path"]
    assert root.findtext(f"{SVG}title") == "a & b"
    groups = root.findall(f"{SVG}g")
    assert [group.attrib["class"] for group in groups] == ["entry", *["block"] * 7, "end"]
    told = [[text.text for text in group.findall(f"{SVG}text")] for group in groups]
    assert told[0] == ["entry"]
    assert told[4] == [
        "3", "helper", "word 0x6", "in a call: at 0x7 back to 0x3", "in a loop over i2, 0x1 to 0x4",
        "in a loop over i1, 0x2 to 0x3 (rounds2)", "word number 6", "6",
    ]  # fmt: skip
    assert told[7] == ["6", "word 0x5", "word number 5", "5"]
    ground = root.find(f"{SVG}rect")
    assert ground is not None and ground.attrib["fill"] == "#fbfbf9"
    assert len([path for path in root.findall(f"{SVG}path") if path.attrib["class"] == "arrow back"]) == 2


def test_pictures_are_the_same_each_time():
    assert as_svg(graph_of(NESTED), PLAIN, "x") == as_svg(graph_of(NESTED), PLAIN, "x")


def test_long_lines_are_broken_and_marks_are_escaped():
    root = check_picture(graph_of(NESTED), PLAIN._replace(instruction=long_line))
    told = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert (told.count("long"), told.count("word"), told.count("<&>")) == (30 * 7, 30 * 7 + 7, 7)
    widest = max(number(text, "textLength") for text in root.iter(f"{SVG}text"))
    assert widest < 84 * 7.3


def test_labels_have_room_below_narrow_boxes():
    loops = program(
        6, {0: word("jmpu", dst=0), 1: word("jmpu", dst=0, reg=1), 2: word("for", dst=3), 3: word("ifu", dst=4, num=0)}
    )
    root = check_picture(graph_of(loops), PLAIN._replace(instruction="{}".format))
    assert [text.text for text in root.findall(f"{SVG}text")].count("true, false") == 1


EXAMPLES = [f"examples/{path.name}" for path in sorted((REPOSITORY / "examples").glob("*.pica"))]


@pytest.mark.parametrize("name", EXAMPLES)
def test_pictures_of_the_examples(name: str):
    check_shaders(name)


@needs_shared
@pytest.mark.parametrize(
    "name",
    [
        "bench/branchy.v.pica", "bench/loop16.v.pica", "picasso/hand/16_loops.pica", "picasso/hand/18_jumps.pica",
        "picasso/hand/78_jump_table.pica", "picasso/hand/79_deep_nesting.pica", "picasso/hand/80_else_chains.pica",
        "picasso/gen/168.shbin", "picasso/gen/203.shbin", "picasso/gen/299.shbin", "picasso/bad/blk_break_outside_loop.shbin",
    ],
)  # fmt: skip
def test_pictures_of_the_corpus(name: str):
    check_shaders(str(CONFORMANCE / name))


def check_shaders(name: str) -> None:
    path = REPOSITORY / name
    for shader in load(path).programs:
        graph = unfold([decode(value) for value in shader.words], shader.interface.entry)
        assert isinstance(graph, Graph)
        names = wording_of(shader, shader.words)
        root = check_picture(graph, names)
        named = [text.text for text in root.iter(f"{SVG}text")]
        assert len(named) > len(graph.at)


def test_too_large_a_picture(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(svg, "MOST_BLOCKS", 6)
    given_up = as_svg(graph_of(NESTED), PLAIN, "x")
    assert isinstance(given_up, GivenUp) and "7 blocks" in given_up.reason
    monkeypatch.setattr(svg, "MOST_BLOCKS", 7)
    assert isinstance(as_svg(graph_of(NESTED), PLAIN, "x"), str)
    monkeypatch.setattr(svg, "MOST_JOINTS", 3)
    given_up = as_svg(graph_of(NESTED), PLAIN, "x")
    assert isinstance(given_up, GivenUp) and "long arrows" in given_up.reason


# Places


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


@examples(60)
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
