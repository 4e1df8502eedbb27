"""Lines of ShaderCore sources for `core.text.formatting`: directives at the margin, instructions indented as the first one is,
commas between operands."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.formatting import Line, column_of
from lanewise.shadercore.text.comments import split_comment
from lanewise.shadercore.text.pieces import Token, split_operands, words_of
from lanewise.shadercore.text.reader import line_result

if TYPE_CHECKING:
    from collections.abc import Iterable


def first_indented(lines: Iterable[str]) -> bool:
    """Whether the first instruction of a source is indented; yes for a source without one."""
    for line in lines:
        statement = split_comment(line)[0]
        if statement.strip() and not _at_margin(statement.strip()):
            return statement[:1] in (" ", "\t")
    return True


def read_line(text: str, *, indented: bool = True) -> Line:
    """A line of a source; `indented`: instructions are. What the reader refuses, or would read otherwise, keeps its spacing."""
    code, comment = split_comment(text)
    statement = code.strip()
    neat = _neat(statement) if statement else ""
    if neat != statement and line_result(neat) != line_result(statement):
        neat = statement
    sign = text[len(code) : len(text) - len(comment)]
    return Line(
        code=neat,
        comment=(sign + comment).rstrip(),
        base=int(indented and not _at_margin(statement)),
        column=column_of(text, len(code)),
    )


def _at_margin(statement: str) -> bool:
    return statement.startswith(".") and statement[:5].lower() != ".word"


def _neat(statement: str) -> str:
    head, *tail = statement.split(None, 1)
    rest = tail[0] if tail else ""
    head = head.lower()
    if not head.startswith("."):
        operands = [_operand(token.text) for token in split_operands(Token(rest, 1))]
        return f"{head} {', '.join(operands)}".rstrip()
    name, opening, inside = rest.partition("(")
    words = " ".join([head, *(token.text for token in words_of(Token(name, 1)))])
    if not opening:
        return words
    values, closing, behind = inside.partition(")")
    return f"{words} ({', '.join([value.strip() for value in values.split(',')])}{closing}{behind}".rstrip()


def _operand(text: str) -> str:
    """An operand without the blanks that may be in it: `abs( v0.x )`, `- r0.x`."""
    return "".join(text.split())
