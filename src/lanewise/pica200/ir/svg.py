"""A graph as a picture that needs no other program: SVG with boxes in layers."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from lanewise.graph.layered import Arrow, Box, joints, place
from lanewise.pica200.ir.drawing import BOX, FAINT, FALSE, FILLS, FOOT, GROUND, HEAD, INK, LINE, TRUE, colour_of
from lanewise.pica200.ir.graph import GivenUp
from lanewise.pica200.ir.wording import answer_text, card, stop_text
from lanewise.pica200.sem.flow import Hang

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.graph.layered import Point, Route
    from lanewise.pica200.ir.graph import Graph, Passage
    from lanewise.pica200.ir.wording import Card, Wording

# More than this nobody looks at, and it takes long to place.
MOST_BLOCKS, MOST_JOINTS = 1500, 40_000

# Sizes in pixels. Every line of text is told its length, so that it fits whatever font there is.
_LETTER, _LINE, _PAD, _ADDRESS = 7.2, 16.0, 10.0, 34.0
_WIDEST = 84  # letters of a line before it is broken
_STYLE = f"""
text {{ font: 12px "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace; fill: {INK}; white-space: pre; }}
.number {{ font-weight: bold; }}
.faint {{ fill: {FAINT}; }}
.box {{ fill: {BOX}; stroke: {LINE}; stroke-width: 1.2; }}
.head {{ fill: {HEAD}; }}
.foot {{ fill: {FOOT}; }}
.rule {{ stroke: {LINE}; stroke-width: 0.6; }}
.arrow {{ fill: none; stroke-width: 1.5; }}
.back {{ stroke-dasharray: 6 4; }}
""".strip()


class _Line(NamedTuple):
    """A line of text in a box: from `x`, with a class for its looks."""

    x: float
    y: float
    text: str
    looks: str = ""


class _Panel(NamedTuple):
    """A box with its lines. `parts` are the y at which the words and the outcome begin."""

    box: Box
    lines: tuple[_Line, ...]
    parts: tuple[float, float]


def as_svg(graph: Graph, wording: Wording, title: str) -> str | GivenUp:
    """The picture, on a ground of its own; `title` is what a reader calls it. Gives up on graphs that are too large to look at."""
    if len(graph.blocks) > MOST_BLOCKS:
        return GivenUp(f"a picture of {len(graph.blocks)} blocks is too large to look at (the most is {MOST_BLOCKS})")
    stops = [passage for leaving in graph.passages for passage in leaving if not isinstance(passage.target, int)]
    # Boxes: the entry, the blocks, the stops. So numbered, all arrows but those that lead back go to a greater number.
    stop_of = {id(passage): 1 + len(graph.blocks) + n for n, passage in enumerate(stops)}
    passages = [passage for leaving in graph.passages for passage in leaving]
    arrows = [Arrow(0, 1)]
    for passage in passages:
        target = passage.target + 1 if isinstance(passage.target, int) else stop_of[id(passage)]
        arrows.append(Arrow(passage.source + 1, target))
    count = 1 + len(graph.blocks) + len(stops)
    if joints(count, arrows) > MOST_JOINTS:
        return GivenUp("the picture would have too many long arrows to look at")
    panels = [_panel(card(block, wording), graph.passages[block.number]) for block in graph.blocks]
    pills = ["entry", *(stop_text(passage.target, wording) for passage in stops if not isinstance(passage.target, int))]
    sizes = [_pill_box(pills[0]), *(panel.box for panel in panels), *map(_pill_box, pills[1:])]
    places = place(sizes, arrows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(places.width)}" height="{_n(places.height)}" '
        f'viewBox="0 0 {_n(places.width)} {_n(places.height)}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        *_markers(),
        f'<rect class="ground" width="100%" height="100%" fill="{GROUND}"/>',
        _arrow(places.routes[0], LINE, back=False),
    ]
    for passage, route in zip(passages, places.routes[1:], strict=True):
        lines.append(_arrow(route, colour_of(passage), back=passage.back))
    lines += _draw_pill(places.corners[0], sizes[0], "entry", pills[0])
    for number, panel in enumerate(panels):
        lines += _draw_panel(f"block{number}", places.corners[1 + number], panel)
    for n, passage in enumerate(stops):
        kind = "hang" if isinstance(passage.target, Hang) else "end"
        at = 1 + len(panels) + n
        lines += _draw_pill(places.corners[at], sizes[at], kind, pills[1 + n])
    for passage, route in zip(passages, places.routes[1:], strict=True):
        if passage.answers:
            lines.append(_label(route.start, passage))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(lines: Card, leaving: Sequence[Passage]) -> _Panel:
    """The lines of a block from the top of its box downwards; it is as wide as the labels of the arrows that leave it need."""
    made: list[_Line] = []
    y = _PAD / 2

    def add(text: str, looks: str = "", x: float = _PAD) -> None:
        nonlocal y
        y += _LINE
        made.append(_Line(x, y - 4, text, looks))

    number = str(lines.number)
    add(number, "number")
    x = _PAD + (len(number) + 1) * _LETTER
    if lines.place:
        made.append(_Line(x, y - 4, lines.place))
        x += (len(lines.place) + 1) * _LETTER
    made.append(_Line(x, y - 4, lines.heading, "faint"))
    for ring in lines.rings:
        for part in _broken(ring):
            add(part, "faint")
    words = y + _PAD / 2
    y = words + (_PAD / 4 if lines.words else 0.0)
    for address, text in lines.words:
        for n, part in enumerate(_broken(text)):
            add(part, x=_PAD + _ADDRESS)
            if n == 0:
                made.append(_Line(_PAD + (3 - len(f"{address:x}")) * _LETTER, y - 4, f"{address:x}", "faint"))
    y += _PAD / 2 if lines.words else 0.0
    outcome = y
    y += _PAD / 4 if lines.outcome else 0.0
    for line in lines.outcome:
        indent = len(line) - len(line.lstrip())
        for part in _broken(line.lstrip()):
            add(part, x=_PAD + indent * _LETTER)
    y += _PAD / 2 if lines.outcome else 0.0
    width = max(line.x + len(line.text) * _LETTER for line in made) + _PAD
    label = max((len(answer_text(passage.answers)) for passage in leaving), default=0)
    ends = len(leaving) + sum(passage.back for passage in leaving)  # a turn takes a place on either side
    least = _PAD * 2 + ends * (label * _LETTER + _PAD) if label else 0.0
    return _Panel(Box(max(width, 110.0, least), y), tuple(made), (words, outcome))


def _broken(text: str) -> list[str]:
    return wrap(text, _WIDEST, subsequent_indent="  ") or [""]


def _pill_box(text: str) -> Box:
    return Box(len(text) * _LETTER + 28, 26.0)


def _markers() -> Iterator[str]:
    yield "<defs>"
    for name, colour in _MARKERS.items():
        yield (
            f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
            f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.8 L10 5 L0 9.2 Z" fill="{colour}"/></marker>'
        )
    yield "</defs>"


_MARKERS = {"tip": LINE, "tip-true": TRUE, "tip-false": FALSE}
_MARKER_OF = {colour: name for name, colour in _MARKERS.items()}


def _arrow(route: Route, colour: str, *, back: bool) -> str:
    path = [f"M{_xy(route.start)}"]
    path += [("L" if len(segment) == 1 else "C") + " ".join(map(_xy, segment)) for segment in route.segments]
    looks = "arrow back" if back else "arrow"
    return f'<path class="{looks}" d="{" ".join(path)}" stroke="{colour}" marker-end="url(#{_MARKER_OF[colour]})"/>'


def _label(start: Point, passage: Passage) -> str:
    text = answer_text(passage.answers)
    return _text(start[0] + 5, start[1] + 13, text, fill=colour_of(passage))


def _draw_pill(corner: Point, box: Box, kind: str, text: str) -> Iterator[str]:
    fill, border = FILLS[kind]
    x, y = corner
    yield f'<g class="{kind}">'
    yield (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(box.width)}" height="{_n(box.height)}" rx="13" '
        f'fill="{fill}" stroke="{border}" stroke-width="1.2"/>'
    )
    yield _text(x + 14, y + 17, text)
    yield "</g>"


def _draw_panel(name: str, corner: Point, panel: _Panel) -> Iterator[str]:
    x, y = corner
    width, height = panel.box
    words, outcome = panel.parts
    yield f'<g class="block" id="{name}">'
    yield f'<rect class="box" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="4"/>'
    yield _band("head", x, y, width, words)
    if words < height:
        yield _rule(x, y + words, width)
    if words < outcome < height:
        yield _band("foot", x, y + outcome, width, height - outcome)
        yield _rule(x, y + outcome, width)
    for line in panel.lines:
        yield _text(x + line.x, y + line.y, line.text, looks=line.looks)
    yield "</g>"


def _band(looks: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{looks}" x="{_n(x + 0.6)}" y="{_n(y + 0.6)}" width="{_n(width - 1.2)}" height="{_n(height - 1.2)}" rx="3.4"/>'


def _rule(x: float, y: float, width: float) -> str:
    return f'<path class="rule" d="M{_n(x)} {_n(y)} h{_n(width)}"/>'


def _text(x: float, y: float, text: str, *, looks: str = "", fill: str = "") -> str:
    kind = (f' class="{looks}"' if looks else "") + (f' style="fill: {fill}"' if fill else "")
    length = f' textLength="{_n(len(text) * _LETTER)}" lengthAdjust="spacingAndGlyphs"' if text else ""
    return f'<text{kind} x="{_n(x)}" y="{_n(y)}"{length}>{escape(text)}</text>'


def _xy(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _n(value: float) -> str:
    """A number with at most one digit after the point."""
    return f"{value:.1f}".removesuffix(".0")
