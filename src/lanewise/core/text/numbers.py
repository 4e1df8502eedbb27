"""Numbers as the C library reads them: what picasso does with digits, and what it drops. Source: conformance rules 5, 6, 10."""

from __future__ import annotations

from lanewise.core.numbers.floats import float32_bits, float_from_bits, float_from_float24
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACES = " \t\n\v\f\r"
_DECIMAL = frozenset("0123456789.+-eE")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
# Compiled when first used: `re` costs a tenth of the time in which `lanewise asm` starts, and plain decimals don't need it.
_FLOAT = (
    r"\s*([+-]?)(?:(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)"
    r"|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(inf(?:inity)?)|(nan(?:\([0-9A-Za-z_]*\))?))"
)


def register_number(name: str) -> int:
    """The number behind the first letter of a name such as `c12`; -1 where there is none, or more digits than any file has."""
    digits = name[1:]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 6 else -1


def float32_text(bits: int) -> str:
    """A float32 as the shortest exact decimal; infinities and NaN in hexadecimal."""
    if bits & 0x7F800000 == 0x7F800000:
        return f"0x{bits:08X}"
    value = float_from_bits(bits)
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    return next(text for text in texts if float32_bits(float(text)) == bits)  # nine digits are enough for any float32


def read_float(text: str) -> tuple[float, int]:
    """Read a number as C's `atof`: the value and its length (0: not a number, value 0)."""
    if _DECIMAL.issuperset(text):
        try:
            return float(text), len(text)
        except ValueError:
            pass
    import re

    match = re.match(_FLOAT, text, re.IGNORECASE | re.ASCII)
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


ROUNDING_FIX = "float24 has 17 bits of precision; where equality counts, write a value that it has"


def rounded(values: Iterable[tuple[str, float, int]]) -> str:
    """The message of V105: values (text, value, float24 word) that are rounded, in range."""
    return "; ".join(
        dict.fromkeys(
            f"{text} is stored as {float_from_float24(word):.9g}"
            for text, value, word in values
            if word >> 16 & 0x7F not in (0, 0x7F) and float_from_float24(word) != value
        )
    )


def _sign(text: str) -> tuple[int, int]:
    """(where the digits begin, -1 or 1) after blanks and a sign."""
    at = len(text) - len(text.lstrip(_SPACES))
    if text[at : at + 1] in ("+", "-") and text[at : at + 1]:
        return at + 1, -1 if text[at] == "-" else 1
    return at, 1


def _digits(text: str, at: int, allowed: str | frozenset[str]) -> int:
    """Where the run of allowed characters that begins at `at` ends."""
    while at < len(text) and text[at] in allowed:
        at += 1
    return at


def read_decimal(text: str) -> tuple[int, int]:
    """Read a number as C's `atoi`: the value and its length (0: not a number, value 0)."""
    at, sign = _sign(text)
    end = _digits(text, at, "0123456789")
    return (sign * _int(text[at:end], 10), end) if end > at else (0, 0)


def read_integer(text: str) -> tuple[int, int]:
    """Read a number as C's `strtoll` with base 0 (0x1F, 017, 15).

    Returns the value and its length (0: not a number).
    """
    if text.isdigit() and text.isascii() and (text[0] != "0" or text == "0"):  # most numbers
        return _int(text, 10), len(text)
    at, sign = _sign(text)
    if text[at : at + 2] in ("0x", "0X"):
        end = _digits(text, at + 2, _HEXADECIMAL)
        if end > at + 2:
            return sign * _int(text[at + 2 : end], 16), end
        return 0, at + 1
    octal = text[at : at + 1] == "0"
    end = _digits(text, at, "01234567" if octal else "0123456789")
    return (sign * _int(text[at:end], 8 if octal else 10), end) if end > at else (0, 0)


def _int(digits: str, base: int) -> int:
    """An integer, saturated as C does, so that a thousand digits cost nothing."""
    return int(digits, base) if len(digits) <= 20 else (1 << 63) - 1


_COLOURS = {
    "black": "0,0,0",
    "white": "1,1,1",
    "grey": "0.5,0.5,0.5",
    "gray": "0.5,0.5,0.5",
    "red": "1,0,0",
    "green": "0,1,0",
    "blue": "0,0,1",
    "yellow": "1,1,0",
    "cyan": "0,1,1",
    "magenta": "1,0,1",
    "orange": "1,0.5,0",
}


def colour_numbers(text: str) -> list[str]:
    """The numbers from 0 to 1 of a colour as HTML has it, `#403830`, `#43a`, `rgb(64, 56, 48)` or `red`; empty for other
    texts."""
    plain = text.strip().lower()
    if plain in _COLOURS:
        return _COLOURS[plain].split(",")
    bytes_of: list[int] = []
    digits = plain.removeprefix("#").removeprefix("0x")
    if plain[:1] == "#" or plain[:2] == "0x":
        wide = "".join([digit * 2 for digit in digits]) if len(digits) in (3, 4) else digits
        if len(wide) in (6, 8) and all(digit in "0123456789abcdef" for digit in wide):
            bytes_of = [int(wide[at : at + 2], 16) for at in range(0, len(wide), 2)]
    elif plain.startswith(("rgb(", "rgba(")) and plain.endswith(")"):
        parts = [part.strip() for part in plain[plain.index("(") + 1 : -1].replace(" ", ",").split(",") if part.strip()]
        bytes_of = (
            [int(part) for part in parts[:3]] if len(parts) in (3, 4) and all(each.isdigit() for each in parts[:3]) else []
        )
    return [f"{round(value / 255, 3):g}" for value in bytes_of]
