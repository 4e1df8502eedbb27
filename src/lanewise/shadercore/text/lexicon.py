"""How ShaderCore sources are coloured (`core.lexicon`)."""

from __future__ import annotations

from lanewise.core.lexicon import REST, Lexicon, Rule, one_of
from lanewise.shadercore.isa.program import USAGES
from lanewise.shadercore.isa.table import BY_NAME, END
from lanewise.shadercore.text.operands import FILES

DIRECTIVES = (".input", ".output", ".const", ".word", ".hash", ".padding")


def lexicon() -> Lexicon:
    """The rules, from the tables of instructions, registers and usages."""
    letters = "".join([name for name in FILES if len(name) == 1 and name.isalpha()])
    computing = "|".join(sorted([name for name, op in BY_NAME.items() if op is not END], key=lambda name: (-len(name), name)))
    modifier = r"(?i:(?:_(?:neg|absneg|abs))?)"
    return Lexicon(
        rules=(
            Rule(r"(?:;|#|//)[^\n]*", ("comment",)),
            Rule(one_of(DIRECTIVES, any_case=True), ("directive",)),
            Rule(one_of((END.name,), any_case=True), ("flow",)),
            Rule(rf"(?<![\w.])(?i:({computing})(_saturate|_sat)?)(?!\w)", ("instruction", "modifier")),
            Rule(rf"(?<![\w.])(?i:([{letters}]\d+|null\d?)(_neg|_absneg|_abs)?)(?!\w)", ("register", "modifier")),
            Rule(rf"(?<=\w)(\.)((?i:[xyzw]){{1,4}})({modifier})(?!\w)", ("punctuation", "components", "modifier")),
            Rule(one_of([f"{name}[0-3]?" for name in USAGES], any_case=True), ("semantic",)),
            Rule(one_of(("abs",), any_case=True), ("modifier",)),
            Rule(r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?=\.[xyzwXYZW]|[^\w.]|$)", ("number",)),
            *REST,
        ),
        comment=";",
        word=r"-?\d[\w.]*|\.?[A-Za-z_]\w*",
        first_line=r"^\s*\.(?:input|output)\s+[vo]\d\b",
    )
