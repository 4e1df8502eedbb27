"""Numbers of the command line with the separators and spellings of other programs, as they are written here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lanewise.arrays.text_tables import number_of, respelt
from lanewise.core.text.numbers import colour_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_COMPONENTS = 4
# Between rows: brackets, a line of C, a word, blanks that are not behind or before a comma, a colon, a stroke.
_BETWEEN = (r"\s*\]\s*,?\s*\[\s*", r"\s*\\n\s*", r"\s*(?://|&+|\band\b)\s*", r"(?<![,\s])\s+(?![,\s])", ":", "/")
_CONSTANTS = {
    **dict.fromkeys(("pi", "math.pi", "np.pi", "numpy.pi", "m_pi"), "3.14159265"),
    **dict.fromkeys(("tau", "2pi", "2*pi", "math.tau"), "6.28318531"),
    **dict.fromkeys(("pi/2", "math.pi/2", "np.pi/2"), "1.57079633"),
    **dict.fromkeys(("pi/4", "math.pi/4", "np.pi/4"), "0.78539816"),
    "sqrt(2)": "1.41421356",
}


def rewritten(text: str) -> str:
    """The numbers of a text with other signs around and between them, as they are written here; empty if there is more."""
    plain = text.strip(" \t\"'")
    if re.match(r"[A-Za-z_][\w.]*\(", plain) and not re.match(r"(?:vec|float|ivec|half)[234]\(", plain, re.IGNORECASE):
        called = re.fullmatch(r"(?:np\.|numpy\.)?(zeros|ones)\(\(?([1-4]),?\)?\)", plain)
        if called is not None:
            return ",".join(["0" if called[1] == "zeros" else "1"] * int(called[2]))
        if not re.match(r"(?:np\.|numpy\.)?array\(|rgba?\(|hsl\(", plain, re.IGNORECASE):
            return ""
    colour = colour_numbers(plain)
    if colour:
        return ",".join(colour)
    parts: list[str] = re.findall(r"[(\[{<]([^()\[\]{}<>]+)[)\]}>]", plain)
    for rows in [parts] if parts else _rows(plain):
        even = _even(rows)
        if even:
            return even
    return ""


def _rows(text: str) -> Iterator[list[str]]:
    """The rows that a text may have, by what may be between them, the likeliest first."""
    if re.search("[;|\n]", text):
        yield [row for row in re.split("[;|\n]", text) if row.strip()]
        return
    mixed = "," in text and re.search(r"\d\s+[-.\d]", text)
    for between in _BETWEEN if "," in text else ():
        rows = re.split(between, text)
        if len(rows) > 1 and (between != "/" or rows[0].count(",") > 1):
            yield rows
    if mixed:
        yield text.split(",")
    if not mixed or len(re.split(r"[\s,]+", text)) <= _MOST_COMPONENTS:
        yield [text]


def _even(parts: Sequence[str]) -> str:
    """Rows of as many numbers each, as they are written here; empty for others."""
    rows: list[list[str]] = []
    for row in parts:
        row = re.sub(r",\s*(?=,)", ",0", row)  # noqa: PLW2901  a number is missing there
        tokens = [_respelt_number(token) for token in row.replace(",", " ").split()]
        if not tokens or any(number_of(token) is None for token in tokens):
            return ""
        rows.append(tokens)
    even = len({len(row) for row in rows}) == 1
    return ";".join([",".join(row) for row in rows]) if even else ""


def _respelt_number(token: str) -> str:
    """A number as other languages have it: with the letter of its type, in percent, as a fraction."""
    if "_" in token and token.replace("_", "").lstrip("+-").replace(".", "", 1).isdecimal():
        return token.replace("_", "")
    if token.lower().lstrip("+-") in _CONSTANTS:
        return ("-" if token[0] == "-" else "") + _CONSTANTS[token.lower().lstrip("+-")]
    other = respelt(token) if token[:2].lower() != "0x" else ""
    return other or (token.rstrip("fF") if token[:1] in "-+.0123456789" else token)


__all__ = ["rewritten"]
