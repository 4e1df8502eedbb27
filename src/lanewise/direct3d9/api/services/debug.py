"""`lanewise debug` for Direct3D 9 shaders."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.api.debugging import lanes
from lanewise.direct3d9.api.services.plan import plan_of

if TYPE_CHECKING:
    from lanewise.core.replaying import Replayed
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.shader import Direct3DShader


def debug(shader: Direct3DShader, request: Request) -> Replayed:
    """The lanes of a run. Raises UsageError, InputFailure, InputError."""
    return lanes(shader, plan_of(request).arguments())
