"""Rewritings of statements that both languages share: habits of other languages, and typing errors.

A language reads each rewriting, and offers what reads.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lanewise.core.text.problems import Suggestions

LETTERS = "[xyzwrgbastpq]{1,4}"
INDEX = r"[\w.]+(?:\s*\+\s*\w+)?"

# Registers with their number in brackets, as Direct3D and ARB write them: before names that are similar.
BRACKETS: tuple[tuple[str, str], ...] = (
    (r"\b([vorcib])\[\s*(\d+)\s*\]", r"\1\2"),
    (r"\bc\[\s*([A-Za-z]\w*(?:\.\w)?)\s*\]", r"c0[\1]"),
    (r"\bc\[\s*([A-Za-z]\w*(?:\.\w)?)\s*\+\s*(\d+)\s*\]", r"c\2[\1]"),
    (r"\bc\[\s*(\d+)\s*\+\s*([A-Za-z]\w*(?:\.\w)?)\s*\]", r"c\1[\2]"),
    (r"\[\s*(\d+)\s*\+\s*([A-Za-z]\w*(?:\.\w)?)\s*\]", r"[\2+\1]"),
)
# Rewritings of operands: (what is there, what is meant). All places of a statement are rewritten together.
OPERANDS: tuple[tuple[str, str], ...] = (
    (r"\bnot\s+", "!"),
    (r"!\s+", "!"),
    (r"\band\b", "&&"),
    (r"\bor\b", "||"),
    (r"!\s*\(\s*cmp\.([xy])\s*&&\s*cmp\.([xy])\s*\)", r"!cmp.\1 || !cmp.\2"),
    (r"!\s*\(\s*cmp\.([xy])\s*\|\|\s*cmp\.([xy])\s*\)", r"!cmp.\1 && !cmp.\2"),
    (r"(!?\bcmp\.[xy])\s*,\s*(?=!?cmp\.)", r"\1 && "),
    (r"\bcmp\.xy\b", "cmp.x && cmp.y"),
    (r"\bcmp(?:\.[zw])?(?![.\w])", "cmp.x"),
    (r"[%$&@\"'*]+(?=[vorc]\d)", ""),
    (r"(?<=[\w\]])[\"']+(?=\s*(?:,|$))", ""),
    (r"[\"']([vorc]\d+(?:\.\w+)?)[\"']", r"\1"),
    (r"->\s*(?=[xyzwrgba])", "."),
    (r"\.\[([xyzwrgba]{1,4})\]", r".\1"),
    (r"\b([vorcib])\s+(?=\d)", r"\1"),
    (r"\b(?:temp|tmp|reg|t)(\d+)\b", r"r\1"),
    (r",(?:\s*,)+", ","),
    (r"\s*,\s*$", ""),
    (r"(?<=\w)\.\s+(?=[-\w])", ", "),
    (r"(?<=[\w\]])\s+\.(?=[A-Za-z])", "."),
    (rf"\b([A-Za-z_]\w*)\(({INDEX})\)", r"\1[\2]"),
    (rf"\.({LETTERS})(\[[^\]]*\])", r"\2.\1"),
    (r"((?:^|,)\s*)\+\s*", r"\1"),
    (r"-\s+(?=[A-Za-z_])", "-"),
    (r"\(\s*(-?\w[\w.\[\]+]*)\s*\)", r"\1"),
    (rf"\](?={LETTERS}\s*(?:,|$))", "]."),
    (r"\b([vrcobi])[oO]\b", r"\g<1>0"),
    (r"\b([vrcobi])[lI]\b", r"\g<1>1"),
    (rf"\[({INDEX})(?=\s*(?:,|$))", r"[\1]"),
    (rf"\[({INDEX})\.({LETTERS})(?=\s*(?:,|$))", r"[\1].\2"),
    (r"^(\d)\s+(?=prim|inv)", r"\1, "),
    (r"(?<=[\w\]])\s*;?\s*\)$", ""),
)
# Rewritings of one place: each place is a reading.
PLACES: tuple[tuple[str, str], ...] = (
    (rf"(?<=[\w\]])\s*,\s*(?={LETTERS}\s*(?:,|$))", "."),
    (r"(?<=[\w\]])\s+(?=[-A-Za-z_])", ", "),
)
DASHES = str.maketrans(  # what documents have in the place of a minus, a blank and a comma
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        "\u200b": "",
        "\uff0c": ",",
        "\u201a": ",",
    }
)
TYPESET = tuple(map(chr, DASHES))

_PARTS = (  # of the names of outputs, and their properties
    ("pos", "position"),
    ("col", "color"),
    ("clr", "color"),
    ("tint", "color"),
    ("tex", "texcoord0"),
    ("uv", "texcoord0"),
    ("view", "view"),
    ("quat", "normalquat"),
)


def properties(name: str) -> list[str]:
    """The properties that an output of a name may have, as picasso calls them, the likeliest first."""
    return [kind for part, kind in _PARTS if part in name.lower()]


def typeset(character: str) -> str:
    """What a character of a document is, and what is written for it."""
    import unicodedata

    plain = character.translate(DASHES)
    named = {"-": "a minus", " ": "a space", ",": "a comma"}.get(plain, "a character of a source")
    return f"'{character}' is U+{ord(character):04X} ({unicodedata.name(character).lower()}), not {named}"


HEADS: Sequence[tuple[str, str]] = (  # rewritings of what follows a directive with a name
    (r"^(\S+?)\s*(?::=|=|,|:|\bas\b)\s*(\S.*)$", r"\1 \2"),
    (r"^([vorcib]\d+(?:\.\w+)?)\s*,?\s+([A-Za-z_]\w*)$", r"\2 \1"),
    (r"^(\w+)\s+([A-Za-z_]\w*)$", r"\2 \1"),
)


def subtractions(rest: str) -> list[str]:
    """A difference as a sum with the last operand negated."""
    first, comma, last = rest.rpartition(",")
    text = last.lstrip()
    lead = last[: len(last) - len(text)]
    return [f"add{first}{comma}{lead}{text[1:] if text.startswith('-') else f'-{text}'}"] if comma else []


def near(name: str, known: Collection[str], suggestions: Suggestions) -> list[str]:
    """The known names that a typing error makes of one; without any, the most similar one."""
    if not 0 < len(name) <= LONGEST_NAME or not suggestions.left(known):
        return []
    suggestions.compared += len(known)
    close = [other for other in known if abs(len(other) - len(name)) < 2 and other != name and _one_error(name, other)]
    if close:
        return sorted(close, key=lambda other: sorted(other) != sorted(name))  # neighbours exchanged, first
    from difflib import get_close_matches

    return get_close_matches(name, known, 1)


def _one_error(one: str, other: str) -> bool:
    """Whether two names differ by a letter more, less or other, or by two neighbours exchanged."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[at:], other[at:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
