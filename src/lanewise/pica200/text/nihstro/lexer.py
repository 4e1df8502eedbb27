"""A line of the nihstro language as tokens with columns, and a cursor over them.

Comments run from `//`, `#` or `;` to the end of the line, but not inside a quoted text (reference/nihstro.md).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Related

NAME, NUMBER, TEXT, SIGN, STRANGE = "name", "number", "text", "sign", "strange"
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_DIGITS = frozenset("0123456789")
_NAME = _LETTERS | _DIGITS
_PAIRS = frozenset(("&&", "||", "==", "!=", "<=", ">="))
_SIGNS = frozenset("<>!,.[]()+-:")


class Token(Record):
    """A piece of a line: what it is, its text, its columns counted from 0."""

    kind: str
    text: str
    start: int
    end: int

    def problem(
        self,
        code: str,
        message: str,
        fix: str,
        notes: tuple[str, ...] = (),
        replacement: str | None = None,
        related: tuple[Related, ...] = (),
    ) -> Problem:
        """A problem at this token; `replacement` is a text that cures it in its place."""
        return Problem(code, message, fix, self.start, max(1, len(self.text)), notes, replacement, related)


def tokens(line: str) -> list[Token]:
    """The tokens of a line, up to its comment."""
    found: list[Token] = []
    at, size = 0, len(line)
    while at < size:
        letter = line[at]
        if letter.isspace():
            at += 1
            continue
        start = at
        if letter in _LETTERS:
            kind, at = NAME, _run(line, at + 1, _NAME)
        elif letter in "#;" or line.startswith("//", at):
            break
        elif letter in _DIGITS or (letter == "." and line[at + 1 : at + 2] in _DIGITS and line[at + 1 : at + 2]):
            kind, at = NUMBER, _number(line, at)
        elif letter == '"':
            kind, at = TEXT, _quoted(line, at)
        elif line[at : at + 2] in _PAIRS:
            kind, at = SIGN, at + 2
        else:
            kind, at = (SIGN if letter in _SIGNS else STRANGE), at + 1
        found.append(Token(kind, line[start:at], start, at))
    return found


def _run(line: str, at: int, letters: frozenset[str]) -> int:
    while at < len(line) and line[at] in letters:
        at += 1
    return at


def _number(line: str, at: int) -> int:
    """Where a number ends: digits, a fraction, an exponent with a sign; letters that follow at once belong to it too."""
    start = at
    while at < len(line):
        letter = line[at]
        signed = letter in "+-" and line[at - 1] in "eE" and line[start : start + 2].lower() != "0x" and at > start
        if not (letter in _NAME or letter == "." or signed):
            break
        at += 1
    return at


def _quoted(line: str, at: int) -> int:
    at += 1
    while at < len(line) and line[at] != '"':
        at += 2 if line[at] == "\\" else 1
    return min(at + 1, len(line))


def comment_of(line: str) -> int:
    """The column at which the comment of a line begins, or its length."""
    last = tokens(line)
    at = last[-1].end if last else 0
    while at < len(line) and line[at].isspace():
        at += 1
    return at


class Cursor:
    """Cursor over the tokens of a line; columns count from 0.

    Missing and surplus tokens raise Problem with their place.
    """

    line: str
    tokens: Sequence[Token]
    at: int

    def __init__(self, line: str, found: Sequence[Token]) -> None:
        self.line, self.tokens, self.at = line, found, 0

    @property
    def end(self) -> int:
        """The column after the last token."""
        return self.tokens[-1].end if self.tokens else 0

    def peek(self, ahead: int = 0) -> Token:
        """The present token; after the last one, an empty token."""
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("", "", self.end, self.end)

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def took(self, text: str) -> bool:
        """Skip a token if it is this sign or word. Returns whether it was."""
        token = self.peek()
        if token.text != text or token.kind == TEXT:
            return False
        self.at += 1
        return True

    def more(self) -> bool:
        return self.at < len(self.tokens)

    def expect(self, text: str, fix: str) -> Token:
        token = self.peek()
        if token.text != text or token.kind == TEXT:
            what = f"found '{token.text}'" if token.text else "found the end of the line"
            raise token.problem("P010", f"expected '{text}', {what}", fix)
        return self.next()

    def finish(self, fix: str) -> None:
        """Nothing may follow."""
        if self.more():
            token = self.peek()
            raise Problem("P011", f"unexpected '{self.line[token.start : self.end]}'", fix, token.start, self.end - token.start)
