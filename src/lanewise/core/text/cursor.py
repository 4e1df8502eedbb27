"""The text around a cursor, for completion and signatures in any language."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable


class Cursor(Record):
    """A line up to the cursor."""

    file: str
    "Name of the source."
    line: int
    "Line of the cursor, from 1, within the text."
    column: int
    "Column of the cursor, from 1: it is after the character `column` - 1."
    before: str
    "Text of the line before the cursor."
    whole: str
    "The whole line, without its end."

    def word(self, letters: str = "") -> str:
        """The part of a word before the cursor: letters, digits, `_`, and others that count as such."""
        at = len(self.before)
        while at and (self.before[at - 1].isalnum() or self.before[at - 1] == "_" or self.before[at - 1] in letters):
            at -= 1
        return self.before[at:]

    def span(self, length: int) -> Span:
        """The place of so many characters before the cursor."""
        return Span(file=self.file, line=self.line, column=self.column - length, length=length, text=self.whole)


def cursor_at(file: str, text: str, line: int, column: int) -> Cursor:
    """The cursor at a line and column from 1; at the nearest place for one that is not in the text."""
    lines = text.split("\n")
    number = min(max(line, 1), len(lines))
    whole = lines[number - 1].rstrip("\r")
    at = min(max(column, 1), len(whole) + 1)
    return Cursor(file=file, line=number, column=at, before=whole[: at - 1], whole=whole)


def begins(word: str, names: Iterable[str]) -> list[str]:
    """The names that begin with what is typed, in any case; all of them for nothing."""
    lower = word.lower()
    return [name for name in names if name.lower().startswith(lower)]


def line_numbers(lines: Iterable[int]) -> str:
    """Line numbers for a page: `line 3`, `lines 3 and 7`, `lines 3 to 9 and 12`, at most ten runs of them."""
    found = sorted(set(lines))
    runs: list[list[int]] = []
    for line in found:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    parts: list[str] = []
    for run in runs[:10]:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(line) for line in run]
    if len(runs) > 10:
        parts.append(f"{sum(map(len, runs[10:]))} more")
    word = "line" if len(found) == 1 else "lines"
    return f"{word} {', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else f"{word} {parts[0]}" if parts else ""
