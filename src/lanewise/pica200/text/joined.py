"""Statements after a semicolon, which begins a comment in the languages of the PICA200 and ends a statement in others."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from lanewise.pica200.isa.table import Op

MESSAGE = "';' begins a comment: this statement is ignored"
FIX = "write one statement on a line; put a blank before the `;` of a comment"
_OPERAND = r"-?([A-Za-z_$][\w$]*)(?:\[[^\]]*\])?(?:\.[A-Za-z]{1,4})?"
_REGISTER = r"[vorc]\d+|a0"


def ignored_statement(line: str, cut: int, mnemonics: Mapping[str, Op], names: Container[str] | None) -> int:
    """The characters of a whole instruction after the semicolon at `cut`, with the blanks before it; 0 for another comment.

    The semicolon directly follows a statement, as in `mov r0, v0; mov r1, v1`; all operands are registers or known names, or
    any names without `names`.
    """
    if not line[:cut].strip() or line[cut - 1].isspace():
        return 0
    text = line[cut + 1 :].partition(";")[0].rstrip()
    word, _, rest = text.strip().partition(" ")
    op = mnemonics.get(word)
    operands = [part.strip() for part in rest.split(",")]
    if op is None or len(op.operands) != len(operands):
        return 0
    import re  # `lanewise fmt` starts without it

    for operand, kind in zip(operands, op.operands, strict=True):
        found = re.fullmatch(_OPERAND, operand, re.ASCII)
        if found is None or not (
            names is None or re.fullmatch(_REGISTER, found[1], re.ASCII) is not None or found[1] in names or kind == "cmp"
        ):
            return 0
    return len(text)
