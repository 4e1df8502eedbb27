"""`lanewise debug` for the PICA200: vertices, or runs of the geometry shader, with the values of a request."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.debugging import GeometryRuns, Vertices
from lanewise.pica200.api.services.plan import Stages, plan_of
from lanewise.pica200.api.services.primitives import bound_pipeline

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.api.debugging import PicaDebuggee
    from lanewise.pica200.api.file import ShaderFile


def debug(request: Request, file: ShaderFile) -> PicaDebuggee:
    """The vertices of the vertex shader, or the runs of the geometry shader. Raises UsageError, InputFailure, InputError."""
    plan = plan_of(request, file)
    profile, budget = plan.settings.profile, plan.settings.budget
    if not isinstance(plan, Stages):
        bound, values, _ = plan.shader.bound(plan.inputs, plan.uniforms, **plan.settings.bound())
        return Vertices(plan.shader, bound, values, profile, plan.findings, budget)
    pipeline, given = plan.pipeline, bound_pipeline(plan)
    findings = [*plan.findings, *given.incomplete]
    if (plan.traced or "geometry") == "geometry" and pipeline.geometry is not None:
        return GeometryRuns(pipeline, given, findings, budget)
    order = given.used.tolist()
    return Vertices(pipeline.vertex, given.inputs, given.uniforms, profile, findings, budget, order)
