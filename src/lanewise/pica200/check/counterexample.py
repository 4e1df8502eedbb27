"""Counter-example paths: the shortest path to a fault, and the decisions on it as text."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.sem.flow import Boolean, Flags

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.ir.graph import Edge, Graph

_MOST_DECISIONS = 4


def path_to(graph: Graph, goal: Callable[[Edge], bool], avoid: Container[int]) -> list[Edge] | None:
    """The shortest path from the entry to an edge that `goal` accepts.

    The path leaves no block of `avoid`; None if there is no such path.
    """
    predecessor: dict[int, Edge | None] = {0: None}
    waiting = [0]
    for number in waiting:
        if number in avoid:
            continue
        for edge in graph.edges[number]:
            if goal(edge):
                return _back(predecessor, edge)
            if isinstance(edge.target, int) and edge.target not in predecessor:
                predecessor[edge.target] = edge
                waiting.append(edge.target)
    return None


def _back(predecessor: dict[int, Edge | None], last: Edge) -> list[Edge]:
    found = [last]
    while (edge := predecessor[found[-1].source]) is not None:
        found.append(edge)
    return found[::-1]


def decisions(context: AnalysisContext, graph: Graph, edges: list[Edge] | None) -> tuple[str, ...]:
    """A note with the decisions on a path; nothing where there are none."""
    choices: dict[str, None] = {}
    for edge in edges or ():
        for question, answer in edge.answers:
            pc = graph.blocks[edge.source].last
            if isinstance(question, Boolean):
                choices[f"{context.boolean(question.number)} is {_truth(answer)}"] = None
            elif isinstance(question, Flags):
                choices[f"the condition in {context.place(pc)} is {_truth(answer)}"] = None
    if not choices:
        return ()
    shown = list(choices)[:_MOST_DECISIONS]
    more = len(choices) - len(shown)
    return (f"for example when {', '.join(shown)}" + (f" and {more} more" if more else ""),)


def settings(context: AnalysisContext, found: Sequence[Mapping[int, bool]], of: int) -> tuple[str, ...]:
    """A note with the booleans that all assignments with a finding have in common.

    Empty if it was found in all `of` assignments.
    """
    if len(found) == of:
        return ()
    common = [number for number in found[0] if len({setting[number] for setting in found}) == 1]
    values = [f"{context.boolean(number)} is {_truth(found[0][number])}" for number in common]
    return (f"when {', '.join(values)}",) if values else ("with some settings of the boolean uniforms",)


def _truth(answer: bool) -> str:
    return "true" if answer else "false"
