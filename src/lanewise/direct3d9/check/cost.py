"""Cost of a Direct3D 9 shader: instruction slots and registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.direct3d9.isa.slots import limits, shader_cost
from lanewise.direct3d9.isa.table import CONST, INPUT, PIXEL, SAMPLER, TEMP, TEXTURE

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader


class Spent(NamedTuple):
    """How much of something a shader uses; `of` is None where the version sets no limit."""

    name: str
    used: int
    of: int | None


class SlotCost(NamedTuple):
    """`uses` count instruction slots (in pixel shaders arithmetic and texture slots apart), and registers that instructions
    name."""

    name: str
    version: str
    uses: tuple[Spent, ...]


def cost(shader: Shader, name: str) -> SlotCost:
    """The cost of a shader. Relative addresses are not counted: their registers are unknown."""
    version, slots, most = shader.version, shader_cost(shader), limits(shader.version)
    named: set[tuple[int, int]] = set()
    for inst in shader.insts:
        for operand in inst.operands:
            if not operand.is_relative:
                rows = inst.op.rows if inst.op.rows and operand is inst.sources[-1] else 1  # a matrix is several registers
                named.update((operand.file, operand.number + n) for n in range(rows))

    def count(file: int) -> int:
        return sum(place[0] == file for place in named)

    pixel = version.kind == PIXEL
    uses = [Spent("arithmetic slots" if pixel else "slots", slots.arithmetic, most.arithmetic)]
    if pixel and most.texture is not None:
        uses.append(Spent("texture slots", slots.texture, most.texture))
    uses += [Spent("inputs", count(INPUT), most.inputs), Spent("temporaries", count(TEMP), most.temps)]
    uses.append(Spent("constants", count(CONST), most.constants))
    if pixel and most.textures:
        uses.append(Spent("texture coordinates", count(TEXTURE), most.textures))
    if most.samplers:
        uses.append(Spent("samplers", count(SAMPLER), most.samplers))
    return SlotCost(name, version.name, tuple(uses))
