"""Remarks beside ShaderCore statements: word address, issue cycle and stalls, live registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.editor import Inlay
from lanewise.shadercore.api.editor.analysing import State
from lanewise.shadercore.check.context import place_name
from lanewise.shadercore.isa.table import COMPONENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.editor import Analysis, Placed
    from lanewise.shadercore.check.context import Place

ADDRESS, TIMING, LIVE = "address", "timing", "live"
INLAYS = {ADDRESS: "word address", TIMING: "issue cycle, and what is waited for", LIVE: "live registers"}


def remarks(analysis: Analysis, kinds: Sequence[str]) -> list[Inlay]:
    """The remarks of the kinds that are wanted, in the order of the statements."""
    state = analysis.state
    if not isinstance(state, State):
        return []
    found: list[Inlay] = []
    for placed in analysis.placed:
        for kind, text, about in (
            (ADDRESS, *_address(placed)) if ADDRESS in kinds else (ADDRESS, "", ""),
            (TIMING, *_timing(state, placed)) if TIMING in kinds else (TIMING, "", ""),
            (LIVE, *_live(state, placed)) if LIVE in kinds else (LIVE, "", ""),
        ):
            if text:
                found.append(Inlay(placed.span, kind, text, about))
    return found


def _address(placed: Placed) -> tuple[str, str]:
    last = placed.address + placed.words - 1
    if last == placed.address:
        return str(last), f"word {last}"
    return f"{placed.address}-{last}", f"words {placed.address} to {last}: an instruction for each component"


def _timing(state: State, placed: Placed) -> tuple[str, str]:
    """The cycle of the first issue of a statement, and its waits; nothing from the first damaged statement on."""
    issues = state.timing.issues[placed.address : placed.address + placed.words]
    if not issues or placed.address + placed.words > state.context.damaged:
        return "", ""
    waits = [(issue.number, wait) for issue in issues for wait in issue.waits]
    stalls = sum(issue.stalls for issue in issues)
    text = f"@{issues[0].cycle}"
    if stalls:
        registers = dict.fromkeys(place_name(wait.register) if wait.kind == "i" else "the write port" for _, wait in waits)
        text += f" +{stalls} for {', '.join(registers)}"
    on = state.device.describe()
    lines = [
        f"issues in cycle {issues[0].cycle} on {on}" + (f", the last one in {issues[-1].cycle}" if len(issues) > 1 else "")
    ]
    for number, wait in waits:
        line = state.program.places[wait.writer].line
        what = place_name(wait.register) if wait.kind == "i" else f"the write port, which {place_name(wait.register)} takes"
        lines.append(f"word {number} waits {wait.cycles} cycle{'' if wait.cycles == 1 else 's'} for {what} (line {line})")
    return text, "\n".join(lines)


def _live(state: State, placed: Placed) -> tuple[str, str]:
    last = placed.address + placed.words - 1
    if last >= len(state.live):
        return "", ""
    live = [place for place in state.live[last] if place[0] != "o"]
    return f"{len(live)} live", f"needed after this: {registers_text(live)}" if live else "no register is needed after this"


def registers_text(places: Iterable[Place]) -> str:
    """`r0.xy, x1.w`."""
    found: dict[tuple[str, int], list[int]] = {}
    for file, number, component in sorted(places):
        found.setdefault((file, number), []).append(component)
    return ", ".join([f"{file}{number}.{''.join([COMPONENTS[c] for c in parts])}" for (file, number), parts in found.items()])
