"""Kinds of operands of Direct3D 9 instructions, by version.

The register files of each, and how it is read or written.

A row of the instruction table (`isa.table`) names a kind for its destination and for each source. A rule about a kind is a
value in a column here, a rule about one instruction a value in a column there, and one function in `check` for each column.
Source: Microsoft's reference of the shader languages, register and instruction pages of each version (D3D; reference 3).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, by_position

if TYPE_CHECKING:
    Span = tuple[str, str] | None  # first and last version of a kind of shader ("": every later one); None: no version


class Limit(Record):
    """Values that hold in some versions of vertex and pixel shaders: masks, source numbers, counts."""

    vs: Span
    ps: Span
    values: tuple[int, ...]


class Files(Record):
    """Prefixes of register files in each generation of versions; empty: it has none."""

    vs1: str
    "Files in vs_1_x."
    vs2: str
    "Files in vs_2_x."
    vs3: str
    "Files in vs_3_x; `o` is oT#."
    ps1: str
    "Files in ps_1_0 to ps_1_3."
    ps14: str
    "Files in ps_1_4."
    ps2: str
    "Files in ps_2_x."
    ps3: str
    "Files in ps_3_x."


_files = by_position(Files)
# fmt: off
#                 vs_1               vs_2             vs_3     ps_1       ps_1_4   ps_2           ps_3
VALUES   = _files("r v c",           "r v c",         "r v c", "r v c t", "r v c", "r v c t",     "r v c vPos")
FLOATS   = _files("c",               "c",             "c",     "c",       "c",     "c",           "c")
INTEGERS = _files("",                "i",             "i",     "",        "",      "i",           "i")
BOOLEANS = _files("",                "b",             "b",     "",        "",      "b",           "b")
TRUTHS   = _files("",                "b p",           "b p",   "",        "",      "b p",         "b p")
PREDS    = _files("",                "p",             "p",     "",        "",      "p",           "p")
LOOPS    = _files("",                "aL",            "aL",    "",        "",      "",            "aL")
LABELS   = _files("",                "l",             "l",     "",        "",      "l",           "l")
SAMPLERS = _files("",                "",              "s",     "",        "",      "s",           "s")
TEMPS    = _files("",                "r",             "r",     "",        "r",     "",            "")
STAGES   = _files("",                "",              "",      "t",       "t",     "",            "")
COORDS   = _files("",                "",              "r v c", "t",       "r t",   "r t",         "r v c vPos")
RESULTS  = _files("r oPos oD oT",    "r oPos oD oT",  "r o",   "r t",     "r",     "r oC oDepth", "r oC oDepth")
MOVES    = _files("r oPos oD oT a",  "r oPos oD oT",  "r o",   "r t",     "r",     "r oC oDepth", "r oC oDepth")
ADDRESS  = _files("",                "a",             "a",     "",        "",      "",            "")
TEXELS   = _files("",                "",              "r",     "t",       "r",     "r",           "r oC")
TESTED   = _files("",                "",              "",      "t",       "r t",   "r t",         "r v")
DECLARABLE = _files("v",               "v",             "v o s", "",        "",      "v t s",       "v s vPos")
# fmt: on

# Swizzles of a source: those that the version has, one component (shader model 2 and later), none, those of texture
# coordinates, .a of r0 before ps_1_4.
OWN, ONE, NO_SWIZZLE, COORDINATE_SWIZZLE, ALPHA = "own", "one", "none", "coordinate", "alpha"
# Modifiers of a source: those that the version has, none, _bx2 in ps_1_0 to ps_1_3, the same and _dz and _dw in ps_1_4.
NO_MODIFIER, BIASED, DIVIDED = "no modifier", "biased", "divided"
# What is read of a source besides x, y, z, w: the components that the write mask has, those of a coordinate of the sampler's
# texture.
MASKED, TEXTURED = "*", "t"


class SourceKind(Record):
    """A kind of source."""

    name: str
    "The name in messages and pages."
    files: Files
    "The register files that it may be of."
    swizzle: str
    "The swizzles that it may have: `OWN` to `ALPHA`."
    modifiers: str
    "The modifiers that it may have: `OWN`, `NO_MODIFIER`, `BIASED` or `DIVIDED`."
    reads: str
    "The components that are read of it, with `MASKED` and `TEXTURED`, unless the instruction's row names others."
    scratch: bool = False
    "The register is written, not read, and an instruction's scratch registers differ."


_source_kind = by_position(SourceKind)
# fmt: off
#                        name                  files     swizzle             modifiers    reads
VALUE      = _source_kind("value",              VALUES,   OWN,                OWN,         MASKED)
SCALAR     = _source_kind("scalar",             VALUES,   ONE,                OWN,         "xyzw")
VECTOR     = _source_kind("vector",             VALUES,   NO_SWIZZLE,         OWN,         MASKED)
MATRIX     = _source_kind("matrix",             VALUES,   NO_SWIZZLE,         NO_MODIFIER, MASKED)
CONDITION  = _source_kind("condition",          VALUES,   ALPHA,              OWN,         MASKED)
CONSTANT   = _source_kind("constant",           FLOATS,   NO_SWIZZLE,         OWN,         "xyzw")
SCRATCH    = _source_kind("scratch",            TEMPS,    OWN,                OWN,         "", scratch=True)
COORDINATE = _source_kind("coordinate",         COORDS,   COORDINATE_SWIZZLE, DIVIDED,     TEXTURED)
LOD        = _source_kind("lod coordinate",     COORDS,   COORDINATE_SWIZZLE, BIASED,      TEXTURED + "w")
GRADIENT   = _source_kind("gradient",           VALUES,   COORDINATE_SWIZZLE, BIASED,      TEXTURED)
SAMPLED    = _source_kind("sampler",            SAMPLERS, COORDINATE_SWIZZLE, BIASED,      "")
STAGE      = _source_kind("stage",              STAGES,   COORDINATE_SWIZZLE, BIASED,      "xyz")
TEXCOORD   = _source_kind("texture coordinate", STAGES,   COORDINATE_SWIZZLE, DIVIDED,     MASKED)
EYE        = _source_kind("eye",                FLOATS,   COORDINATE_SWIZZLE, BIASED,      "xyz")
TARGET     = _source_kind("subroutine",         LABELS,   OWN,                OWN,         MASKED)
COUNTER    = _source_kind("counter",            LOOPS,    OWN,                OWN,         MASKED)
COUNT      = _source_kind("count",              INTEGERS, OWN,                OWN,         MASKED)
TRUTH      = _source_kind("truth",              TRUTHS,   OWN,                OWN,         MASKED)
PRED       = _source_kind("predicate",          PREDS,    OWN,                OWN,         MASKED)
# fmt: on

# Whether the destination is a temporary register: what the documentation of an instruction says where it says more than its
# files.
MUST, SHOULD = "must", "should"

SM_1_2 = "1_0", "2_sw"
ALWAYS = "1_0", ""
_WHOLE = (0xF,)


class DestKind(Record):
    """A kind of destination."""

    name: str
    "The name in messages and pages."
    files: Files
    "The register files that it may be of."
    saturates: bool = False
    "The instruction may have _sat."
    masks: Limit | None = None
    "The write masks that all its instructions have, where a version restricts them; None: no version does."
    reads: str = ""
    "Components that the instruction reads of the register itself."
    written: bool = True
    "False where the instruction only reads the register."
    depth: bool = False
    "The result goes to oDepth."
    number: int | None = None
    "The only register that it may be, in the second phase of ps_1_4; None: any."


_dest_kind = by_position(DestKind)
# fmt: off
#                      name         files     sat    masks
RESULT    = _dest_kind("result",     RESULTS,  True)
MOVED     = _dest_kind("moved",      MOVES,    True)
INDEX     = _dest_kind("index",      ADDRESS)
SETP      = _dest_kind("predicate",  PREDS,    True)
TEXEL     = _dest_kind("texel",      TEXELS,   False, Limit(None, SM_1_2, _WHOLE))
SHAPED    = _dest_kind("texel with mask", TEXELS)
KILLED    = _dest_kind("killed",     TESTED,   False, Limit(None, ALWAYS, _WHOLE), reads="xyz", written=False)
DEPTH     = _dest_kind("depth",      TEXELS,   False, Limit(None, SM_1_2, _WHOLE), reads="xy", depth=True, number=5)
DEPTH_ROW = _dest_kind("depth row",  TEXELS,   False, Limit(None, SM_1_2, _WHOLE), depth=True)
FLOAT     = _dest_kind("float",      FLOATS)
INTEGER   = _dest_kind("integer",    INTEGERS)
BOOLEAN   = _dest_kind("boolean",    BOOLEANS)
DECLARED  = _dest_kind("declared",   DECLARABLE)
# fmt: on
