"""The table of docs/compiler-routines.md, from the record."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from compile.bounds import RECORD

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = RECORD.parents[2] / "docs" / "compiler-routines.md"
BEGIN, END = "<!-- made by python -m compile.exhaustive_routines --write -->", "<!-- end -->"
_ORDER = (
    "rcp",
    "rsq",
    "rsq_of_square",
    "exp2",
    "exp2_coarse",
    "log2",
    "log2_coarse",
    "log2_relative",
    "power",
    "sine",
    "cosine",
    "sincos",
    "masks",
    "select",
)


def table(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """A row for each routine of each device."""
    lines: list[str] = []
    for device, figures in found.items():
        lines += [
            f"### {device}",
            "",
            "| routine | slots | cycles | constants | worst error | at | asked |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        for name in _ORDER:
            row = figures[name]
            cells = [f"`{name}`", *(str(row[key]) for key in ("slots", "cycles", "constants"))]
            if "error" in row:
                error = f"{row['error']:.6f}" if row["bound"] == 0.002 else "0" if not row["error"] else f"2^{row['power']}"
                asked = "0.002" if row["bound"] == 0.002 else f"2^{math.log2(row['bound']):.4g}"
                cells += [error, f"`{row['input']}`", asked]
            else:
                cells += ["", "", ""]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def write_table(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(found)}\n{END}{after}")
