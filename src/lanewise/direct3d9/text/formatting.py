"""Lines of Direct3D 9 sources for `core.text.formatting`: one blank, or none, between tokens, blocks indented.

Only blanks change: every token stays, in its line, and so do preprocessor lines and comments over several lines. So a formatted
source is the same program whatever its macros and included files are.
"""

from __future__ import annotations

from itertools import pairwise

from lanewise.core.diagnostics import text_form
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.sniff import begins_with_version
from lanewise.core.text.formatting import BLANKS, DEEPEST, Line, arrange, column_of, with_ends
from lanewise.direct3d9.isa.table import CLOSES, OPENS, SPLITS
from lanewise.direct3d9.text.lexer import NAME, ODD, VERSION, Lexer
from lanewise.direct3d9.text.lexer import Line as SourceLine
from lanewise.direct3d9.text.names import MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.text.formatting import Indent
    from lanewise.direct3d9.text.lexer import Token

_BLANKS = " \t\r\f\v\ufeff"
_TIGHT_BEFORE = frozenset((",", "]", ")", "["))
_TIGHT_AFTER = frozenset(("[", "(", ".", "!", "+", "-"))
_KEPT = frozenset(("(", "=", ":"))  # marks before which a blank is kept where there is one
_DIRECTIVES = frozenset(("dword", "comment", "end", "byte"))
_CONDITIONS = ("if", "ifdef", "ifndef")


def format_text(text: str, indent: Indent = BLANKS) -> str:
    """A source with blocks indented, blanks in their places and comments in columns.

    Comments, blank lines, the end of each line (LF or CR LF) and the order of all lines stay; formatting twice is formatting
    once. A text that cannot be read, such as one with a byte 0 or a lone CR, comes back unchanged. Raises RuntimeError if a
    token differs, which is a bug.
    """
    if "\0" in text or text_form("", text):
        return text
    lines = text.split("\n")
    read = [line._replace(written=text.rstrip("\r")) for line, text in zip(read_lines(lines), lines, strict=True)]
    formatted = arrange(read, indent)
    if _program(lines) != _program(formatted):
        raise RuntimeError("the source, formatted, has other tokens")
    return with_ends(formatted, text)


def read_lines(texts: Sequence[str]) -> list[Line]:
    """The lines of a source. Instructions outside of blocks are indented if the first one is."""
    parts = _parts(texts)
    reader = _Reader(_base(parts))
    return [reader.line(text, line) for text, line in parts]


def _base(parts: Sequence[tuple[str, _Parts]]) -> int:
    """Whether the first instruction after the version is indented; not if it is in a block that opens next to the version."""
    for text, line in parts:
        if line.tokens and not line.directive:
            if not _is_version(line.tokens):
                return int(text[:1] in (" ", "\t"))
            if _blocks(line.tokens)[1]:
                return 0
    return 0


class _Parts(Record):
    """The tokens of a line; `within`: it begins inside a comment; `opened`: a comment is open at its end; `directive`: of the
    preprocessor."""

    tokens: tuple[Token, ...]
    within: bool = False
    opened: bool = False
    directive: bool = False


def _parts(texts: Sequence[str]) -> list[tuple[str, _Parts]]:
    """The lines, with their tokens as the preprocessor finds them. A directive that goes on has its tokens in its last line."""
    lexer = Lexer()
    found: list[tuple[str, _Parts]] = []
    joined = ""  # a directive that goes on in the next line
    for raw in texts:
        text = raw.rstrip("\r")
        within = lexer.opened is not None
        if joined or (not within and text.lstrip().startswith("#")):
            joined += text
            if joined.endswith("\\"):
                joined = joined[:-1] + " "
                found.append((text, _Parts((), directive=True)))
                continue
            tokens = tuple(lexer.tokens(SourceLine("", 0, joined.replace("#", " ", 1))))
            found.append((text, _Parts(tokens, False, lexer.opened is not None, directive=True)))
            joined = ""
            continue
        tokens = tuple(lexer.tokens(SourceLine("", 0, text)))
        found.append((text, _Parts(tokens, within, lexer.opened is not None)))
    return found


def _program(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The tokens of each line, directives unchanged."""
    found = [(text,) if parts.directive else tuple([token.text for token in parts.tokens]) for text, parts in _parts(texts)]
    while found and not "".join(found[-1]):
        found.pop()
    return found


class _Reader:
    """Lays lines out, and knows how deep the blocks are."""

    def __init__(self, base: int) -> None:
        self._base, self._depth = base, 0
        self._begun = False  # code was met
        self._conditions: list[int] = []  # the depth at each open #if
        self._column: int | None = None  # where a statement that goes on has its operands

    def line(self, text: str, parts: _Parts) -> Line:
        if parts.directive:
            self._directive(parts.tokens)
            return Line(code=text, verbatim=True, base=self._base + min(self._depth, DEEPEST) if self._begun else 0)
        tokens = parts.tokens
        before, after, closes = _blocks(tokens)
        self._depth = max(0, self._depth - before)
        level = self._base + min(self._depth, DEEPEST)
        self._depth = max(0, self._depth + after)
        if not tokens:
            return self._without_code(text, parts, level)
        self._begun = True
        first, last = tokens[0], tokens[-1]
        goes_on, self._column = self._column, self._next_column(tokens)
        start, stop = first.column - 1, last.column - 1 + last.length
        between = [text[a.column - 1 + a.length : b.column - 1] for a, b in pairwise(tokens)]
        # A comment before or among the tokens; or a # after a byte order mark, which would become a directive without it.
        if "".join([text[:start], *between]).strip(_BLANKS) or first.text == "#":
            return Line(code=text.rstrip(_BLANKS), verbatim=True, base=level, closes=closes)
        code = _spaced(tokens)
        if _texts(code) != [token.text for token in tokens]:
            code = text[start:stop]
        comment = text[stop:].strip(_BLANKS)
        column = column_of(text, len(text) - len(text[stop:].lstrip(_BLANKS)))
        if goes_on is not None:
            code = " " * goes_on + code
        if _is_version(tokens):
            return Line(code=code, comment=comment, flat=True, column=column)
        return Line(code=code, comment=comment, closes=closes, base=level, column=column)

    def _without_code(self, text: str, parts: _Parts, level: int) -> Line:
        """A blank line, a comment, or part of one over several lines."""
        if parts.within or parts.opened:
            return Line(code=text.rstrip(_BLANKS), verbatim=True, base=level)
        return Line(comment=text.strip(_BLANKS))

    def _next_column(self, tokens: Sequence[Token]) -> int | None:
        """Where the operands of the next line begin if this one ends with a comma."""
        if tokens[-1].text != ",":
            return None
        if self._column is not None:
            return self._column
        word, blank, _ = _spaced(tokens).partition(" ")
        return len(word) + 1 if blank else 0

    def _directive(self, tokens: Sequence[Token]) -> None:
        """Blocks that one part of a condition opens are not open in the other."""
        name = tokens[0].text.lower() if tokens else ""
        if name in _CONDITIONS:
            self._conditions.append(self._depth)
        elif name in ("else", "elif") and self._conditions:
            self._depth = self._conditions[-1]
        elif name == "endif" and self._conditions:
            self._conditions.pop()


def _blocks(tokens: Sequence[Token]) -> tuple[int, int, int]:
    """How many blocks end before a line, how many more are open after it, and whether it begins with an end."""
    before = depth = 0
    leading = True
    for token in tokens:
        mnemonic = MNEMONICS.get(token.text.lower()) if token.kind == NAME else None
        part = mnemonic.op.part if mnemonic is not None else ""
        if part in (CLOSES, SPLITS):
            depth -= 1
            before += leading
        leading = leading and part == CLOSES
        depth += part in (OPENS, SPLITS)
    return before, depth + before, int(before > 0)


def _is_version(tokens: Sequence[Token]) -> bool:
    """Whether a line begins with a version, or with the token of one that does not exist."""
    return tokens[0].kind == VERSION or begins_with_version(
        "".join([token.text + " " * (n > 0) for n, token in enumerate(tokens[:3])])
    )


def _texts(code: str) -> list[str]:
    return [token.text for token in Lexer().tokens(SourceLine("", 0, code))]


def _spaced(tokens: Sequence[Token]) -> str:
    """The tokens with one blank, or none, between them."""
    parts = [tokens[0].text]
    depth = int(tokens[0].text == "[")
    for n, (before, token) in enumerate(pairwise(tokens)):
        gap = token.column > before.column + before.length
        after = tokens[n + 2].text.lower() if token.text == "." and n + 2 < len(tokens) else ""
        apart = gap and after in _DIRECTIVES if after else _apart(before, token, gap=gap, inside=depth > 0)
        parts.append(" " * apart + token.text)
        depth += (token.text == "[") - (token.text == "]")
    return "".join(parts)


def _apart(before: Token, token: Token, *, gap: bool, inside: bool) -> bool:
    """Whether a blank separates two tokens. `gap`: one does in the source; `inside`: they are in brackets."""
    if ODD in (before.kind, token.kind) or token.text in _KEPT:
        return gap
    if token.text in _TIGHT_BEFORE or before.text in _TIGHT_AFTER:
        return False
    if inside:
        return gap and before.kind == token.kind
    if before.text == "]" and token.kind == NAME:  # c[4]_abs
        return gap
    return not (token.text == "-" and before.text == "1")  # 1-r0
