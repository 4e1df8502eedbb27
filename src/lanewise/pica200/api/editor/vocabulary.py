"""The words of the languages for editors: rows and operand kinds of mnemonics, and what each kind of operand may be."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.text.nihstro.syntax import COMPUTING
from lanewise.pica200.text.nihstro.syntax import MNEMONICS as NIHSTRO_WORDS
from lanewise.pica200.text.picasso.syntax import MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.isa.table import Op

# The rows behind the words of nihstro that steer, and their operands.
_STEERING: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "if": (("ifc", "ifu"), ("test",)), "else": ((), ()), "endif": ((), ()), "loop": (("for",), ("int",)), "endloop": ((), ()),
    "break": (("break", "breakc"), ("test",)), "breakc": (("breakc",), ("test",)), "jmp": (("jmpc", "jmpu"), ("label", "if", "test")),
    "call": (("call", "callc", "callu"), ("label", "until", "label", "if", "test")), "nop": (("nop",), ()), "end": (("end",), ()),
    "emit": (("emit",), ()), "setemit": (("setemit",), ("vertex",)), "setemitraw": (("setemit",), ("vertex",)),
}  # fmt: skip

# Operand kinds: what they are called in a signature, and what they may be.
KINDS: Mapping[str, tuple[str, str]] = {
    "dst": ("DST", "an output or a temporary, with a write mask: o0 to o15, r0 to r15"),
    "src": ("SRC", "an input or a temporary: v0 to v15, r0 to r15"),
    "wide": ("SRC", "an input, a temporary, or a float uniform, which may be indexed: c0 to c95"),
    "adr": ("A0", "the address registers that are written: a0.x, a0.y or a0.xy"),
    "cmp": ("OP", "a comparison operator"),
    "cond": ("COND", "a test of flags: cmp.x, !cmp.y, two of them joined by && or ||"),
    "test": ("COND", "a test of flags, cc.x, !cc.y, two of them joined by && or ||, or a boolean uniform"),
    "bool": ("BOOL", "a boolean uniform: b0 to b15"),
    "int": ("INT", "an integer uniform: i0 to i3"),
    "target": ("NAME", "a procedure"),
    "label": ("LABEL", "a label"),
    "vertex": ("VERTEX, FLAGS", "a vertex, 0 to 2, and after a comma `prim` and `inv`"),
    "if": ("if", "the condition follows"),
    "until": ("until", "the label where the call returns follows"),
    "word": ("0xWORD", "32 bits"),
}


def words_of(dialect: str) -> list[str]:
    """The mnemonics of a language."""
    return [*MNEMONICS] if dialect == "picasso" else sorted(NIHSTRO_WORDS)


def rows_of(dialect: str, word: str) -> list[Op]:
    """The rows that a mnemonic may become; none for words such as `else`."""
    lower = word.lower()
    if dialect == "picasso":
        op = MNEMONICS.get(lower)
        return [op] if op is not None else []
    if lower in COMPUTING:
        return [COMPUTING[lower]]
    return [BY_NAME[name] for name in _STEERING.get(lower, ((), ()))[0]] or ([BY_NAME[lower]] if lower in BY_NAME else [])


def operands_of(dialect: str, word: str) -> tuple[str, ...]:
    """The kinds of the operands of a mnemonic, in the order of the text: keys of `KINDS`; `wide` for a source that may be a uniform."""
    from lanewise.pica200.isa.verify import wide_places

    lower = word.lower()
    if dialect != "picasso" and lower in _STEERING:
        return _STEERING[lower][1]
    rows = rows_of(dialect, lower)
    if not rows:
        return ()
    op = rows[0]
    kinds = [kind for kind in op.operands if kind != "block"]
    if dialect != "picasso":
        if "adr" in kinds:
            kinds.remove("adr")
        if "cmp" in kinds:
            kinds = ["src", "src", "cmp", "cmp"]
    source = 0
    for n, kind in enumerate(kinds):
        if kind == "src":
            if source in wide_places(op):
                kinds[n] = "wide"
            source += 1
        elif kind == "target" and op.kind == "jump":
            kinds[n] = "label"
    return tuple(kinds)
