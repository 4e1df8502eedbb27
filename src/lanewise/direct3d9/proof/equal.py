"""Whether two shaders are shown to be equal, without a search for a counter-example."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.proof.machine import Machine
from lanewise.direct3d9.proof.terms import Paths
from lanewise.proving.walk import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.proof.machine import Side
    from lanewise.direct3d9.sem.numbers import Rule


def unproved(sides: Sequence[Side], rule: Rule) -> str:
    """Why the proof does not succeed; empty where it does."""
    if sides[0].outputs.keys() != sides[1].outputs.keys():
        lacking = min(sides[0].outputs.keys() ^ sides[1].outputs.keys())
        return f"{lacking} is written by one shader only"
    m = Paths(rule)
    m.effort.start()
    size = sum([len(node.items) + 1 for side in sides for node in side.nodes.nodes])
    reason, _ = compare(m, ((sides[0].nodes, Machine(m, sides[0])), (sides[1].nodes, Machine(m, sides[1]))), size=size)
    if reason is not None:
        return reason.what
    return f"{min(m.looks_across)} looks at other lanes, which may be elsewhere" if m.looks_across and m.diverges else ""


__all__ = ["unproved"]
