"""What the rasterizer of the PICA200 gets: its clip volume, the triangles of a run as a `Scene`, and the data that may be
wrong."""

from __future__ import annotations

from itertools import chain

import numpy as np

from lanewise.arrays.matrices import is_transformation
from lanewise.arrays.outputs import Arrays
from lanewise.core.diagnostics import InputError
from lanewise.core.later import Prepared
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.drawing.blame import Chain, Link, blame
from lanewise.drawing.scene import Scene, Suspect
from lanewise.drawing.volume import COUNTERCLOCKWISE, Volume
from lanewise.pica200.api.rasterized import wired
from lanewise.pica200.api.trace_report import operand_text
from lanewise.pica200.isa.outmap import COMPONENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from lanewise.drawing.scene import Blame, Cause
    from lanewise.pica200.api.primitives import Primitives
    from lanewise.pica200.api.tracing import Explanation, Trace
    from lanewise.pica200.isa.outmap import OutputMap

    Tracer = Callable[[str, int], Trace]
    Again = Callable[[Mapping[str, NDArray[np.float64]]], Primitives]

# Volume: Azahar, video_core/renderer_software/sw_rasterizer.cpp, clipping_edges, and citro3d, source/maths/mtx_persp.c ("a
# fixed depth range of [-1,0]"). Front faces and what is culled by default: citro3d, source/base.c, C3D_Init
# (GPU_CULL_BACK_CCW), with libctru, gpu/enums.h. Turned screens: citro3d, source/maths/mtx_orthotilt.c, and the render targets
# of 240 x 400 and 240 x 320 in devkitPro's both_screens. Colours: Azahar, output_vertex.cpp:11-28.
VOLUME = Volume(
    name="PICA200",
    nearest=-1.0,
    farthest=0.0,
    front=COUNTERCLOCKWISE,
    turn=True,
    screens=(("top", 400, 240), ("bottom", 320, 240)),
    colour="color",
    absolute=True,
    wrong_range=(0.1, 1.0),
    depth_range="z is between 0 and w, as with matrices for OpenGL or Direct3D: use citro3d's Mtx_PerspTilt and Mtx_OrthoTilt, "
    "which turn the picture for the screens too, or z' = (z - w) / 2",
    winding="exchange two indices of each triangle, or draw with C3D_CullFace(GPU_CULL_NONE) and --cull none",
    blending="write an alpha above 0: citro3d blends with the alpha of the fragment unless C3D_AlphaBlend says otherwise",
)
_LETTERS = "xyzw"
_MOSTLY, _UNIT = 0.9, 1e-2
_SOME = 0.1  # the share of triangles that another matrix has to bring back: its rows already look wrong


class Origin(Record):
    """The run that primitives came from, so that one can be explained."""

    corners: NDArray[np.int64]
    "(triangles, 3) numbers of the vertices; with a geometry shader those of the emitted ones."
    trace: Tracer
    "`(stage, number)`: trace of a vertex or a run."
    matrices: Mapping[str, NDArray[np.float64]]
    "Uniforms of four registers that were given, by name."
    again: Again
    "All primitives with other matrices."
    causes: Callable[[OutputMap], tuple[Cause, ...]]
    "What keeps them off the screen whatever the values are."
    emitted: bool
    "A geometry shader has sent them."


def scene_of(primitives: Primitives) -> Scene:
    """The scene of primitives that a run gave. Raises ValueError for others."""
    origin = primitives.origin
    if origin is None:
        raise ValueError("the primitives do not know the run that they came from")
    seen = primitives.rasterized()
    outputs = _seen(primitives.outputs, seen)
    stopped = np.array([fault.number for fault in primitives.faults if fault.stage == "vertex"], np.int64)
    lost = "" if primitives.triangles else _lost(primitives)
    return Scene(
        position=seen["position"].astype(np.float64),
        outputs=outputs,
        vertices=origin.corners,
        volume=VOLUME,
        stopped=stopped if not origin.emitted else np.zeros(0, np.int64),
        blame=Prepared(_blame, primitives, origin),
        suspects=Prepared(_suspects, primitives, origin),
        causes=Prepared(origin.causes, primitives.output_map),
        lost=lost,
        whole=not origin.emitted,
        runs=primitives.runs if origin.emitted else None,
        every=None if origin.emitted else _every(primitives),
    )


def _seen(
    outputs: Mapping[str, NDArray[np.float32]], seen: Mapping[str, NDArray[np.float32]]
) -> dict[str, NDArray[np.float32]]:
    """Outputs as the rasterizer takes them; a position even where there is none."""
    return {**{name: seen.get(name, array) for name, array in outputs.items()}, "position": seen["position"]}


def _every(primitives: Primitives) -> tuple[NDArray[np.int64], dict[str, NDArray[np.float32]]]:
    """All vertices that the vertex shader ran, in order of their numbers."""
    order = np.argsort(primitives.used)
    given = primitives.vertices.outputs
    if not isinstance(given, Arrays):
        raise TypeError("results hold Arrays")
    outputs = given.rows(order)
    return primitives.used[order], _seen(outputs, wired(outputs, primitives.output_map, order.shape))


def _lost(primitives: Primitives) -> str:
    if primitives.left_over:
        some = "1 vertex is" if primitives.left_over == 1 else f"{primitives.left_over} vertices are"
        return f"no primitive is complete: {some} left over; give three vertices or indices for each triangle"
    if len(primitives.used):
        return "the geometry shader sends no primitives; set the primitive flag with `setemit` before `emit`"
    return "no vertices are drawn; give the inputs a row for each vertex, or indices"


def _place(table: OutputMap, semantic: str, component: int) -> str:
    """The component of an output that a property takes, such as `o0.x`; empty where nothing is wired."""
    for slot in table.slots:
        for column in range(4) if slot.register >= 0 else ():
            row, place = COMPONENTS.get(slot.word >> 8 * column & 0xFF, (None, 0))
            if row is not None and row.name == semantic and place == component:
                return f"o{slot.register}.{_LETTERS[column]}"
    return ""


def _suspects(primitives: Primitives, origin: Origin) -> Iterator[Suspect]:
    return chain(_other_outputs(primitives), _other_matrices(origin))


def _blame(primitives: Primitives, origin: Origin, triangle: int, corner: int, semantic: str, component: int) -> Blame | None:
    """The instruction behind a component of a property; None where no output is wired to it or it cannot be traced."""
    place = _place(primitives.output_map, semantic, component)
    if not place:
        return None
    try:
        if origin.emitted:
            trace = origin.trace("geometry", int(primitives.runs[triangle]))
            explanation = trace.explain(_at_emit(primitives, trace, triangle, corner, place))
        else:
            explanation = origin.trace("vertex", int(origin.corners[triangle, corner])).explain(place)
    except InputError:  # such as a vertex that emits nothing
        return None
    letters = "rgba" if semantic == "color" else _LETTERS
    name = f"{semantic}.{letters[component]}"
    explanation.component = name + "".join(explanation.component.partition("@")[1:])
    return blame(_chain(explanation, name))


def _at_emit(primitives: Primitives, trace: Trace, triangle: int, corner: int, place: str) -> str:
    """The component in the vertex that the run emitted with the values of this corner."""
    register, _, _ = place.partition(".")
    wanted = tuple(primitives.bits[register][triangle, corner].tolist())
    for vertex in trace.run.emitted if trace.run is not None else ():
        if tuple(vertex.record.vertex.outputs[int(register[1:])]) == wanted:
            return f"{place}@{vertex.number}"
    return place


def _chain(explanation: Explanation, component: str) -> Chain:
    trace = explanation.trace
    links: list[Link] = []
    for step, components in explanation.origins.causes:
        sources = {source for part in components for source in step.made.get(part, ())}
        values = tuple(
            [
                trace.number(write.new[part.channel])
                for write in step.writes
                for part in components
                if write.register == f"{part.file}{part.number}"
            ]
        )
        read: list[float] = []
        texts: list[str] = []
        for operand in step.operands:
            slots = [slot for slot in operand.used if operand.component(slot) in sources]
            read += [trace.number(operand.words[slot]) for slot in slots]
            texts += [operand_text(trace, step.pc, operand, slots)] if slots else []
        links.append(
            Link(
                instruction=trace.instruction(step.pc),
                word=step.pc,
                span=trace.span(step.pc),
                made=values,
                read=tuple(read),
                operands=tuple(texts),
            )
        )
    kinds = {"v": "input", "c": "uniform", "i": "uniform"}
    given = tuple(kinds.get(part.file, "register") for part in explanation.origins.given)
    return Chain(
        component=component,
        value=trace.number(explanation.word),
        subject=trace.subject,
        links=tuple(links),
        given=given,
        text=explanation.text(),
        data=explanation.to_json(),
    )


def _projected(array: NDArray[np.float32]) -> bool:
    """Whether an output looks like positions in clip space: depth below 0 as the PICA200 has it, which colours and texture
    coordinates are not, and no unit vectors."""
    lengths = np.linalg.norm(array, axis=-1)
    return bool(array.size) and bool((array[..., 2] < 0.0).mean() >= _MOSTLY) and bool(np.ptp(lengths) > _UNIT)


def _other_outputs(primitives: Primitives) -> Iterator[Suspect]:
    """The other outputs in place of the position."""
    position = next((binding for binding in primitives.bindings if binding.semantic == "position"), None)
    for binding in primitives.bindings:
        if binding.semantic != "position" and _projected(array := primitives.outputs[binding.register]):
            named = f"{binding.register} ({binding.name or binding.semantic})"
            own = f"{position.register} ({position.name or position.semantic})" if position is not None else "nothing"
            yield Suspect(
                code="wired",
                message=f"the position is wired to {own}, and {named} has values of a position",
                fix=f"declare {named} as `position`, or write the position to the other output",
                position=array.astype(np.float64),
            )


def _other_matrices(origin: Origin) -> Iterator[Suspect]:
    """Matrices as they are stored otherwise: each, then all together."""
    changes: tuple[tuple[str, str, str, Callable[[NDArray[np.float64]], NDArray[np.float64]]], ...] = (
        ("transposed", "rows and columns exchanged", "give its rows: a register holds a row", np.transpose),
        ("rows-reversed", "rows in reverse order", "give the row of x first", lambda matrix: matrix[::-1]),
        (
            "components-reversed",
            "components of rows in reverse order",
            "give x, y, z, w: C3D_FVec holds w, z, y, x in memory",
            lambda matrix: matrix[:, ::-1],
        ),
    )
    for code, wrong, fix, change in changes:
        changed = {name: change(matrix) for name, matrix in origin.matrices.items() if not is_transformation(matrix.tolist())}
        names = [name for name, matrix in changed.items() if is_transformation(matrix.tolist())]
        for group in [[name] for name in names] + ([names] if len(names) > 1 else []):
            given = {name: changed[name] for name in group}
            try:
                found = origin.again(given)
            except (InputError, ValueError):
                continue
            yield Suspect(
                code=code,
                message=f"{' and '.join(group)} {'has' if len(group) == 1 else 'have'} {wrong}",
                fix=fix,
                position=found.rasterized()["position"].astype(np.float64),
                least=_SOME,
            )
