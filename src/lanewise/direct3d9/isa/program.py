"""A Direct3D 9 shader as data, without loss: tokens, instructions, comments.

Operands keep their words and decode fields on demand; so unknown bits survive, and `words` of what was read are the
words that were there. `container/direct3d9.py` reads and writes streams, `text/direct3d9` sources.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.isa.table import ALL, CLOSES, CONST, DECLARATION, IDENTITY, OPENS, Op, Version, constant_base

if TYPE_CHECKING:
    from lanewise.core.source import Span

REGISTER, FILE, NUMBER = 0x70001FFF, 0x70001800, 0x7FF  # bits of an operand: its register, the file of that, and its number
RELATIVE = 1 << 13  # of an operand: the number is added to an address register
COISSUE = 1 << 30  # of an instruction: paired with the previous one
_PREDICATED, _PARAMETER = 1 << 28, 1 << 31


def register_file(word: int) -> int:
    """The number of the register file that a parameter token names."""
    return word >> 28 & 7 | word >> 8 & 0x18


def register_bits(file: int, number: int) -> int:
    """The bits of a parameter token that name a register."""
    return (file & 7) << 28 | (file >> 3) << 11 | number


class Source(Record):
    """A source: its token, and the token of its relative address where one follows (shader model 2 and later)."""

    word: int
    relative: int | None = None

    @property
    def file(self) -> int:
        return register_file(self.word)

    @property
    def number(self) -> int:
        """The number in the token; for c# of a software version see `constant`."""
        return self.word & 0x7FF

    @property
    def constant(self) -> int:
        """The number of a c#, whatever file holds it."""
        return self.number + constant_base(self.file)

    @property
    def is_relative(self) -> bool:
        """The register's number is added to an address register: that of `relative`, or a0.x without one (vs_1_1)."""
        return bool(self.word & RELATIVE)

    @property
    def swizzle(self) -> tuple[int, int, int, int]:
        """The component at each position of the swizzle."""
        return self.word >> 16 & 3, self.word >> 18 & 3, self.word >> 20 & 3, self.word >> 22 & 3

    @property
    def modifier(self) -> int:
        return self.word >> 24 & 0xF

    @property
    def words(self) -> tuple[int, ...]:
        return (self.word,) if self.relative is None else (self.word, self.relative)


class Dest(Record):
    """A destination: its token, and the token of its relative address (outputs of vs_3_0)."""

    word: int
    relative: int | None = None

    @property
    def file(self) -> int:
        return register_file(self.word)

    @property
    def number(self) -> int:
        return self.word & 0x7FF

    @property
    def is_relative(self) -> bool:
        return bool(self.word & RELATIVE)

    @property
    def mask(self) -> int:
        """The components written: x is bit 0."""
        return self.word >> 16 & 0xF

    @property
    def modifiers(self) -> int:
        """`SATURATE`, `PARTIAL`, `CENTROID`, added; bit 3 is reserved."""
        return self.word >> 20 & 0xF

    @property
    def shift(self) -> int:
        """The result is multiplied by 2 to this power, -8 to 7 (ps_1_x)."""
        return (self.word >> 24 & 7) - (self.word >> 24 & 8)

    @property
    def words(self) -> tuple[int, ...]:
        return (self.word,) if self.relative is None else (self.word, self.relative)


class Inst(Record):
    """An instruction."""

    op: Op
    "The row of its opcode."
    token: int
    "Its first word."
    dest: Dest | None = None
    "The destination; None where it has none."
    predicate: Source | None = None
    "The predicate under which it runs; None without one."
    sources: tuple[Source, ...] = ()
    "The sources in the order of the words."
    payload: tuple[int, ...] = ()
    "Words that are not operands: the numbers of def, defi and defb, the usage of dcl."
    place: Span | None = None
    "Its place in the source, or its offset; None: not known."

    @property
    def operands(self) -> list[Source | Dest]:
        """The sources, then the destination; without the predicate."""
        return [*self.sources, *([self.dest] if self.dest is not None else [])]

    @property
    def control(self) -> int:
        """Bits 23:16: a comparison, or which texld it is."""
        return self.token >> 16 & 0xFF

    @property
    def coissue(self) -> bool:
        """Paired with the previous instruction (`+`, ps_1_x)."""
        return bool(self.token & COISSUE)

    @property
    def words(self) -> tuple[int, ...]:
        """The words of the stream: destination, predicate and sources in the order of reference 3; dcl has its usage first."""
        found = [self.token]
        if self.op.role == DECLARATION:
            found += self.payload
        if self.dest is not None:
            found += self.dest.words
        if self.predicate is not None:
            found += self.predicate.words
        for source in self.sources:
            found += source.words
        if self.op.role != DECLARATION:
            found += self.payload
        return tuple(found)


class Comment(Record):
    """Words that no instruction reads: a constant table, debug information, anything. `token` has their number in bits
    30:16."""

    token: int
    data: tuple[int, ...]
    place: Span | None = None

    @property
    def words(self) -> tuple[int, ...]:
        return (self.token, *self.data)


class Unknown(Record):
    """Words that are not an instruction of this version, or whose length does not match its operands; `data` follows
    `token`."""

    token: int
    data: tuple[int, ...]
    place: Span | None = None

    @property
    def words(self) -> tuple[int, ...]:
        return (self.token, *self.data)


Item = Inst | Comment | Unknown


class Damage(Record):
    """A statement of a source that could not be read."""

    place: Span
    "The place of the statement."
    items: int
    "How many items are before it; -1: it may be anywhere."
    insts: int
    "How many instructions are before it; -1: it may be anywhere."
    words: int
    "About how many words it would have."
    op: Op | None
    "Its instruction; None: not known."
    written: frozenset[tuple[int, int]] | None
    "The registers, (file, number), that it may write, define or declare; None where that may be any."


class Shader(Record):
    """A stream of words."""

    version: Version
    "The version that it begins with."
    items: tuple[Item, ...]
    "Instructions, comments and unknown words in order."
    end: int | None = 0x0000FFFF
    "The end token; None without one."
    tail: tuple[int, ...] = ()
    "Words after the end token."
    rest: bytes = b""
    "The remaining bytes of a file whose size is not a multiple of 4."
    direct3d8: bool = False
    "It is read by the rules of Direct3D 8, whose shaders do not declare their inputs."

    @property
    def insts(self) -> list[Inst]:
        return [item for item in self.items if isinstance(item, Inst)]

    @property
    def words(self) -> list[int]:
        """All words, as a file has them."""
        found = [self.version.token]
        for item in self.items:
            found += item.words
        if self.end is not None:
            found.append(self.end)
        found += self.tail
        return found


def make_source(file: int, number: int, *, swizzle: int = IDENTITY, modifier: int = 0, relative: int | None = None) -> Source:
    """Build a source from its fields."""
    bit = RELATIVE if relative is not None else 0
    return Source(_PARAMETER | register_bits(file, number) | swizzle << 16 | modifier << 24 | bit, relative)


def make_dest(
    file: int, number: int, *, mask: int = ALL, modifiers: int = 0, shift: int = 0, relative: int | None = None
) -> Dest:
    """Build a destination from its fields."""
    bit = RELATIVE if relative is not None else 0
    return Dest(_PARAMETER | register_bits(file, number) | mask << 16 | modifiers << 20 | (shift & 0xF) << 24 | bit, relative)


def make_constant(number: int, *, swizzle: int = IDENTITY, modifier: int = 0) -> Source:
    """A source c#."""
    return make_source(CONST, number, swizzle=swizzle, modifier=modifier)


def make_inst(
    op: Op,
    version: Version,
    dest: Dest | None = None,
    sources: tuple[Source, ...] = (),
    *,
    predicate: Source | None = None,
    payload: tuple[int, ...] = (),
    control: int = 0,
    coissue: bool = False,
    place: Span | None = None,
) -> Inst:
    """Build an instruction with its token: the length from shader model 2 on, the predicated and co-issue bits."""
    token = op.opcode | control << 16
    if version.major >= 2 and op.opcode < 0xFFFD:
        length = len(payload)
        for operand in (dest, predicate, *sources):
            if operand is not None:
                length += 1 if operand.relative is None else 2
        token |= length << 24
    if predicate is not None:
        token |= _PREDICATED
    if coissue:
        token |= COISSUE
    return Inst(op=op, token=token, dest=dest, predicate=predicate, sources=sources, payload=payload, place=place)


def addresses(shader: Shader) -> dict[int, int]:
    """The place of each instruction of a shader, by its `id`: the number of its first word."""
    found: dict[int, int] = {}
    at = 1
    for item in shader.items:
        if isinstance(item, Inst):
            found[id(item)] = at
        at += len(item.words)
    return found


def block_ends(shader: Shader) -> dict[int, Inst]:
    """The instruction that closes the block of another, by the `id` of that."""
    found: dict[int, Inst] = {}
    opened: list[Inst] = []
    for inst in shader.insts:
        if inst.op.part == OPENS:
            opened.append(inst)
        elif inst.op.part == CLOSES:
            found[id(opened.pop())] = inst
    return found
