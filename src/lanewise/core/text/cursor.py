"""The text around a cursor, for completion and signatures in any language."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable


class Cursor(Record):
    """A line up to the cursor, which is behind its character `column` - 1. `whole` is the line."""

    file: str
    line: int
    column: int
    before: str
    whole: str

    def word(self, letters: str = "") -> str:
        """The part of a word before the cursor: letters, digits, `_`, and others that count as such."""
        at = len(self.before)
        while at and (self.before[at - 1].isalnum() or self.before[at - 1] == "_" or self.before[at - 1] in letters):
            at -= 1
        return self.before[at:]

    def span(self, length: int) -> Span:
        """The place of so many characters before the cursor."""
        return Span(self.file, self.line, self.column - length, length, self.whole)


def cursor_at(file: str, text: str, line: int, column: int) -> Cursor:
    """The cursor at a line and column from 1; at the nearest place for one that is not in the text."""
    lines = text.split("\n")
    number = min(max(line, 1), len(lines))
    whole = lines[number - 1].rstrip("\r")
    at = min(max(column, 1), len(whole) + 1)
    return Cursor(file, number, at, whole[: at - 1], whole)


def begins(word: str, names: Iterable[str]) -> list[str]:
    """The names that begin with what is typed, in any case; all of them for nothing."""
    lower = word.lower()
    return [name for name in names if name.lower().startswith(lower)]


def ranges(lines: Iterable[int]) -> str:
    """Line numbers in a sentence: `3`, `3 and 7`, `3, 7 and 9`, at most ten of them."""
    found = sorted(set(lines))
    texts = [str(line) for line in found[:10]]
    if len(found) > 10:
        return ", ".join(texts) + f" and {len(found) - 10} more"
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else ""
