"""The pane of the graphs, one of each stage: the drawing, and its nodes with the lines and words that they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lanewise.core.service import InputFailure, UsageError

from lanewise_studio.stages import stages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.service import Answer, Request
    from lanewise.pica200.api.file import ShaderFile

    from lanewise_studio.reading import Reading


def graph(evaluation: Reading) -> dict[str, object]:
    """The graphs of the programs that run, as SVG and as nodes; a reason where there is none."""
    service = evaluation.loaded.graph
    if service is None:
        return {"reason": f"{evaluation.program.package.title} programs have no graph"}
    try:
        return {"graphs": [_drawn(evaluation, service, title, program) for title, program in _programs(evaluation)]}
    except (InputFailure, UsageError) as error:
        return {"reason": str(error)}


def _programs(evaluation: Reading) -> list[tuple[str, str]]:
    """Titles and names of the programs that run: a vertex shader and the geometry shader of its files are two."""
    if evaluation.loaded.isa != "pica200":
        return [("", "")]
    file = cast("ShaderFile", evaluation.loaded.program)
    both = [shader for shader in stages(file, evaluation.program.shader) if shader is not None]
    return [(f"{shader.stage} shader" if len(both) > 1 else "", str(file.programs.index(shader))) for shader in both]


def _drawn(evaluation: Reading, service: Callable[[Request], Answer], title: str, program: str) -> dict[str, object]:
    """A graph of a program. Raises InputFailure, UsageError, InputError."""
    chosen = {"program": program} if program else {}
    plain = service(evaluation.program.request("graph", {**chosen, "format": "json"})).data
    svg = service(evaluation.program.request("graph", {**chosen, "format": "svg"})).text
    noun = next((key for key, value in plain.items() if isinstance(value, list)), "blocks")
    nodes = cast("Sequence[Mapping[str, Any]]", plain.get(noun, ()))
    return {
        "title": title,
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
