"""`lanewise debug` for the PICA200: vertices, or runs of the geometry shader, with the values of a request."""

from __future__ import annotations

from lanewise.core.ranges import check_options
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.pica200.api.debugging import GeometryRuns, Vertices
from lanewise.pica200.api.services.primitives import bound_pipeline, draws
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.api.services.run import RANGES, data_of, is_alone, stage, stages
from lanewise.pica200.api.shader import BUDGET

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.api.debugging import PicaDebuggee
    from lanewise.pica200.api.file import ShaderFile


def debug(request: Request, file: ShaderFile) -> PicaDebuggee:
    """The vertices of the vertex shader, or the runs of the geometry shader. Raises UsageError, InputFailure, InputError."""
    check_options(request, RANGES)
    profile, data, budget = profile_of(request), data_of(request, file), request.integer("budget", BUDGET)
    defaults = 0 if request.has("default") else None
    if not (draws(request) or is_alone(file)):
        one = stage(request, file, data)
        count = request.whole("count")
        bound, values, _ = one.shader.bound(one.inputs, one.uniforms, count=count, profile=profile, defaults=defaults)
        return Vertices(one.shader, bound, values, profile, one.findings, budget)
    both = stages(request, file, data)
    pipeline = both.pipeline
    given = bound_pipeline(request, pipeline, both.inputs, both.uniforms, profile)
    findings = [*both.findings, *given.incomplete]
    wanted = request.text("trace-stage") or ("geometry" if pipeline.geometry is not None else "vertex")
    if wanted == "geometry":
        if pipeline.geometry is None:
            raise UsageError("--trace-stage geometry: the file has no geometry shader")
        return GeometryRuns(pipeline, given, findings, budget)
    order = given.used.tolist()
    return Vertices(pipeline.vertex, given.inputs, given.uniforms, profile, findings, budget, order)
