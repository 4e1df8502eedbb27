"""Numbers as JSON writes them."""

from __future__ import annotations

import math


def plain_number(number: float) -> float | str:
    """A number for JSON: those that it cannot write are the texts NaN, Infinity, -Infinity."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
