"""Modifiers of operands, as Direct3D and Cg write them after the components: what is written here.

Asked only about operands that cannot be read.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.core.text.problems import Problem
    from lanewise.pica200.text.nihstro.lexer import Token

_MODIFIERS = {
    **dict.fromkeys(
        ("sat", "saturate"),
        "write {0} alone, then `max {0}, ZERO, {0}` and `min {0}, ONE, {0}` with constants: results have no modifiers",
    ),
    "abs": "write `max rN, {0}, -{0}` above, and rN here",
    "neg": "write -{0}",
    "x2": "write `add rN, {0}, {0}` above, and rN here",
}


def modified(token: Token, name: str) -> Problem:
    """The problem with a modifier as Direct3D and Cg write them after the components of an operand."""
    letters, _, modifier = token.text.partition("_")
    text = f"{name}.{letters}"
    fix = _MODIFIERS.get(modifier.lower(), "write {0}, and an instruction that computes what is meant").format(text)
    return token.problem("P020", f"'_{modifier}' is not a component: operands have no modifiers", fix)
