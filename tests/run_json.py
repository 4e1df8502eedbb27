"""What `lanewise run --format json` prints, by columns."""

from __future__ import annotations

from typing import Any


def columns(document: dict[str, Any], what: str = "values") -> dict[str, list[Any]]:
    """The `values` or `bits` of each component by its register: `o0.x`."""
    return {
        f"{output['register']}.{letter}": [row[place] for row in output[what]]
        for output in document["outputs"].values()
        for place, letter in enumerate(output["components"])
    }
