"""Instruction slots of Direct3D 9 shaders, and the limits of each version.

The cost of an instruction is a column of its row, as published (D3D, instruction tables of each version; reference 3). Where a
published cell has a condition, `cube` selects it; capabilities of the card (ps_2_x without limit of texture instructions) are
assumed to be missing.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.isa.table import (
    DECLARATION,
    OPS,
    SAMPLER,
    SAMPLER_TYPES,
    TEXLDS,
    TEXTURING,
    VARIED,
    VERTEX,
    Slots,
    column_of_slots,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.isa.program import Inst, Shader
    from lanewise.direct3d9.isa.table import Version

# By the name of the row, and texld, texldp and texldb by their own.
TABLE: Mapping[str, Slots] = {op.name: op.slots for op in OPS} | {one.name: one.slots for one in TEXLDS}
PREDICATED = 1  # more for an instruction with a predicate


class Cost(Record):
    """Slots of an instruction or a shader. Vertex shaders have only arithmetic slots."""

    arithmetic: int
    texture: int

    @property
    def total(self) -> int:
        return self.arithmetic + self.texture


def cost(inst: Inst, version: Version, cubes: frozenset[int] = frozenset()) -> Cost:
    """The slots of an instruction; 0 if the version lacks it. `cubes`: samplers that are declared as cube maps."""
    op = inst.op
    variant = op.control == VARIED and version.major >= 2 and inst.control < len(TEXLDS)
    row = TEXLDS[inst.control].slots if variant else op.slots
    found = getattr(row, column_of_slots(version))
    if found is None:
        return Cost(0, 0)
    if row.cube is not None and version.major >= 3 and len(inst.sources) > 1 and inst.sources[1].number in cubes:
        found = row.cube
    vertex = version.kind == VERTEX
    if row.ps12 is not None and not vertex and version.order in ((1, 2), (1, 3)):
        found = row.ps12
    if inst.predicate is not None:
        found += PREDICATED
    return Cost(found, 0) if vertex or op.role != TEXTURING else Cost(row.beside, found)


def cubes_of(shader: Shader) -> frozenset[int]:
    """The samplers that a shader declares as cube maps."""
    cube = SAMPLER_TYPES.index("cube")
    return frozenset(
        inst.dest.number
        for inst in shader.insts
        if inst.op.role == DECLARATION
        and inst.dest is not None
        and inst.dest.file == SAMPLER
        and inst.payload[0] >> 27 & 0xF == cube
    )


def shader_cost(shader: Shader) -> Cost:
    """The slots of all instructions of a shader; in ps_1_x the second of a pair is free, as the pair counts once."""
    version, cubes = shader.version, cubes_of(shader)
    costs = [cost(inst, version, cubes) for inst in shader.insts if not (inst.coissue and version.major < 2)]
    return Cost(sum(one.arithmetic for one in costs), sum(one.texture for one in costs))


class Limits(Record):
    """The limits of a version, as on every card; None is unlimited."""

    temps: int
    "How many r# there are."
    constants: int
    "How many c# there are."
    inputs: int
    "How many v# there are."
    textures: int
    "How many t# there are."
    integers: int
    "How many i# there are."
    booleans: int
    "How many b# there are."
    samplers: int
    "How many s# there are."
    arithmetic: int | None
    "Slots of arithmetic instructions in ps_1 and ps_2_0, of all instructions in other versions."
    texture: int | None
    "Slots of texture instructions, which only ps_1 and ps_2_0 count apart."
    labels: int = 0
    "How many subroutines there may be."


_LIMITS: Mapping[str, Limits] = {
    #                    r   c     v   t  i     b     s   slots        labels
    "vs_1_1": Limits(
        temps=12, constants=256, inputs=16, textures=0, integers=0, booleans=0, samplers=0, arithmetic=128, texture=0
    ),
    "vs_2_0": Limits(
        temps=12,
        constants=256,
        inputs=16,
        textures=0,
        integers=16,
        booleans=16,
        samplers=0,
        arithmetic=256,
        texture=0,
        labels=16,
    ),
    "vs_2_x": Limits(
        temps=32,
        constants=256,
        inputs=16,
        textures=0,
        integers=16,
        booleans=16,
        samplers=0,
        arithmetic=256,
        texture=0,
        labels=16,
    ),
    "vs_2_sw": Limits(
        temps=32,
        constants=8192,
        inputs=16,
        textures=0,
        integers=2048,
        booleans=2048,
        samplers=0,
        arithmetic=None,
        texture=None,
        labels=2048,
    ),
    "vs_3_0": Limits(
        temps=32,
        constants=256,
        inputs=16,
        textures=0,
        integers=16,
        booleans=16,
        samplers=4,
        arithmetic=32768,
        texture=None,
        labels=2048,
    ),
    "vs_3_sw": Limits(
        temps=32,
        constants=8192,
        inputs=16,
        textures=0,
        integers=2048,
        booleans=2048,
        samplers=16,
        arithmetic=None,
        texture=None,
        labels=2048,
    ),
    "ps_1_1": Limits(temps=2, constants=8, inputs=2, textures=4, integers=0, booleans=0, samplers=0, arithmetic=8, texture=4),
    "ps_1_4": Limits(temps=6, constants=8, inputs=2, textures=6, integers=0, booleans=0, samplers=6, arithmetic=8, texture=6),
    "ps_2_0": Limits(
        temps=12, constants=32, inputs=2, textures=8, integers=0, booleans=0, samplers=16, arithmetic=64, texture=32
    ),
    "ps_2_x": Limits(
        temps=32,
        constants=32,
        inputs=2,
        textures=8,
        integers=16,
        booleans=16,
        samplers=16,
        arithmetic=512,
        texture=512,
        labels=16,
    ),
    "ps_2_sw": Limits(
        temps=32,
        constants=8192,
        inputs=2,
        textures=8,
        integers=2048,
        booleans=2048,
        samplers=16,
        arithmetic=None,
        texture=None,
        labels=2048,
    ),
    "ps_3_0": Limits(
        temps=32,
        constants=224,
        inputs=10,
        textures=0,
        integers=16,
        booleans=16,
        samplers=16,
        arithmetic=32768,
        texture=None,
        labels=2048,
    ),
    "ps_3_sw": Limits(
        temps=32,
        constants=8192,
        inputs=10,
        textures=0,
        integers=2048,
        booleans=2048,
        samplers=16,
        arithmetic=None,
        texture=None,
        labels=2048,
    ),
}
_ALIASES = {"vs_1_0": "vs_1_1", "ps_1_0": "ps_1_1", "ps_1_2": "ps_1_1", "ps_1_3": "ps_1_1"}


def limits(version: Version) -> Limits:
    """The limits of a version; of the newest of its kind for an undefined version."""
    name = _ALIASES.get(version.name, version.name)
    return _LIMITS.get(name) or _LIMITS[f"{version.kind}_3_0"]


__all__ = ["TABLE", "Cost", "Limits", "Slots", "cost", "cubes_of", "limits", "shader_cost"]
