"""Places of a text: lines and columns of `core.source`, from 1 in characters, and positions of the protocol, from 0 in units of
an encoding.

The readers end lines at line feeds. The protocol ends them at carriage returns too, so that places go through offsets.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from lanewise.core.source import Span

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"


def units(text: str, encoding: str) -> int:
    """The length of a text in units of an encoding."""
    if encoding == UTF32 or text.isascii():
        return len(text)
    if encoding == UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def characters(text: str, count: int, encoding: str) -> int:
    """How many characters `count` units are; a position inside a character is that before it."""
    if encoding == UTF32 or text.isascii():
        return min(count, len(text))
    done = 0
    for number, character in enumerate(text):
        done += units(character, encoding)
        if done > count:
            return number
    return len(text)


class Positions:
    """The places of a text. Positions outside of it are those of its nearest end, as the protocol says."""

    text: str
    encoding: str

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text, self.encoding = text, encoding

    @cached_property
    def _read(self) -> list[int]:
        """Where the lines of the readers start."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    @cached_property
    def _shown(self) -> list[int]:
        """Where the lines of the protocol start."""
        if "\r" not in self.text:
            return self._read
        starts = [0]
        for at, character in enumerate(self.text):
            if character == "\n" or (character == "\r" and self.text[at + 1 : at + 2] != "\n"):
                starts.append(at + 1)
        return starts

    @property
    def lines(self) -> int:
        """The number of lines of the protocol."""
        return len(self._shown)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column of the readers."""
        if line < 1:
            return 0
        if line > len(self._read):
            return len(self.text)
        end = self._read[line] if line < len(self._read) else len(self.text)
        return min(self._read[line - 1] + max(column - 1, 0), end)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of the readers at an offset."""
        line = bisect_right(self._read, offset)
        return line, offset - self._read[line - 1] + 1

    def position(self, offset: int) -> types.Position:
        """The position of the protocol at an offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._shown, offset)
        return types.Position(line - 1, units(self.text[self._shown[line - 1] : offset], self.encoding))

    def offset_at(self, position: types.Position) -> int:
        """The offset of a position of the protocol."""
        if position.line >= len(self._shown):
            return len(self.text)
        start = self._shown[position.line]
        return start + characters(self.line_text(position.line), position.character, self.encoding)

    def line_text(self, line: int) -> str:
        """A line of the protocol, from 0, without its end."""
        end = self._shown[line + 1] if line + 1 < len(self._shown) else len(self.text)
        return self.text[self._shown[line] : end].rstrip("\r\n")

    def bounds(self, span: Span) -> tuple[int, int]:
        """The offsets of a span; of its line without blanks where it has no column."""
        if span.line and not span.column:
            start = self.offset(span.line, 1)
            line = self.text[start : self.offset(span.line + 1, 1)].rstrip("\r\n")
            return start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        start = self.offset(span.line, span.column)
        return start, min(start + (span.length if span.line else 0), len(self.text))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return self.between(*self.bounds(span))

    def marked(self, span: Span) -> tuple[int, int]:
        """The offsets that a finding marks: within its line, and of what is missing at its end the last character."""
        start, end = self.bounds(span)
        if not span.line:
            return start, end
        first = self.offset(span.line, 1)
        last = first + len(self.text[first : self.offset(span.line + 1, 1)].rstrip("\r\n"))
        start, end = min(start, last), min(end, last)
        if start == end == last > first:
            start = first + max(len(self.text[first:last].rstrip()) - 1, 0)
        return start, end

    def between(self, start: int, end: int) -> types.Range:
        """The range of two offsets."""
        return types.Range(self.position(start), self.position(end))

    def marking(self, span: Span) -> types.Range:
        """The range that a finding marks."""
        line, column, length, text = span.line, span.column, span.length, span.text
        end = column - 1 + length
        inside = 0 < line <= len(self._lines) and column > 0 < length and end <= len(text)
        if inside and text.isascii() and self._plain and text == self._lines[line - 1]:
            return types.Range(types.Position(line - 1, column - 1), types.Position(line - 1, end))
        return self.between(*self.marked(span))

    @cached_property
    def _lines(self) -> list[str]:
        """The lines of the readers, without their ends."""
        return self.text.split("\n")

    @cached_property
    def _plain(self) -> bool:
        """Whether lines and columns are those of the protocol wherever a line is ASCII."""
        return "\r" not in self.text

    def rows(self, first: int, last: int) -> types.Range:
        """The range of lines of the readers, from the start of the first to the end of the last."""
        start, end = self.offset(first, 1), self.offset(last + 1, 1)
        text = self.text[start:end]
        return self.between(start, start + len(text.rstrip("\r\n")))

    @property
    def whole(self) -> types.Range:
        """The range of the text."""
        return self.between(0, len(self.text))


__all__ = ["UTF8", "UTF16", "UTF32", "Positions", "characters", "units"]
