"""`Program`: operations with resolved operands, the form that all layers share.

A file such as an SHBIN may hold several shaders that share one code memory: a `Program` is the whole file, with one `Interface`
for each of its shaders.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.isa.table import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.debugging import Inlined
    from lanewise.pica200.isa.table import Op


class Source(Record):
    """A source operand. `register` counts as in the words (v 00-0F, r 10-1F, c 20-7F); `selector` has component 0 in its
    top two bits; `relative` is 0 (no index register), 1 a0.x, 2 a0.y, 3 aL."""

    register: int
    selector: int = IDENTITY
    negate: bool = False
    relative: int = 0


class Dest(Record):
    """A destination. `register`: o 00-0F, r 10-1F; `mask` has x in bit 3."""

    register: int
    mask: int = 0xF


class Condition(Record):
    """A test of the flags: `combine` 0 or, 1 and, 2 x only, 3 y only; `x` and `y` are the wanted values (1 if not tested)."""

    combine: int
    x: int
    y: int


class Target(Record):
    """Target of a flow instruction: DST and NUM of the word.

    A jump has no NUM; for `jmpu` NUM bit 0 inverts the test.
    """

    address: int
    num: int = 0


class Emission(Record):
    """Operands of `setemit`: the vertex slot 0 to 3, end of primitive, inverted winding. As text: `2, prim inv`."""

    vertex: int
    primitive: bool = False
    invert: bool = False

    def __str__(self) -> str:
        flags = " ".join([word for word, on in (("prim", self.primitive), ("inv", self.invert)) if on])
        return f"{self.vertex}, {flags}" if flags else str(self.vertex)


class Reference(Record):
    """A target by name, before the layout: a procedure, or a label of the same file.

    `num` is a jump's NUM. A call with `until` runs the words from the label `name` up to the label `until`.
    """

    name: str
    num: int = 0
    until: str = ""


class Block(Record):
    """Target of an instruction that opens a block, before the layout: `BLOCK`."""

    def __reduce__(self) -> str:
        return "BLOCK"


BLOCK = Block()

# Operands by kind: dst Dest · src Source · adr Dest (mask only) · cmp bool int word: int · cond Condition ·
# target block: Target (Reference or Block before the layout) · vertex Emission.
Operand = Source | Dest | Condition | Target | Reference | Block | Emission | int


class Operation(Record):
    """An instruction with resolved operands, in the order of its row's `operands`.

    `op` is the plain instruction, never an inverted form: the encoder picks that. `descriptor` pins the number of the
    operand descriptor (-1: the encoder chooses). An unknown word, or one that must be kept unchanged, is the row `.word` with
    the word as its operand. One that is `damaged` stands for a statement with errors: it has the place of its word and perhaps
    its row, and what it does is unknown.
    """

    op: Op
    operands: tuple[Operand, ...] = ()
    descriptor: int = -1
    span: Span | None = None
    damaged: bool = False


class Procedure(Record):
    """A named run of words that CALL can run: `size` words from `start`."""

    name: str
    start: int
    size: int


class Uniform(Record):
    """A name for registers `first` to `last`: inputs (v) or uniforms (c, i, b).

    The numbers are those of the common register space. `symbol` is the name in the file where it differs; `span` is the
    declaration in a source.
    """

    name: str
    first: int
    last: int
    symbol: bytes | None = None
    span: Span | None = None

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def own_name(self) -> str:
        """The name in the file: what the application knows it by, whatever the source has to write."""
        return self.name.replace("$", ".") if self.symbol is None else self.symbol.decode("latin-1")


class Output(Record):
    """An output register wired to a semantic.

    `semantic` is an index of `isa.table.SEMANTICS`, `mask` has x in bit 0 (as in an SHBIN).
    """

    semantic: int
    register: int
    mask: int = 0xF
    name: str = ""
    span: Span | None = None


class Constant(Record):
    """A value preset by the file.

    Four float24 words for a c register, four bytes for an i, one 0 or 1 for a b.
    """

    register: int
    values: tuple[int, ...]


class Alias(Record):
    """A name that only a source has for a register: `.alias ones c95.yyyy`.

    `register` counts as in `Uniform`, an output as in `Dest` with `written`. `size` is the number of registers, 0 where the
    source does not say; `selector` and `negate` are what the name selects of the register.
    """

    name: str
    register: int
    size: int = 0
    selector: int = IDENTITY
    negate: bool = False
    written: bool = False

    @property
    def whole(self) -> bool:
        """Whether it names the register itself."""
        return self.selector == IDENTITY and not self.negate

    @property
    def first(self) -> int:
        return self.register

    @property
    def last(self) -> int:
        return self.register + max(1, self.size) - 1


class Interface(Record):
    """One shader of a program: stage, entry, inputs, uniforms and outputs.

    `entry_end` is the word after the entry procedure. `input_mask` and `output_mask` have bit n for register n.
    `geometry_mode` is 0 point, 1 variable, 2 fixed (`isa.table.GEOMETRY_MODES`); `array_start` is the first float uniform
    of the vertex array (c number), `vertex_count` the vertices per primitive (fixed) or the fully defined ones (variable).
    `declared` has inputs and uniforms together in the order of the source or file, where that is known; `private` are names
    of constants and `aliases` those of any register, which no file lists. `stripped`: the names of inputs and uniforms are
    numbers that a compiler has given to what has no name, so that they are the same thing in no other program.
    """

    name: str
    geometry: bool = False
    entry: int = 0
    entry_end: int = 0
    inputs: tuple[Uniform, ...] = ()
    uniforms: tuple[Uniform, ...] = ()
    outputs: tuple[Output, ...] = ()
    constants: tuple[Constant, ...] = ()
    input_mask: int = 0
    output_mask: int = 0
    geometry_mode: int = 0
    array_start: int = 0
    vertex_count: int = 0
    merge_outputs: bool = False
    declared: tuple[Uniform, ...] = ()
    private: tuple[Uniform, ...] = ()
    aliases: tuple[Alias, ...] = ()
    stripped: bool = False


class Encoding(Record):
    """Encoding of a file: machine words, descriptor table, fields of the container.

    `words[n]` is None where operation n has been edited since. `container` maps keys of `container.flat.flatten` to values.
    """

    words: tuple[int | None, ...]
    descriptors: tuple[int, ...]
    container: Mapping[str, int | bytes]


class Program(Record):
    """A whole file: operations by word address, labels, procedures and shaders.

    `labels` name addresses; `encoding` is there for a program read from a file. `compiled`: its places are in a source whose
    lines are several instructions each. `inlined` is for a debugger: by word the functions of such a source, with their
    variables.
    """

    operations: tuple[Operation, ...]
    interfaces: tuple[Interface, ...]
    labels: Mapping[str, int]
    procedures: tuple[Procedure, ...] = ()
    encoding: Encoding | None = None
    compiled: bool = False
    inlined: Sequence[Sequence[Inlined]] = ()

    def with_operation(self, address: int, operation: Operation) -> Program:
        """A copy with one operation replaced, and its word in the encoding dropped.

        Raises IndexError.
        """
        if not 0 <= address < len(self.operations):
            raise IndexError(f"word {address} is outside the program of {len(self.operations)}")
        operations = (*self.operations[:address], operation, *self.operations[address + 1 :])
        encoding = self.encoding
        if encoding is not None:
            encoding = encoding._replace(words=(*encoding.words[:address], None, *encoding.words[address + 1 :]))
        return self._replace(operations=operations, encoding=encoding)
