"""Outputs as later stages see them: the components that the rasterizer takes, or that a geometry shader reads."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.check.dataflow import OUTPUTS, output_bits
from lanewise.pica200.isa.outmap import wired_components
from lanewise.pica200.isa.table import FLOAT, INTEGER, SEMANTICS, TEMPORARY
from lanewise.pica200.sem.components import slots_used
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.isa.program import Output

DUMMY = SEMANTICS.index("dummy")
_POINT, _FIXED = 0, 2  # of `Interface.geometry_mode`


def wired_mask(mask: int) -> int:
    """Convert an output mask: x is in bit 0 in a file, in bit 3 in a descriptor."""
    return sum(8 >> component for component in range(4) if mask >> component & 1)


def taken(context: AnalysisContext) -> dict[Output, int]:
    """The components of each declared output that a later stage takes, as a mask with x in bit 3.

    A semantic takes as many as its property has. Before a geometry shader, semantics have no meaning: what counts is what that
    shader reads. `dummy` outputs of a geometry shader carry what the vertex shader declares; before the rasterizer they are not
    wired.
    """
    found: dict[Output, int] = {}
    read: dict[int, int] = {}
    for follower in context.followers:
        for register, mask in _read_by(follower, context).items():
            read[register] = read.get(register, 0) | mask
    for output in context.interface.outputs:
        if context.followers:
            found[output] = wired_mask(output.mask) & read.get(output.register, 0)
        elif context.interface.geometry and output.semantic == DUMMY:
            found[output] = wired_mask(output.mask)
        else:
            found[output] = wired_mask(wired_components(output.semantic, output.mask))
    return found


def observable(context: AnalysisContext) -> int:
    """The components of outputs whose values can be seen after the shader, as bits of `dataflow`.

    Raw words declare no outputs: any may be seen. What becomes of `dummy` outputs is known only with the geometry shader.
    """
    if not context.wired:
        return OUTPUTS
    found = 0
    for output, mask in context.taken.items():
        found |= output_bits(output.register, mask)
    return found


def _read_by(geometry: AnalysisContext, vertex: AnalysisContext) -> dict[int, int]:
    """The components of each output of a vertex shader that a geometry shader reads: masks with x in bit 3.

    Enabled outputs arrive without gaps, one vertex after the other: in v registers, or in the c registers of the vertex array
    (libctru, shaderProgram.c; azahar, geometry_pipeline.cpp). An index moves by whole vertices.
    """
    enabled = sorted({output.register for output in vertex.interface.outputs})
    interface = geometry.interface
    first, end = 0, TEMPORARY
    if interface.geometry_mode != _POINT:
        first, end = FLOAT + 1, INTEGER
    if interface.geometry_mode == _FIXED:
        first = FLOAT + interface.array_start
        end = first + len(enabled) * interface.vertex_count
    found: dict[int, int] = {}
    for pc in geometry.reached if enabled else ():
        resolved = geometry.resolved(pc)
        if resolved is None:
            continue
        for number, slot in slots_used(resolved):
            source = resolved.sources[number]
            if first <= source.register < end:
                register = enabled[(source.register - first) % len(enabled)]
                found[register] = found.get(register, 0) | 8 >> SLOTS[source.selector][slot]
    return found
