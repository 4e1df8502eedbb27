"""Drawings of graphs: the words they use, what is in the picture, and that nothing in it overlaps or is cut off."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from corpus import CONFORMANCE, REPOSITORY, needs_shared
from effort import sample
from engines.shaders import program, word
from lanewise.api.loading import load
from lanewise.graph import dot, svg, text
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.api.labels import labels as labels_of
from lanewise.pica200.ir.graph import Graph, unfold
from lanewise.pica200.ir.labels import Labels, action_text, question_text
from lanewise.pica200.ir.picture import picture_of
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import Boolean, CounterIsZero, Flags
from together import together

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = Labels(instruction="word number {}".format)


def place_name(address: int) -> str:
    return {0: "main", 6: "helper"}.get(address, "")


def long_line(address: int) -> str:
    return "<&> " + "long word " * 30


def as_text(graph: Graph, names: Labels) -> str:
    return text.as_text(picture_of(graph, names))


def as_dot(graph: Graph, names: Labels) -> str:
    return dot.as_dot(picture_of(graph, names))


def as_svg(graph: Graph, names: Labels, title: str) -> str | BudgetExceeded:
    return svg.as_svg(picture_of(graph, names, title))


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
        "rounds2 = i2.x",
        "forget the oldest loop",
        "drop rounds2",
        "aL = i2.y",
        "aL += i2.z",
        "aL as before rounds2",
        "rounds2 -= 1",
    ]


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


def check_picture(graph: Graph, names: Labels) -> ElementTree.Element:
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
    """Every edge has an arrow from the lower side of its box to the upper side of another, with the label at its start."""
    arrows = [path for path in root.findall(f"{SVG}path") if "arrow" in path.attrib["class"]]
    edges = [edge for leaving in graph.edges for edge in leaving]
    assert len(arrows) == len(edges) + 1
    labels = {(number(text, "x"), number(text, "y")) for text in root.findall(f"{SVG}text")}
    for edge, arrow in zip(edges, arrows[1:], strict=True):
        points = course(arrow.attrib["d"])
        start, goal = points[0], points[-1]
        source = boxes[f"block{edge.source}"]
        assert source.left < start[0] < source.right
        assert abs(start[1] - source.bottom) < 0.2
        ends = [boxes[f"block{edge.target}"]] if isinstance(edge.target, int) else list(boxes.values())
        assert any(box.left < goal[0] < box.right and abs(goal[1] - box.top) < 0.2 for box in ends)
        assert ("back" in arrow.attrib["class"]) is edge.back
        for x, y in points:
            spot = Rectangle(x - 0.5, y - 0.5, x + 0.5, y + 0.5)
            assert not any(spot.touches(letters(text)) for text in root.findall(f"{SVG}text"))
            assert not any(box.holds(spot) for box in boxes.values())
        if edge.answers:
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
    assert [child.tag.removeprefix(SVG) for child in root][:5] == ["title", "desc", "style", "defs", "rect"]
    assert root.findtext(f"{SVG}title") == "a & b"
    groups = root.findall(f"{SVG}g")
    assert [group.attrib["class"] for group in groups] == ["entry", *["block"] * 7, "end"]
    told = [[text.text for text in group.findall(f"{SVG}text")] for group in groups]
    assert told[0] == ["entry"]
    assert told[4] == [
        "3",
        "helper",
        "word 0x6",
        "in a call: at 0x7 back to 0x3",
        "in a loop over i2, 0x1 to 0x4",
        "in a loop over i1, 0x2 to 0x3 (rounds2)",
        "word number 6",
        "6",
    ]
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


@together("name", EXAMPLES)
def test_pictures_of_the_examples(name: str):
    check_shaders(name)


@needs_shared
@pytest.mark.parametrize(
    "name",
    sample(
        [
            "bench/branchy.v.pica",
            "bench/loop16.v.pica",
            "picasso/hand/16_loops.pica",
            "picasso/hand/18_jumps.pica",
            "picasso/hand/78_jump_table.pica",
            "picasso/hand/79_deep_nesting.pica",
            "picasso/hand/80_else_chains.pica",
            "picasso/gen/168.shbin",
            "picasso/gen/203.shbin",
            "picasso/gen/299.shbin",
            "picasso/bad/blk_break_outside_loop.shbin",
        ],
        7,
    ),
)
def test_pictures_of_the_corpus(name: str):
    check_shaders(str(CONFORMANCE / name))


def check_shaders(name: str) -> None:
    path = REPOSITORY / name
    for shader in load(path).programs:
        graph = unfold([decode(value) for value in shader.words], shader.interface.entry)
        assert isinstance(graph, Graph)
        names = labels_of(shader, shader.words)
        root = check_picture(graph, names)
        named = [text.text for text in root.iter(f"{SVG}text")]
        assert len(named) > len(graph.at)


def test_too_large_a_picture(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(svg, "MOST_NODES", 6)
    exceeded = as_svg(graph_of(NESTED), PLAIN, "x")
    assert isinstance(exceeded, BudgetExceeded) and "7 blocks" in exceeded.reason
    monkeypatch.setattr(svg, "MOST_NODES", 7)
    assert isinstance(as_svg(graph_of(NESTED), PLAIN, "x"), str)
    monkeypatch.setattr(svg, "MOST_JOINTS", 3)
    exceeded = as_svg(graph_of(NESTED), PLAIN, "x")
    assert isinstance(exceeded, BudgetExceeded) and "long arrows" in exceeded.reason
