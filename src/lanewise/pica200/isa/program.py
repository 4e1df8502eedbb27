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
    """An instruction with resolved operands.

    An unknown word, or one that must be kept unchanged, is the row `.word` with the word as its operand.
    """

    op: Op
    "Plain instruction, never an inverted form: the encoder chooses that."
    operands: tuple[Operand, ...] = ()
    "In the order of `op.operands`."
    descriptor: int = -1
    "Pinned number of the operand descriptor; -1: the encoder chooses."
    span: Span | None = None
    "Place in a source; None for a program read from a file."
    damaged: bool = False
    "It stands for a statement with errors: its word has a place and perhaps a row, its effect is unknown."


class Procedure(Record):
    """A named run of words that CALL can run: `size` words from `start`."""

    name: str
    start: int
    size: int


class Uniform(Record):
    """A name for inputs (v) or uniforms (c, i, b). Numbers are those of the common register space."""

    name: str
    "Name in sources."
    first: int
    "First register."
    last: int
    "Last register; the same for one."
    symbol: bytes | None = None
    "Name in the file where it differs from `name`."
    span: Span | None = None
    "Declaration in a source; None for a program read from a file."

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def own_name(self) -> str:
        """The name in the file: what the application knows it by, whatever the source has to write."""
        return self.name.replace("$", ".") if self.symbol is None else self.symbol.decode("latin-1")


class Output(Record):
    """An output register wired to a semantic."""

    semantic: int
    "Index of `isa.table.SEMANTICS`."
    register: int
    "Number of the o register."
    mask: int = 0xF
    "Components, x in bit 0 (as in an SHBIN)."
    name: str = ""
    "Name in the source; empty for a program read from a file."
    span: Span | None = None
    "Declaration in a source; None for a program read from a file."


class Constant(Record):
    """A value preset by the file.

    Four float24 words for a c register, four bytes for an i, one 0 or 1 for a b.
    """

    register: int
    values: tuple[int, ...]


class Alias(Record):
    """A name that only a source has for a register: `.alias ones c95.yyyy`."""

    name: str
    "Name in the source."
    register: int
    "Number as in `Uniform`, of an output as in `Dest`."
    size: int = 0
    "Number of registers; 0 where the source does not say."
    selector: int = IDENTITY
    "Swizzle of the name, as in a descriptor."
    negate: bool = False
    "The name means the negated value."
    written: bool = False
    "The register is an output."

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


class Preamble(Record):
    """A function that computes uniforms of a shader from others before a draw: work that is the same for all vertices."""

    text: str
    "A function in SSA form, whose results are components of rows in order: `row0.x`, `row0.y`, ..."
    register: int
    "First register that it computes."
    exact: bool = False
    "Numbers are float24 words, as on the hardware; otherwise float32, rounded once at the end."


class Interface(Record):
    """One shader of a program."""

    name: str
    "Name in messages; unique in its program."
    geometry: bool = False
    "It is a geometry shader."
    entry: int = 0
    "Address of the first instruction."
    entry_end: int = 0
    "Address after the entry procedure."
    inputs: tuple[Uniform, ...] = ()
    "Names of v registers."
    uniforms: tuple[Uniform, ...] = ()
    "Names of c, i and b registers."
    outputs: tuple[Output, ...] = ()
    "Wired outputs in the order of the file."
    constants: tuple[Constant, ...] = ()
    "Registers that the file presets."
    input_mask: int = 0
    "Bit n is set for v register n."
    output_mask: int = 0
    "Bit n is set for o register n."
    geometry_mode: int = 0
    "Index of `isa.table.GEOMETRY_MODES`: 0 point, 1 variable, 2 fixed."
    array_start: int = 0
    "Number of the first c register of the vertex array."
    vertex_count: int = 0
    "Vertices of a primitive (fixed), or the fully defined ones (variable)."
    merge_outputs: bool = False
    "Outputs of both stages share the table of the rasterizer."
    declared: tuple[Uniform, ...] = ()
    "Inputs and uniforms together in the order of the source or file; empty where it is not known."
    private: tuple[Uniform, ...] = ()
    "Names of constants, which no file lists."
    aliases: tuple[Alias, ...] = ()
    "Names of any register, which no file lists."
    stripped: bool = False
    "Names of inputs and uniforms are numbers by a compiler, which mean the same in no other program."
    input_registers: tuple[int, ...] = ()
    "Input register of each input of a geometry shader in point mode, as an application sets them; empty for v0, v1, ..."
    preamble: Preamble | None = None
    "What computes the registers of `isa.uniforms.PREAMBLE`; None for a file without, or one whose preamble is not at hand."


class Encoding(Record):
    """Encoding of a file: machine words, descriptor table, fields of the container.

    `words[n]` is None where operation n has been edited since. `container` maps keys of `container.flat.flatten` to values.
    """

    words: tuple[int | None, ...]
    descriptors: tuple[int, ...]
    container: Mapping[str, int | bytes]


class Program(Record):
    """A whole file: operations, labels, procedures and shaders."""

    operations: tuple[Operation, ...]
    "By word address, from 0."
    interfaces: tuple[Interface, ...]
    "Shaders in the order of the file."
    labels: Mapping[str, int]
    "Address of each name."
    procedures: tuple[Procedure, ...] = ()
    "Runs of words that CALL can run."
    encoding: Encoding | None = None
    "Words and descriptors of the file; None for a program of a source."
    compiled: bool = False
    "Places are in a source whose lines are several instructions each."
    inlined: Sequence[Sequence[Inlined]] = ()
    "By address the functions of the compiled source that are active there, with their variables; for a debugger."

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
