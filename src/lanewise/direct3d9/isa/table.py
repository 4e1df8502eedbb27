"""Direct3D 9 shader bytecode: versions, registers, modifiers, instructions.

vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0, with the `_x` and `_sw` forms. Sources: Microsoft's reference for the Direct3D 9 assembly
languages and the token format of the driver kit ([D] below), measurements ([M], [W]) as collected in reference/direct3d9.md 3.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, by_position
from lanewise.direct3d9.isa.operands import (
    BOOLEAN,
    CONDITION,
    CONSTANT,
    COORDINATE,
    COUNT,
    COUNTER,
    DECLARED,
    DEPTH,
    DEPTH_ROW,
    EYE,
    FLOAT,
    GRADIENT,
    INDEX,
    INTEGER,
    KILLED,
    LOD,
    MASKED,
    MATRIX,
    MOVED,
    MUST,
    PRED,
    RESULT,
    SAMPLED,
    SCALAR,
    SCRATCH,
    SETP,
    SHAPED,
    SHOULD,
    STAGE,
    TARGET,
    TEXCOORD,
    TEXEL,
    TRUTH,
    VALUE,
    VECTOR,
    DestKind,
    Limit,
    SourceKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.direct3d9.isa.operands import Span

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
        """`vs_2_x`, `ps_3_sw`, `vs_1_1`; an undefined version by its numbers."""
        minor = "sw" if self.software else "x" if (self.major, self.minor) == (2, _X) else str(self.minor)
        return f"{self.kind}_{self.major}_{minor}"


_MINORS = {
    VERTEX: ((1, 0), (1, 1), (2, 0), (2, 1), (2, 255), (3, 0), (3, 255)),
    PIXEL: ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), (2, 1), (2, 255), (3, 0), (3, 255)),
}
VERSIONS = tuple(Version(kind, *numbers) for kind, rows in _MINORS.items() for numbers in rows)
BY_TOKEN: Mapping[int, Version] = {version.token: version for version in VERSIONS}
# 2_a and 2_b are profiles of 2_x: what a compiler may count on, the same token.
BY_VERSION_NAME: Mapping[str, Version] = {version.name: version for version in VERSIONS} | {
    "vs_2_a": Version(VERTEX, 2, _X),
    "ps_2_a": Version(PIXEL, 2, _X),
    "ps_2_b": Version(PIXEL, 2, _X),
}


def find_version(text: str) -> Version | None:
    """`vs_2_0`, `vs.2.0`, in any case; None for other texts."""
    return BY_VERSION_NAME.get(text.lower().replace(".", "_"))


# Register files by the number in a token: bits 30:28 are its bits 2:0, bits 12:11 its bits 4:3.
(
    TEMP,
    INPUT,
    CONST,
    ADDR,
    RASTOUT,
    ATTROUT,
    TEXCRDOUT,
    CONSTINT,
    COLOROUT,
    DEPTHOUT,
    SAMPLER,
    CONST2,
    CONST3,
    CONST4,
    CONSTBOOL,
    LOOP,
    TEMPFLOAT16,
    MISC,
    LABEL,
    PREDICATE,
) = range(20)
CONSTANT_FILES = (CONST, CONST2, CONST3, CONST4)
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


def exists(version: Version, file: int) -> bool:
    """Whether a version has registers of a file at all."""
    vertex, order, major = version.kind == VERTEX, version.order, version.major
    if file in (TEMP, INPUT) or file in CONSTANT_FILES:
        return True
    if file == ADDR:
        return vertex or major < 3
    if file in (RASTOUT, ATTROUT):
        return vertex and major < 3
    if file == TEXCRDOUT:
        return vertex
    if file in (CONSTINT, CONSTBOOL, LABEL):
        return order >= (2, 0) if vertex else order >= (2, 1)
    if file in (COLOROUT, DEPTHOUT):
        return not vertex and major >= 2
    if file == SAMPLER:
        return order >= (3, 0) if vertex else major >= 2
    if file == LOOP:
        return order >= (2, 0) if vertex else major >= 3
    if file == MISC:
        return not vertex and major >= 3
    return file == PREDICATE and order >= (2, 1)


def constant_base(file: int) -> int:
    """The offset of c# in a file: the software forms have four files of 2,048 constants."""
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

USAGES = (
    "position",
    "blendweight",
    "blendindices",
    "normal",
    "psize",
    "texcoord",
    "tangent",
    "binormal",
    "tessfactor",
    "positiont",
    "color",
    "fog",
    "depth",
    "sample",
)
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


# What an instruction does to the blocks, loops and subroutines around it, and to the matrices of ps_1_x that several
# instructions make.
OPENS, SPLITS, CLOSES, CALLS, BEGINS, RETURNS, BREAKS, PREPARES, COMPLETES = (
    "opens",
    "splits",
    "closes",
    "calls",
    "begins",
    "returns",
    "breaks",
    "prepares",
    "completes",
)
IF_BLOCK, LOOP_BLOCK, REP_BLOCK = "if block", "loop block", "rep block"
COMPARED, VARIED = "comparison", "variant"  # what the control bits say: a comparison, or which texld it is
QUAD, BUMP = "quad", "bump"  # read besides the operands: the pixels beside it, the bump matrix of the stage


class Slots(Record):
    """Instruction slots by generation of versions; None where the instruction does not exist."""

    vs1: int | None
    "Slots in vs_1."
    vs2: int | None
    "Slots in vs_2 and vs_3."
    ps1: int | None
    "Slots in ps_1; of texture instructions texture slots, as in later pixel shaders."
    ps2: int | None
    "Slots in ps_2_0 and ps_2_x."
    ps3: int | None
    "Slots in ps_3."
    cube: int | None = None
    "Slots in shader model 3 if the texture is a cube map; None: as for any other."
    ps12: int | None = None
    "Slots in ps_1_2 and ps_1_3; None: `ps1`."
    beside: int = 0
    "Arithmetic slots of a texture instruction in pixel shaders, besides its texture slots."


class Op(Record):
    """One row: an instruction, how it is encoded, and what is legal for it."""

    name: str
    "The mnemonic."
    opcode: int
    "Bits 0 to 15 of the first word."
    role: str
    "`ARITHMETIC` to `MARK`."
    vs: Span
    "The first and the last version of vertex shaders with it (empty: every later one); None where none has it."
    ps: Span
    "The first and the last version of pixel shaders with it (empty: every later one); None where none has it."
    dest: DestKind | None
    "The kind of its destination (`isa.operands`); None where it has none."
    sources: tuple[SourceKind, ...]
    "The kinds of its sources (`isa.operands`), as many as any version has."
    slots: Slots
    "Instruction slots by generation of versions."
    payload: int = 0
    "Words that are not operands, after the sources (the numbers of def) or before the destination (a dcl's usage)."
    counts: tuple[tuple[int, tuple[int, int]], ...] = ()
    "How many of the sources there are before a version (its `order`), ascending; all of them after the last."
    reads: tuple[str, ...] = ()
    "The components that are read of each source; empty: those of the kind."
    rows: int = 0
    "How many constants a matrix has, beginning with the last source; 0: it has no matrix."
    masks: Limit | None = None
    "The write masks that it may have; None: any."
    apart: Limit | None = None
    "Numbers of sources whose register may not be the destination's."
    sat: str = ""
    "The only kind of shader in which _sat is legal, `VERTEX` or `PIXEL`; empty: both."
    most: Limit | None = None
    "How many of it a shader may have; None: any number."
    control: str = ""
    "The meaning of the control bits: `COMPARED` or `VARIED`; empty: none."
    part: str = ""
    "Its effect on blocks, subroutines or matrices: `OPENS` to `COMPLETES`; empty: none."
    block: str = ""
    "The kind of block that it opens, splits or closes; empty for none."
    stages: int = 0
    "How many stages its matrix has, in ps_1_x; 0: it has none."
    needs: str = ""
    "Data that it reads besides its operands: `QUAD` or `BUMP`; empty: none."
    temporary: str = ""
    "`MUST` or `SHOULD` the destination be r#; empty: it need not."
    loses: Limit | None = None
    "Components of the destination that are undefined afterwards unless it writes them."
    unpaired: Limit | None = None
    "Has a value in the versions that cannot co-issue it."
    first_phase: bool = False
    "It belongs to the first phase of ps_1_4."
    unsigned: bool = False
    "Its source may not have _bx2."
    summary: str = ""
    "The result in one line, with the names of `isa.table.operand_names`."

    def __reduce__(self) -> tuple[Callable[..., Op], tuple[object, ...]]:
        """A row of the table is that row in another process too: programs ask for some by identity."""
        return (_row, (self.name,)) if BY_NAME.get(self.name) is self else (Op._make, ((*self,),))

    @property
    def scalar(self) -> bool:
        """One component of each source gives the result (rcp, pow)."""
        return bool(self.sources) and self.sources[0] == SCALAR


_ = None
_SM14, _SM2, _SM3, _END = (1, 4), (2, 0), (3, 0), (256, 0)
_ALWAYS, _2, _2X, _3 = ("1_0", ""), ("2_0", ""), ("2_x", ""), ("3_0", "")
_OLD, _13, _123, _FROM_12 = ("1_0", "1_4"), ("1_0", "1_3"), ("1_2", "1_3"), ("1_2", "")
_ONLY_13, _ONLY_14, _VS1 = ("1_3", "1_3"), ("1_4", "1_4"), ("1_0", "1_1")
# Write masks: x is 1, y 2, z 4, w 8.
_XY, _XYZ, _XYZW = (Limit(_ALWAYS, _ALWAYS, (mask,)) for mask in (3, 7, 15))
_IN_XY, _IN_XYZ = Limit(_ALWAYS, _ALWAYS, (1, 2, 3)), Limit(_ALWAYS, _ALWAYS, (1, 2, 3, 4, 5, 6, 7))
_XYZ_OR_ALL = Limit(_ALWAYS, _ALWAYS, (7, 15))
_Y_OR_XY, _RG_OR_RGB = Limit(_VS1, None, (2, 3)), Limit(None, _ONLY_14, (3, 7))
# Sources that are still read when the result is written.
_FIRST, _BOTH, _ALL_PS13 = Limit(_ALWAYS, _ALWAYS, (0,)), Limit(_ALWAYS, _ALWAYS, (0, 1)), Limit(None, _13, (0, 1, 2))
_THREE_PS12 = Limit(None, _123, (3,))
_ONE_PS14 = Limit(None, _ONLY_14, (1,))
# D3D, Destination Register Write Mask: dp3 before ps_1_4; sincos: what its macro leaves behind; dp4, bem: one instruction for
# both units.
_RGB_OR_ALL = Limit(None, _13, (7, 15))
_SECOND = Limit(_ALWAYS, _ALWAYS, (1,))
_MACRO = Limit(("2_0", "2_sw"), ("2_0", "2_sw"), (7,))
_BOTH_UNITS = Limit(None, _OLD, (1,))

_op = by_position(Op)
_slots = by_position(Slots)
OPS = (
    #   name           code  role         vs       ps         dest       sources
    #        vs1 vs2 ps1 ps2 ps3   what else there is to say
    _op("nop",              0, ARITHMETIC,  _ALWAYS, _ALWAYS,  None,      (),
       _slots( 1,  1,  0,  1,  1), summary="does nothing"),
    _op("mov",              1, ARITHMETIC,  _ALWAYS, _ALWAYS,  MOVED,     (VALUE,),
       _slots( 1,  1,  1,  1,  1), summary="dest = src, each component; an integer in a0"),
    _op("add",              2, ARITHMETIC,  _ALWAYS, _ALWAYS,  RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  1,  1,  1), summary="dest = src0 + src1, each component"),
    _op("sub",              3, ARITHMETIC,  _ALWAYS, _ALWAYS,  RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  1,  1,  1), summary="dest = src0 - src1, each component"),
    _op("mad",              4, ARITHMETIC,  _ALWAYS, _ALWAYS,  RESULT,    (VALUE, VALUE, VALUE),
       _slots( 1,  1,  1,  1,  1), summary="dest = src0 * src1 + src2, each component, rounded twice"),
    _op("mul",              5, ARITHMETIC,  _ALWAYS, _ALWAYS,  RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  1,  1,  1), summary="dest = src0 * src1, each component"),
    _op("rcp",              6, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (SCALAR,),
       _slots( 1,  1,  _,  1,  1), summary="dest = 1 / src, in every component"),
    _op("rsq",              7, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (SCALAR,),
       _slots( 1,  1,  _,  1,  1), summary="dest = 1 / sqrt(|src|), in every component"),
    _op("dp3",              8, ARITHMETIC,  _ALWAYS, _ALWAYS,  RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  1,  1,  1), reads=("xyz", "xyz"), masks=_RGB_OR_ALL,
       summary="dest = sum of src0.xyz * src1.xyz, in every component"),
    _op("dp4",              9, ARITHMETIC,  _ALWAYS, _FROM_12, RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  1,  1,  1, ps12=2), reads=("xyzw", "xyzw"), unpaired=_BOTH_UNITS,
       summary="dest = sum of src0.xyzw * src1.xyzw, in every component"),
    _op("min",             10, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  _,  1,  1), summary="dest = min(src0, src1), each component"),
    _op("max",             11, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  _,  1,  1), summary="dest = max(src0, src1), each component"),
    _op("slt",             12, ARITHMETIC,  _ALWAYS, None,     RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  _,  _,  _), summary="dest = src0 < src1 ? 1 : 0, each component"),
    _op("sge",             13, ARITHMETIC,  _ALWAYS, None,     RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  _,  _,  _), summary="dest = src0 >= src1 ? 1 : 0, each component"),
    _op("exp",             14, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (SCALAR,),
       _slots(10,  1,  _,  1,  1), summary="dest = 2 ^ src, in every component"),
    _op("log",             15, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (SCALAR,),
       _slots(10,  1,  _,  1,  1), summary="dest = log2(|src|), in every component"),
    _op("lit",             16, ARITHMETIC,  _ALWAYS, None,     RESULT,    (VALUE,),
       _slots( 1,  3,  _,  _,  _), reads=("xyw",),
       summary="dest = (1, max(src.x, 0), src.x > 0 and src.y > 0 ? |src.y| ^ src.w : 0, 1), the exponent clamped to -127.9961 "
                "to 127.9961: diffuse and specular light"),
    _op("dst",             17, ARITHMETIC,  _ALWAYS, None,     RESULT,    (VALUE, VALUE),
       _slots( 1,  1,  _,  _,  _), reads=("yz", "yw"),
       summary="dest = (1, src0.y * src1.y, src0.z, src1.w): attenuation by distance"),
    _op("lrp",             18, ARITHMETIC,  _2,      _ALWAYS,  RESULT,    (VALUE, VALUE, VALUE),
       _slots( _,  2,  1,  2,  2), summary="dest = src0 * (src1 - src2) + src2, each component"),
    _op("frc",             19, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE,),
       _slots( 3,  1,  _,  1,  1), masks=_Y_OR_XY, sat=PIXEL, summary="dest = src - floor(src), each component"),
    _op("m4x4",            20, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, MATRIX),
       _slots( 4,  4,  _,  4,  4), reads=("xyzw", "xyzw"), rows=4, masks=_XYZW, apart=_FIRST,
       summary="dest.i = dp4 of src0 and the constant i after src1, four rows"),
    _op("m4x3",            21, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, MATRIX),
       _slots( 3,  3,  _,  3,  3), reads=("xyzw", "xyzw"), rows=3, masks=_XYZ, apart=_FIRST,
       summary="dest.i = dp4 of src0 and the constant i after src1, three rows"),
    _op("m3x4",            22, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, MATRIX),
       _slots( 4,  4,  _,  4,  4), reads=("xyz", "xyz"), rows=4, masks=_XYZW, apart=_FIRST,
       summary="dest.i = dp3 of src0 and the constant i after src1, four rows"),
    _op("m3x3",            23, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, MATRIX),
       _slots( 3,  3,  _,  3,  3), reads=("xyz", "xyz"), rows=3, masks=_XYZ, apart=_FIRST,
       summary="dest.i = dp3 of src0 and the constant i after src1, three rows"),
    _op("m3x2",            24, ARITHMETIC,  _ALWAYS, _2,       RESULT,    (VALUE, MATRIX),
       _slots( 2,  2,  _,  2,  2), reads=("xyz", "xyz"), rows=2, masks=_XY, apart=_BOTH,
       summary="dest.i = dp3 of src0 and the constant i after src1, two rows"),
    _op("call",            25, FLOW,        _2,      _2X,      None,      (TARGET,),
       _slots( _,  2,  _,  2,  2), part=CALLS, summary="run the subroutine of a label"),
    _op("callnz",          26, FLOW,        _2,      _2X,      None,      (TARGET, TRUTH),
       _slots( _,  3,  _,  3,  3), part=CALLS, summary="run the subroutine of a label if src1 is true"),
    _op("loop",            27, FLOW,        _2,      _3,       None,      (COUNTER, COUNT),
       _slots( _,  3,  _,  _,  3), part=OPENS, block=LOOP_BLOCK,
       summary="run up to endloop src1.x times; aL begins at src1.y and grows by src1.z"),
    _op("ret",             28, FLOW,        _2,      _2X,      None,      (),
       _slots( _,  1,  _,  1,  1), part=RETURNS, summary="return from the subroutine, or end the shader"),
    _op("endloop",         29, FLOW,        _2,      _3,       None,      (),
       _slots( _,  2,  _,  _,  2), part=CLOSES, block=LOOP_BLOCK, summary="the end of a loop"),
    _op("label",           30, FLOW,        _2,      _2X,      None,      (TARGET,),
       _slots( _,  0,  _,  0,  0), part=BEGINS, summary="the beginning of a subroutine"),
    _op("dcl",             31, DECLARATION, _ALWAYS, _2,       DECLARED,  (),
       _slots( 0,  0,  _,  0,  0), payload=1, summary="declare the usage of an input or output, or the type of a texture"),
    _op("pow",             32, ARITHMETIC,  _2,      _2,       RESULT,    (SCALAR, SCALAR),
       _slots( _,  3,  _,  3,  3), temporary=SHOULD, apart=_SECOND, summary="dest = |src0| ^ src1, in every component"),
    _op("crs",             33, ARITHMETIC,  _2,      _2,       RESULT,    (VECTOR, VECTOR),
       _slots( _,  2,  _,  2,  2), reads=("xyz", "xyz"), masks=_IN_XYZ, apart=_BOTH, temporary=MUST,
       summary="dest.xyz = cross product of src0.xyz and src1.xyz"),
    _op("sgn",             34, ARITHMETIC,  _2,      None,     RESULT,    (VALUE, SCRATCH, SCRATCH),
       _slots( _,  3,  _,  _,  _),
       summary="dest = -1, 0 or 1, by the sign of src0, each component; src1 and src2 are registers that it may overwrite"),
    _op("abs",             35, ARITHMETIC,  _2,      _2,       RESULT,    (VALUE,),
       _slots( _,  1,  _,  1,  1), summary="dest = |src|, each component"),
    _op("nrm",             36, ARITHMETIC,  _2,      _2,       RESULT,    (VALUE,),
       _slots( _,  3,  _,  3,  3), reads=("xyz*",), masks=_XYZ_OR_ALL, apart=_FIRST, temporary=MUST,
       summary="dest = src / sqrt(sum of src.xyz squared), each component"),
    _op("sincos",          37, ARITHMETIC,  _2,      _2,       RESULT,    (SCALAR, CONSTANT, CONSTANT),
       _slots( _,  8,  _,  8,  8), counts=((3, _SM3), (1, _END)), masks=_IN_XY, sat=PIXEL, temporary=MUST, loses=_MACRO,
       summary="dest.x = cos of the first source, dest.y = its sin, of radians from -pi to pi; in version 2 the other sources "
                "have the constants of the series"),
    _op("rep",             38, FLOW,        _2,      _2X,      None,      (COUNT,),
       _slots( _,  3,  _,  3,  3), part=OPENS, block=REP_BLOCK, summary="run up to endrep src.x times"),
    _op("endrep",          39, FLOW,        _2,      _2X,      None,      (),
       _slots( _,  2,  _,  2,  2), part=CLOSES, block=REP_BLOCK, summary="the end of a rep"),
    _op("if",              40, FLOW,        _2,      _2X,      None,      (TRUTH,),
       _slots( _,  3,  _,  3,  3), part=OPENS, block=IF_BLOCK, summary="run up to else or endif if src is true"),
    _op("ifc",             41, FLOW,        _2X,     _2X,      None,      (VALUE, VALUE),
       _slots( _,  3,  _,  3,  3), control=COMPARED, part=OPENS, block=IF_BLOCK,
       summary="run up to else or endif if the comparison of src0 and src1 holds"),
    _op("else",            42, FLOW,        _2,      _2X,      None,      (),
       _slots( _,  1,  _,  1,  1), part=SPLITS, block=IF_BLOCK, summary="the other branch of an if"),
    _op("endif",           43, FLOW,        _2,      _2X,      None,      (),
       _slots( _,  1,  _,  1,  1), part=CLOSES, block=IF_BLOCK, summary="the end of an if"),
    _op("break",           44, FLOW,        _2X,     _2X,      None,      (),
       _slots( _,  1,  _,  1,  1), part=BREAKS, summary="leave the innermost loop"),
    _op("breakc",          45, FLOW,        _2X,     _2X,      None,      (VALUE, VALUE),
       _slots( _,  3,  _,  3,  3), control=COMPARED, part=BREAKS,
       summary="leave the innermost loop if the comparison of src0 and src1 holds"),
    _op("mova",            46, ARITHMETIC,  _2,      None,     INDEX,     (VALUE,),
       _slots( _,  1,  _,  _,  _), summary="dest = src rounded to integers, each component"),
    _op("defb",            47, DEFINITION,  _2,      _2X,      BOOLEAN,   (),
       _slots( _,  0,  _,  0,  0), payload=1, summary="a boolean constant"),
    _op("defi",            48, DEFINITION,  _2,      _2X,      INTEGER,   (),
       _slots( _,  0,  _,  0,  0), payload=4, summary="four integer constants, often the counts of a loop"),
    _op("texcoord",        64, TEXTURING,   None,    _OLD,     TEXEL,     (TEXCOORD,),
       _slots( _,  _,  1,  _,  _), counts=((0, _SM14),), masks=_RG_OR_RGB,
       summary="dest = its texture coordinate, clamped to 0 to 1, with 1 for w; texcrd of ps_1_4: dest = src"),
    _op("texkill",         65, TEXTURING,   None,    _ALWAYS,  KILLED,    (),
       _slots( _,  _,  1,  1,  2),
       summary="discard the pixel if a component of dest is negative: of x, y and z, in later versions of all four"),
    _op("tex",             66, TEXTURING,   None,    _ALWAYS,  TEXEL,     (COORDINATE, SAMPLED),
       _slots( _,  _,  1,  1,  1, cube=4), counts=((0, _SM14), (1, _SM2)), control=VARIED, needs=QUAD,
       summary="dest = the texture at a coordinate: that of dest up to ps_1_3, src0 later; texldp divides it by its w, texldb "
                "adds its w to the level of detail"),
    _op("texbem",          67, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), reads=("xy",), needs=BUMP,
       summary="dest = the texture at dest's coordinate + bump matrix * src.xy"),
    _op("texbeml",         68, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _, beside=1), reads=("xyz",), needs=BUMP,
       summary="texbem, multiplied by src.z * luminance scale + luminance offset"),
    _op("texreg2ar",       69, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), reads=("xw",), unsigned=True, summary="dest = the texture at (src.w, src.x)"),
    _op("texreg2gb",       70, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), reads=("yz",), unsigned=True, summary="dest = the texture at (src.y, src.z)"),
    _op("texm3x2pad",      71, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), part=PREPARES, stages=2, summary="the first row of a matrix of two"),
    _op("texm3x2tex",      72, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), part=COMPLETES, stages=2,
       summary="dest = the texture at (row 1, row 2), each a dp3 of a coordinate and src"),
    _op("texm3x3pad",      73, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), part=PREPARES, stages=3, summary="the first or second row of a matrix of three"),
    _op("texm3x3tex",      74, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), part=COMPLETES, stages=3,
       summary="dest = the texture at (row 1, row 2, row 3), each a dp3 of a coordinate and src"),
    _op("texm3x3diff",     75, TEXTURING,   None,    None,     TEXEL,     (STAGE,),
       _slots( _,  _,  _,  _,  _), summary="no version has it"),
    _op("texm3x3spec",     76, TEXTURING,   None,    _13,      TEXEL,     (STAGE, EYE),
       _slots( _,  _,  1,  _,  _), part=COMPLETES, stages=3,
       summary="dest = the texture where the eye vector src1 is reflected at the normal (row 1, row 2, row 3), each a dp3 of a "
                "coordinate and src0"),
    _op("texm3x3vspec",    77, TEXTURING,   None,    _13,      TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), part=COMPLETES, stages=3,
       summary="dest = the texture where the eye vector, the w of three coordinates, is reflected at the normal (row 1, row 2, "
                "row 3), each a dp3 of a coordinate and src"),
    _op("expp",            78, ARITHMETIC,  _ALWAYS, None,     RESULT,    (SCALAR,),
       _slots( 1,  1,  _,  _,  _),
       summary="dest = 2 ^ src to 10 bits, in every component; in vs_1_x (2 ^ floor(src), src - floor(src), 2 ^ src, 1)"),
    _op("logp",            79, ARITHMETIC,  _ALWAYS, None,     RESULT,    (SCALAR,),
       _slots( 1,  1,  _,  _,  _), summary="dest = log2(|src|) to 10 bits, in every component"),
    _op("cnd",             80, ARITHMETIC,  None,    _OLD,     RESULT,    (CONDITION, VALUE, VALUE),
       _slots( _,  _,  1,  _,  _), summary="dest = src0 > 0.5 ? src1 : src2, each component"),
    _op("def",             81, DEFINITION,  _ALWAYS, _ALWAYS,  FLOAT,     (),
       _slots( 0,  0,  0,  0,  0), payload=4, summary="four numbers in a constant"),
    _op("texreg2rgb",      82, TEXTURING,   None,    _123,     TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), reads=("xyz",), summary="dest = the texture at src.xyz"),
    _op("texdp3tex",       83, TEXTURING,   None,    _123,     TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), summary="dest = the texture at (dp3 of dest's coordinate and src, 0)"),
    _op("texm3x2depth",    84, TEXTURING,   None,    _ONLY_13, DEPTH_ROW, (STAGE,),
       _slots( _,  _,  1,  _,  _), part=COMPLETES, stages=2,
       summary="oDepth = row 1 / row 2, each a dp3 of a coordinate and src; 1 where row 2 is 0"),
    _op("texdp3",          85, TEXTURING,   None,    _123,     TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), summary="dest = dp3 of dest's coordinate and src, in every component"),
    _op("texm3x3",         86, TEXTURING,   None,    _123,     TEXEL,     (STAGE,),
       _slots( _,  _,  1,  _,  _), part=COMPLETES, stages=3,
       summary="dest = (row 1, row 2, row 3, 1), each a dp3 of a coordinate and src"),
    _op("texdepth",        87, TEXTURING,   None,    _ONLY_14,  DEPTH,     (),
       _slots( _,  _,  1,  _,  _), summary="oDepth = dest.x / dest.y; 1 where dest.y is 0"),
    _op("cmp",             88, ARITHMETIC,  None,    _FROM_12, RESULT,    (VALUE, VALUE, VALUE),
       _slots( _,  _,  1,  1,  1, ps12=2), apart=_ALL_PS13, most=_THREE_PS12,
       summary="dest = src0 >= 0 ? src1 : src2, each component"),
    _op("bem",             89, ARITHMETIC,  None,    _ONLY_14,  RESULT,    (VALUE, VALUE),
       _slots( _,  _,  2,  _,  _), reads=("xy", "xy"), masks=_XY, needs=BUMP, most=_ONE_PS14, unpaired=_BOTH_UNITS,
       first_phase=True, summary="dest.xy = src0.xy + bump matrix * src1.xy"),
    _op("dp2add",          90, ARITHMETIC,  None,    _2,       RESULT,    (VALUE, VALUE, SCALAR),
       _slots( _,  _,  _,  2,  2), reads=("xy", "xy", "w"),
       summary="dest = src0.x * src1.x + src0.y * src1.y + src2, in every component"),
    _op("dsx",             91, ARITHMETIC,  None,    _2X,      RESULT,    (VALUE,),
       _slots( _,  _,  _,  2,  2), needs=QUAD, summary="dest = the change of src from pixel to pixel in x, each component"),
    _op("dsy",             92, ARITHMETIC,  None,    _2X,      RESULT,    (VALUE,),
       _slots( _,  _,  _,  2,  2), needs=QUAD, summary="dest = the change of src from pixel to pixel in y, each component"),
    _op("texldd",          93, TEXTURING,   None,    _2X,      SHAPED,    (COORDINATE, SAMPLED, GRADIENT, GRADIENT),
       _slots( _,  _,  _,  3,  3), summary="dest = the texture src1 at src0, with the gradients src2 in x and src3 in y"),
    _op("setp",            94, ARITHMETIC,  _2X,     _2X,      SETP,      (VALUE, VALUE),
       _slots( _,  1,  _,  1,  1), control=COMPARED, summary="dest = the comparison of src0 and src1, each component"),
    _op("texldl",          95, TEXTURING,   _3,      _3,       TEXEL,     (LOD, SAMPLED),
       _slots( _,  2,  _,  _,  2, cube=5), summary="dest = the texture src1 at src0, of the level of detail src0.w"),
    _op("breakp",          96, FLOW,        _2X,     _2X,      None,      (PRED,),
       _slots( _,  3,  _,  3,  3), part=BREAKS, summary="leave the innermost loop if the predicate is true"),
    _op("phase",       0xFFFD, MARK,        None,    _ONLY_14,  None,      (),
       _slots( _,  _,  0,  _,  _), summary="the end of the first phase"),
)  # fmt: skip

BY_OPCODE: Mapping[int, Op] = {op.opcode: op for op in OPS}
BY_NAME: Mapping[str, Op] = {op.name: op for op in OPS}
# Products of all four components with rows of a matrix, which move what they transform: how many rows, and what leaves the
# fourth component out.
MOVING: Mapping[str, tuple[int, str]] = {"dp4": (1, "dp3"), "m4x3": (3, "m3x3"), "m4x4": (4, "m3x3")}
COMMENT, END = 0xFFFE, 0xFFFF  # the low halves of tokens that are no instructions


class Texld(Record):
    """`tex` from ps_2_0 on, by its control bits: its name and what it costs."""

    name: str
    slots: Slots


TEXLDS = (
    Texld("texld",  BY_NAME["tex"].slots),
    Texld("texldp", _slots( _,  _,  _,  1,  3, cube=4)),
    Texld("texldb", _slots( _,  _,  _,  1,  6, cube=6)),
)  # fmt: skip


def within(version: Version, vs: Span, ps: Span) -> bool:
    """Whether a version is one of those from the first to the last of its kind of shader."""
    span = vs if version.kind == VERTEX else ps
    if span is None:
        return False
    first, last = span
    if version.order < BY_VERSION_NAME[f"{version.kind}_{first}"].order:
        return False
    return not last or version.order <= BY_VERSION_NAME[f"{version.kind}_{last}"].order


def limited(limit: Limit | None, version: Version) -> tuple[int, ...]:
    """The values of a limit in a version, empty where it does not hold."""
    return limit.values if limit is not None and within(version, limit.vs, limit.ps) else ()


def has(op: Op, version: Version) -> bool:
    """Whether a version has an instruction, by Microsoft's documentation."""
    return within(version, op.vs, op.ps)


def operand_count(op: Op, version: Version) -> tuple[bool, int]:
    """(has a destination, source operands) of an instruction in a version. [D] [M]"""
    return op.dest is not None, len(sources_in(op, version))


def operand_names(op: Op, version: Version) -> list[str]:
    """The names of the operands in pages, findings and editors: `dest`, `src` or `src0`, `src1`, ..., but not the numbers of
    definitions."""
    dest, sources = operand_count(op, version)
    return ["dest"] * dest + ([f"src{n}" for n in range(sources)] if sources > 1 else ["src"] * sources)


def sources_in(op: Op, version: Version) -> tuple[SourceKind, ...]:
    """The kinds of the sources that an instruction has in a version."""
    return op.sources[: next((count for count, end in op.counts if version.order < end), None)]


def components_read(op: Op, index: int) -> str:
    """The components that are read of a source, as `reads` of its kind has them."""
    return op.reads[index] if op.reads else op.sources[index].reads


def check_table(ops: tuple[Op, ...] = OPS) -> None:
    """Raise ValueError unless each row is valid, with a unique opcode and name."""
    if len({op.opcode for op in ops}) != len(ops) or len({op.name for op in ops}) != len(ops):
        raise ValueError("two rows have one opcode or name")
    for op in ops:
        if op.role not in (ARITHMETIC, TEXTURING, DECLARATION, DEFINITION, FLOW, MARK):
            raise ValueError(f"{op.name} has no role")
        if op.rows and (op.masks is None or op.masks.values != ((1 << op.rows) - 1,)):
            raise ValueError(f"{op.name} writes other components than it has rows")
        if any(not set(part) <= set(COMPONENTS + MASKED) for part in op.reads) or (
            op.reads and len(op.reads) != len(op.sources)
        ):
            raise ValueError(f"{op.name} reads what is not there")
        if op.temporary not in ("", MUST, SHOULD) or (op.temporary and op.dest is None):
            raise ValueError(f"{op.name} has no destination that could be a temporary register")
        _check_versions(op)
        _check_structure(op, ops)


def _check_versions(op: Op) -> None:
    """The versions of a row: spans that exist, slots and register files in each of its versions and slots in no other."""
    limits = (op.masks, op.apart, op.most, op.loses, op.unpaired, *([op.dest.masks] if op.dest is not None else []))
    spans = [op.vs, op.ps, *(span for limit in limits if limit is not None for span in (limit.vs, limit.ps))]
    for end in {end for span in spans if span for end in span if end}:
        if end not in {version.name[3:] for version in VERSIONS}:
            raise ValueError(f"{op.name} names version {end}, which does not exist")
    there = [version for version in VERSIONS if has(op, version)]
    columns = {column_of_slots(version) for version in there}
    if {name for name, cell in zip(Slots._fields[:5], op.slots, strict=False) if cell is not None} != columns:
        raise ValueError(f"{op.name} has slots in other versions than those that have it")
    for version in there:
        kinds = [*sources_in(op, version), *([op.dest] if op.dest is not None else [])]
        for kind in kinds:
            if not kind.files[column_of_files(version)]:
                raise ValueError(f"{op.name} takes a {kind.name}, and {version.name} has no register for it")


def _check_structure(op: Op, ops: tuple[Op, ...]) -> None:
    """Blocks that are opened are closed by one instruction, matrices that are begun are ended by some."""
    if op.part in (OPENS, SPLITS, PREPARES):
        ends = [
            other for other in ops if other.part in (CLOSES, COMPLETES) and (other.block, other.stages) == (op.block, op.stages)
        ]
        if not ends or (op.part == OPENS and len(ends) > 1):
            raise ValueError(f"{op.name} opens a block that {len(ends)} instructions end")


def column_of_files(version: Version) -> int:
    """The column of a version in `Files`."""
    if version.kind == VERTEX:
        return min(max(version.major, 1), 3) - 1
    if version.major < 2:
        return 3 if version.order < (1, 4) else 4
    return 5 if version.major == 2 else 6


def column_of_slots(version: Version) -> str:
    """The column of a version in `Slots`. Those without a published table are counted as the next: vs_1_0, ps_1_0, the software
    versions."""
    if version.kind == VERTEX:
        return "vs1" if version.major < 2 else "vs2"
    return "ps1" if version.major < 2 else "ps2" if version.major == 2 else "ps3"


def _row(name: str) -> Op:
    return BY_NAME[name]
