"""The words of the nihstro language, for editors."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.isa.verify import wide_places
from lanewise.pica200.text.nihstro.syntax import COMPARISONS, COMPUTING, MNEMONICS, STEERING
from lanewise.pica200.text.vocabulary import Directive, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.isa.table import Op

DIRECTIVES: Mapping[str, Directive] = {
    ".alias": Directive(
        (
            ("NAME", "letters, digits and `_`, not starting with a digit"),
            ("REGISTER[.components]", "a register, or a range such as c0-c3"),
            ("[as VALUE]", "of an output its property, of a uniform its value"),
        ),
        "Names a register: an input, a uniform, a constant or an output.",
    ),
    ".include": Directive((('"FILE"', "a path, relative to this file"),), "Reads another file in the place of this line."),
    ".version": Directive((("0.1", "a version"),), "States the version of the language.", ours=True),
    ".entry": Directive((("LABEL", "a label"),), "Names the label where the shader starts: `main` without it.", ours=True),
    ".gsh": Directive(
        (("[MODE]", "point, variable or fixed"), ("[...]", "variable: vertices; fixed: cSTART and vertices")),
        "Makes the file a geometry shader.",
        ours=True,
    ),
    ".symbol": Directive((('"TEXT"', "a name in quotes"),), "The name that the next alias has in the file.", ours=True),
    ".word": Directive((("0xWORD", "32 bits"),), "Any word as an instruction.", ours=True),
    ".opdesc": Directive((("N", "0 to 127"), ("0xWORD", "32 bits")), "Pins an operand descriptor.", ours=True),
    ".raw": Directive((), "The words are those of a file, whatever its size.", ours=True),
}


def rows(word: str) -> list[Op]:
    lower = word.lower()
    if lower in COMPUTING:
        return [COMPUTING[lower]]
    return [BY_NAME[name] for name in STEERING.get(lower, ((), ()))[0]]


def operands(word: str) -> tuple[str, ...]:
    lower = word.lower()
    if lower in STEERING:
        return STEERING[lower][1]
    op = COMPUTING.get(lower)
    if op is None:
        return ()
    if "cmp" in op.operands:
        return ("wide", "wide", "cmp", "cmp")  # sources are exchanged where that is needed
    kinds = [kind for kind in op.operands if kind != "adr"]
    sources = [n for n, kind in enumerate(kinds) if kind == "src"]
    for number in wide_places(op):
        kinds[sources[number]] = "wide"
    return tuple(kinds)


def closing(word: str) -> str:
    return {"if": "endif", "loop": "endloop"}.get(word.lower(), "")


VOCABULARY = Vocabulary(
    directives=DIRECTIVES,
    words=sorted(MNEMONICS),
    rows=rows,
    operands=operands,
    closing=closing,
    spaced=frozenset((*DIRECTIVES, "jmp", "call")),
    arguments={
        (".entry", 0): "label",
        (".gsh", 0): "mode",
        (".alias", 1): "register",
        (".alias", 2): "as",
        (".alias", 3): "semantic",
    },
    comments=("//", "#", ";"),
    indices=("a0", "a1", "lcnt"),
    flags=("cc.x", "cc.y", "!cc.x", "!cc.y"),
    operators=COMPARISONS,
    letters="vocib",
)
