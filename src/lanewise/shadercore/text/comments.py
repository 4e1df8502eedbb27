"""Comments of the ShaderCore language: where they begin, and `--` of other languages in their place."""

from __future__ import annotations

from lanewise.shadercore.text.operands import Fault

_COMMENTS = (";", "//", "#")
_DASHES = "--"


def split_comment(line: str) -> tuple[str, str]:
    """(text before the comment, comment)."""
    first, length = len(line), 0
    for mark in _COMMENTS:
        at = line.find(mark)
        if 0 <= at < first:
            first, length = at, len(mark)
    return line[:first], line[first + length :]


def dashes(code: str) -> Fault | None:
    """The finding about a comment as in VHDL, Lua or SQL, in a statement that cannot be read; None without one."""
    at = f" {code}".find(f" {_DASHES}")
    if at < 0 or code[at + 2 : at + 3].isalnum():  # an operand with two signs
        return None
    edits = ((at + 1, len(_DASHES), _COMMENTS[0]),)
    fix = f"begin comments with {', '.join(_COMMENTS[:-1])} or {_COMMENTS[-1]}"
    return Fault("P201", f"'{_DASHES}' does not begin a comment", fix, at + 1, len(_DASHES), edits)
