"""Pictures of graphs of no ISA: a loop, and a dependence graph without control flow."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from lanewise.graph import svg
from lanewise.graph.colours import DARK
from lanewise.graph.dot import as_dot
from lanewise.graph.flow import BudgetExceeded
from lanewise.graph.json import as_json
from lanewise.graph.paths import dominators, postdominators
from lanewise.graph.picture import HANG, Branch, Goto, Node, Picture, Row, Stop
from lanewise.graph.svg import as_svg
from lanewise.graph.text import as_text

SVG = "{http://www.w3.org/2000/svg}"

COUNTDOWN = Picture(
    (
        Node(
            heading="0 to 1",
            rows=(Row(0, "load 10"), Row(1, "jz 3")),
            leaving=(Branch("zero?", Goto(target=2), Goto(target=1)),),
            name="start",
        ),
        Node(
            heading="2",
            rows=(Row(2, "sub 1"),),
            leaving=(Branch("zero?", Goto(target=2), Goto(target=1, text="count"), "borrow = 0"),),
        ),
        Node(
            heading="3",
            rows=(Row(3, "halt"),),
            leaving=(Branch("safe?", Goto(target=Stop("end")), Goto(target=Stop("overheats", HANG, "T901"))),),
        ),
    ),
    title="count < down",
)

DEPENDENCES = Picture(
    (
        Node(heading="load r0", leaving=(Goto(target=1, label="r0"), Goto(target=2, label='"r0"'))),
        Node(heading="add r1, r0", leaving=(Goto(target=2, label="r1"),)),
        Node(heading="mul"),
    ),
    summary="3 instructions, 2 levels",
    entry=None,
    noun="instruction",
)


def test_text():
    assert (
        as_text(COUNTDOWN)
        == """\
3 blocks

block 0: start, 0 to 1
      0  load 10
      1  jz 3
  zero?
    true -> 2
    false -> 1

block 1: 2  (from 0, 1)
      2  sub 1
  borrow = 0
  zero?
    true -> 2
    false: count -> 1

block 2: 3  (from 0, 1)
      3  halt
  safe?
    true -> end
    false -> overheats
"""
    )


def test_text_of_a_graph_without_control_flow():
    assert (
        as_text(DEPENDENCES)
        == """\
3 instructions, 2 levels

instruction 0: load r0
  r0 -> 1
  "r0" -> 2

instruction 1: add r1, r0  (from 0)
  r1 -> 2

instruction 2: mul  (from 0, 1)
"""
    )


def test_edges():
    assert [(edge.target, edge.label, edge.taken, edge.back) for edge in COUNTDOWN.edges[1]] == [
        (2, "true", True, False),
        (1, "false", False, True),
    ]
    assert [(edge.target, edge.label, edge.taken) for edge in DEPENDENCES.edges[0]] == [(1, "r0", None), (2, '"r0"', None)]
    nested = Picture(
        (
            Node(
                heading="0",
                leaving=(Branch("a?", Branch("b?", Goto(target=0), Goto(target=0)), Goto(target=Stop("end"), label="far")),),
            ),
        )
    )
    assert [(edge.label, edge.taken) for edge in nested.edges[0]] == [
        ("true, true", None),
        ("true, false", None),
        ("false, far", False),
    ]


def test_the_flow_of_a_picture():
    flow = COUNTDOWN.flow
    assert (flow.successors, flow.predecessors, flow.exits) == (((2, 1), (2, 1), ()), ((), (0, 1), (0, 1)), {2})
    assert dominators(flow) == (-1, 0, 0)
    assert postdominators(flow) == (2, 2, -1)


def test_json():
    assert json.loads(as_json(COUNTDOWN)) == {
        "entry": 0,
        "blocks": [
            {
                "number": 0,
                "heading": "0 to 1",
                "instructions": [{"address": 0, "text": "load 10"}, {"address": 1, "text": "jz 3"}],
                "next": [{"block": 2, "back": False, "label": "true"}, {"block": 1, "back": False, "label": "false"}],
            },
            {
                "number": 1,
                "heading": "2",
                "instructions": [{"address": 2, "text": "sub 1"}],
                "next": [{"block": 2, "back": False, "label": "true"}, {"block": 1, "back": True, "label": "false"}],
            },
            {
                "number": 2,
                "heading": "3",
                "instructions": [{"address": 3, "text": "halt"}],
                "next": [{"end": True, "label": "true"}, {"hang": "T901", "label": "false"}],
            },
        ],
    }
    assert json.loads(as_json(DEPENDENCES))["instructions"][1] == {
        "number": 1,
        "heading": "add r1, r0",
        "instructions": [],
        "next": [{"instruction": 2, "back": False, "label": "r1"}],
    }


def test_dot():
    lines = as_dot(COUNTDOWN).splitlines()
    assert "  entry -> block0;" in lines
    assert r'  block1 [label="1: 2\l    2  sub 1\lborrow = 0\lzero?\l  false: count\l"];' in lines
    assert '  block1 -> block1 [color="#b5442f", fontcolor="#b5442f", style=dashed, label="false"];' in lines
    assert any(line.startswith("  stop2_1 [") and 'label="overheats"' in line for line in lines)
    plain = as_dot(DEPENDENCES)
    assert "entry" not in plain
    assert r'  instruction0 -> instruction2 [color="#475467", fontcolor="#475467", label="\"r0\""];' in plain


def test_svg():
    text = as_svg(COUNTDOWN)
    assert isinstance(text, str)
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "count < down"
    assert [group.get("class") for group in root.findall(f"{space}g")] == ["entry", "block", "block", "block", "end", "hang"]
    assert [label.text for label in root.findall(f"{space}text")] == ["true", "false"] * 3
    plain = as_svg(DEPENDENCES)
    assert isinstance(plain, str)
    root = ElementTree.fromstring(plain)
    assert [group.get("id") for group in root.findall(f"{space}g")] == ["instruction0", "instruction1", "instruction2"]
    assert len(root.findall(f"{space}path")) == 3


def test_too_large_a_picture(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(svg, "MOST_NODES", 2)
    assert as_svg(DEPENDENCES) == BudgetExceeded("a picture of 3 instructions is too large to look at (the most is 2)")


LANES, DEEP = 8, 50


def a_large_picture() -> Picture:
    """400 nodes of several sizes in 8 columns: branches to neighbours, some jumps far down, a loop in each tenth row."""
    nodes: list[Node] = []
    for n in range(LANES * DEEP):
        row, lane = divmod(n, LANES)
        below = n + LANES if row + 1 < DEEP else None
        aside = (row + 1) * LANES + (lane + 1) % LANES if below else None
        leaving = (
            Goto(target=Stop("end"))
            if below is None or aside is None
            else Branch(f"b{lane}", Goto(target=below), Goto(target=aside))
        )
        if row % 10 == 9 and lane == 3:
            leaving = Branch("again?", Goto(target=n - 4 * LANES), leaving)
        rows = tuple([Row(n + at, f"instruction {at} of {n}") for at in range(1 + n % 4)])
        nodes.append(Node(heading=str(n), rows=rows, leaving=(leaving,), name="entry" if not n else ""))
    return Picture(tuple(nodes), title="large")


def sides(shape: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box, or of a line of text."""
    x, y = float(shape.attrib["x"]), float(shape.attrib["y"])
    if "textLength" in shape.attrib:
        return x, y - 9, x + float(shape.attrib["textLength"]), y + 3
    return x, y, x + float(shape.attrib["width"]), y + float(shape.attrib["height"])


def overlapping(shapes: list[tuple[float, float, float, float]]) -> list[tuple[int, int]]:
    order = sorted(range(len(shapes)), key=lambda n: shapes[n][1])
    found: list[tuple[int, int]] = []
    for at, n in enumerate(order):
        for other in order[at + 1 :]:
            if shapes[other][1] >= shapes[n][3]:
                break
            if shapes[other][0] < shapes[n][2] and shapes[n][0] < shapes[other][2]:
                found.append((n, other))
    return found


def test_nothing_overlaps_at_400_nodes():
    text = as_svg(a_large_picture())
    assert isinstance(text, str)
    root = ElementTree.fromstring(text)
    groups = root.findall(f"{SVG}g")
    boxes = [sides(next(iter(group))) for group in groups]
    assert len(boxes) == 1 + LANES * DEEP + LANES
    assert overlapping(boxes) == []
    assert overlapping([*boxes, boxes[7]]) == [(7, len(boxes))], "the test itself finds an overlap"
    for group, (left, top, right, bottom) in zip(groups, boxes, strict=True):
        lines = [sides(line) for line in group.iter(f"{SVG}text")]
        assert all(left <= a and top <= b and c <= right and d <= bottom for a, b, c, d in lines)
        assert overlapping(lines) == []
    labels = [sides(label) for label in root.findall(f"{SVG}text")]
    assert overlapping(labels) == []


def test_pictures_follow_the_colour_scheme_and_have_a_description():
    text = as_svg(COUNTDOWN)
    assert isinstance(text, str)
    root = ElementTree.fromstring(text)
    assert root.findtext(f"{SVG}desc") == (
        "3 blocks; 6 edges; block 0 (start) leads to 2, 1; block 1 leads to 2, 1; block 2 leads to end, overheats."
    )
    assert root.attrib["role"] == "img"
    light, _, dark = text.partition("@media (prefers-color-scheme: dark) {")
    used = set(re.findall(r"#[0-9a-f]{6}", light + dark.partition("</style>")[2]))
    assert used <= set(DARK), "each colour has one for dark schemes"
    style = dark.partition("</style>")[0]
    assert all(DARK[colour] in style for colour in used)
    assert not set(DARK.values()) & set(DARK), "no colour is replaced twice"
    assert not re.search(r"DejaVu|Menlo|Consolas", text)
