"""Numbers as the C library reads them: what picasso does with digits, and what it drops. Source: conformance rules 5, 6, 10."""

from __future__ import annotations

import re
import struct

_FLOAT = re.compile(
    r"\s*([+-]?)(?:(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)"
    r"|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(inf(?:inity)?)|(nan(?:\([0-9A-Za-z_]*\))?))",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"\s*[+-]?\d+")
_C_INTEGER = re.compile(r"\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)")


def float32_bits(value: float) -> int:
    """The float32 nearest to a double, as bits; too large values are infinity, as a C conversion gives them."""
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0xFF800000 if value < 0 else 0x7F800000


def read_float(text: str) -> tuple[float, int]:
    """As C `atof`: the value and how many characters it took (0: no number, the value is 0)."""
    match = _FLOAT.match(text)
    if match is None:
        return 0.0, 0
    sign, hexadecimal, decimal, infinity, _ = match.groups()
    if hexadecimal:
        try:
            value = float.fromhex(hexadecimal)
        except OverflowError:
            value = float("inf")
    elif decimal:
        value = float(decimal)
    else:
        value = float("inf" if infinity else "nan")
    return (-value if sign == "-" else value), match.end()


def read_decimal(text: str) -> tuple[int, int]:
    """As C `atoi`: the value and how many characters it took (0: no number, the value is 0)."""
    match = _INTEGER.match(text)
    return (int(match[0]), match.end()) if match else (0, 0)


def read_integer(text: str) -> tuple[int, int]:
    """As C `strtoll` with base 0 (0x1F, 017, 15): the value and how many characters it took (0: no number)."""
    match = _C_INTEGER.match(text)
    if match is None:
        return 0, 0
    sign, digits = match.groups()
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[0] == "0" and len(digits) > 1:
        value = int(digits, 8)
    else:
        value = int(digits)
    return (-value if sign == "-" else value), match.end()
