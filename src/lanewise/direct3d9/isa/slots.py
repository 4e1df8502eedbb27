"""How many instruction slots each Direct3D 9 instruction takes, and how many a shader may have.

Costs are the published ones (D3D, instruction tables of each version; reference 3). Where a published cell has a condition, `cube` says which
applies; what depends on a capability of the card (ps_2_x without limit of texture instructions) is taken as the card that lacks it.
vs_1_0, ps_1_0 and the software versions have no tables of their own: they are counted as the next version.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.table import CONST, SAMPLER, SAMPLER_TYPES, TEXLD, TEXLDB, TEXLDP, TEXTURING, VERTEX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.isa.table import Version

_NO = None


class Slots(Record):
    """What an instruction costs in vs_1, vs_2 and vs_3, ps_1, ps_2_0 and ps_2_x, ps_3; None where it is not there.

    `cube`: the cost in shader model 3 if the texture is a cube map. Arithmetic and texture instructions are counted apart in pixel shaders.
    """

    vs1: int | None
    vs2: int | None
    ps1: int | None
    ps2: int | None
    ps3: int | None
    cube: int | None = None


_ONE, _FREE, _ALU = Slots(1, 1, 1, 1, 1), Slots(0, 0, 0, 0, 0), Slots(1, 1, _NO, 1, 1)
_TEX1 = Slots(_NO, _NO, 1, _NO, _NO)

# By the name of the row in isa.direct3d9, texld, texldp and texldb by their own.
TABLE: Mapping[str, Slots] = {
    "nop":    Slots(1, 1, 0, 1, 1),
    "mov": _ONE, "add": _ONE, "sub": _ONE, "mad": _ONE, "mul": _ONE, "dp3": _ONE,
    "dp4":    Slots(1, 1, 1, 1, 1),
    "rcp": _ALU, "rsq": _ALU, "min": _ALU, "max": _ALU,
    "slt":    Slots(1, 1, _NO, _NO, _NO),
    "sge":    Slots(1, 1, _NO, _NO, _NO),
    "exp":    Slots(10, 1, _NO, 1, 1),
    "log":    Slots(10, 1, _NO, 1, 1),
    "lit":    Slots(1, 3, _NO, _NO, _NO),
    "dst":    Slots(1, 1, _NO, _NO, _NO),
    "lrp":    Slots(_NO, 2, 1, 2, 2),
    "frc":    Slots(3, 1, _NO, 1, 1),
    "m4x4":   Slots(4, 4, _NO, 4, 4),
    "m4x3":   Slots(3, 3, _NO, 3, 3),
    "m3x4":   Slots(4, 4, _NO, 4, 4),
    "m3x3":   Slots(3, 3, _NO, 3, 3),
    "m3x2":   Slots(2, 2, _NO, 2, 2),
    "call":   Slots(_NO, 2, _NO, 2, 2),
    "callnz": Slots(_NO, 3, _NO, 3, 3),
    "loop":   Slots(_NO, 3, _NO, _NO, 3),
    "ret":    Slots(_NO, 1, _NO, 1, 1),
    "endloop": Slots(_NO, 2, _NO, _NO, 2),
    "label":  Slots(_NO, 0, _NO, 0, 0),
    "dcl":    Slots(0, 0, _NO, 0, 0),
    "pow":    Slots(_NO, 3, _NO, 3, 3),
    "crs":    Slots(_NO, 2, _NO, 2, 2),
    "sgn":    Slots(_NO, 3, _NO, _NO, _NO),
    "abs":    Slots(_NO, 1, _NO, 1, 1),
    "nrm":    Slots(_NO, 3, _NO, 3, 3),
    "sincos": Slots(_NO, 8, _NO, 8, 8),
    "rep":    Slots(_NO, 3, _NO, 3, 3),
    "endrep": Slots(_NO, 2, _NO, 2, 2),
    "if":     Slots(_NO, 3, _NO, 3, 3),
    "ifc":    Slots(_NO, 3, _NO, 3, 3),
    "else":   Slots(_NO, 1, _NO, 1, 1),
    "endif":  Slots(_NO, 1, _NO, 1, 1),
    "break":  Slots(_NO, 1, _NO, 1, 1),
    "breakc": Slots(_NO, 3, _NO, 3, 3),
    "breakp": Slots(_NO, 3, _NO, 3, 3),
    "mova":   Slots(_NO, 1, _NO, _NO, _NO),
    "defb":   Slots(_NO, 0, _NO, 0, 0),
    "defi":   Slots(_NO, 0, _NO, 0, 0),
    "def": _FREE,
    "setp":   Slots(_NO, 1, _NO, 1, 1),
    "expp":   Slots(1, 1, _NO, _NO, _NO),
    "logp":   Slots(1, 1, _NO, _NO, _NO),
    "cnd":    Slots(_NO, _NO, 1, _NO, _NO),
    "cmp":    Slots(_NO, _NO, 1, 1, 1),
    "bem":    Slots(_NO, _NO, 2, _NO, _NO),
    "dp2add": Slots(_NO, _NO, _NO, 2, 2),
    "dsx":    Slots(_NO, _NO, _NO, 2, 2),
    "dsy":    Slots(_NO, _NO, _NO, 2, 2),
    "phase":  Slots(_NO, _NO, 0, _NO, _NO),
    # textures
    "tex": _TEX1, "texcoord": _TEX1, "texdepth": _TEX1, "texbem": _TEX1, "texbeml": _TEX1,
    "texdp3": _TEX1, "texdp3tex": _TEX1, "texm3x2depth": _TEX1, "texm3x2pad": _TEX1, "texm3x2tex": _TEX1, "texm3x3": _TEX1,
    "texm3x3pad": _TEX1, "texm3x3spec": _TEX1, "texm3x3tex": _TEX1, "texm3x3vspec": _TEX1, "texreg2ar": _TEX1, "texreg2gb": _TEX1,
    "texreg2rgb": _TEX1,
    "texkill": Slots(_NO, _NO, 1, 1, 2),
    "texld":  Slots(_NO, _NO, 1, 1, 1, cube=4),
    "texldp": Slots(_NO, _NO, _NO, 1, 3, cube=4),
    "texldb": Slots(_NO, _NO, _NO, 1, 6, cube=6),
    "texldd": Slots(_NO, _NO, _NO, 3, 3),
    "texldl": Slots(_NO, 2, _NO, _NO, 2, cube=5),
}  # fmt: skip
# Notes of the ps_1 tables: these take a second slot, of arithmetic.
_DOUBLE = ("dp4", "cmp")  # in ps_1_2 and ps_1_3
_WITH_ARITHMETIC = "texbeml"
PREDICATED = 1  # more for an instruction with a predicate


class Cost(Record):
    """Slots of an instruction or a shader. Vertex shaders have arithmetic ones alone."""

    arithmetic: int
    texture: int

    @property
    def total(self) -> int:
        return self.arithmetic + self.texture


def name_of(inst: Inst, version: Version) -> str:
    """The key of an instruction in `TABLE`."""
    if inst.op.name == "tex" and version.order >= (1, 4):
        return {TEXLD: "texld", TEXLDP: "texldp", TEXLDB: "texldb"}.get(inst.control if version.major >= 2 else TEXLD, "texld")
    return inst.op.name


def cost(inst: Inst, version: Version, cubes: frozenset[int] = frozenset()) -> Cost:
    """What an instruction takes; nothing for one that the version does not have. `cubes`: samplers that are declared as cube maps."""
    name = name_of(inst, version)
    row = TABLE.get(name)
    if row is None:
        return Cost(0, 0)
    vertex = version.kind == VERTEX
    if version.major < 2:
        found = row.vs1 if vertex else row.ps1
    elif vertex:
        found = row.vs2
    else:
        found = row.ps2 if version.major == 2 else row.ps3
    found = found or 0
    if row.cube is not None and version.major >= 3 and len(inst.sources) > 1 and inst.sources[1].number in cubes:
        found = row.cube
    if inst.predicate is not None:
        found += PREDICATED
    if vertex or inst.op.role != TEXTURING:
        return Cost(2 * found if name in _DOUBLE and not vertex and version.order in ((1, 2), (1, 3)) else found, 0)
    return Cost(1 if name == _WITH_ARITHMETIC else 0, found)


def cubes_of(shader: Shader) -> frozenset[int]:
    """The samplers that a shader declares as cube maps."""
    cube = SAMPLER_TYPES.index("cube")
    return frozenset(
        inst.dest.number
        for inst in shader.insts
        if inst.op.name == "dcl" and inst.dest is not None and inst.dest.file == SAMPLER and inst.payload[0] >> 27 & 0xF == cube
    )


def shader_cost(shader: Shader) -> Cost:
    """What all instructions of a shader take; in ps_1_x the second of a pair is free, as the pair counts once."""
    version, cubes = shader.version, cubes_of(shader)
    costs = [cost(inst, version, cubes) for inst in shader.insts if not (inst.coissue and version.major < 2)]
    return Cost(sum(one.arithmetic for one in costs), sum(one.texture for one in costs))


class Limits(Record):
    """What a version has of everything. None: there is no limit. Slots are those that every card has, or may have at most."""

    temps: int
    constants: int
    inputs: int
    textures: int
    integers: int
    booleans: int
    samplers: int
    arithmetic: int | None
    texture: int | None
    labels: int = 0


_LIMITS: Mapping[str, Limits] = {
    #                    r   c     v   t  i     b     s   slots        labels
    "vs_1_1": Limits(12, 256, 16, 0, 0, 0, 0, 128, 0),
    "vs_2_0": Limits(12, 256, 16, 0, 16, 16, 0, 256, 0, 16),
    "vs_2_x": Limits(32, 256, 16, 0, 16, 16, 0, 256, 0, 16),
    "vs_2_sw": Limits(32, 8192, 16, 0, 2048, 2048, 0, None, None, 2048),
    "vs_3_0": Limits(32, 256, 16, 0, 16, 16, 4, 32768, None, 2048),
    "vs_3_sw": Limits(32, 8192, 16, 0, 2048, 2048, 16, None, None, 2048),
    "ps_1_1": Limits(2, 8, 2, 4, 0, 0, 0, 8, 4),
    "ps_1_4": Limits(6, 8, 2, 6, 0, 0, 6, 8, 6),
    "ps_2_0": Limits(12, 32, 2, 8, 0, 0, 16, 64, 32),
    "ps_2_x": Limits(32, 32, 2, 8, 16, 16, 16, 512, 512, 16),
    "ps_2_sw": Limits(32, 8192, 2, 8, 2048, 2048, 16, None, None, 2048),
    "ps_3_0": Limits(32, 224, 10, 0, 16, 16, 16, 32768, None, 2048),
    "ps_3_sw": Limits(32, 8192, 10, 0, 2048, 2048, 16, None, None, 2048),
}  # fmt: skip
_ALIASES = {"vs_1_0": "vs_1_1", "ps_1_0": "ps_1_1", "ps_1_2": "ps_1_1", "ps_1_3": "ps_1_1"}


def limits(version: Version) -> Limits:
    """The limits of a version; of the newest of its kind for one that nobody defined."""
    name = _ALIASES.get(version.name, version.name)
    return _LIMITS.get(name) or _LIMITS[f"{version.kind}_3_0"]


__all__ = ["CONST", "TABLE", "Cost", "Limits", "Slots", "cost", "cubes_of", "limits", "name_of", "shader_cost"]
