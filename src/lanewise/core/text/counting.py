"""Counts in words, for messages."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `2 rows`; `many` is the plural if it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
