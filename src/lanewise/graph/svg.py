"""A graph as a picture that needs no other program: SVG with boxes in layers."""

from __future__ import annotations

from lanewise.core.markup import FONT, both_schemes, escape, svg_head
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.counting import counted
from lanewise.graph.colours import BOX, DARK, ENTRY, FAINT, FALSE, FILLS, FOOT, GROUND, HEAD, INK, LINE, TRUE, colour_of
from lanewise.graph.flow import BudgetExceeded
from lanewise.graph.layered import Arrow, Box, joints, place
from lanewise.graph.picture import Stop, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.graph.layered import Point, Route
    from lanewise.graph.picture import Edge, Picture

# A larger picture is of no use to a reader, and it takes long to place.
MOST_NODES, MOST_JOINTS = 1500, 20_000

# Sizes in pixels. Every line of text carries its length, so that it fits in any font.
_LETTER, _LINE, _PAD, _ADDRESS = 7.2, 16.0, 10.0, 34.0
_WIDEST = 84  # letters of a line before it is broken
_TOLD = 40  # nodes that the description names
_STYLE = f"""
text {{ font: {FONT}; white-space: pre; }}
text:not([fill]) {{ fill: {INK}; }}
.number {{ font-weight: bold; }}
text.faint:not([fill]) {{ fill: {FAINT}; }}
.box {{ fill: {BOX}; stroke: {LINE}; stroke-width: 1.2; }}
.head {{ fill: {HEAD}; }}
.foot {{ fill: {FOOT}; }}
.rule {{ stroke: {LINE}; stroke-width: 0.6; }}
.arrow {{ fill: none; stroke-width: 1.5; }}
.back {{ stroke-dasharray: 6 4; }}
.thin {{ stroke-width: 1; stroke-dasharray: 2 3; }}
""".strip()


class _Line(Record):
    """A line of text in a box."""

    x: float
    "The left end of the text, from the left of the box in pixels."
    y: float
    "The baseline of the text, from the top of the box in pixels."
    text: str
    "The text, not yet escaped."
    looks: str = ""
    "Its class in the style sheet; empty: none."
    link: str = ""
    "The address that it leads to; empty: none."


class _Panel(Record):
    """A box with its lines. `parts` are the y at which the rows and the outcome begin."""

    box: Box
    lines: tuple[_Line, ...]
    parts: tuple[float, float]


def as_svg(picture: Picture, places: Sequence[Span | None] = ()) -> str | BudgetExceeded:
    """Draw a picture as SVG with a background; `BudgetExceeded` for large graphs.

    A row whose address has a line in `places` links to it, as `light.v.pica#L12`.
    """
    nodes = len(picture.nodes)
    if nodes > MOST_NODES:
        return BudgetExceeded(f"a picture of {nodes} {picture.noun}s is too large to look at (the most is {MOST_NODES})")
    # Boxes: the entry, the nodes, the stops. So numbered, all arrows but those that lead back go to a greater number.
    edges = [edge for leaving in picture.edges for edge in leaving]
    entry = [] if picture.entry is None else [ENTRY]
    first = len(entry)
    arrows = [] if picture.entry is None else [Arrow(0, first + picture.entry)]
    stops: list[Stop] = []
    for edge in edges:
        if isinstance(edge.target, Stop):
            arrows.append(Arrow(first + edge.source, first + nodes + len(stops)))
            stops.append(edge.target)
        else:
            arrows.append(Arrow(first + edge.source, first + edge.target))
    if joints(first + nodes + len(stops), arrows) > MOST_JOINTS:
        return BudgetExceeded("the picture would have too many long arrows to look at")
    panels = [_panel(number, picture, places) for number in range(nodes)]
    sizes = [*map(_pill_box, entry), *(panel.box for panel in panels), *(_pill_box(stop.text) for stop in stops)]
    placed = place(sizes, arrows)
    corners, routes = placed.corners, placed.routes[first:]
    lines = [
        *svg_head(_n(placed.width), _n(placed.height), picture.title, _about(picture), linked=any(places)),
        both_schemes(_STYLE, DARK),
        *_markers(),
        f'<rect class="ground" width="100%" height="100%" fill="{GROUND}"/>',
        *(_arrow(route, LINE, back=False) for route in placed.routes[:first]),
        *(_arrow(route, colour_of(edge), back=edge.back, faint=edge.faint) for edge, route in zip(edges, routes, strict=True)),
    ]
    for corner, size, text in zip(corners, sizes, entry, strict=False):
        lines += _draw_pill(corner, size, ENTRY, text)
    for number, panel in enumerate(panels):
        lines += _draw_panel(f"{picture.noun}{number}", corners[first + number], panel)
    for at, stop in enumerate(stops, first + nodes):
        lines += _draw_pill(corners[at], sizes[at], stop.kind, stop.text)
    lines += [_label(route.start, edge) for edge, route in zip(edges, routes, strict=True) if edge.label]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _about(picture: Picture) -> str:
    """A description for those who do not see the picture: how many nodes and edges, and where each of the first nodes leads."""
    count, edges = len(picture.nodes), sum(map(len, picture.edges))
    parts = [picture.summary or counted(count, picture.noun), counted(edges, "edge")]
    for number, (node, leaving) in enumerate(zip(picture.nodes[:_TOLD], picture.edges, strict=False)):
        goals = [edge.target.text if isinstance(edge.target, Stop) else str(edge.target) for edge in leaving]
        name = f" ({node.name})" if node.name else ""
        parts.append(f"{picture.noun} {number}{name} leads to {', '.join(dict.fromkeys(goals)) or 'none'}")
    if count > _TOLD:
        parts.append(f"and {counted(count - _TOLD, f'more {picture.noun}')}")
    return "; ".join(parts) + "."


def _panel(number: int, picture: Picture, places: Sequence[Span | None]) -> _Panel:
    """The lines of a node, from the top of its box; it has room for the labels of its outgoing arrows."""
    node, leaving = picture.nodes[number], picture.edges[number]
    lines: list[_Line] = []
    y = _PAD / 2

    def add(text: str, looks: str = "", x: float = _PAD, link: str = "") -> None:
        nonlocal y
        y += _LINE
        lines.append(_Line(x=x, y=y - 4, text=text, looks=looks, link=link))

    add(str(number), "number")
    x = _PAD + (len(str(number)) + 1) * _LETTER
    if node.name:
        lines.append(_Line(x=x, y=y - 4, text=node.name))
        x += (len(node.name) + 1) * _LETTER
    lines.append(_Line(x=x, y=y - 4, text=node.heading, looks="faint"))
    for note in node.notes:
        for part in _broken(note):
            add(part, "faint")
    rows = y + _PAD / 2
    y = rows + (_PAD / 4 if node.rows else 0.0)
    for row in node.rows:
        address = picture.address(row)
        link = _link(places[row.address]) if row.address < len(places) else ""
        for part in _broken(row.source) if row.source else ():
            add(part, "faint", link=link)
        for n, part in enumerate(_broken(row.text)):
            add(part, x=_PAD + _ADDRESS, link=link)
            if n == 0:
                lines.append(_Line(x=_PAD + (3 - len(address)) * _LETTER, y=y - 4, text=address, looks="faint"))
    y += _PAD / 2 if node.rows else 0.0
    after, foot = outcome(node), y
    y += _PAD / 4 if after else 0.0
    for line in after:
        indent = len(line) - len(line.lstrip())
        for part in _broken(line.lstrip()):
            add(part, x=_PAD + indent * _LETTER)
    y += _PAD / 2 if after else 0.0
    width = max(line.x + len(line.text) * _LETTER for line in lines) + _PAD
    label = max((len(edge.label) for edge in leaving), default=0)
    ends = len(leaving) + sum(edge.back for edge in leaving)  # a turn needs a place on either side
    least = _PAD * 2 + ends * (label * _LETTER + _PAD) if label else 0.0
    return _Panel(Box(max(width, 110.0, least), y), tuple(lines), (rows, foot))


def _link(place: Span | None) -> str:
    """The line of a source, relative as the source was named; empty for a place in a binary."""
    from urllib.parse import quote

    return f"{quote(place.file)}#L{place.line}" if place is not None and place.line else ""


def _broken(text: str) -> list[str]:
    from textwrap import wrap

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


_MARKERS = {"tip": LINE, "tip-true": TRUE, "tip-false": FALSE, "tip-faint": FAINT}
_MARKER_OF = {colour: name for name, colour in _MARKERS.items()}


def _arrow(route: Route, colour: str, *, back: bool, faint: bool = False) -> str:
    path = [f"M{_xy(route.start)}"]
    path += [("L" if len(segment) == 1 else "C") + " ".join(map(_xy, segment)) for segment in route.segments]
    looks = "arrow back" if back else "arrow thin" if faint else "arrow"
    return f'<path class="{looks}" d="{" ".join(path)}" stroke="{colour}" marker-end="url(#{_MARKER_OF[colour]})"/>'


def _label(start: Point, edge: Edge) -> str:
    return _text(start[0] + 5, start[1] + 13, edge.label, fill=colour_of(edge))


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
    rows, foot = panel.parts
    yield f'<g class="block" id="{name}">'
    yield f'<rect class="box" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="4"/>'
    yield _band("head", x, y, width, rows)
    if rows < height:
        yield _rule(x, y + rows, width)
    if rows < foot < height:
        yield _band("foot", x, y + foot, width, height - foot)
        yield _rule(x, y + foot, width)
    for line in panel.lines:
        text = _text(x + line.x, y + line.y, line.text, looks=line.looks)
        yield f'<a href="{escape(line.link, quotes=True)}">{text}</a>' if line.link else text
    yield "</g>"


def _band(looks: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{looks}" x="{_n(x + 0.6)}" y="{_n(y + 0.6)}" width="{_n(width - 1.2)}" height="{_n(height - 1.2)}" '
        'rx="3.4"/>'
    )


def _rule(x: float, y: float, width: float) -> str:
    return f'<path class="rule" d="M{_n(x)} {_n(y)} h{_n(width)}"/>'


def _text(x: float, y: float, text: str, *, looks: str = "", fill: str = "") -> str:
    kind = (f' class="{looks}"' if looks else "") + (f' fill="{fill}"' if fill else "")
    length = f' textLength="{_n(len(text) * _LETTER)}" lengthAdjust="spacingAndGlyphs"' if text else ""
    return f'<text{kind} x="{_n(x)}" y="{_n(y)}"{length}>{escape(text)}</text>'


def _xy(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _n(value: float) -> str:
    """A number with at most one digit after the point."""
    return f"{value:.1f}".removesuffix(".0")
