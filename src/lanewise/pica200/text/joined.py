"""Statements after a semicolon, which begins a comment in the languages of the PICA200 and ends a statement in others."""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from lanewise.pica200.isa.table import Op

MESSAGE = "';' begins a comment: this statement is ignored"
FIX = "write one statement on a line; put a blank before the `;` of a comment"
_OPERAND = re.compile(r"-?([A-Za-z_$][\w$]*)(?:\[[^\]]*\])?(?:\.[A-Za-z]{1,4})?", re.ASCII)
_REGISTER = re.compile(r"[vorc]\d+|a0", re.ASCII)


def ignored_statement(line: str, cut: int, mnemonics: Mapping[str, Op], names: Container[str]) -> int:
    """The characters of a whole instruction after the semicolon at `cut`, with the blanks before it; 0 for another comment.

    The semicolon directly follows a statement, as in `mov r0, v0; mov r1, v1`; all operands are registers or known names.
    """
    if not line[:cut].strip() or line[cut - 1].isspace():
        return 0
    text = line[cut + 1 :].partition(";")[0].rstrip()
    word, _, rest = text.strip().partition(" ")
    op = mnemonics.get(word)
    operands = [part.strip() for part in rest.split(",")]
    if op is None or len(op.operands) != len(operands):
        return 0
    for operand, kind in zip(operands, op.operands, strict=True):
        found = _OPERAND.fullmatch(operand)
        known = found is not None and (bool(_REGISTER.fullmatch(found[1])) or found[1] in names or kind == "cmp")
        if not known:
            return 0
    return len(text)
