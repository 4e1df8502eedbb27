"""Why instructions wait, in words."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.table import COMPONENTS

if TYPE_CHECKING:
    from lanewise.shadercore.isa.timing import Issue, Timing


def why(issue: Issue, timing: Timing) -> str:
    """The reasons why an instruction waited: cycles, register and the slot that writes it; empty if it did not."""
    parts: list[str] = []
    for wait in issue.waits:
        slot = f"slot {wait.writer} ({timing.insts[wait.writer].op.name})"
        register = register_name(wait.register)
        parts.append(
            f"{wait.cycles} for {register}, written by {slot}"
            if wait.kind == "i"
            else f"{wait.cycles} for the write port, where {slot} writes {register}"
        )
    return "; ".join(parts)


def register_name(place: tuple[str, int, int]) -> str:
    file, number, component = place
    return f"{file}{number}.{COMPONENTS[component]}"
