"""Placeholders for statements that cannot be read: they keep the addresses of what follows, and what is known of the
instruction."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import BLOCK, Condition, Dest, Emission, Operation, Source, Target
from lanewise.pica200.isa.table import NO_OPERATION, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.core.text.problems import Suggestions
    from lanewise.pica200.isa.program import Operand
    from lanewise.pica200.isa.table import Op

_OPERANDS: Mapping[str, Operand] = {
    "dst": Dest(TEMPORARY),
    "src": Source(TEMPORARY),
    "adr": Dest(0, 8),
    "cmp": 0,
    "cond": Condition(2, 1, 1),
    "bool": 0,
    "int": 0,
    "target": Target(0),
    "block": BLOCK,
    "vertex": Emission(0),
    "word": 0,
}


def placeholder(op: Op | None, span: Span) -> Operation:
    """The operation of a damaged statement; `op` is None where the instruction is unknown. One that opens a block needs its
    end."""
    row = op or NO_OPERATION
    return Operation(op=row, operands=tuple([_OPERANDS[kind] for kind in row.operands]), descriptor=-1, span=span, damaged=True)


def meant(word: str, fitting: Sequence[str], suggestions: Suggestions) -> str:
    """The mnemonic that a misspelt word stands for, among those that fit the rest of the statement; empty if none is
    similar."""
    if not fitting or len(word) > 16 or not suggestions.left(fitting):
        return ""
    from difflib import get_close_matches

    suggestions.compared += len(fitting)
    near = get_close_matches(word.lower(), fitting, 1)
    return near[0] if near else ""
