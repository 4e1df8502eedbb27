"""Lines of nihstro sources for `text.formatting`: tokens with the usual blanks between them, mnemonics in small letters."""

from __future__ import annotations

from itertools import pairwise

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.formatting import Line, column_of
from lanewise.pica200.text.nihstro.directives import DIRECTIVES
from lanewise.pica200.text.nihstro.lexer import NAME, STRANGE, TEXT, comment_of, tokens
from lanewise.pica200.text.nihstro.syntax import COMPUTING, MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.text.nihstro.lexer import Token

_LOOSE = frozenset(("&&", "||", "==", "!=", "<", "<=", ">", ">="))
_TIGHT_BEFORE = frozenset((",", ".", "[", "]", ")", ":"))
_TIGHT_AFTER = frozenset((".", "[", "(", "!", "+", "-"))


def read_line(text: str) -> Line:
    """A line of a source."""
    text = text.rstrip()
    found = tokens(text)
    at = comment_of(text)
    comment, column = text[at:], column_of(text, at)
    if not found:
        return Line(comment=comment)
    first = found[0]
    code = _spaced(found)
    if [token.text for token in tokens(code)] != [token.text for token in _lowered(found)] or _torn(found):
        code = text[first.start : found[-1].end]  # not a line that can be read, or blanks that mean something
    if comment[:1] == ";" and text[at - 1 : at].strip():
        from lanewise.pica200.text.joined import ignored_statement

        if ignored_statement(text, at, COMPUTING, None):  # without a blank it is reported: V116
            code, comment = code + comment, ""
    word = first.text.lower()
    if (word == "." and code[:5] != ".word") or (len(found) == 2 and found[1].text == ":"):
        return Line(code=code, comment=comment, flat=True, column=column)
    closes = word in ("else", "endif", "endloop")
    return Line(code=code, comment=comment, closes=int(closes), opens=word in ("if", "loop", "else"), base=1, column=column)


def _lowered(found: Sequence[Token]) -> list[Token]:
    """The tokens with the word that ignores case in small letters."""
    place = 1 if found[0].text == "." and len(found) > 1 else 0
    words = DIRECTIVES if place else MNEMONICS
    token = found[place]
    if token.kind != NAME or token.text.lower() not in words or (not place and len(found) > 1 and found[1].text == ":"):
        return list(found)
    return [*found[:place], token._replace(text=token.text.lower()), *found[place + 1 :]]


def _torn(found: Sequence[Token]) -> bool:
    """Whether a blank follows a point, where the reader refuses it, or a directive has a mark for its operand, as in `.fvec [`:
    without the blank its word would be another one."""
    return (
        any(a.text == "." and a.kind != TEXT and a.end != b.start for a, b in pairwise(found))
        or any(token.kind == STRANGE for token in found)
        or (len(found) > 2 and found[0].text == "." and found[2].text in _TIGHT_BEFORE)
    )


def _spaced(found: Sequence[Token]) -> str:
    """The tokens with one blank, or none, between them."""
    lowered = _lowered(found)
    parts = [lowered[0].text]
    for n, token in enumerate(lowered[1:]):
        parts.append(" " * _apart(lowered[n], token, first=n == 0) + token.text)
    return "".join(parts)


def _apart(before: Token, token: Token, *, first: bool) -> bool:
    """Whether a blank separates two tokens; `first`: the former is the first of its line."""
    if TEXT in (before.kind, token.kind):
        return True
    if token.text in _TIGHT_BEFORE or before.text in _TIGHT_AFTER:
        return False
    if token.text in ("+", "-"):  # a sign, unless it joins two registers or an index
        return first or before.text in _LOOSE or before.text in (",", "as")
    return True
