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
    """The words of a language."""

    directives: Mapping[str, Directive]
    "By name, with the sign that begins it."
    words: Sequence[str]
    "Mnemonics, those that are not instructions included."
    rows: Callable[[str], list[Op]]
    "Rows that a mnemonic may become; none for a word such as `else`."
    operands: Callable[[str], tuple[str, ...]]
    "Kinds of a mnemonic's operands in order, keys of `KINDS`, `wide` for a source that may be a uniform."
    closing: Callable[[str], str]
    "Text that ends the block that a mnemonic opens; empty for others."
    spaced: frozenset[str]
    "Mnemonics and directives whose operands blanks separate; for the others commas do."
    arguments: Mapping[tuple[str, int], str]
    "Kinds of the arguments of directives that can be completed, by directive and number."
    comments: tuple[str, ...]
    "Texts that start a comment."
    indices: tuple[str, ...]
    "Names of index registers."
    flags: tuple[str, ...]
    "Names of flags and conditions."
    operators: tuple[str, ...]
    "Comparison operators."
    letters: str
    "Letters of the registers that `.alias` may name."


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
