"""`lanewise debug` for ShaderCore."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.api.debugging import vertices
from lanewise.shadercore.api.services.run import named_data

if TYPE_CHECKING:
    from lanewise.core.replaying import Replayed
    from lanewise.core.service import Request
    from lanewise.shadercore.api.program import ShaderCoreProgram


def debug(program: ShaderCoreProgram, request: Request) -> Replayed:
    """The vertices of a run. Raises UsageError, InputFailure, InputError."""
    data = named_data(request)
    return vertices(program, data.pop("inputs"), data.pop("uniforms"), **data)
