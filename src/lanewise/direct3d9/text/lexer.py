"""Tokens of a Direct3D 9 source: names, numbers, versions and marks.

Comments are `;`, `//` and `/* */`."""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.sniff import version_length
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME, NUMBER, VERSION, TEXT, ODD, STOP = "name", "number", "version", "text", "odd", "end"
_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>0[xX][0-9A-Fa-f]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:#[A-Za-z]+|(?:[eE][+-]?[0-9]+)?)[fF]?)"
    r'|(?P<text>"[^"\n]*")'
    r"|(?P<mark>[-,.\[\]()+!:=])"
    r"|(?P<odd>.)",
    re.DOTALL,
)
_SKIP = re.compile(r"[ \t\r\f\v\ufeff]+")


class Line(Record):
    """A line of a source: file and number for messages, and the text."""

    file: str
    number: int
    text: str


class Token(Record):
    """A piece of a line. A token of a macro has the place of its use."""

    kind: str
    "`NAME`, `NUMBER`, `VERSION` and others of the module; of a mark the mark itself."
    text: str
    "The characters of the token."
    line: Line
    "The line of its place."
    column: int
    "The column at which its place begins, from 1."
    length: int
    "Characters of its place."
    first: bool = False
    "It is the first token of its line."
    folded: bool = False
    "It stands for all tokens of its line, which may be kept from a former reading."

    @property
    def own(self) -> bool:
        """Whether the text has it at its place: not for what a macro gave."""
        return self.line.text.startswith(self.text, self.column - 1)

    @property
    def span(self) -> Span:
        return Span(
            file=self.line.file, line=self.line.number, column=self.column, length=max(1, self.length), text=self.line.text
        )


class Lexer:
    """Splits lines into tokens, and remembers whether a block comment is open."""

    def __init__(self) -> None:
        self.opened: Token | None = None  # the /* of an open comment

    def tokens(self, line: Line) -> list[Token]:
        """The tokens of a line outside of comments."""
        return list(self._tokens(line))

    def _tokens(self, line: Line) -> Iterator[Token]:
        text = line.text
        at, first = 0, True
        while at < len(text):
            if self.opened is not None:
                stop = text.find("*/", at)
                if stop < 0:
                    return
                at, self.opened = stop + 2, None
                continue
            skipped = _SKIP.match(text, at)
            if skipped is not None:
                at = skipped.end()
                continue
            if text[at] == ";" or text.startswith("//", at):
                return
            if text.startswith("/*", at):
                self.opened = Token(kind=ODD, text="/*", line=line, column=at + 1, length=2)
                at += 2
                continue
            size = version_length(text, at)
            if size:
                yield Token(kind=VERSION, text=text[at : at + size], line=line, column=at + 1, length=size, first=first)
            else:
                found = _TOKEN.match(text, at)
                if found is None:
                    raise AssertionError("every character is part of a token")
                size = found.end() - at
                kind = found.lastgroup or ODD
                yield Token(
                    kind=found.group() if kind == "mark" else kind,
                    text=found.group(),
                    line=line,
                    column=at + 1,
                    length=size,
                    first=first,
                )
            first = False
            at += size
