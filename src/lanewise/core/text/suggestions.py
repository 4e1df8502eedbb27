"""Names that a misspelt name may have meant."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def near(key: str, names: Iterable[str]) -> list[str]:
    """Up to three of the names that `key` may have meant, the likeliest first."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in names}
    return [by_lower[found] for found in get_close_matches(key.lower(), list(by_lower), 3, 0.5)]
