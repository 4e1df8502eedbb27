"""The directives of the languages, for editors: how each is written and what it does."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping


class Directive(Record):
    """A directive: its arguments as (name, what it may be), and a sentence. `ours`: the original tool does not know it."""

    arguments: tuple[tuple[str, str], ...]
    about: str
    ours: bool = False

    def usage(self, name: str) -> str:
        return " ".join([name, *[argument for argument, _ in self.arguments]])


_NAME = "letters, digits, `_` and `$`, not starting with a digit"
_SIZED = ("NAME[SIZE], ...", "names, each with a number of registers; 1 without brackets")
_VALUES = ("(x, y, z, w)", "four numbers, rounded toward zero to float24")
_BYTES = ("(x, y, z, w)", "four bytes: iterations minus one, start, step, unused")

PICASSO: Mapping[str, Directive] = {
    ".proc": Directive((("NAME", _NAME),), "Begins a procedure, which `.end` closes. `main` is where the shader starts, unless `.entry` names another."),
    ".end": Directive((), "Closes the innermost procedure, block or array."),
    ".else": Directive((), "Begins the part of `ifc` or `ifu` that runs where the condition does not hold."),
    ".alias": Directive((("NAME", _NAME), ("REGISTER[.swizzle]", "a register or a name, with components and a sign")), "Names a register, in this file only."),
    ".fvec": Directive((_SIZED,), "Declares float uniforms, which the application sets: registers c0 to c95, from the lowest free one."),
    ".ivec": Directive((_SIZED,), "Declares integer uniforms, the counts of loops: registers i0 to i3."),
    ".bool": Directive((_SIZED,), "Declares boolean uniforms, for `ifu`, `callu` and `jmpu`: registers b0 to b15."),
    ".constf": Directive((("NAME", _NAME), _VALUES), "Declares a float constant, which the loader sets: from c95 downwards."),
    ".consti": Directive((("NAME", _NAME), _BYTES), "Declares an integer constant: the count of a loop."),
    ".constfa": Directive((("NAME[SIZE]", "the number of elements may be left out"),), "Begins an array of constants: lines `.constfa (x, y, z, w)` follow, then `.end`."),
    ".setf": Directive((("REGISTER", "a float uniform"), _VALUES), "Presets a float uniform."),
    ".seti": Directive((("REGISTER", "an integer uniform"), _BYTES), "Presets an integer uniform."),
    ".setb": Directive((("REGISTER", "a boolean uniform"), ("VALUE", "true or false, on or off, 1 or 0")), "Presets a boolean uniform."),
    ".in": Directive((("NAME", _NAME), ("[REGISTER]", "v0 to v14; the first free one if left out")), "Declares an input: an attribute of the vertex."),
    ".out": Directive((("NAME", f"{_NAME}; `-` for none"), ("PROPERTY[.mask]", "what the rasterizer takes it for"), ("[REGISTER[.mask]]", "o0 to o15; the first free one if left out")),
                      "Declares an output and its purpose."),
    ".entry": Directive((("PROC", "the name of a procedure"),), "Names the procedure where the shader of this file starts."),
    ".nodvle": Directive((), "Makes the file a library of procedures: it is not a shader."),
    ".gsh": Directive((("[MODE]", "point, variable or fixed"), ("[cFIRST]", "the first register for uniforms"), ("[...]", "variable: vertices; fixed: cSTART and vertices")),
                      "Makes the file a geometry shader, and says how vertices arrive."),
    ".opdesc": Directive((("N", "0 to 127"), ("0xWORD", "32 bits")), "Pins an operand descriptor.", ours=True),
    ".word": Directive((("0xWORD", "32 bits"),), "Any word as an instruction.", ours=True),
    ".nonop": Directive((), "No NOPs are inserted at the ends of blocks.", ours=True),
    ".symbol": Directive((('"TEXT"', "a name in quotes"),), "The name that the next input or uniform has in the file.", ours=True),
    ".shbin": Directive((("KEY", "a field, as `lanewise dis` prints it"), ("VALUE", "a number or a text in quotes")), "Sets a field of the container.", ours=True),
}  # fmt: skip

NIHSTRO: Mapping[str, Directive] = {
    ".alias": Directive((("NAME", "letters, digits and `_`, not starting with a digit"), ("REGISTER[.components]", "a register, or a range such as c0-c3"), ("[as VALUE]", "of an output its property, of a uniform its value")),
                        "Names a register: an input, a uniform, a constant or an output."),
    ".include": Directive((('"FILE"', "a path, relative to this file"),), "Reads another file in the place of this line."),
    ".version": Directive((("0.1", "a version"),), "States the version of the language.", ours=True),
    ".entry": Directive((("LABEL", "a label"),), "Names the label where the shader starts: `main` without it.", ours=True),
    ".gsh": Directive((("[MODE]", "point, variable or fixed"), ("[...]", "variable: vertices; fixed: cSTART and vertices")), "Makes the file a geometry shader.", ours=True),
    ".symbol": Directive((('"TEXT"', "a name in quotes"),), "The name that the next alias has in the file.", ours=True),
    ".word": Directive((("0xWORD", "32 bits"),), "Any word as an instruction.", ours=True),
    ".opdesc": Directive((("N", "0 to 127"), ("0xWORD", "32 bits")), "Pins an operand descriptor.", ours=True),
    ".raw": Directive((), "The words are those of a file, whatever its size.", ours=True),
}  # fmt: skip

# What the rasterizer takes an output for (3dbrew SHBIN, output map).
PROPERTIES: Mapping[str, str] = {
    "position": "the position in clip space: x, y, z, w",
    "normalquat": "the rotation from the tangent space to the view, as a quaternion, for fragment lighting",
    "color": "the vertex colour: r, g, b, a",
    "texcoord0": "coordinates of texture 0: u, v",
    "texcoord0w": "the third coordinate of texture 0, for cube and projected textures",
    "texcoord1": "coordinates of texture 1: u, v",
    "texcoord2": "coordinates of texture 2: u, v",
    "view": "the vector from the surface to the eye, for fragment lighting: x, y, z",
    "dummy": "nothing by itself: a geometry shader reads it",
}


def directives_of(dialect: str) -> Mapping[str, Directive]:
    """The directives of a language."""
    return PICASSO if dialect == "picasso" else NIHSTRO
