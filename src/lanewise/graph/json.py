"""A graph as JSON: nodes in order, each with its instructions and the edges that leave it."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.picture import Stop

if TYPE_CHECKING:
    from lanewise.graph.picture import Edge, Picture


def as_json(picture: Picture) -> str:
    import json

    return json.dumps(plain(picture), indent=2) + "\n"


def plain(picture: Picture) -> dict[str, object]:
    """The graph as plain values: `entry`, and the nodes under the plural of what a node is called."""
    nodes = [
        {
            "number": number,
            **(node.data or {"heading": node.heading}),
            "instructions": [
                {"address": row.address, "text": row.text, **({"source": row.source} if row.source else {})}
                for row in node.rows
            ],
            "next": [_edge(edge, picture.noun) for edge in picture.edges[number]],
        }
        for number, node in enumerate(picture.nodes)
    ]
    return {"entry": picture.entry, f"{picture.noun}s": nodes}


def _edge(edge: Edge, noun: str) -> dict[str, object]:
    target = edge.target
    goal: dict[str, object] = {target.kind: target.value} if isinstance(target, Stop) else {noun: target, "back": edge.back}
    return {**goal, **(edge.data or ({"label": edge.label} if edge.label else {}))}
