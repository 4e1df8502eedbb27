"""`lanewise debug` for ShaderCore."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.api.debugging import vertices
from lanewise.shadercore.api.services.plan import plan_of

if TYPE_CHECKING:
    from lanewise.core.replaying import Replayed
    from lanewise.core.service import Request
    from lanewise.shadercore.api.program import ShaderCoreProgram


def debug(program: ShaderCoreProgram, request: Request) -> Replayed:
    """The vertices of a run. Raises UsageError, InputFailure, InputError."""
    plan = plan_of(request)
    return vertices(program, plan.inputs, plan.uniforms, **plan.settings())
