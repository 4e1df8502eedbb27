"""Options of the command line where the page has them, and findings with fixes that name these controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.core.elsewhere import placed

from lanewise_studio.options import options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.diagnostics import Diagnostic

# The control of an option. `--cull` is a button beside the fix, which the page makes.
_CONTROLS: Mapping[str, str] = {
    "entry": "the choice of the program at the top",
    "profile": "the choice at the top",
    "device": "the choice at the top",
    "rule": "the choice at the top",
    "mesh": "the choice below the picture",
    "screen": "the choice above the picture",
    "dialect": "the end of the name of the file",
    "input": "under Data",
    "uniform": "under Data",
    "default": "under Data",
}
_OPTIONS = "under Options, above the source"


def control(key: str, value: str) -> str:
    """An option as the user of the page has it; empty for those that the page does not have."""
    where = _CONTROLS.get(key, _OPTIONS if key in options() else "")
    if not where:
        return ""
    return f"`{value}` ({where})" if value else f"`{key}` ({where})" if where.startswith("under") else where


def finding_json(finding: Diagnostic) -> dict[str, object]:
    """A finding as plain values for the page."""
    return to_json(placed(finding, control))


__all__ = ["control", "finding_json"]
