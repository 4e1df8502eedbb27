"""Numbers in drawings, as the page writes them elsewhere: `short` of `numbers.ts`."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context

_DIGITS = 6
_ROUNDED, _SCALED = (Context(prec=digits, rounding=ROUND_HALF_UP) for digits in (_DIGITS, 4))


def short(number: float) -> str:
    """A number in six digits, with one after the point: `0.333333`, `−1.0`, `1.000e9`, `∞`."""
    if math.isnan(number):
        return "NaN"
    sign, size = "−" if math.copysign(1, number) < 0 else "", abs(number)
    if math.isinf(size):
        return f"{sign}∞"
    if size and not 1e-4 <= size < 1e6:
        mantissa, _, exponent = f"{_SCALED.create_decimal_from_float(size):.3e}".partition("e")
        return f"{sign}{mantissa}e{int(exponent)}".replace("-", "−")
    whole, _, rest = f"{_ROUNDED.create_decimal_from_float(size):f}".partition(".")
    return f"{sign}{whole}.{rest.rstrip('0') or '0'}"


__all__ = ["short"]
