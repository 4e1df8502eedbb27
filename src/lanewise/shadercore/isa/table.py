"""The ShaderCore instruction table, word format and codec.

Strictly scalar: an instruction writes one component of one register in all 16 lanes of a wave. Sources: the specification
(Shader ISA) for names, latencies and pipes; for the word and for what the public hardware does code-tom-code/FPGAGPUTesting,
DeviceShaderBytecode.h:5-40,205-232 and ShaderCore.vhd:254-288,348-398,520-536.
"""

from __future__ import annotations

from lanewise.core.bits import Field
from lanewise.core.record import TYPE_CHECKING, Record, by_position
from lanewise.core.table import Format, check_formats, check_rows

if TYPE_CHECKING:
    from collections.abc import Callable

NAME, TITLE = "shadercore", "ShaderCore, 16 lanes in waves of four quads"
WORD_BITS = 64
SLOTS = 512  # the instruction pointer has 9 bits (ShaderCore.vhd:67); the public driver stops at 511 (CompileShader.cpp:3148)
LANES, QUADS = 16, 4
COMPONENTS = "xyzw"
OPCODE_BITS, MOST_OPCODE = 5, 2047  # the word of the table has 5 bits; devices that add instructions have 6 more, bits 58-63

FORMAT = Format(
    "scalar",
    (
        Field("opcode", 0, 5),
        Field("saturate", 5, 1),
        Field("file", 6, 2),
        Field("number", 8, 3),
        Field("component", 11, 2),
        Field("a_modifier", 13, 2),
        Field("a_file", 15, 3),
        Field("a_number", 18, 8),
        Field("a_component", 26, 2),
        Field("b_modifier", 28, 2),
        Field("b_file", 30, 3),
        Field("b_number", 33, 8),
        Field("b_component", 41, 2),
        Field("unused", 43, 21, reserved=True),
    ),
)

# Files of destinations and of sources have numbers of their own: x is 1 as a destination and 3 as a source.
DEST_FILES = ("r", "x", "o", "NULL")
SOURCE_FILES = ("r", "v", "c", "x", "o", "0", "1", "-1")
NULL_FILE = 3
R, V, C, X, O, ZERO, ONE, MINUS_ONE = range(8)  # noqa: E741 - the letters of the register files
NONE, NEGATE, ABS, NEG_ABS = range(4)


class RegisterFile(Record):
    """A file of registers, or a constant in the place of one."""

    name: str
    "The name before the number of a register; the whole name of a constant and of NULL."
    size: int
    "How many registers there are."
    readable: bool
    "Instructions may read it."
    writable: bool
    "Instructions may write it."
    holds: str
    "The contents, in words."


_register_file = by_position(RegisterFile)
REGISTER_FILES = (
    _register_file("r",    8,   True,  True,  "temporaries"),
    _register_file("v",    8,   True,  False, "inputs, from the vertex streams"),
    _register_file("c",    256, True,  False, "constants, the same for all lanes, from the command processor"),
    _register_file("x",    8,   True,  True,  "special registers; more temporaries"),
    _register_file("o",    8,   True,  True,  "outputs"),
    _register_file("0",    1,   True,  False, "0.0, 0x00000000"),
    _register_file("1",    1,   True,  False, "1.0, 0x3F800000"),
    _register_file("-1",   1,   True,  False, "-1.0, 0xBF800000 (the specification prints 0xCF800000)"),
    _register_file("NULL", 1,   False, True,  "nothing: what is written to it is dropped"),
)  # fmt: skip
FILES = {row.name: row for row in REGISTER_FILES}


SPEC = "SPEC"  # reciprocals and roots
PIPES = ("CMP", "ADD", "MUL", SPEC, "CNV", "SHFT", "BIT", "NONE")


class Op(Record):
    """One row: an instruction. The word has room for one destination and two sources, whatever the instruction has."""

    name: str
    "The mnemonic in lower case."
    opcode: int
    "Bits 0 to 4 of the word, which is also the number of the row; of an instruction that a device adds bits 58 to 63 too."
    latency: int
    "Cycles to the result by the specification; 0 where it says NotImpl. A device has its own (`isa.devices`)."
    rtl_latency: int
    "Cycles to the result on the public hardware. A device has its own (`isa.devices`)."
    pipe: str
    "The unit that computes it, one of `PIPES`. A device has its own (`isa.devices`)."
    built: bool
    "The public hardware has a unit for it (SC:520-536,833)."
    sources: int
    "How many sources it has by the specification."
    dests: int
    "How many destinations it has by the specification."
    operation: str
    "One of `sem.algebra.OPERATIONS`, or a text of `sem.expressions`; empty with a destination: it copies its source."
    immediate: int
    "The number that the operation takes; 0: it takes none."
    aliases: tuple[str, ...]
    "Names that other tools give it."
    summary: str
    "The result in terms of the sources a and b."

    def __reduce__(self) -> tuple[Callable[..., Op], tuple[object, ...]]:
        """A row of the table is that row in another process too: programs ask for some by identity."""
        return (_row, (self.name,)) if BY_NAME.get(self.name) is self else (Op._make, ((*self,),))

    @property
    def format(self) -> Format:
        return FORMAT

    @property
    def match(self) -> tuple[int, int]:
        """(mask, value): the words that this row describes are those with `word & mask == value`."""
        field = FORMAT.fields[0]
        return field.mask, field.insert(self.opcode)


_op = by_position(Op)
OPS = (
    #   name          code lat rtl  pipe    built  s  d  operation         n  aliases              summary
    _op("nop",           0,  1,  1, "NONE", True,  0, 0, "",               0, (),                  "nothing"),
    _op("mov",           1,  1,  1, "CMP",  True,  1, 1, "",               0, (),                  "a"),
    _op("add",           2,  4,  4, "ADD",  True,  2, 1, "add",            0, (),                  "a + b"),
    _op("mul",           3,  5,  5, "MUL",  True,  2, 1, "mul",            0, (),                  "a * b"),
    _op("min",           4,  1,  1, "CMP",  True,  2, 1, "min",            0, (),                  "the lesser of a and b"),
    _op("max",           5,  1,  1, "CMP",  True,  2, 1, "max",            0, (),                  "the greater of a and b"),
    _op("rcp",           6, 14, 14, SPEC,   True,  1, 1, "rcp",            0, (),                  "1 / a"),
    _op("frc",           7,  3,  3, "CNV",  True,  1, 1, "fraction",       0, (),                  "a - floor(a)"),
    _op("exp",           8,  0,  1, SPEC,   False, 1, 1, "exp2",           0, ("expp",),           "2 ^ a"),
    _op("log",           9,  0,  1, SPEC,   False, 1, 1, "log2",           0, ("logp",),           "log2(a)"),
    _op("rsq",          10,  0, 14, SPEC,   True,  1, 1, "rsq",            0, (),                  "1 / sqrt(a)"),
    _op("slt",          11,  1,  1, "CMP",  True,  2, 1, "less",           0, (),                  "1.0 if a < b, else 0.0"),
    _op("sge",          12,  1,  1, "CMP",  True,  2, 1, "at_least",       0, (),                  "1.0 if a >= b, else 0.0"),
    _op("sgn",          13,  1,  1, "CMP",  True,  1, 1, "sign",           0, (),
        "1.0, -1.0, or 0.0 for zero: the sign of a"),
    _op("unused",       14,  0,  1, "NONE", False, 0, 0, "",               0, ("unused14",),
        "an opcode without a meaning"),
    _op("rnd_sint23ne", 15,  3,  3, "CNV",  True,  1, 1, "round23",        0, ("rnd_uint24ne",),
        "a rounded, as an integer of 23 bits and sign, which is not a float32"),
    _op("rnd_sint16ne", 16,  3,  3, "CNV",  True,  1, 1, "round16",        0, (),
        "a rounded, as an integer of 16 bits, sign included, which is not a float32"),
    _op("cnv_unorm16",  17,  3,  3, "CNV",  True,  1, 1, "unorm",         16, ("cvt_unorm16",),
        "a, from 0.0 to 1.0, as 16 bits"),
    _op("cnv_unorm8",   18,  3,  3, "CNV",  True,  1, 1, "unorm",          8, ("cvt_unorm8",),
        "a, from 0.0 to 1.0, as 8 bits"),
    _op("shft",         19,  1,  1, "SHFT", True,  1, 1, "scale",          1, (),
        "a * 2: no field selects another factor"),
    _op("bshftl8",      20,  1,  1, "BIT",  True,  1, 1, "shift_left",     8, ("bshft_l8",),       "a << 8"),
    _op("bshftl16",     21,  1,  1, "BIT",  True,  1, 1, "shift_left",    16, ("bshft_l16",),      "a << 16"),
    _op("bshftl24",     22,  1,  1, "BIT",  True,  1, 1, "shift_left",    24, ("bshft_l24",),      "a << 24"),
    _op("bshftr8",      23,  1,  1, "BIT",  True,  1, 1, "shift_right",    8, ("bshft_r8",),       "a >> 8, zeros shifted in"),
    _op("bshftr16",     24,  1,  1, "BIT",  True,  1, 1, "shift_right",   16, ("bshft_r16",),      "a >> 16, zeros shifted in"),
    _op("bshftr24",     25,  1,  1, "BIT",  True,  1, 1, "shift_right",   24, ("bshft_r24",),      "a >> 24, zeros shifted in"),
    _op("or",           26,  1,  1, "BIT",  True,  2, 1, "bit_or",         0, (),                  "a | b, bit by bit"),
    _op("and",          27,  1,  1, "BIT",  True,  2, 1, "bit_and",        0, (),                  "a & b, bit by bit"),
    _op("cnv_f_to_half",28,  3,  3, "CNV",  True,  1, 1, "to_half",        0, ("cvt_f_to_half",),
        "a as float16, in the low 16 bits"),
    _op("cnv_half_to_f",29,  3,  3, "CNV",  True,  1, 1, "from_half",      0, ("cvt_half_to_f",),
        "the float16 in the low 16 bits of a, as float32"),
    _op("cnv_u32_to_f", 30,  3,  3, "CNV",  True,  1, 1, "from_unsigned",  0, ("cvt_u32_to_f",),
        "the unsigned integer a as float32"),
    _op("end",          31,  1,  1, "NONE", True,  0, 0, "",               0, (),
        "the end; waits for all writes"),
)  # fmt: skip

BY_NAME = {name: op for op in OPS for name in (op.name, *op.aliases)}
NOP, END = OPS[0], OPS[31]
# Instructions that take a float32 and give an integer, or a float16, in the low bits.
SMALLEST = 0x00800000  # of the patterns of positive float32 numbers: those below are of subnormal numbers, and of 0
LOW_BITS: tuple[str, ...] = ("rnd_sint23ne", "rnd_sint16ne", "cnv_unorm16", "cnv_unorm8", "cnv_f_to_half")


def check_table(rows: tuple[Op, ...] = OPS, form: Format = FORMAT) -> None:
    """Raise ValueError unless the table is sound: all bits accounted for, a row for each opcode, in order, no name twice."""
    check_formats([form], WORD_BITS)
    check_rows(rows)
    names = [name for op in rows for name in (op.name, *op.aliases)]
    if len(set(names)) != len(names):
        raise ValueError("two rows have one name")
    for opcode, op in enumerate(rows):
        if op.opcode != opcode:
            raise ValueError(f"{op.name} has opcode {op.opcode} but is row {opcode}")
        if op.pipe not in PIPES or not 0 <= op.sources <= 2 or op.dests not in (0, 1) or op.rtl_latency < 1:
            raise ValueError(f"{op.name}: impossible pipe, operands or latency")
        if bool(op.operation) > bool(op.dests) or bool(op.immediate) > bool(op.operation):
            raise ValueError(f"{op.name}: an operation needs a destination, and a number an operation")
    computed = [(op.operation, op.immediate) for op in rows if op.operation]
    if len(set(computed)) != len(computed):
        raise ValueError("two rows have one operation")
    if len(rows) != 1 << form.field("opcode").width:
        raise ValueError(f"{len(rows)} rows for {1 << form.field('opcode').width} opcodes")
    for files, field in ((DEST_FILES, "file"), (SOURCE_FILES, "a_file"), (SOURCE_FILES, "b_file")):
        if len(files) != 1 << form.field(field).width or not set(files) <= FILES.keys():
            raise ValueError(f"{field} does not name the register files")


def _row(name: str) -> Op:
    return BY_NAME[name]
