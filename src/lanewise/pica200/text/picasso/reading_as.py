"""Reading another statement in the place of the one at hand: to try it, or to go on as if it stood there.

Asked only about statements with errors.
"""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import MOST_SUGGESTIONS, Problem, Suggestions
from lanewise.pica200.isa.table import SETEMIT
from lanewise.pica200.text.picasso.operands import Poisoned
from lanewise.pica200.text.picasso.syntax import MNEMONICS

if TYPE_CHECKING:
    from lanewise.pica200.text.picasso.reader import Reader


def begin_of(reader: Reader) -> int:
    """The column at which the statement at hand begins, from 0."""
    return len(reader.line) - len(reader.line.lstrip()) + reader.labelled


def read_as(reader: Reader, statement: str, *, keep: bool) -> bool:
    """Read an instruction in the place of the statement at hand: whether there is nothing to report. `keep`: it is part of the
    program then; otherwise nothing changes."""
    operands, unit = reader.operands, reader.unit
    word = statement.split(None, 1)[0].lower()
    op = MNEMONICS.get(word)
    if op is None or (op.kind == SETEMIT and (unit is None or not unit.geometry)):
        return False
    line, argument, doubted, offset = reader.line, reader.argument, reader.doubted, reader.offset
    names, suggestions, blocks, count = reader.names, reader.suggestions, list(reader.blocks), len(reader.diagnostics)
    reader.names = operands.names = None
    reader.suggestions = operands.suggestions = Suggestions()
    reader.suggestions.given = MOST_SUGGESTIONS
    reader.line, reader.argument, reader.doubted = line[: begin_of(reader)] + statement, -1, False
    try:
        found = reader.instruction(statement)
        clean = not any(each.severity != NOTE for each in reader.diagnostics[count:])
        if keep:
            reader.items.append(reader.as_damaged(found))
    except (Problem, Poisoned):
        clean = False
    del reader.diagnostics[count:]
    reader.line, reader.argument, reader.doubted, reader.offset = line, argument, doubted, offset
    reader.names = operands.names = names
    reader.suggestions = operands.suggestions = suggestions
    if not (keep and clean):
        reader.blocks[:] = blocks
    return clean


def declare_as(reader: Reader, statement: str) -> None:
    """Obey a directive, or some in lines, in the place of the statement at hand, without findings."""
    if "\n" in statement:
        for each in statement.split("\n"):
            declare_as(reader, each)
        return
    operands, count = reader.operands, len(reader.diagnostics)
    line, names, doubted = reader.line, reader.names, reader.doubted
    reader.names = operands.names = None
    reader.line, reader.argument = line[: begin_of(reader)] + statement, -1
    try:
        reader.directive(statement)
    except (Problem, Poisoned):
        reader.argument = -1
    del reader.diagnostics[count:]
    reader.line, reader.argument, reader.doubted = line, -1, doubted
    reader.names = operands.names = names
