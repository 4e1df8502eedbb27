"""Which of known names a misspelt word may have meant."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHORTEST = 3  # letters of a word that another may begin with


def closest(word: str, known: Sequence[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Up to `most` of the known names that are a few letters from a word, the nearest first: one in three may be another,
    missing or too many, unless one begins with the other or both have the same letters. `cutoff` is difflib's."""
    from difflib import get_close_matches

    return [name for name in get_close_matches(word, known, most, cutoff) if _is_like(word.lower(), name.lower())]


def _is_like(word: str, name: str) -> bool:
    shorter, longer = sorted((word.strip("-"), name.strip("-")), key=len)
    if (len(shorter) >= _SHORTEST and longer.startswith(shorter)) or sorted(shorter) == sorted(longer):
        return True
    return _distance(shorter, longer) <= max(1, (len(longer) + 1) // 3)


def _distance(first: str, second: str) -> int:
    """How many letters have to be put in, left out, replaced or exchanged with the next."""
    last: list[int] = []
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, 1):
        new = [number]
        for place, other in enumerate(second, 1):
            best = min(row[place] + 1, new[-1] + 1, row[place - 1] + (letter != other))
            if last and place > 1 and letter == second[place - 2] and other == first[number - 2]:
                best = min(best, last[place - 2] + 1)
            new.append(best)
        last, row = row, new
    return row[-1]
