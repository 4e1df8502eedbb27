"""Places in what the user gave us: a line and column of a text, or an offset of a binary file."""

from __future__ import annotations

from lanewise.core.record import Record

_MARK = b"\xef\xbb\xbf"  # the byte order mark; Python's codec that removes it is a module of its own


def decode_text(data: bytes) -> str:
    """The text of a source: UTF-8, or else Latin-1, as old sources are."""
    try:
        return data.removeprefix(_MARK).decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encode_text(text: str, like: bytes) -> bytes:
    """Bytes in the encoding that a source had: UTF-8, with its mark if there was one, or else Latin-1."""
    try:
        like.decode()
    except UnicodeDecodeError:
        return text.encode("latin-1", "replace")
    return (_MARK if like.startswith(_MARK) else b"") + text.encode()


class Misplaced(Record):
    """The first byte of a text that is not UTF-8, and its place from 1."""

    byte: int
    line: int
    column: int

    def __str__(self) -> str:
        return f"it is not text in UTF-8: byte 0x{self.byte:02X} in line {self.line}, column {self.column}"


def misplaced(data: bytes) -> Misplaced | None:
    """The first byte that is not UTF-8; None for UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].removeprefix(_MARK).decode()
        return Misplaced(data[error.start], before.count("\n") + 1, len(before) - before.rfind("\n"))
    return None


class Span(Record):
    """A place in a text or a binary file."""

    file: str
    "Name of the file in messages."
    line: int = 0
    "Line, from 1; 0 in a binary file or for the whole file."
    column: int = 0
    "Column, from 1, in characters; 0 for the whole line."
    length: int = 1
    "Characters from the column on."
    text: str = ""
    "The whole source line, without its end."
    offset: int = -1
    "Byte offset in a binary file, from 0; -1 in a text."

    def at(self, column: int, length: int) -> Span:
        """The same line, another part of it."""
        return self._replace(column=column, length=length)

    def in_line(self, number: int) -> Span:
        """The same place in another line."""
        return self._make((self.file, number, *self[2:]))  # a third of the time of `_replace`

    def __str__(self) -> str:
        if self.offset >= 0:
            return f"{self.file}:0x{self.offset:X}"
        if self.line:
            return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
        return self.file
