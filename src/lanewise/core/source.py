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


def misplaced(data: bytes) -> str:
    """The first bytes of a text that are not UTF-8, in a sentence with their place; empty for UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].removeprefix(_MARK).decode()
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        return f"it is not text in UTF-8: byte 0x{data[error.start]:02X} in line {line}, column {column}"
    return ""


class Span(Record):
    """A place in a file.

    Texts: `line` and `column` count from 1, `length` is in characters, `text` is the whole source line.
    Binary files: `offset` is the byte offset (-1 for texts); `line` is 0.
    """

    file: str
    line: int = 0
    column: int = 0
    length: int = 1
    text: str = ""
    offset: int = -1

    def at(self, column: int, length: int) -> Span:
        """The same line, another part of it."""
        return self._replace(column=column, length=length)

    def __str__(self) -> str:
        if self.offset >= 0:
            return f"{self.file}:0x{self.offset:X}"
        if self.line:
            return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
        return self.file
