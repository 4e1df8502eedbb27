"""Findings about the results of runs: where lanes stopped, what was read before it was written, outputs left unwritten."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.isa.outmap import wired_components

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.results import LaneFault, ShaderResult
    from lanewise.pica200.engine.uninitialised import UninitialisedRead
    from lanewise.pica200.sem.components import Component
    from lanewise.pica200.sem.profile import Profile

_COMPONENTS = "xyzw"


def fault_findings(
    shader: Shader, faults: Sequence[LaneFault], one: str = "vertex", many: str = "vertices"
) -> list[Diagnostic]:
    """Faults in words, of lanes that are called `one` or `many`."""
    if not faults:
        return []
    from lanewise.pica200.codes import CODES

    places: dict[tuple[str, int], list[int]] = {}
    messages: dict[tuple[str, int], list[str]] = {}
    for lane, fault in sorted(faults, key=lambda each: each[0]):  # engines find them in the order of their blocks
        places.setdefault((fault.code, fault.pc), []).append(lane)
        messages.setdefault((fault.code, fault.pc), []).append(fault.message)
    found: list[Diagnostic] = []
    for (code, pc), lanes in places.items():
        listed = ", ".join(map(str, lanes[:8])) + (", ..." if len(lanes) > 8 else "")
        who = f"{one} {listed}" if len(lanes) == 1 else f"{len(lanes)} {many} ({listed})"
        first, *others = messages[code, pc]
        notes = (f"steps and rings are those of {one} {lanes[0]}",) if any(other != first for other in others) else ()
        found.append(
            Diagnostic(
                code=code,
                severity=ERROR,
                message=f"{who} stopped: {first}",
                span=shader.span(pc - 1 if code == "R003" and pc == len(shader.program.operations) else pc),
                notes=notes,
                fix=CODES[code].help,
            )
        )
    return found


def warnings(shader: Shader, result: ShaderResult, *, feeds_geometry: bool = False) -> list[Diagnostic]:
    """`Shader.warnings`."""
    uninitialised = reads_unwritten(
        shader, result.unwritten, result.watched, profile=result.profile, feeds_geometry=feeds_geometry
    )
    found = [*result.incomplete, *uninitialised]
    from lanewise.arrays.lists import false_counts

    stopped = {lane for lane, _ in result.faults}
    done = [lane for lane in range(result.lanes) if lane not in stopped] if stopped else slice(None)
    for output, declared in zip(shader.outputs, shader.interface.outputs, strict=True):
        wired = declared.mask if feeds_geometry else wired_components(declared.semantic, declared.mask)
        counts = false_counts(result.written[output.semantic][done])
        lacking = {
            letter: count
            for letter, count in zip(output.components, counts, strict=True)
            if count and wired >> _COMPONENTS.index(letter) & 1
        }
        if lacking:
            who = f"{max(lacking.values())} of {result.lanes} vertices leave" if result.lanes > 1 else "the vertex leaves"
            message = f"{who} {output.semantic}.{''.join(lacking)} ({output.register}) unwritten"
            span = declared.span or Span(file=shader.file)
            fix = "write it before `end`, or declare fewer components"
            found.append(Diagnostic(code="R007", severity=WARNING, message=message, span=span, notes=(), fix=fix))
    return found


def reads_unwritten(
    shader: Shader,
    reads: Sequence[UninitialisedRead],
    lanes: int,
    one: str = "vertex",
    many: str = "vertices",
    *,
    profile: Profile,
    feeds_geometry: bool = False,
) -> list[Diagnostic]:
    """The warnings for uninitialised reads of a run of so many lanes, which are called `one` or `many`.

    Reads whose values cannot have an effect are left out.
    """
    effective = _effective(shader, profile, feeds_geometry) if reads else None
    found: list[Diagnostic] = []
    for pc, component, first, count in reads:
        if effective is not None and not effective(pc, component):
            continue
        who = "" if count == lanes else f", first in {one} {first}: in {count} of {lanes} {many}"
        message = f"{component} is read at word {pc:#x} before it is written{who}"
        found.append(
            Diagnostic(
                code="R006", severity=WARNING, message=message, span=shader.span(pc), notes=(), fix=f"write {component} first"
            )
        )
    return found


def _effective(shader: Shader, profile: Profile, feeds_geometry: bool) -> Callable[[int, Component], bool]:
    """Whether a component that a word reads can have an effect."""
    from lanewise.pica200.check.demand import effective

    return effective(shader.analysis_context(profile, wired=bool(shader.interface.outputs) and not feeds_geometry))


def run_warnings(
    shader: Shader, frame: Any, inputs: Mapping[str, Any], uniforms: Mapping[str, Any], result: ShaderResult, step: int
) -> list[Diagnostic]:
    """The warnings about a result and the values of its run: `inputs`, which were given as `frame`; with a `step` those about
    values only, of each such row."""
    from lanewise.arrays.announcing import thinned, thinned_frame
    from lanewise.arrays.value_warnings import frame_warnings
    from lanewise.pica200.api.depth_warnings import depth_warnings, lost_warnings
    from lanewise.pica200.api.direction_warnings import direction_warnings
    from lanewise.pica200.api.uniform_warnings import uniform_warnings
    from lanewise.pica200.api.value_warnings import colour_warnings, directions_as_points, unplaced, value_warnings
    from lanewise.pica200.api.vertex_warnings import vertex_warnings

    some = thinned(inputs, step, result.lanes) if step else inputs
    coloured = colour_warnings(inputs, uniforms, shader, result) if step <= 1 else []
    return [
        *frame_warnings(thinned_frame(frame, step, result.lanes), shader.name),
        *value_warnings(some, uniforms, shader, result.profile),
        *([*coloured, *unplaced(uniforms, shader, result)] if step <= 1 else ()),
        *(directions_as_points(inputs, shader, result) if step <= 1 else ()),
        *(direction_warnings(inputs, uniforms, shader, result.profile) if step <= 1 else ()),
        *(uniform_warnings(inputs, uniforms, shader, result, coloured) if step <= 1 else ()),
        *(vertex_warnings(inputs, uniforms, shader, result.profile) if step <= 1 else ()),
        *([*depth_warnings(uniforms, shader, result), *lost_warnings(inputs, uniforms, shader, result)] if step <= 1 else ()),
        *(() if step else warnings(shader, result)),
    ]
