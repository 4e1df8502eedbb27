"""The pane of the graph: the drawing, and its nodes with the lines and words that they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lanewise.core.service import InputFailure, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise_studio.reading import Reading


def graph(evaluation: Reading) -> dict[str, object]:
    """The graph of the program as SVG and as nodes; a reason where there is none."""
    service = evaluation.loaded.graph
    if service is None:
        return {"reason": f"{evaluation.program.package.title} programs have no graph"}
    try:
        plain = service(evaluation.program.request("graph", {"format": "json"})).data
        svg = service(evaluation.program.request("graph", {"format": "svg"})).text
    except (InputFailure, UsageError) as error:
        return {"reason": str(error)}
    noun = next((key for key, value in plain.items() if isinstance(value, list)), "blocks")
    nodes = cast("Sequence[Mapping[str, Any]]", plain.get(noun, ()))
    return {
        "svg": svg,
        "noun": noun,
        "entry": plain.get("entry"),
        "nodes": [_node(evaluation, node) for node in nodes],
        "edges": [edge for node in nodes for edge in _edges(node, noun.removesuffix("s"))],
    }


def _node(evaluation: Reading, node: Mapping[str, Any]) -> dict[str, object]:
    rows = cast("Sequence[Mapping[str, Any]]", node.get("instructions", ()))
    lines: dict[tuple[str, int], None] = {}
    for row in rows:
        span = evaluation.span(int(row["address"]))
        if span is not None:
            lines[span.file, span.line] = None
    label = node.get("place") or node.get("routine") or node.get("heading") or f"{node['number']}"
    return {
        "id": node["number"],
        "label": str(label),
        "text": [str(row["text"]) for row in rows],
        "words": [row["address"] for row in rows],
        "lines": [{"file": file, "line": line} for file, line in lines],
    }


def _edges(node: Mapping[str, Any], noun: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for edge in cast("Sequence[Mapping[str, Any]]", node.get("next", ())):
        ends = "hang" if "hang" in edge else "end" if "end" in edge else ""
        label = ", ".join(
            [
                f"{key} {value}"
                for key, value in edge.items()
                if key not in (noun, "back", "end", "hang") and value not in ("", None, [])
            ]
        )
        found.append(
            {"source": node["number"], "target": edge.get(noun), "end": ends, "back": bool(edge.get("back")), "label": label}
        )
    return found


__all__ = ["graph"]
