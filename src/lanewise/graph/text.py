"""A graph as text: a paragraph for each node."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.picture import outcome

if TYPE_CHECKING:
    from lanewise.graph.picture import Picture


def as_text(picture: Picture) -> str:
    count = len(picture.nodes)
    parts = [picture.summary or f"{count} {picture.noun}{'' if count == 1 else 's'}"]
    for number, node in enumerate(picture.nodes):
        heading = f"{picture.noun} {number}: " + (f"{node.name}, " if node.name else "") + node.heading
        came = ", ".join(map(str, picture.flow.predecessors[number]))
        lines = [
            heading + (f"  (from {came})" if came else ""),
            *(f"  {note}" for note in node.notes),
            *(f"  {address:>5}  {text}" if address else f"    {text}" for address, text in picture.lines(node)),
            *(f"  {line}" for line in outcome(node, targets=True)),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
