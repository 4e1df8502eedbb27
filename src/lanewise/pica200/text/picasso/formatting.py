"""Lines of picasso sources for `text.formatting`: spacing that the reader does not look at, words that ignore case in small
letters."""

from __future__ import annotations

from lanewise.core.text.formatting import Line, collapse, column_of, listed
from lanewise.pica200.text.picasso.directives import DIRECTIVES
from lanewise.pica200.text.picasso.syntax import MNEMONICS, is_identifier, numeric_operands

_QUOTED = frozenset((".symbol", ".shbin"))  # texts in which blanks count
# Directives whose arguments commas separate; those of the others are separated by blanks (rule 4).
_LISTS = frozenset((".fvec", ".ivec", ".bool", ".constf", ".consti", ".constfa", ".setf", ".seti"))


def read_line(text: str) -> Line:
    """A line of a source."""
    code, sign, rest = text.partition(";")
    comment = (sign + rest).rstrip()
    line = _read_code(text, code.strip())
    if line.verbatim:
        return line
    if sign and code[-1:].strip():
        from lanewise.pica200.text.joined import ignored_statement

        if ignored_statement(text, len(code), MNEMONICS, None):  # without a blank it is reported: V116
            return line._replace(code=line.code + comment)
    return line._replace(comment=comment, column=column_of(text, len(code)))


def _read_code(text: str, statement: str) -> Line:
    """The line without its comment."""
    if statement.startswith("#"):  # a position marker: picasso looks at all of it
        return Line(code=text.rstrip(), flat=True, verbatim=True)
    labels: list[str] = []
    whole = statement
    while ":" in statement:
        name, _, rest = statement.partition(":")
        if name and not is_identifier(name):
            return Line(code=collapse(whole))
        labels.append(f"{name}:")
        statement = rest.strip()
    if not statement:
        return Line(code=" ".join(labels), flat=bool(labels))
    line = _statement(statement)
    if labels:
        return line._replace(code=f"{' '.join(labels)} {line.code}", flat=True)
    return line


def _statement(statement: str) -> Line:
    words = statement.split(None, 1)
    word, rest = words[0].lower(), words[1] if len(words) > 1 else ""
    if word in _QUOTED:
        return Line(code=f"{word} {rest}".rstrip())
    if word in DIRECTIVES:
        opens = word == ".proc" or (word == ".constfa" and not rest.startswith("("))
        text = f"{word} {listed(rest) if word in _LISTS else collapse(rest)}".rstrip()
        return Line(code=text, closes=int(word in (".end", ".else")), opens=opens or word == ".else")
    if word in MNEMONICS:
        text = f"{word} {listed(rest)}".rstrip()
        op = MNEMONICS[word]
        return Line(code=text, opens=op.opens_block and rest.count(",") + 1 < numeric_operands(op))
    return Line(code=collapse(statement))
