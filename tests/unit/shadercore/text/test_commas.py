"""A missing comma between operands is named as such."""

from __future__ import annotations

import pytest

from lanewise.shadercore.text.reader import read_source_text


@pytest.mark.parametrize(
    ("line", "message", "column"),
    [
        ("add r0.x r1.x, r2.x", "missing comma between 'r0.x' and 'r1.x'", 5),
        ("add r0.x, r1.x r2.x", "missing comma between 'r1.x' and 'r2.x'", 11),
        ("add r0.x, r1.x", "add takes a destination and two sources, found 2", 1),
    ],
)
def test_missing_comma(line: str, message: str, column: int):
    [finding] = read_source_text(f"{line}\nend\n", "a.sc").diagnostics
    assert (finding.code, finding.message, finding.span.column) == ("P203", message, column)
    assert finding.fix.startswith(("write add r0.x, ", "write `add r0.x, "))
