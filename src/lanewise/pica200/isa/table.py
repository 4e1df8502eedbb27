"""The PICA200 shader unit: registers, formats, instructions, devices.

Source of encodings and opcodes: 3dbrew, GPU/Shader Instruction Set (formats 1 to 5i); MAD and MADI fields as measured
(neobrain/nihstro PR 47, JayFoxRox/3ds-tests mad-encoding).
"""

from __future__ import annotations

from lanewise.core.bits import Field
from lanewise.core.record import TYPE_CHECKING, Record, by_position
from lanewise.core.table import Format, check_formats, check_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Register numbers. Sources and destinations share one space in the words: a source below 0x10 is an input, a destination
# below 0x10 an output. Integers and booleans continue the space in the numbering of the tools.
INPUT, OUTPUT, TEMPORARY, FLOAT, INTEGER, BOOLEAN = 0x00, 0x00, 0x10, 0x20, 0x80, 0x88
REGISTER_END = 0x98

# (letter, first number, how many, may be written, may be read, who writes it)
REGISTER_FILES = (
    ("v", INPUT, 16, False, True, "vertex loader"),
    ("o", OUTPUT, 16, True, False, "shader; o7-o15 only in the vertex unit"),
    ("r", TEMPORARY, 16, True, True, "shader"),
    ("c", FLOAT, 96, False, True, "application, constants of the file"),
    ("i", INTEGER, 4, False, False, "application; read only by LOOP"),
    ("b", BOOLEAN, 16, False, False, "application; read by the ...U instructions; b15 is set after each geometry run"),
)

INDEX_NAMES = ("", "a0.x", "a0.y", "aL")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "6", "7")  # 6 and 7 seem to be always true (3dbrew)
EXCHANGED = (0, 1, 4, 5, 2, 3, 6, 7)  # by comparison, the one that says the same of exchanged operands
CONDITIONS = ("or", "and", "x", "y")
COMPONENTS = "xyzw"
IDENTITY = 0x1B  # the selector .xyzw
RESERVED_BOOLEAN = 15

# Output semantics by number (3dbrew SHBIN; 4 and 9 from libctru shbin.h).
SEMANTICS = ("position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "7", "view", "dummy")

GEOMETRY_MODES = ("point", "variable", "fixed")


# Kinds of instructions: their effect on the program counter, or that they compute.
ARITHMETIC, CONDITIONAL, LOOP, CALL, JUMP, BREAK = "arithmetic", "conditional", "loop", "call", "jump", "break"
END, NOP, EMIT, SETEMIT, WORD = "end", "nop", "emit", "setemit", "word"

# Whether sources 1 and 2 may change places: never; always; unless one is NaN; with mirrored comparison operators.
NO, YES, BUT_NAN, MIRRORED = "no", "yes", "but NaN", "mirrored"


class Op(Record):
    """A row: encoding and operands of an instruction. Its meaning is the function of its base in `sem.meaning`."""

    name: str
    "Mnemonic, in lower case."
    opcode: int
    "Value of the field `opcode` of its format."
    format: Format
    "Fields of the word."
    operands: tuple[str, ...]
    "Operand kinds in the order of the text."
    base: str
    "Instruction of which this row is another encoding (`dphi` of `dph`), or the row's own name."
    kind: str
    "Effect on the program counter, or ARITHMETIC."
    picasso_merge: str
    "Rule by which picasso lets instructions share a descriptor, or empty; the hardware's is `sem.influence.slots_read`."
    commutes: str
    "Sources 1 and 2 may change places: NO, YES, BUT_NAN or MIRRORED."
    writes: tuple[str, ...]
    "Parts of a result: `dst`, `cmp`, `a0`."
    summary: str
    "Effect in a line."
    source: str
    "Source of the encoding and the effect."
    unproven: str = ""
    "Points of the meaning without outside evidence; empty for none."
    widths: tuple[int, ...] = ()
    "Components of each source that count whatever the write mask is, the first ones; empty for rows that differ by it."

    def __reduce__(self) -> tuple[Callable[..., Op], tuple[object, ...]]:
        """A row of the table is that row in another process too: programs ask for some by identity."""
        return (_row, (self.name,)) if _ROWS.get(self.name) is self else (Op._make, ((*self,),))

    @property
    def match(self) -> tuple[int, int]:
        """(mask, value): this row describes the words with `word & mask == value`."""
        field = self.format.field("opcode")
        return field.mask, field.insert(self.opcode)

    @property
    def source_count(self) -> int:
        return self.operands.count("src")

    @property
    def opens_block(self) -> bool:
        """Whether a block of words belongs to the instruction: a conditional or a loop."""
        return "block" in self.operands


class Device(Record):
    """Limits of one shader unit."""

    name: str
    "vertex or geometry."
    code_words: int
    "Most machine words."
    descriptors: int
    "Most operand descriptors."
    mad_descriptors: int
    "Descriptors that mad can name: the first ones."
    outputs: int
    "Number of o registers."
    call_depth: int
    "Calls inside each other."
    if_depth: int
    "Conditionals inside each other."
    loop_depth: int
    "Loops inside each other."
    source: str
    "Source of the limits."


class Isa(Record):
    """An instruction table."""

    name: str
    "Key of the instruction set."
    title: str
    "Name in messages."
    word_bits: int
    "Width of a machine word."
    ops: tuple[Op, ...]
    "Rows, in the order of opcodes."
    unknown: Op
    "Row of words that no other row matches."
    devices: tuple[Device, ...]
    "Limits of the shader units."

    def by_name(self) -> Mapping[str, Op]:
        return {op.name: op for op in self.ops}


# The operand kind without which an instruction cannot be of a kind, and which no other kind has.
_KIND_OPERANDS = {ARITHMETIC: "src", CONDITIONAL: "block", LOOP: "block", CALL: "target", JUMP: "target", SETEMIT: "vertex"}


def check(isa: Isa) -> None:
    """Check that the table is sound. Raises ValueError.

    Every bit of every word has one meaning, no word has two rows, and kinds fit operands.
    """
    check_formats([op.format for op in (*isa.ops, isa.unknown)], isa.word_bits)
    check_rows(isa.ops)
    names = [op.name for op in isa.ops]
    for op in isa.ops:
        if op.base not in names:
            raise ValueError(f"{op.name}: unknown base {op.base}")
        found = {kind for kind in op.operands if kind in _KIND_OPERANDS.values()}
        expected = {_KIND_OPERANDS[op.kind]} if op.kind in _KIND_OPERANDS else set[str]()
        if found != expected or ("int" in op.operands) != (op.kind == LOOP):
            raise ValueError(f"{op.name}: kind {op.kind} does not fit the operands {', '.join(op.operands) or '(none)'}")
        if (op.kind == ARITHMETIC) != bool(op.picasso_merge) or (op.commutes != NO and op.source_count < 2):
            raise ValueError(f"{op.name}: {op.source_count} sources do not fit the other columns")
        if op.widths and len(op.widths) != op.source_count:
            raise ValueError(f"{op.name}: {len(op.widths)} widths for {op.source_count} sources")


def register_name(number: int, *, written: bool = False) -> str:
    """The name of a register, such as `r3` for 0x13. Raises ValueError.

    Numbers below 0x10 are outputs where `written`, otherwise inputs.
    """
    if 0 <= number < TEMPORARY:
        return f"{'o' if written else 'v'}{number}"
    for letter, first, following in (
        ("r", TEMPORARY, FLOAT),
        ("c", FLOAT, INTEGER),
        ("i", INTEGER, BOOLEAN),
        ("b", BOOLEAN, REGISTER_END),
    ):
        if first <= number < following:
            return f"{letter}{number - first}"
    raise ValueError(f"unknown register number {number:#x}")


def selector_text(selector: int) -> str:
    """`xyzw` for 0x1B: component 0 comes first."""
    return "".join(COMPONENTS[(selector >> shift) & 3] for shift in (6, 4, 2, 0))


def mask_text(mask: int) -> str:
    """`xz` for 0b1010: bit 3 is x."""
    return "".join(c for i, c in enumerate(COMPONENTS) if mask & (8 >> i))


def _format(name: str, *fields: Field) -> Format:
    return Format(name, fields)


_DESC = Field("desc", 0, 7)
_OP6 = Field("opcode", 26, 6)
_DST = Field("dst", 21, 5)
_FLOW = (Field("num", 0, 8), Field("unused", 8, 2, reserved=True), Field("dst", 10, 12))

F0 = _format("0", Field("unused", 0, 26, reserved=True), _OP6)
F1 = _format("1", _DESC, Field("src2", 7, 5), Field("src1", 12, 7), Field("idx", 19, 2), _DST, _OP6)
F1I = _format("1i", _DESC, Field("src2", 7, 7), Field("src1", 14, 5), Field("idx", 19, 2), _DST, _OP6)
F1U = _format("1u", _DESC, Field("unused", 7, 5, reserved=True), Field("src1", 12, 7), Field("idx", 19, 2), _DST, _OP6)
F1C = _format(
    "1c",
    _DESC,
    Field("src2", 7, 5),
    Field("src1", 12, 7),
    Field("idx", 19, 2),
    Field("cmpy", 21, 3),
    Field("cmpx", 24, 3),
    Field("opcode", 27, 5),
)
F2 = _format("2", *_FLOW, Field("condop", 22, 2), Field("refy", 24, 1), Field("refx", 25, 1), _OP6)
F3 = _format("3", *_FLOW, Field("reg", 22, 4), _OP6)
F4 = _format(
    "4", Field("unused", 0, 22, reserved=True), Field("winding", 22, 1), Field("primitive", 23, 1), Field("vertex", 24, 2), _OP6
)
F5 = _format(
    "5",
    Field("desc", 0, 5),
    Field("src3", 5, 5),
    Field("src2", 10, 7),
    Field("src1", 17, 5),
    Field("idx", 22, 2),
    Field("dst", 24, 5),
    Field("opcode", 29, 3),
)
F5I = _format(
    "5i",
    Field("desc", 0, 5),
    Field("src3", 5, 7),
    Field("src2", 12, 5),
    Field("src1", 17, 5),
    Field("idx", 22, 2),
    Field("dst", 24, 5),
    Field("opcode", 29, 3),
)
F_UNKNOWN = _format("?", Field("payload", 0, 26), _OP6)
FORMATS = (F0, F1, F1I, F1U, F1C, F2, F3, F4, F5, F5I)

# The source that a format gives 7 bits and the index register; the others are narrow.
WIDE_SOURCE = {"1": 1, "1i": 2, "1u": 1, "1c": 1, "5": 2, "5i": 3}

_D, _S = "dst", "src"
_TWO = (_D, _S, _S)
_ONE = (_D, _S)
_3DB = "3dbrew"
_ROUND = "rounding of results (toward zero here)"
_STACKS = "how the stacks check block ends: 3dbrew's text, no public test program"
_PRECISION = "precision: correctly rounded here, no measured table exists"

_op = by_position(Op)
# Operand kinds: dst src adr cmp cond bool int target block vertex. `merge` is the rule by which picasso shares descriptors
# (_MERGES).
OPS = (
    #   name    code  format operands                       base       kind         merge    commutes  writes
    #   summary                                           source  unproven  widths
    _op("add",     0x00, F1,  _TWO,                          "add",     ARITHMETIC,  "lane",  YES,      ("dst",),
        "dst = src1 + src2, each component",               _3DB, _ROUND),
    _op("dp3",     0x01, F1,  _TWO,                          "dp3",     ARITHMETIC,  "dp3",   YES,      ("dst",),
        "dst = sum of src1.xyz * src2.xyz",                _3DB, _ROUND + "; order of the sum", (3, 3)),
    _op("dp4",     0x02, F1,  _TWO,                          "dp4",     ARITHMETIC,  "all",   YES,      ("dst",),
        "dst = sum of src1.xyzw * src2.xyzw",              _3DB, _ROUND + "; order of the sum", (4, 4)),
    _op("dph",     0x03, F1,  _TWO,                          "dph",     ARITHMETIC,  "dph",   NO,       ("dst",),
        "dst = sum of (src1.xyz, 1) * src2.xyzw",          _3DB, _ROUND + "; order of the sum", (3, 4)),
    _op("dst",     0x04, F1,  _TWO,                          "dst",     ARITHMETIC,  "all",   NO,       ("dst",),
        "dst = (1, src1.y * src2.y, src1.z, src2.w)",      _3DB, "no measured result"),
    _op("ex2",     0x05, F1U, _ONE,                          "ex2",     ARITHMETIC,  "first", NO,       ("dst",),
        "dst = 2 ^ src1.x, in every component",            _3DB, _PRECISION),
    _op("lg2",     0x06, F1U, _ONE,                          "lg2",     ARITHMETIC,  "first", NO,       ("dst",),
        "dst = log2(src1.x), in every component",          _3DB, _PRECISION),
    _op("litp",    0x07, F1U, _ONE,                          "litp",    ARITHMETIC,  "all",   NO,       ("dst", "cmp"),
        "dst = (max(x,0), clamp(y, -127.9961, 127.9961), 0, max(w,0)); cmp.x = x >= 0, cmp.y = w >= 0",
        "Panda3DS tests/PICA_LITP", "NaN; flags under a write mask"),
    _op("mul",     0x08, F1,  _TWO,                          "mul",     ARITHMETIC,  "lane",  YES,      ("dst",),
        "dst = src1 * src2, each component; 0 * inf = 0",  _3DB, _ROUND),
    _op("sge",     0x09, F1,  _TWO,                          "sge",     ARITHMETIC,  "lane",  NO,       ("dst",),
        "dst = src1 >= src2 ? 1 : 0, each component",      _3DB, "subnormal inputs"),
    _op("slt",     0x0A, F1,  _TWO,                          "slt",     ARITHMETIC,  "lane",  NO,       ("dst",),
        "dst = src1 < src2 ? 1 : 0, each component",       _3DB, "subnormal inputs"),
    _op("flr",     0x0B, F1U, _ONE,                          "flr",     ARITHMETIC,  "lane",  NO,       ("dst",),
        "dst = floor(src1), each component",               _3DB, "subnormal inputs"),
    _op("max",     0x0C, F1,  _TWO,                          "max",     ARITHMETIC,  "lane",  BUT_NAN,  ("dst",),
        "dst = src1 > src2 ? src1 : src2, each component", "aroulin/3ds-gpu-tests fp-tests",
        "max(0, -inf): fp-tests say 0, 3dbrew says -inf"),
    _op("min",     0x0D, F1,  _TWO,                          "min",     ARITHMETIC,  "lane",  BUT_NAN,  ("dst",),
        "dst = src1 < src2 ? src1 : src2, each component", "aroulin/3ds-gpu-tests fp-tests", "subnormal inputs"),
    _op("rcp",     0x0E, F1U, _ONE,                          "rcp",     ARITHMETIC,  "first", NO,       ("dst",),
        "dst = 1 / src1.x, in every component",            _3DB, _PRECISION),
    _op("rsq",     0x0F, F1U, _ONE,                          "rsq",     ARITHMETIC,  "first", NO,       ("dst",),
        "dst = 1 / sqrt(src1.x), in every component",      _3DB, _PRECISION),
    _op("mova",    0x12, F1U, ("adr", _S),                   "mova",    ARITHMETIC,  "mova",  NO,       ("a0",),
        "a0.xy = src1.xy, truncated to integers",          _3DB, "negative fractions"),
    _op("mov",     0x13, F1U, _ONE,                          "mov",     ARITHMETIC,  "lane",  NO,       ("dst",),
        "dst = src1, each component",                      _3DB, "subnormal inputs"),
    _op("dphi",    0x18, F1I, _TWO,                          "dph",     ARITHMETIC,  "dph",   NO,       ("dst",),
        "dph with a wide src2",                            _3DB, _ROUND + "; order of the sum", (3, 4)),
    _op("dsti",    0x19, F1I, _TWO,                          "dst",     ARITHMETIC,  "all",   NO,       ("dst",),
        "dst with a wide src2",                            _3DB, "no measured result"),
    _op("sgei",    0x1A, F1I, _TWO,                          "sge",     ARITHMETIC,  "lane",  NO,       ("dst",),
        "sge with a wide src2",                            _3DB, "subnormal inputs"),
    _op("slti",    0x1B, F1I, _TWO,                          "slt",     ARITHMETIC,  "lane",  NO,       ("dst",),
        "slt with a wide src2",                            _3DB, "subnormal inputs"),
    _op("break",   0x20, F0,  (),                            "break",   BREAK,       "",      NO,       (),
        "leave the innermost loop",                        _3DB, "whether aL takes its step"),
    _op("nop",     0x21, F0,  (),                            "nop",     NOP,         "",      NO,       (),
        "nothing",                                         _3DB),
    _op("end",     0x22, F0,  (),                            "end",     END,         "",      NO,       (),
        "this vertex or primitive is done",                _3DB),
    _op("breakc",  0x23, F2,  ("cond",),                     "breakc",  BREAK,       "",      NO,       (),
        "leave the innermost loop if the condition holds", _3DB, "whether aL takes its step"),
    _op("call",    0x24, F2,  ("target",),                   "call",    CALL,        "",      NO,       (),
        "run NUM instructions at DST, then come back",     _3DB, _STACKS),
    _op("callc",   0x25, F2,  ("cond", "target"),            "callc",   CALL,        "",      NO,       (),
        "call if the condition holds",                     _3DB, _STACKS),
    _op("callu",   0x26, F3,  ("bool", "target"),            "callu",   CALL,        "",      NO,       (),
        "call if the boolean is set",                      _3DB, _STACKS),
    _op("ifu",     0x27, F3,  ("bool", "block"),             "ifu",     CONDITIONAL, "",      NO,       (),
        "run up to DST and skip NUM words, or jump to DST", _3DB, _STACKS),
    _op("ifc",     0x28, F2,  ("cond", "block"),             "ifc",     CONDITIONAL, "",      NO,       (),
        "run up to DST and skip NUM words, or jump to DST", _3DB, _STACKS),
    _op("for",     0x29, F3,  ("int", "block"),              "for",     LOOP,        "",      NO,       (),
        "run up to and with DST int.x + 1 times; aL = int.y, then += int.z", _3DB, "width of aL; aL after a nested loop"),
    _op("emit",    0x2A, F0,  (),                            "emit",    EMIT,        "",      NO,       (),
        "hand over the outputs as vertex VTXID",           _3DB, "size of the vertex buffer"),
    _op("setemit", 0x2B, F4,  ("vertex",),                   "setemit", SETEMIT,     "",      NO,       (),
        "say what the next emit does",                     _3DB),
    _op("jmpc",    0x2C, F2,  ("cond", "target"),            "jmpc",    JUMP,        "",      NO,       (),
        "jump if the condition holds",                     _3DB, _STACKS),
    _op("jmpu",    0x2D, F3,  ("bool", "target"),            "jmpu",    JUMP,        "",      NO,       (),
        "jump if the boolean is set (NUM bit 0: is clear)", _3DB, _STACKS),
    _op("cmp",     0x17, F1C, (_S, "cmp", "cmp", _S),        "cmp",     ARITHMETIC,  "cmp",   MIRRORED, ("cmp",),
        "cmp.x = src1.x OPX src2.x, cmp.y = src1.y OPY src2.y", _3DB, "operators 6 and 7", (2, 2)),
    _op("madi",    0x06, F5I, (_D, _S, _S, _S),              "mad",     ARITHMETIC,  "lane",  YES,      ("dst",),
        "mad with a wide src3",                            "nihstro PR 47", _ROUND),
    _op("mad",     0x07, F5,  (_D, _S, _S, _S),              "mad",     ARITHMETIC,  "lane",  YES,      ("dst",),
        "dst = src1 * src2 + src3, each component, rounded twice", "nihstro PR 47", _ROUND),
)  # fmt: skip

UNKNOWN = Op(
    name=".word",
    opcode=0,
    format=F_UNKNOWN,
    operands=("word",),
    base=".word",
    kind=WORD,
    picasso_merge="",
    commutes=NO,
    writes=(),
    summary="a word that no known instruction has",
    source="nobody documents opcodes 10 11 14-17 1C-1F",
)

_device = by_position(Device)
DEVICES = (
    #        name        words  descs  mad  outputs  call  if  loop
    _device("vertex",     512,   128,   32,   16,     4,   8,   4,
            "GBATEK: ENTRYPOINT of the vertex unit has 9 writable bits; 3dbrew (Ironfall strings): 512, 128"),
    _device("geometry",  4096,   128,   32,    7,     4,   8,   4,
            "GBATEK: ENTRYPOINT of the geometry unit has 12 writable bits; citra PR 2695"),
)  # fmt: skip

PICA200 = Isa(
    name="pica200", title="PICA200 shader unit (Nintendo 3DS)", word_bits=32, ops=OPS, unknown=UNKNOWN, devices=DEVICES
)
BY_NAME = PICA200.by_name()
_ROWS = {UNKNOWN.name: UNKNOWN, **BY_NAME}
# The rows of placeholders for what is unknown, for what computes, and of a misspelt last instruction.
NO_OPERATION, COMPUTATION, LAST = BY_NAME["nop"], BY_NAME["mov"], BY_NAME["end"]
VERTEX, GEOMETRY = DEVICES

NUM_MAX = 0xFF  # NUM has 8 bits: the else part and the target of a call have at most 255 words
TARGET_MAX = 0xFFF


class Descriptor:
    """Fields of an operand descriptor. Source: 3dbrew, Operand descriptors."""

    MASK = Field("mask", 0, 4)
    NEGATE = (Field("neg1", 4, 1), Field("neg2", 13, 1), Field("neg3", 22, 1))
    SELECTOR = (Field("sel1", 5, 8), Field("sel2", 14, 8), Field("sel3", 23, 8))
    UNUSED = Field("unused", 31, 1, reserved=True)
    FIELDS = (MASK, *NEGATE, *SELECTOR, UNUSED)


def _lane_slots(mask: int) -> int:
    """The selector bits of the components that a write mask enables: mask bit 3 (x) keeps selector bits 7-6."""
    return sum(3 << (2 * bit) for bit in range(4) if mask & (1 << bit))


FIRST_SLOT = "first"  # the rule of instructions that read the first slot of their source only
# The selector bits of sources 1 to 3 that two instructions must agree on to share a descriptor in picasso, by rule. None: those
# of the components that the write mask enables. Source: conformance rule 27. The hardware ignores more of them (cmp, dst,
# litp).
_MERGES: Mapping[str, tuple[int | None, int | None, int | None]] = {
    "all":   (0xFF, 0xFF, 0xFF),
    "lane":  (None, None, None),
    "dp3":   (0xFC, 0xFC, 0),
    "dph":   (0xFC, 0xFF, 0),
    FIRST_SLOT: (0xC0, 0, 0),
    "mova":  (None, 0, 0),
    "cmp":   (0xF0, 0xFF, 0),
}  # fmt: skip


def _merge_bits(op: Op, mask: int) -> int:
    if not op.picasso_merge:
        return 0
    bits = Descriptor.MASK.mask if "cmp" not in op.operands else 0
    lanes = _lane_slots(mask & 0b1100 if "adr" in op.operands else mask)
    for i, slots in enumerate(_MERGES[op.picasso_merge][: op.source_count]):
        bits |= Descriptor.NEGATE[i].mask | Descriptor.SELECTOR[i].insert(lanes if slots is None else slots)
    return bits


_MERGE_BITS: dict[tuple[str, int], int] = {}


def merge_bits(op: Op, mask: int) -> int:
    """The descriptor bits that picasso counts as used under a write mask."""
    key = op.name, mask
    bits = _MERGE_BITS.get(key)
    if bits is None:
        bits = _MERGE_BITS[key] = _merge_bits(op, mask)
    return bits


def _row(name: str) -> Op:
    return _ROWS[name]
