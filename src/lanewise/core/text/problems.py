"""`Problem`: an unreadable line of any dialect, with place, message and fix."""

from __future__ import annotations


class Problem(Exception):
    """A part of a line cannot be read. `start` counts characters in the operand or line."""

    def __init__(
        self, code: str, message: str, fix: str = "", start: int = 0, length: int = 0, notes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.notes = code, message, fix, notes
        self.start, self.length = start, length


def nearest(name: str, known: list[str]) -> str:
    """The most similar of the known names, or empty."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    return near[0] if near else ""
