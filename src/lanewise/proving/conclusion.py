"""Conclusion of a comparison: equal with the premises, different with an example, or neither with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.comparison import Example


def concluded(
    reason: str | None,
    names: tuple[str, str],
    *,
    used: Sequence[str],
    search: Callable[[], Example | None],
    searched: str,
    unmatched: Sequence[str] = (),
) -> Comparison:
    """The comparison of two programs by the reason against their equality; None: they are equal, which rests on `used`.

    `search` looks for an example, which the reference engine has shown before it is given; `searched` is how far that goes,
    as `for 64 vertices`.
    """
    if reason is None:
        return Comparison(EQUAL, names, used=used)
    example = search()
    if example is not None:
        return Comparison(DIFFERS, names, unmatched=unmatched, example=example)
    return Comparison(UNKNOWN, names, unmatched=unmatched, reason=f"no proof: {reason}; no difference found {searched}")


__all__ = ["concluded"]
