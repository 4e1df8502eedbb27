"""A graph for Graphviz: `dot -Tsvg`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.colours import BOX, ENTRY, FILLS, GROUND, INK, LINE, colour_of
from lanewise.graph.picture import Stop, outcome

if TYPE_CHECKING:
    from lanewise.graph.picture import Node, Picture


def as_dot(picture: Picture) -> str:
    noun = picture.noun
    lines = [
        "digraph flow {",
        f'  graph [bgcolor="{GROUND}", fontname="monospace"];',
        (
            f'  node [shape=box, style=filled, fillcolor="{BOX}", color="{LINE}", fontcolor="{INK}", fontname="monospace", '
            "fontsize=10];"
        ),
        f'  edge [color="{LINE}", fontname="monospace", fontsize=9];',
    ]
    if picture.entry is not None:
        lines += [f"  entry [{_pill(*FILLS[ENTRY], ENTRY)}];", f"  entry -> {noun}{picture.entry};"]
    for number, node in enumerate(picture.nodes):
        text = "".join(_escape(line) + r"\l" for line in _lines(number, node, picture))
        lines.append(f'  {noun}{number} [label="{text}"];')
    for leaving in picture.edges:
        for n, edge in enumerate(leaving):
            source, target = f"{noun}{edge.source}", f"{noun}{edge.target}"
            if isinstance(edge.target, Stop):
                target = f"stop{edge.source}_{n}"
                lines.append(f"  {target} [{_pill(*FILLS[edge.target.kind], edge.target.text)}];")
            colour = colour_of(edge)
            looks = [
                f'color="{colour}"',
                f'fontcolor="{colour}"',
                *(["style=dashed"] if edge.back else ["style=dotted"] if edge.faint else []),
            ]
            if edge.label:
                looks.append(f'label="{_escape(edge.label)}"')
            lines.append(f"  {source} -> {target} [{', '.join(looks)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _pill(fill: str, border: str, text: str) -> str:
    return f'shape=box, style="filled,rounded", fillcolor="{fill}", color="{border}", label="{_escape(text)}"'


def _lines(number: int, node: Node, picture: Picture) -> list[str]:
    return [
        f"{number}: " + (f"{node.name}, " if node.name else "") + node.heading,
        *node.notes,
        *(f"{address:>5}  {text}" if address else f"  {text}" for address, text in picture.lines(node)),
        *outcome(node),
    ]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
