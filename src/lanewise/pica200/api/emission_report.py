"""What a trace says for people of a geometry shader's run: what it was given, what SETEMIT and EMIT did, what it has sent."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.engine.winding import winding
from lanewise.pica200.isa.outmap import wired_components
from lanewise.pica200.isa.table import SEMANTICS, mask_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.api.run_tracing import EmittedVertex, Place, Run
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.trace import TraceStep
    from lanewise.pica200.isa.program import Emission


def given_lines(trace: Trace, run: Run) -> Iterator[str]:
    """The vertices of the run, and the registers that they came in, b15 and the last SETEMIT of the run before."""
    listed = ", ".join(map(str, run.vertices))
    yield f"vert{'ices' if len(run.vertices) > 1 else 'ex'} {listed} of {run.vertex_shader}, mode {run.mode}"
    for register, taken in run.taken.items():
        held = trace.given.inputs if register[0] == "v" else trace.given.floats
        name = trace.name(register)
        named = f"{name} ({register})" if name != register else register
        before = run.overwritten.get(register) if taken.run == trace.lane else None
        was = "" if before is None else f", was {trace.words_text(before, raw=False)}"
        yield f"{named} = {trace.words_text(held[int(register[1:])], raw=True)}, {trace.source(register)}{was}"
    yield f"b15 = {'true' if run.b15 else 'false'}" + (", as in every run except the first" if run.b15 and trace.lane else "")
    if trace.lane:
        yield f"setemit as left by an earlier run: {setting(run.emission)}"


def setting(emission: Emission) -> str:
    """`slot 2, sends a primitive, winding inverted`."""
    sends = ", sends a primitive" if emission.primitive else ""
    return f"slot {emission.vertex}{sends}{', winding inverted' if emission.invert else ''}"


def emitted_at(trace: Trace, step: TraceStep) -> EmittedVertex | None:
    """The EMIT of a step."""
    return next((vertex for vertex in trace.run.emitted if vertex.step == step.number), None) if trace.run else None


def step_lines(trace: Trace, step: TraceStep) -> Iterator[str]:
    """What the step said for the next vertices, or the vertex it emitted, with its outputs, and the primitive it sent."""
    if "setemit" in step.result:
        yield setting(step.result["setemit"])
    vertex = emitted_at(trace, step)
    if vertex is not None:
        outputs = "; ".join(output_texts(trace, vertex)) or "no output is written"
        yield f"{placed(vertex)}: {outputs}"
        for register, mask in lacking(trace, vertex):
            words = masked(vertex.record.vertex.outputs[register], mask)
            name = f"{trace.name(f'o{register}')}.{mask_text(mask)} (o{register})"
            yield f"{name} was not written in this run and bank: {trace.words_text(words, raw=False)}"
        yield from ([f"sends {primitive(trace, vertex)}"] if vertex.corners else [])


def brief(trace: Trace, step: TraceStep) -> list[str]:
    """The same for a line of a table."""
    vertex = emitted_at(trace, step)
    if "setemit" in step.result:
        return [setting(step.result["setemit"])]
    if vertex is None:
        return []
    return [placed(vertex) + (f", sends {primitive(trace, vertex)}" if vertex.corners else "")]


def sent_lines(trace: Trace, run: Run) -> Iterator[str]:
    """All that the run has emitted, then all primitives, in order."""
    for vertex in run.emitted:
        yield f"{placed(vertex)}: {'; '.join(output_texts(trace, vertex)) or 'no output is written'}"
    for number, vertex in enumerate(run.primitives):
        yield f"primitive {number}: {primitive(trace, vertex)}"


def placed(vertex: EmittedVertex) -> str:
    """`emit 2 in slot 1`."""
    slot = vertex.record.emission.vertex
    where = f"in slot {slot}" if vertex.record.held else f"dropped: the profile has no slot {slot}"
    return f"emit {vertex.number} {where}"


def primitive(trace: Trace, vertex: EmittedVertex) -> str:
    """`emits 0, 1, 2`, the EMITs that filled the slots 0, 1, 2, and in which order they are drawn where that is another one."""
    corners = [_corner(trace, place) for place in vertex.corners]
    if not vertex.record.emission.invert:
        return f"emits {', '.join(corners)}"
    drawn = [corners[place] for place in drawn_order(trace, vertex)]
    return f"emits {', '.join(corners)}; winding inverted: drawn as {', '.join(drawn)}"


def drawn_order(trace: Trace, vertex: EmittedVertex) -> tuple[int, int, int]:
    """The slots of a primitive in the order in which the rasterizer gets them."""
    return winding(vertex.record.emission.invert, trace.profile)


def _corner(trace: Trace, place: Place | None) -> str:
    if place is None:
        return "nothing"
    return str(place.number) if place.run == trace.lane else f"{place.number} of run {place.run}"


def output_texts(trace: Trace, vertex: EmittedVertex) -> list[str]:
    """The outputs that the run had written in that bank."""
    outputs, written = vertex.record.vertex
    found: list[str] = []
    for number, mask in enumerate(written):
        if mask:
            name = trace.name(f"o{number}")
            components = "" if mask == 0xF else f".{mask_text(mask)}"
            shown = name + components + (f" (o{number})" if name != f"o{number}" else "")
            found.append(f"{shown} = {trace.words_text(masked(outputs[number], mask), raw=False)}")
    return found


def lacking(trace: Trace, vertex: EmittedVertex) -> list[tuple[int, int]]:
    """The registers and masks of declared components that the run had not written in that bank."""
    declared = declared_masks(trace.run.outputs if trace.run else ())
    written = vertex.record.vertex.written
    return [(register, mask & ~written[register]) for register, mask in declared.items() if mask & ~written[register]]


def declared_masks(outputs: Sequence[OutputBinding]) -> dict[int, int]:
    """The declared components that properties take, by register, x in bit 3; `dummy` outputs have none."""
    found: dict[int, int] = {}
    for output in outputs:
        stored = sum(1 << "xyzw".index(letter) for letter in output.components)
        wired = wired_components(SEMANTICS.index(output.semantic.partition("_")[0]), stored)
        if wired:
            register = int(output.register[1:])
            found[register] = found.get(register, 0) | sum(8 >> place for place in range(4) if wired >> place & 1)
    return found


def masked(values: Sequence[int], mask: int) -> list[int]:
    """The components that a mask has."""
    return [value for place, value in enumerate(values) if mask & 8 >> place]
