"""Values as text: numbers, bit patterns, exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.debugging import Register
    from lanewise.core.trace import Value

DECIMAL, HEX, FRACTION = "decimal", "hex", "fraction"
_DIGITS = {"float24": 6, "float32": 8, "int": 2, "bool": 1}


def number_text(number: float, form: str = DECIMAL) -> str:
    """A number that has no pattern, such as a sum."""
    if isinstance(number, bool):
        return "true" if number else "false"
    if form == FRACTION and math.isfinite(number):
        return str(Fraction(number))
    if form == HEX and isinstance(number, int):
        return hex(number)
    return f"{number:.9g}" if isinstance(number, float) else str(number)


def value_text(value: Value | None, format: str, form: str = DECIMAL) -> str:
    """A value of a register; `format` is that of its pattern."""
    if value is None:
        return "no value"
    if format == "bool" and form != HEX:
        return "true" if value.number else "false"
    if form == HEX:
        return f"0x{value.bits:0{_DIGITS.get(format, 8)}x}"
    return number_text(value.number, form)


def register_text(register: Register, form: str = DECIMAL) -> str:
    """`1, 0.5, 0, 1`."""
    return values_text(register.values, register.format, form)


def values_text(values: Sequence[Value | None], format: str, form: str = DECIMAL) -> str:
    return ", ".join([value_text(value, format, form) for value in values])


__all__ = ["DECIMAL", "FRACTION", "HEX", "number_text", "register_text", "value_text", "values_text"]
