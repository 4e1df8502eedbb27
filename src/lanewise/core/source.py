"""Places in what the user gave us: a line and column of a text, or an offset of a binary file."""

from __future__ import annotations

import os
import stat

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


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


MOST_INCLUDED = 1 << 24  # bytes


def refuse_device(file: BinaryIO) -> None:
    """Raise OSError for a device, which may have no end. Terminals and the null device end."""
    try:
        found = os.fstat(file.fileno())
    except (OSError, ValueError):  # a stream without a file
        return
    device = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
    if device and not file.isatty() and found.st_rdev != os.stat(os.devnull).st_rdev:
        raise OSError(22, "it is a device, which may have no end")


def read_file(path: str | os.PathLike[str], opened: Callable[[BinaryIO, str], None] | None = None) -> bytes:
    """The bytes of a file; `opened` is called with the open file and its path. Raises OSError, also for a device."""
    with open(path, "rb") as file:
        refuse_device(file)
        if opened is not None:
            opened(file, os.fspath(path))
        return file.read()


def read_included(path: str, opened: Callable[[BinaryIO, str], None] | None = None) -> str:
    """The text of a file that a source includes; `opened` is called with the open file and its path.

    Raises OSError, also for what is not a regular file and for files over 16 MiB.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(22, "not a regular file")
    with open(path, "rb") as file:
        if opened is not None:
            opened(file, path)
        data = file.read(MOST_INCLUDED + 1)
    if len(data) > MOST_INCLUDED:
        raise OSError(27, f"the file is larger than {MOST_INCLUDED >> 20} MiB")
    return decode_text(data)


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
