"""Running shaders of the PICA200 for `lanewise run`: the vertex shader, or both stages."""

from __future__ import annotations

from lanewise.arrays.report import answered
from lanewise.core.diagnostics import InputError
from lanewise.core.engines import LLVM
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.view import view_of
from lanewise.pica200.api.services.plan import Stages, check_view, plan_of, stages_of
from lanewise.pica200.api.services.trace_log import beside_log, check_log_options
from lanewise.pica200.container.mistaken import explained, written_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Answer, Drawn, Request
    from lanewise.core.view import View
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.services.plan import Stage
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

_MOST_OTHERS = 16  # vertices of which a log may be


def run(request: Request, file: ShaderFile) -> Answer:
    """The outputs of the vertex shader, or the primitives of both stages. Raises UsageError, InputFailure, InputError."""
    view = view_of(request)
    check_view(request, view)
    check_log_options(request, view)
    plan = plan_of(request, file)
    if not isinstance(plan, Stages):
        return _show_outputs(request, plan, view)
    if view.registers:
        raise UsageError("--registers is for one shader: leave out what asks for primitives")
    from lanewise.pica200.api.services.primitives import show_primitives

    return show_primitives(plan, view, request.origins)


def trace(request: Request, file: ShaderFile) -> Answer:
    """One vertex, or one run of the geometry shader, step by step. Raises UsageError, InputFailure, InputError."""
    view = view_of(request)
    check_view(request, view)
    check_log_options(request, view)
    plan, lane = plan_of(request, file), view.lane or 0
    try:
        found = _traced(plan, lane, plan.settings.profile)
    except InputError as error:
        raise InputError(_by_index(error.diagnostics, file, lane)) from None
    if request.has("against"):
        return beside_log(request, plan.findings, found, lambda profile: _traced(plan, lane, profile), _others(plan, lane))
    from lanewise.core.trace import shown

    return shown(view, plan.findings, found)


def _by_index(findings: Sequence[Diagnostic], file: ShaderFile, lane: int) -> list[Diagnostic]:
    """Findings, where a vertex that does not exist may be meant by its place in the list of indices of a draw."""
    indices = file.data.indices if file.data is not None else None
    if indices is None or not 0 <= lane < len(indices):
        return [*findings]
    fix = (
        f"vertices have the numbers of their rows: index {lane} of the draw is vertex {indices[lane]}, --trace {indices[lane]}"
    )
    return [each._replace(fix=fix) if each.code == "B008" else each for each in findings]


def _others(plan: Stage | Stages, lane: int) -> Iterator[Trace]:
    """The traces of the first other vertices."""
    for other in range(_MOST_OTHERS if not isinstance(plan, Stages) else 0):
        if other != lane:
            try:
                yield _traced(plan, other, plan.settings.profile)
            except InputError:  # there are no more
                return


def _traced(plan: Stage | Stages, lane: int, profile: Profile) -> Trace:
    """The trace of a plan under a profile."""
    settings = plan.settings._replace(profile=profile)
    if isinstance(plan, Stages):
        from lanewise.pica200.api.services.primitives import trace_primitives

        return trace_primitives(plan._replace(settings=settings), lane)
    return plan.shader.trace(plan.inputs, plan.uniforms, lane=lane, **settings.traced())


def scene(request: Request, file: ShaderFile) -> Drawn:
    """The triangles of a run. Raises UsageError, InputFailure, InputError."""
    from lanewise.pica200.api.services.primitives import scene_primitives

    return scene_primitives(stages_of(request, file, triangles=True), request.origins)


def _show_outputs(request: Request, plan: Stage, view: View) -> Answer:
    shader = plan.shader
    result = shader.run(plan.inputs, plan.uniforms, **plan.settings.run())
    remarks = ["the reference engine works the registers out"] if view.registers and result.engine == LLVM else []
    known = {(finding.code, finding.about) for finding in plan.findings}  # of values, with their places
    more = [finding for finding in result.warnings if not finding.about or (finding.code, finding.about) not in known]
    after = explained(plan.findings, [*shader.describe(result), *more])
    if request.has("words"):
        after = written_before(shader.words, shader.descriptors, shader.interface.entry, after)
    return answered(view, result, shader.name, before=plan.findings, after=after, remarks=remarks, origins=request.origins)
