"""Names that a misspelt name may have meant."""

from __future__ import annotations

from itertools import islice

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

_PART = 4  # letters of a name in another that may be it
_MOST = 1_000  # more take too long where each of many keys is unknown


def near(key: str, names: Iterable[str]) -> list[str]:
    """Up to three of the names that `key` may have meant, the likeliest first; long names and those after the first thousand
    are left out."""
    from lanewise.core.text.likeness import closest

    if len(key) > LONGEST_NAME:
        return []
    by_lower = {name.lower(): name for name in islice(names, _MOST) if len(name) <= LONGEST_NAME}
    if by_lower.get(key.lower(), key) != key:  # in other letters
        return [by_lower[key.lower()]]
    found = closest(key.lower(), list(by_lower), 3, 0.5)
    return [by_lower[each] for each in found or [name for name in by_lower if _within(name, key.lower())][:3]]


def _within(name: str, key: str) -> bool:
    """Whether a name, without its number, is part of a longer one, as `color` is of `fragcolor`."""
    bare = name.rstrip("0123456789")
    return len(bare) >= _PART and bare in key


def instead(key: str, names: Iterable[str]) -> str:
    """The fix for a word that is not one of a few: the one that was meant, or all of them."""
    listed = list(names)
    close = near(key.lower().removeprefix("gl_").replace("_", "-"), listed)
    return f"did you mean {close[0]}?" if close else f"use {', '.join(listed)}"
