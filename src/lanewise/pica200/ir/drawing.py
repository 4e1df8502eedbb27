"""A graph as text to read and as a graph for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.ir.wording import answer_text, card, stop_text
from lanewise.pica200.sem.flow import Hang

if TYPE_CHECKING:
    from lanewise.pica200.ir.graph import Graph, Passage
    from lanewise.pica200.ir.wording import Card, Wording


def as_text(graph: Graph, wording: Wording) -> str:
    """A paragraph for each block."""
    words = len(graph.at)
    parts = [f"{_count(len(graph.blocks), 'block')}, {_count(words, 'word')}, starts at {graph.entry.shape.pc:#x}"]
    for block in graph.blocks:
        lines = card(block, wording, goals=True)
        heading = f"block {lines.number}: " + (f"{lines.place}, " if lines.place else "") + lines.heading
        came = ", ".join(map(str, graph.predecessors[block.number]))
        parts.append(
            "\n".join(
                [
                    heading + (f"  (from {came})" if came else ""),
                    *(f"  {ring}" for ring in lines.rings),
                    *(f"  {address:5x}  {text}" for address, text in lines.words),
                    *(f"  {line}" for line in lines.outcome),
                ]
            )
        )
    return "\n\n".join(parts) + "\n"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# The colours of both kinds of picture: they are on a light ground of their own, whatever page they are put on.
GROUND, INK, FAINT, LINE = "#fbfbf9", "#1f2430", "#667085", "#475467"
TRUE, FALSE = "#1b7f4b", "#b5442f"
BOX, HEAD, FOOT = "#ffffff", "#e6ebf3", "#f5f3ea"
FILLS = {"entry": ("#dce8fb", "#2f66b0"), "end": ("#dcf2e3", "#1b7f4b"), "hang": ("#fce1dc", "#b5442f")}  # fill, border


def colour_of(passage: Passage) -> str:
    """Green and red tell the answers to one question apart; several questions have no colour."""
    if len(passage.answers) != 1:
        return LINE
    return TRUE if passage.answers[0][1] else FALSE


def as_dot(graph: Graph, wording: Wording) -> str:
    """The graph for Graphviz: `dot -Tsvg`."""
    lines = [
        "digraph flow {",
        f'  graph [bgcolor="{GROUND}", fontname="monospace"];',
        f'  node [shape=box, style=filled, fillcolor="{BOX}", color="{LINE}", fontcolor="{INK}", fontname="monospace", fontsize=10];',
        f'  edge [color="{LINE}", fontname="monospace", fontsize=9];',
        f"  entry [{_pill(*FILLS['entry'], 'entry')}];",
        "  entry -> block0;",
    ]
    for block in graph.blocks:
        text = "".join(_escape(line) + r"\l" for line in _lines(card(block, wording)))
        lines.append(f'  block{block.number} [label="{text}"];')
    for leaving in graph.passages:
        for n, passage in enumerate(leaving):
            source, target = f"block{passage.source}", f"block{passage.target}"
            if not isinstance(passage.target, int):
                target = f"stop{passage.source}_{n}"
                kind = "hang" if isinstance(passage.target, Hang) else "end"
                lines.append(f"  {target} [{_pill(*FILLS[kind], stop_text(passage.target, wording))}];")
            colour = colour_of(passage)
            looks = [f'color="{colour}"', f'fontcolor="{colour}"', *(["style=dashed"] if passage.back else [])]
            if passage.answers:
                looks.append(f'label="{answer_text(passage.answers)}"')
            lines.append(f"  {source} -> {target} [{', '.join(looks)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _pill(fill: str, border: str, text: str) -> str:
    return f'shape=box, style="filled,rounded", fillcolor="{fill}", color="{border}", label="{_escape(text)}"'


def _lines(lines: Card) -> list[str]:
    return [
        f"{lines.number}: " + (f"{lines.place}, " if lines.place else "") + lines.heading,
        *lines.rings,
        *(f"{address:5x}  {text}" for address, text in lines.words),
        *lines.outcome,
    ]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
