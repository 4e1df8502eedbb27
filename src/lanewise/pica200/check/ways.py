"""A way through a graph as a witness: the shortest one, and the decisions on it in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.sem.flow import Boolean, Flags

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from lanewise.pica200.check.subject import Subject
    from lanewise.pica200.ir.graph import Graph, Passage

_MOST_DECISIONS = 4


def way(graph: Graph, goal: Callable[[Passage], bool], avoid: Container[int]) -> list[Passage] | None:
    """The fewest passages from the entry to one that `goal` takes, without leaving any block of `avoid`; None if there are none."""
    origin: dict[int, Passage | None] = {0: None}
    waiting = [0]
    for number in waiting:
        if number in avoid:
            continue
        for passage in graph.passages[number]:
            if goal(passage):
                return _back(origin, passage)
            if isinstance(passage.target, int) and passage.target not in origin:
                origin[passage.target] = passage
                waiting.append(passage.target)
    return None


def _back(origin: dict[int, Passage | None], last: Passage) -> list[Passage]:
    found = [last]
    while (passage := origin[found[-1].source]) is not None:
        found.append(passage)
    return found[::-1]


def decisions(subject: Subject, graph: Graph, passages: list[Passage] | None) -> tuple[str, ...]:
    """A note that says what is decided how on a way; nothing where nothing is decided."""
    said: dict[str, None] = {}
    for passage in passages or ():
        for question, answer in passage.answers:
            pc = graph.blocks[passage.source].last
            if isinstance(question, Boolean):
                said[f"{subject.boolean(question.number)} is {_truth(answer)}"] = None
            elif isinstance(question, Flags):
                said[f"the condition in {subject.place(pc)} is {_truth(answer)}"] = None
    if not said:
        return ()
    shown = list(said)[:_MOST_DECISIONS]
    more = len(said) - len(shown)
    return (f"for example when {', '.join(shown)}" + (f" and {more} more" if more else ""),)


def settings(subject: Subject, found: Sequence[Mapping[int, bool]], of: int) -> tuple[str, ...]:
    """A note that says which booleans are what in all of the settings in which something was found, if not in all `of` there are."""
    if len(found) == of:
        return ()
    common = [number for number in found[0] if len({setting[number] for setting in found}) == 1]
    said = [f"{subject.boolean(number)} is {_truth(found[0][number])}" for number in common]
    return (f"when {', '.join(said)}",) if said else ("with some settings of the boolean uniforms",)


def _truth(answer: bool) -> str:
    return "true" if answer else "false"
