"""How sources of nihstro are coloured (`core.lexicon`)."""

from __future__ import annotations

from lanewise.core.lexicon import REST, Lexicon, Rule, one_of
from lanewise.pica200.isa.table import GEOMETRY_MODES, REGISTER_FILES
from lanewise.pica200.text.nihstro.directives import DIRECTIVES, SEMANTICS
from lanewise.pica200.text.nihstro.syntax import COMPUTING, FLOW

_LETTERS = "".join([row[0] for row in REGISTER_FILES])
_NAME = r"[A-Za-z_]\w*"
_OPENS, _SPLITS, _CLOSES = ("if", "loop"), ("else",), ("endif", "endloop")


def lexicon() -> Lexicon:
    """The rules, from the tables of instructions, registers and directives."""
    return Lexicon(
        rules=(
            Rule(r"(?:;|#|//)[^\n]*", ("comment",)),
            Rule(r'"(?:[^"\\\n]|\\.)*"?', ("string",)),
            Rule(one_of([f".{name}" for name in DIRECTIVES], any_case=True), ("directive",)),
            Rule(rf"(^[ \t]*)({_NAME})([ \t]*)(:)", ("text", "label", "text", "punctuation")),
            Rule(one_of((*FLOW, "until"), any_case=True), ("flow",)),
            Rule(one_of(COMPUTING, any_case=True), ("instruction",)),
            Rule(one_of(("a0", "a1", "a2", "al", "lcnt", "cc"), any_case=True), ("register",)),
            Rule(rf"(?<![\w.])[{_LETTERS}{_LETTERS.upper()}]\d+(?!\w)", ("register",)),
            Rule(r"(?<=[\w\])])(\.)([xyzw]{1,4}|[rgba]{1,4}|[stpq]{1,4})(?!\w)", ("punctuation", "components")),
            Rule(one_of([name for name in SEMANTICS if not name.isdigit()]), ("semantic",)),
            Rule(one_of(("as", "prim", "inv", *GEOMETRY_MODES)), ("modifier",)),
            Rule(one_of(("true", "false", "inf", "nan")), ("value",)),
            Rule(r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\w)", ("number",)),
            *REST,
        ),
        comment="//",
        word=rf"-?\d[\w.]*|\.?{_NAME}",
        opens=rf"^\s*(?:{'|'.join((*_OPENS, *_SPLITS))})\b",
        closes=rf"^\s*(?:{'|'.join((*_CLOSES, *_SPLITS))})\b",
    )
