"""Machine words of ShaderCore: decoded and encoded, every field of them."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import DEST_FILES, FORMAT, NONE, NULL_FILE, OPCODE_BITS, OPS, SOURCE_FILES, WORD_BITS, ZERO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.table import Op


class Dest(Record):
    """A destination: the number of its file (`DEST_FILES`) and of the register, component, and whether the result is
    saturated."""

    file: int
    number: int = 0
    component: int = 0
    saturate: int = 0


class Source(Record):
    """A source: the number of its file (`SOURCE_FILES`) and of the register, component, modifier (`NONE` to `NEG_ABS`)."""

    file: int
    number: int = 0
    component: int = 0
    modifier: int = NONE


THIRD_BITS = 15  # of a third source, from bit 43: modifier, file, number, component
_HIGH = 43 + THIRD_BITS  # bits 58 to 63: the upper bits of an opcode above 31
DISCARD = Dest(NULL_FILE)
NOTHING = Source(ZERO)  # what an unused source holds; all bits 0 would be r0.x, which the hardware waits for


class Inst(Record):
    """One decoded word, every field of it."""

    op: Op
    "The row of its opcode."
    dest: Dest = DISCARD
    "The destination field, also of instructions without a destination."
    a: Source = NOTHING
    "The first source field, also of instructions without sources."
    b: Source = NOTHING
    "The second source field, also of instructions without one."
    unused: int = 0
    "Bits 43 to 63 as a number; an instruction that a device adds may have its third source and the rest of its opcode there."

    @property
    def c(self) -> Source:
        """The third source, of an instruction that has one."""
        values = self.unused
        return _source(values & 3, values >> 2 & 7, values >> 5 & 255, values >> 13 & 3) if self.op.sources > 2 else NOTHING

    @property
    def operands(self) -> tuple[Source, ...]:
        """The sources that the instruction has."""
        return (self.a, self.b, self.c)[: self.op.sources]

    @property
    def fields(self) -> tuple[Source, ...]:
        """All source fields of the word: two, and the third of an instruction that has one."""
        return (self.a, self.b) if self.op.sources < 3 else (self.a, self.b, self.c)


def instruction(op: Op, dest: Dest, sources: Sequence[Source]) -> Inst:
    """An instruction with the sources that it has, and its whole opcode."""
    a, b, c = (*sources, NOTHING, NOTHING, NOTHING)[:3]
    third = c.modifier | c.file << 2 | c.number << 5 | c.component << 13 if op.sources > 2 else 0
    return Inst(op=op, dest=dest, a=a, b=b, unused=third | op.opcode >> OPCODE_BITS << THIRD_BITS)


def opcode_of(word: int) -> int:
    """The whole opcode of a word, as devices that add instructions read it: bits 0 to 4, then bits 58 to 63."""
    return word & 31 | word >> _HIGH << OPCODE_BITS


def decode(word: int, added: Sequence[Op] = ()) -> Inst:
    """Decode any 64-bit word; `added` are instructions of a device besides those of the table. Raises ValueError for integers
    outside 0..2**64-1."""
    if word < 0 or word >> WORD_BITS:
        raise ValueError(f"{word:#x} is not a 64-bit word")
    values = [(word >> low) & ((1 << width) - 1) for _, low, width, _ in FORMAT.fields]
    opcode, saturate, file, number, component = values[:5]
    op = OPS[opcode]
    if added:
        whole = opcode_of(word)
        op = next((row for row in added if row.opcode == whole), op)
    return Inst(
        op=op,
        dest=Dest(file, number, component, saturate),
        a=_source(*values[5:9]),
        b=_source(*values[9:13]),
        unused=values[13],
    )


def _source(modifier: int, file: int, number: int, component: int) -> Source:
    return Source(file, number, component, modifier)


def encode(inst: Inst) -> int:
    """The word of an instruction; `encode(decode(word)) == word`. Raises ValueError if a value does not fit its field."""
    d, a, b = inst.dest, inst.a, inst.b
    values = (
        inst.op.opcode & 31,
        d.saturate,
        d.file,
        d.number,
        d.component,
        a.modifier,
        a.file,
        a.number,
        a.component,
        b.modifier,
        b.file,
        b.number,
        b.component,
        inst.unused,
    )
    word = 0
    for field, value in zip(FORMAT.fields, values, strict=True):
        word |= field.insert(value)
    return word


def register(source: Source) -> tuple[str, int, int] | None:
    """(file, number, component) of the register of r, v, x or o that a source reads; None for constants.

    The hardware uses only the low three bits of the number (ShaderCore.vhd:694-697).
    """
    name = SOURCE_FILES[source.file]
    return (name, source.number & 7, source.component) if name in ("r", "v", "x", "o") else None


def written(dest: Dest) -> tuple[str, int, int] | None:
    """(file, number, component) of the register that a destination names; None for NULL."""
    return None if dest.file == NULL_FILE else (DEST_FILES[dest.file], dest.number, dest.component)
