"""How sources of picasso are coloured (`core.lexicon`)."""

from __future__ import annotations

from lanewise.core.lexicon import REST, Lexicon, Rule, one_of
from lanewise.pica200.isa.table import ARITHMETIC, COMPARISONS, CONDITIONS, GEOMETRY_MODES, OPS, REGISTER_FILES, SEMANTICS
from lanewise.pica200.text.picasso.directives import DIRECTIVES
from lanewise.pica200.text.picasso.syntax import INDEX_REGISTERS

_LETTERS = "".join([row[0] for row in REGISTER_FILES])
_NAME = r"[A-Za-z_$][\w$]*"
_BLOCKS = [op.name for op in OPS if op.opens_block]


def lexicon() -> Lexicon:
    """The rules, from the tables of instructions, registers and directives."""
    flow = [op.name for op in OPS if op.kind != ARITHMETIC]
    return Lexicon(
        rules=(
            Rule(r";[^\n]*", ("comment",)),
            Rule(r'"(?:[^"\\\n]|\\.)*"?', ("string",)),
            Rule(rf"({one_of(('.proc', '.entry'))})([ \t]+)({_NAME})", ("directive", "text", "procedure")),
            Rule(one_of([name for name in DIRECTIVES if name in (".end", ".else")]), ("flow",)),
            Rule(one_of(DIRECTIVES), ("directive",)),
            Rule(rf"(?<![\w$.])({_NAME})([ \t]*)(:)", ("label", "text", "punctuation")),
            Rule(one_of(flow), ("flow",)),
            Rule(one_of([op.name for op in OPS if op.kind == ARITHMETIC]), ("instruction",)),
            Rule(one_of(INDEX_REGISTERS, any_case=True), ("register",)),
            Rule(rf"(?<![\w$.])[{_LETTERS}{_LETTERS.upper()}]\d+(?![\w$])", ("register",)),
            Rule(r"(?<=[\w\])])(\.)([xyzwXYZW]{1,4}|[rgbaRGBA]{1,4}|[stpqSTPQ]{1,4})(?![\w$])", ("punctuation", "components")),
            Rule(one_of([name for name in SEMANTICS if not name.isdigit()]), ("semantic",)),
            Rule(
                one_of((*COMPARISONS[:6], *CONDITIONS[:2], *GEOMETRY_MODES, "prim", "primitive", "inv", "invert")),
                ("modifier",),
            ),
            Rule(one_of(("true", "false", "on", "off", "inf", "infinity", "nan")), ("value",)),
            Rule(
                r"(?<![\w$.])(?:0[xX](?:[0-9A-Fa-f]+\.?[0-9A-Fa-f]*|\.[0-9A-Fa-f]+)(?:[pP][-+]?\d+)?|(?:\d+\.?\d*|"
                r"\.\d+)(?:[eE][-+]?\d+)?)(?![\w$])",
                ("number",),
            ),
            *REST,
        ),
        comment=";",
        word=rf"-?\d[\w.]*|\.?{_NAME}",
        opens=rf"^\s*(?:{_NAME}:\s*)*(?:\.proc\b|\.else\b|\.constfa\s+(?!.*\()|(?:{'|'.join(_BLOCKS)})\b)",
        closes=r"^\s*(?:\.end|\.else)\b",
        first_line=r"^\s*\.(?:proc|fvec|constf|setf|in|out|gsh)\b",
    )
