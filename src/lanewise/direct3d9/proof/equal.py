"""Whether two shaders are shown to be equal, without a search for a counter-example."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.proof.machine import Machine
from lanewise.direct3d9.proof.naming import Moved
from lanewise.direct3d9.proof.terms import Paths
from lanewise.proving.machine import Result, Thread
from lanewise.proving.walk import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.proof.machine import Side
    from lanewise.direct3d9.sem.numbers import Rule


def unproved(sides: Sequence[Side], rule: Rule, moved: tuple[Moved, Moved] = (Moved(), Moved())) -> str:
    """Why the proof does not succeed; empty where it does. `moved`: what the constants of each are called."""
    if sides[0].outputs.keys() != sides[1].outputs.keys():
        lacking = min(sides[0].outputs.keys() ^ sides[1].outputs.keys())
        return f"{lacking} is written by one shader only"
    m = Paths(rule)
    m.effort.start()
    size = sum([len(node.items) + 1 for side in sides for node in side.nodes.nodes])
    one, other = ((side.nodes, Machine(m, side, own)) for side, own in zip(sides, moved, strict=True))
    reason, _ = compare(m, (one, other), size=size)
    if reason is not None:
        return reason.what
    return f"{min(m.looks_across)} looks at other lanes, which may be elsewhere" if m.looks_across and m.diverges else ""


def straight(sides: Sequence[Side], rule: Rule, moved: tuple[Moved, Moved]) -> tuple[Paths, list[tuple[Result, Result]]] | None:
    """The results of two shaders on the same terms; None where their flow asks a question."""
    m = Paths(rule)
    found: list[Sequence[Result]] = []
    for side, own in zip(sides, moved, strict=True):
        thread = Thread(m, side.nodes, Machine(m, side, own))
        try:
            thread.advance({}, stops=False)
        except OverflowError:
            return None
        if not thread.place.ended:
            return None
        found.append(thread.machine.results())
    return m, [*zip(*found, strict=True)]


__all__ = ["straight", "unproved"]
