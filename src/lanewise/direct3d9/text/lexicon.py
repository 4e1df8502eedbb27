"""How Direct3D 9 assembly is coloured (`core.lexicon`)."""

from __future__ import annotations

from lanewise.core.lexicon import REST, Lexicon, Rule, one_of
from lanewise.direct3d9.isa.table import BY_NAME, CLOSES, DEFINITION, FLOW, OPENS, SAMPLER_TYPES, SPLITS, USAGES
from lanewise.direct3d9.text.names import ALONE, FILES, MNEMONICS, RESULTS, SHIFTS, SUFFIXES
from lanewise.direct3d9.text.preprocess import DIRECTIVES as PREPROCESSOR
from lanewise.direct3d9.text.reader import DIRECTIVES

_VERSION = r"[vpVP][sS][._][1-3][._](?:[0-9]{1,3}|[xXaAbB]|[sS][wW])"


def _joined(words: list[str]) -> str:
    return "|".join(sorted(set(words), key=lambda word: (-len(word), word)))


def lexicon() -> Lexicon:
    """The rules, from the tables of instructions, registers, usages and modifiers."""
    ending = f"((?:_(?:{_joined([*SHIFTS, *RESULTS])}))*)"
    flow = [name for name, mnemonic in MNEMONICS.items() if mnemonic.op.role == FLOW]
    other = [name for name, mnemonic in MNEMONICS.items() if mnemonic.op.role not in (FLOW, DEFINITION)]
    definitions = [name for name, op in BY_NAME.items() if op.role == DEFINITION]
    declared = _joined([f"{name}[0-9]*" for name in USAGES] + list(SAMPLER_TYPES))
    source = _joined([name for name in SUFFIXES if name])
    blocks = {
        part: _joined([name for name, mnemonic in MNEMONICS.items() if mnemonic.op.part == part])
        for part in (OPENS, CLOSES, SPLITS)
    }
    return Lexicon(
        rules=(
            Rule(r"(?:;|//)[^\n]*", ("comment",)),
            Rule(r"/\*", ("block comment",), r"\*/"),
            Rule(r'"[^"\n]*"?', ("string",)),
            Rule(r"(^[ \t]*#[ \t]*include\b)([ \t]*)(<[^>\n]*>?)", ("preprocessor", "text", "string")),
            Rule(rf"^[ \t]*#[ \t]*(?i:{_joined(list(PREPROCESSOR))})\b", ("preprocessor",)),
            Rule(rf"(?<![\w.]){_VERSION}(?!\w)", ("version",)),
            Rule(one_of(DIRECTIVES, any_case=True), ("directive",)),
            Rule(rf"(?<![\w.])(?i:(dcl)(_(?:{declared}))?{ending})(?!\w)", ("directive", "semantic", "modifier")),
            Rule(rf"(?<![\w.])(?i:{_joined(definitions)})(?!\w)", ("directive",)),
            Rule(rf"(?<![\w.])(?i:({_joined(flow)}){ending})(?!\w)", ("flow", "modifier")),
            Rule(rf"(?<![\w.])(?i:({_joined(other)}){ending})(?!\w)", ("instruction", "modifier")),
            Rule(
                rf"(?<![\w.])(?i:({_joined(list(ALONE))}|(?:{_joined(list(FILES))})\d+|c(?=\[))((?:_(?:{source}))?))(?!\w)",
                ("register", "modifier"),
            ),
            Rule(
                rf"(?<=[\w\])])(\.)((?i:[xyzw]{{1,4}}|[rgba]{{1,4}}))((?i:(?:_(?:{source}))?))(?!\w)",
                ("punctuation", "components", "modifier"),
            ),
            Rule(one_of(("true", "false"), any_case=True), ("value",)),
            Rule(
                r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:#[A-Za-z]+|(?:[eE][-+]?\d+)?)[fF]?)(?!\w)", ("number",)
            ),
            *REST,
        ),
        comment="//",
        block_comment=("/*", "*/"),
        word=r"-?\d[\w.]*|[.#]?[A-Za-z_]\w*",
        opens=rf"^\s*(?:\([^)]*\)\s*)?(?:{blocks[OPENS]}|{blocks[SPLITS]})\b",
        closes=rf"^\s*(?:{blocks[CLOSES]}|{blocks[SPLITS]})\b",
        first_line=rf"^\s*{_VERSION}\b",
    )
