"""The colours of graph drawings: dark on a light background that the drawing brings itself, and those of a dark scheme."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.picture import END, HANG

if TYPE_CHECKING:
    from lanewise.graph.picture import Edge

GROUND, INK, FAINT, LINE = "#fbfbf9", "#1f2430", "#667085", "#475467"
TRUE, FALSE = "#1b7f4b", "#b5442f"
BOX, HEAD, FOOT = "#ffffff", "#e6ebf3", "#f5f3ea"
ENTRY = "entry"
FILLS = {ENTRY: ("#dce8fb", "#2f66b0"), END: ("#dcf2e3", "#1b7f4b"), HANG: ("#fce1dc", "#b5442f")}  # fill, border
DARK = {
    GROUND: "#14181f",
    INK: "#e6e9ef",
    FAINT: "#98a2b3",
    LINE: "#a3adbd",
    TRUE: "#58c48b",
    FALSE: "#f08a74",
    BOX: "#1e2430",
    HEAD: "#2b3547",
    FOOT: "#2a2a24",
    "#dce8fb": "#1e3352",
    "#2f66b0": "#7fb0f2",
    "#dcf2e3": "#17392a",
    "#fce1dc": "#47211b",
}
"""The colour of a dark scheme for each of the above."""


def colour_of(edge: Edge) -> str:
    """The colour of an edge: green for a taken branch, red for one not taken.

    An edge after several branches or none has no colour, and a faint one that of remarks.
    """
    if edge.faint:
        return FAINT
    return LINE if edge.taken is None else TRUE if edge.taken else FALSE
