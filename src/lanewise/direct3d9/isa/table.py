"""Direct3D 9 shader bytecode: versions, register files, modifiers, the instruction table.

vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0, with the `_x` and `_sw` forms. Sources: Microsoft's reference for the Direct3D 9 assembly
languages and the token format of the driver kit ([D] below), measurements ([M], [W]) as collected in reference/direct3d9.md 3.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME, TITLE = "direct3d9", "Direct3D 9 vertex and pixel shaders"
COMPONENTS = "xyzw"
VERTEX, PIXEL = "vs", "ps"
_X, _SOFTWARE = 1, 255  # minor versions: 2_x, and the software forms 2_sw and 3_sw


class Version(Record):
    """`vs` or `ps` with its numbers. `token` is the first word of a stream; versions of one kind compare by `order`."""

    kind: str
    major: int
    minor: int

    @property
    def token(self) -> int:
        return (0xFFFE0000 if self.kind == VERTEX else 0xFFFF0000) | self.major << 8 | self.minor

    @property
    def order(self) -> tuple[int, int]:
        return self.major, self.minor

    @property
    def software(self) -> bool:
        return self.minor == _SOFTWARE

    @property
    def name(self) -> str:
        """`vs_2_x`, `ps_3_sw`, `vs_1_1`; a version that nobody has defined by its numbers."""
        minor = "sw" if self.software else "x" if (self.major, self.minor) == (2, _X) else str(self.minor)
        return f"{self.kind}_{self.major}_{minor}"


_MINORS = {VERTEX: ((1, 0), (1, 1), (2, 0), (2, 1), (2, 255), (3, 0), (3, 255)),
           PIXEL: ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), (2, 1), (2, 255), (3, 0), (3, 255))}  # fmt: skip
VERSIONS = tuple(Version(kind, *numbers) for kind, rows in _MINORS.items() for numbers in rows)
BY_TOKEN: Mapping[int, Version] = {version.token: version for version in VERSIONS}
# 2_a and 2_b are profiles of 2_x: what a compiler may count on, the same token.
BY_VERSION_NAME: Mapping[str, Version] = {version.name: version for version in VERSIONS} | {
    "vs_2_a": Version(VERTEX, 2, _X), "ps_2_a": Version(PIXEL, 2, _X), "ps_2_b": Version(PIXEL, 2, _X),
}  # fmt: skip


def find_version(text: str) -> Version | None:
    """`vs_2_0`, `vs.2.0`, in any case; None for what is no version."""
    return BY_VERSION_NAME.get(text.lower().replace(".", "_"))


# Register files by the number in a token: bits 30:28 are its bits 2:0, bits 12:11 its bits 4:3.
(TEMP, INPUT, CONST, ADDR, RASTOUT, ATTROUT, TEXCRDOUT, CONSTINT, COLOROUT, DEPTHOUT, SAMPLER, CONST2, CONST3, CONST4,
 CONSTBOOL, LOOP, TEMPFLOAT16, MISC, LABEL, PREDICATE) = range(20)  # fmt: skip
TEXTURE, OUTPUT = ADDR, TEXCRDOUT  # a0 is t# in pixel shaders; oT# is o# in vs_3_0

RASTOUT_NAMES = ("oPos", "oFog", "oPts")
MISC_NAMES = ("vPos", "vFace")
# The prefix of a register's name; rastout and misc registers have names of their own.
_PREFIXES = ("r", "v", "c", "a", "", "oD", "oT", "i", "oC", "oDepth", "s", "c", "c", "c", "b", "aL", "r", "", "l", "p")
_ALONE = (DEPTHOUT, LOOP)  # files of one register, which is written without a number


def register_name(version: Version, file: int, number: int) -> str | None:
    """`r0`, `oPos`, `c2049`; None for a register that has no name: a file or number that does not exist."""
    if file in (RASTOUT, MISC):
        names = RASTOUT_NAMES if file == RASTOUT else MISC_NAMES
        return names[number] if number < len(names) else None
    if file >= len(_PREFIXES) or file == TEMPFLOAT16:
        return None
    if file == ADDR and version.kind == PIXEL:
        return f"t{number}"
    if file == TEXCRDOUT and version.major >= 3:
        return f"o{number}"
    if file in _ALONE:
        return _PREFIXES[file] if number == 0 else None
    return f"{_PREFIXES[file]}{number + constant_base(file)}"


def constant_base(file: int) -> int:
    """What is added to the number of c#: the software forms have four files of 2,048 constants."""
    return {CONST2: 2048, CONST3: 4096, CONST4: 6144}.get(file, 0)


# Source modifiers, bits 27:24 of a source.
(NONE, NEGATE, BIAS, BIAS_NEGATE, SIGN, SIGN_NEGATE, COMPLEMENT, X2, X2_NEGATE, DZ, DW, ABS, ABS_NEGATE, NOT) = range(14)
IDENTITY = 0xE4  # the swizzle xyzw
ALL = 0xF  # the mask xyzw
# Destination modifiers, bits 23:20.
SATURATE, PARTIAL, CENTROID = 1, 2, 4

# Comparisons, the control of ifc, breakc, setp.
GT, EQ, GE, LT, NE, LE = range(1, 7)
COMPARISONS = ("", "gt", "eq", "ge", "lt", "ne", "le", "")

USAGES = ("position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent", "binormal", "tessfactor",
          "positiont", "color", "fog", "depth", "sample")  # fmt: skip
SAMPLER_TYPES = ("unknown", "1d", "2d", "cube", "volume")
TEXLD, TEXLDP, TEXLDB = range(3)  # the control of opcode 66 from ps_2_0 on

# Roles of instructions: what a reader must know of them besides their operands.
ARITHMETIC, TEXTURING, DECLARATION, DEFINITION, FLOW, MARK = (
    "arithmetic",
    "texture",
    "declaration",
    "definition",
    "flow",
    "mark",
)


class Op(Record):
    """One row. `dest`: the first operand is a destination; `sources` counts the source operands, `payload` words after them that are no
    operands (the numbers of a def; a dcl's usage stands before its destination). `vs` and `ps` are the first version that has the
    instruction and the last (empty: it stayed), None where none has. `scalar`: each source is one component (rcp, pow). `reads`: the
    components of each source that are read, `mask`: those of the destination; empty where reading and writing go component by
    component. `rows` is how many constants following the last source a matrix takes.
    """

    name: str
    opcode: int
    role: str
    dest: bool
    sources: int
    vs: tuple[str, str] | None
    ps: tuple[str, str] | None
    payload: int = 0
    scalar: bool = False
    reads: tuple[str, ...] = ()
    rows: int = 0


_ALWAYS, _2, _2X, _3 = ("1_0", ""), ("2_0", ""), ("2_x", ""), ("3_0", "")
_OLD, _13, _123 = ("1_0", "1_4"), ("1_0", "1_3"), ("1_2", "1_3")

OPS = (
    #  name        code role         dest  n  vs            ps            payload, scalar, reads, rows
    Op("nop",          0, ARITHMETIC, False, 0, _ALWAYS,     _ALWAYS),
    Op("mov",          1, ARITHMETIC, True,  1, _ALWAYS,     _ALWAYS),
    Op("add",          2, ARITHMETIC, True,  2, _ALWAYS,     _ALWAYS),
    Op("sub",          3, ARITHMETIC, True,  2, _ALWAYS,     _ALWAYS),
    Op("mad",          4, ARITHMETIC, True,  3, _ALWAYS,     _ALWAYS),
    Op("mul",          5, ARITHMETIC, True,  2, _ALWAYS,     _ALWAYS),
    Op("rcp",          6, ARITHMETIC, True,  1, _ALWAYS,     _2, scalar=True),
    Op("rsq",          7, ARITHMETIC, True,  1, _ALWAYS,     _2, scalar=True),
    Op("dp3",          8, ARITHMETIC, True,  2, _ALWAYS,     _ALWAYS, reads=("xyz", "xyz")),
    Op("dp4",          9, ARITHMETIC, True,  2, _ALWAYS,     ("1_2", ""), reads=("xyzw", "xyzw")),
    Op("min",         10, ARITHMETIC, True,  2, _ALWAYS,     _2),
    Op("max",         11, ARITHMETIC, True,  2, _ALWAYS,     _2),
    Op("slt",         12, ARITHMETIC, True,  2, _ALWAYS,     None),
    Op("sge",         13, ARITHMETIC, True,  2, _ALWAYS,     None),
    Op("exp",         14, ARITHMETIC, True,  1, _ALWAYS,     _2, scalar=True),
    Op("log",         15, ARITHMETIC, True,  1, _ALWAYS,     _2, scalar=True),
    Op("lit",         16, ARITHMETIC, True,  1, _ALWAYS,     None, reads=("xyw",)),
    Op("dst",         17, ARITHMETIC, True,  2, _ALWAYS,     None, reads=("yz", "yw")),
    Op("lrp",         18, ARITHMETIC, True,  3, _2,          _ALWAYS),
    Op("frc",         19, ARITHMETIC, True,  1, _ALWAYS,     _2),
    Op("m4x4",        20, ARITHMETIC, True,  2, _ALWAYS,     _2, reads=("xyzw", "xyzw"), rows=4),
    Op("m4x3",        21, ARITHMETIC, True,  2, _ALWAYS,     _2, reads=("xyzw", "xyzw"), rows=3),
    Op("m3x4",        22, ARITHMETIC, True,  2, _ALWAYS,     _2, reads=("xyz", "xyz"), rows=4),
    Op("m3x3",        23, ARITHMETIC, True,  2, _ALWAYS,     _2, reads=("xyz", "xyz"), rows=3),
    Op("m3x2",        24, ARITHMETIC, True,  2, _ALWAYS,     _2, reads=("xyz", "xyz"), rows=2),
    Op("call",        25, FLOW,       False, 1, _2,          _2X),
    Op("callnz",      26, FLOW,       False, 2, _2,          _2X),
    Op("loop",        27, FLOW,       False, 2, _2,          _3),
    Op("ret",         28, FLOW,       False, 0, _2,          _2X),
    Op("endloop",     29, FLOW,       False, 0, _2,          _3),
    Op("label",       30, FLOW,       False, 1, _2,          _2X),
    Op("dcl",         31, DECLARATION, True, 0, _ALWAYS,     _2, payload=1),
    Op("pow",         32, ARITHMETIC, True,  2, _2,          _2, scalar=True),
    Op("crs",         33, ARITHMETIC, True,  2, _2,          _2, reads=("xyz", "xyz")),
    Op("sgn",         34, ARITHMETIC, True,  3, _2,          None),
    Op("abs",         35, ARITHMETIC, True,  1, _2,          _2),
    Op("nrm",         36, ARITHMETIC, True,  1, _2,          _2, reads=("xyzw",)),
    Op("sincos",      37, ARITHMETIC, True,  1, _2,          _2, scalar=True),
    Op("rep",         38, FLOW,       False, 1, _2,          _2X),
    Op("endrep",      39, FLOW,       False, 0, _2,          _2X),
    Op("if",          40, FLOW,       False, 1, _2,          _2X),
    Op("ifc",         41, FLOW,       False, 2, _2X,         _2X),
    Op("else",        42, FLOW,       False, 0, _2,          _2X),
    Op("endif",       43, FLOW,       False, 0, _2,          _2X),
    Op("break",       44, FLOW,       False, 0, _2X,         _2X),
    Op("breakc",      45, FLOW,       False, 2, _2X,         _2X),
    Op("mova",        46, ARITHMETIC, True,  1, _2,          None),
    Op("defb",        47, DEFINITION, True,  0, _2,          _2X, payload=1),
    Op("defi",        48, DEFINITION, True,  0, _2,          _2X, payload=4),
    Op("texcoord",    64, TEXTURING,  True,  0, None,        _OLD),
    Op("texkill",     65, TEXTURING,  True,  0, None,        _ALWAYS),
    Op("tex",         66, TEXTURING,  True,  2, None,        _ALWAYS),
    Op("texbem",      67, TEXTURING,  True,  1, None,        _13),
    Op("texbeml",     68, TEXTURING,  True,  1, None,        _13),
    Op("texreg2ar",   69, TEXTURING,  True,  1, None,        _13),
    Op("texreg2gb",   70, TEXTURING,  True,  1, None,        _13),
    Op("texm3x2pad",  71, TEXTURING,  True,  1, None,        _13),
    Op("texm3x2tex",  72, TEXTURING,  True,  1, None,        _13),
    Op("texm3x3pad",  73, TEXTURING,  True,  1, None,        _13),
    Op("texm3x3tex",  74, TEXTURING,  True,  1, None,        _13),
    Op("texm3x3diff", 75, TEXTURING,  True,  1, None,        None),
    Op("texm3x3spec", 76, TEXTURING,  True,  2, None,        _13),
    Op("texm3x3vspec", 77, TEXTURING, True,  1, None,        _13),
    Op("expp",        78, ARITHMETIC, True,  1, _ALWAYS,     None, scalar=True),
    Op("logp",        79, ARITHMETIC, True,  1, _ALWAYS,     None, scalar=True),
    Op("cnd",         80, ARITHMETIC, True,  3, None,        _OLD),
    Op("def",         81, DEFINITION, True,  0, _ALWAYS,     _ALWAYS, payload=4),
    Op("texreg2rgb",  82, TEXTURING,  True,  1, None,        _123),
    Op("texdp3tex",   83, TEXTURING,  True,  1, None,        _123),
    Op("texm3x2depth", 84, TEXTURING, True,  1, None,        ("1_3", "1_3")),
    Op("texdp3",      85, TEXTURING,  True,  1, None,        _123),
    Op("texm3x3",     86, TEXTURING,  True,  1, None,        _123),
    Op("texdepth",    87, TEXTURING,  True,  0, None,        ("1_4", "1_4")),
    Op("cmp",         88, ARITHMETIC, True,  3, None,        ("1_2", "")),
    Op("bem",         89, ARITHMETIC, True,  2, None,        ("1_4", "1_4"), reads=("xy", "xy")),
    Op("dp2add",      90, ARITHMETIC, True,  3, None,        _2, reads=("xy", "xy", "w")),
    Op("dsx",         91, ARITHMETIC, True,  1, None,        _2X),
    Op("dsy",         92, ARITHMETIC, True,  1, None,        _2X),
    Op("texldd",      93, TEXTURING,  True,  4, None,        _2X),
    Op("setp",        94, ARITHMETIC, True,  2, _2X,         _2X),
    Op("texldl",      95, TEXTURING,  True,  2, _3,          _3),
    Op("breakp",      96, FLOW,       False, 1, _2X,         _2X),
    Op("phase",   0xFFFD, MARK,       False, 0, None,        ("1_4", "1_4")),
)  # fmt: skip

BY_OPCODE: Mapping[int, Op] = {op.opcode: op for op in OPS}
BY_NAME: Mapping[str, Op] = {op.name: op for op in OPS}
COMMENT, END = 0xFFFE, 0xFFFF  # the low halves of tokens that are no instructions


def has(op: Op, version: Version) -> bool:
    """Whether a version has an instruction, by Microsoft's documentation."""
    span = op.vs if version.kind == VERTEX else op.ps
    if span is None:
        return False
    first, last = (BY_VERSION_NAME[f"{version.kind}_{end}"].order if end else (9, 9) for end in span)
    return first <= version.order <= last


def operand_count(op: Op, version: Version) -> tuple[bool, int]:
    """(has a destination, source operands) of an instruction in a version.

    `tex` and `texcoord` grew from one operand to two (ps_1_4) and three; `sincos` has two constants in shader model 2 alone. [D] [M]
    """
    if op.name == "tex":
        return True, 0 if version.order < (1, 4) else 1 if version.major < 2 else 2
    if op.name == "texcoord":
        return True, 0 if version.order < (1, 4) else 1
    if op.name == "sincos":
        return True, 3 if version.major < 3 else 1
    return op.dest, op.sources


def check_table(ops: tuple[Op, ...] = OPS) -> None:
    """Raise ValueError unless no two rows have one opcode or name, and each says what it reads in components that exist."""
    if len({op.opcode for op in ops}) != len(ops) or len({op.name for op in ops}) != len(ops):
        raise ValueError("two rows have one opcode or name")
    for op in ops:
        if op.role not in (ARITHMETIC, TEXTURING, DECLARATION, DEFINITION, FLOW, MARK):
            raise ValueError(f"{op.name} has no role")
        if any(not set(part) <= set(COMPONENTS) for part in op.reads) or (op.reads and len(op.reads) != op.sources):
            raise ValueError(f"{op.name} reads what is not there")
        for span in (op.vs, op.ps):
            if span and span[0] not in {version.name[3:] for version in VERSIONS}:
                raise ValueError(f"{op.name} comes with no version {span[0]}")
