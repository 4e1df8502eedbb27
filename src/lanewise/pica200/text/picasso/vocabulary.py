"""The words of the picasso language, for editors."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import JUMP
from lanewise.pica200.isa.verify import wide_places
from lanewise.pica200.text.picasso.syntax import MNEMONICS
from lanewise.pica200.text.vocabulary import Directive, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.isa.table import Op

_NAME = "letters, digits, `_` and `$`, not starting with a digit"
_SIZED = ("NAME[SIZE], ...", "names, each with a number of registers; 1 without brackets")
_VALUES = ("(x, y, z, w)", "four numbers, rounded toward zero to float24")
_BYTES = ("(x, y, z, w)", "four bytes: iterations minus one, start, step, unused")

DIRECTIVES: Mapping[str, Directive] = {
    ".proc": Directive(
        (("NAME", _NAME),),
        "Begins a procedure, which `.end` closes. `main` is where the shader starts, unless `.entry` names another.",
    ),
    ".end": Directive((), "Closes the innermost procedure, block or array."),
    ".else": Directive((), "Begins the part of `ifc` or `ifu` that runs where the condition does not hold."),
    ".alias": Directive(
        (("NAME", _NAME), ("REGISTER[.swizzle]", "a register or a name, with components and a sign")),
        "Names a register, in this file only.",
    ),
    ".fvec": Directive(
        (_SIZED,), "Declares float uniforms, which the application sets: registers c0 to c95, from the lowest free one."
    ),
    ".ivec": Directive((_SIZED,), "Declares integer uniforms, the counts of loops: registers i0 to i3."),
    ".bool": Directive((_SIZED,), "Declares boolean uniforms, for `ifu`, `callu` and `jmpu`: registers b0 to b15."),
    ".constf": Directive((("NAME", _NAME), _VALUES), "Declares a float constant, which the loader sets: from c95 downwards."),
    ".consti": Directive((("NAME", _NAME), _BYTES), "Declares an integer constant: the count of a loop."),
    ".constfa": Directive(
        (("NAME[SIZE]", "the number of elements may be left out"),),
        "Begins an array of constants: lines `.constfa (x, y, z, w)` follow, then `.end`.",
    ),
    ".setf": Directive((("REGISTER", "a float uniform"), _VALUES), "Presets a float uniform."),
    ".seti": Directive((("REGISTER", "an integer uniform"), _BYTES), "Presets an integer uniform."),
    ".setb": Directive(
        (("REGISTER", "a boolean uniform"), ("VALUE", "true or false, on or off, 1 or 0")), "Presets a boolean uniform."
    ),
    ".in": Directive(
        (("NAME", _NAME), ("[REGISTER]", "v0 to v14; the first free one if left out")),
        "Declares an input: an attribute of the vertex.",
    ),
    ".out": Directive(
        (
            ("NAME", f"{_NAME}; `-` for none"),
            ("PROPERTY[.mask]", "what the rasterizer takes it for"),
            ("[REGISTER[.mask]]", "o0 to o15; the first free one if left out"),
        ),
        "Declares an output and its purpose.",
    ),
    ".entry": Directive((("PROC", "the name of a procedure"),), "Names the procedure where the shader of this file starts."),
    ".nodvle": Directive((), "Makes the file a library of procedures: it is not a shader."),
    ".gsh": Directive(
        (
            ("[MODE]", "point, variable or fixed"),
            ("[cFIRST]", "the first register for uniforms"),
            ("[...]", "variable: vertices; fixed: cSTART and vertices"),
        ),
        "Makes the file a geometry shader, and says how vertices arrive.",
    ),
    ".opdesc": Directive((("N", "0 to 127"), ("0xWORD", "32 bits")), "Pins an operand descriptor.", ours=True),
    ".word": Directive((("0xWORD", "32 bits"),), "Any word as an instruction.", ours=True),
    ".nonop": Directive((), "No NOPs are inserted at the ends of blocks.", ours=True),
    ".symbol": Directive(
        (('"TEXT"', "a name in quotes"),), "The name that the next input or uniform has in the file.", ours=True
    ),
    ".shbin": Directive(
        (("KEY", "a field, as `lanewise dis` prints it"), ("VALUE", "a number or a text in quotes")),
        "Sets a field of the container.",
        ours=True,
    ),
}


_LISTS = (".fvec", ".ivec", ".bool")


def rows(word: str) -> list[Op]:
    op = MNEMONICS.get(word.lower())
    return [op] if op is not None else []


def operands(word: str) -> tuple[str, ...]:
    found = rows(word)
    kinds = [kind for kind in found[0].operands if kind != "block"] if found else []
    source = 0
    for n, kind in enumerate(kinds):
        if kind == "src":
            kinds[n] = "wide" if source in wide_places(found[0]) else "src"
            source += 1
        elif kind == "target":
            kinds[n] = "label" if found[0].kind == JUMP else "procedure"
    return tuple(kinds)


def closing(word: str) -> str:
    return ".end" if any(op.opens_block for op in rows(word)) else ""


VOCABULARY = Vocabulary(
    directives=DIRECTIVES,
    words=tuple(MNEMONICS),
    rows=rows,
    operands=operands,
    closing=closing,
    spaced=frozenset([name for name in DIRECTIVES if name not in _LISTS]),
    arguments={
        (".entry", 0): "procedure",
        (".out", 1): "semantic",
        (".out", 2): "output",
        (".in", 1): "input",
        (".gsh", 0): "mode",
        (".alias", 1): "register",
        (".setf", 0): "float",
        (".seti", 0): "int",
        (".setb", 0): "bool",
        (".setb", 1): "truth",
    },
    comments=(";",),
    indices=("a0.x", "a0.y", "aL"),
    flags=("cmp.x", "cmp.y", "!cmp.x", "!cmp.y"),
    operators=("eq", "ne", "lt", "le", "gt", "ge"),
    letters="vorc",
)
