"""The words of a language for editors: its directives, mnemonics and operands. A row of each language is its `Vocabulary`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.isa.table import Op


class Directive(Record):
    """A directive: its arguments as (name, what it may be), and a sentence. `ours`: the original tool does not know it."""

    arguments: tuple[tuple[str, str], ...]
    about: str
    ours: bool = False

    def usage(self, name: str) -> str:
        return " ".join([name, *[argument for argument, _ in self.arguments]])


class Vocabulary(Record):
    """The words of a language.

    `rows` are those that a mnemonic may become, none for a word such as `else`; `operands` the kinds of its operands in the
    order of the text, keys of `KINDS`, `wide` for a source that may be a uniform. `closing` is what ends the block that it
    opens. `spaced` are the mnemonics and directives whose operands blanks separate, for the others commas do. `arguments` are
    the kinds of those arguments of directives that can be completed, by directive and number. `letters` are those of the
    registers that `.alias` may name.
    """

    directives: Mapping[str, Directive]
    words: Sequence[str]
    rows: Callable[[str], list[Op]]
    operands: Callable[[str], tuple[str, ...]]
    closing: Callable[[str], str]
    spaced: frozenset[str]
    arguments: Mapping[tuple[str, int], str]
    comments: tuple[str, ...]
    indices: tuple[str, ...]
    flags: tuple[str, ...]
    operators: tuple[str, ...]
    letters: str


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
    "procedure": ("PROC", "a procedure"),
    "label": ("LABEL", "a label"),
    "vertex": ("VERTEX, FLAGS", "a vertex, 0 to 2, and after a comma `prim` and `inv`"),
    "if": ("if", "the condition follows"),
    "until": ("until", "the label where the call returns follows"),
    "word": ("0xWORD", "32 bits"),
}


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
