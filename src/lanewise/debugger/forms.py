"""Forms of a value: as a number, as patterns of float24 and float32, as an exact fraction."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float24_from_float

if TYPE_CHECKING:
    from lanewise.core.trace import Value

NUMBER, HEX, FLOAT24, FLOAT32, FRACTION = FORMS = ("number", "hex", "float24", "float32", "fraction")
_LARGEST_DENOMINATOR = 1 << 20
_LARGEST_NUMERATOR = 1 << 40


def shown(value: Value | None, format: str, form: str = NUMBER) -> str:
    """A value in a form; `format` is that of its pattern: float24, float32, int or bool."""
    if value is None:
        return "-"
    number = value.number
    if form == HEX:
        return f"0x{value.bits:0{6 if format == 'float24' else 8}x}"
    if format in ("int", "bool"):
        return ("true" if number else "false") if format == "bool" and form == NUMBER else str(int(number))
    if form == FLOAT24:
        return f"0x{value.bits if format == 'float24' else float24_from_float(number):06x}"
    if form == FLOAT32:
        return f"0x{value.bits if format == 'float32' else _float32(number):08x}"
    return fraction(number) if form == FRACTION else text(number)


def text(number: float) -> str:
    """The shortest text with nine digits at most: 0.1, -inf, nan."""
    return f"{number:.9g}"


def fraction(number: float) -> str:
    """The exact value: `3/4`, or `11184811 * 2^-25` where that is shorter; texts of infinities and NaN."""
    if not math.isfinite(number):
        return text(number)
    above, below = number.as_integer_ratio()
    if below == 1 and abs(above) < _LARGEST_NUMERATOR:
        return "-0" if not above and math.copysign(1, number) < 0 else str(above)
    if below <= _LARGEST_DENOMINATOR:
        return f"{above}/{below}"
    mantissa, exponent = above, 1 - below.bit_length()
    while mantissa and mantissa % 2 == 0:
        mantissa, exponent = mantissa // 2, exponent + 1
    return f"{mantissa} * 2^{exponent}"


def forms(value: Value, format: str) -> dict[str, str]:
    """All forms of a value."""
    return {form: shown(value, format, form) for form in FORMS}


def _float32(number: float) -> int:
    try:
        return struct.unpack("<I", struct.pack("<f", number))[0]
    except OverflowError:
        return 0x7F800000 if number > 0 else 0xFF800000
