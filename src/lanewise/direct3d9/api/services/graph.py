"""The control-flow graph of a shader for `lanewise graph`."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.api.services.plan import flow_values
from lanewise.graph.draw import drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Answer, Request
    from lanewise.core.source import Span
    from lanewise.direct3d9.api.shader import Direct3DShader


def graph(shader: Direct3DShader, request: Request, places: Sequence[Span | None]) -> Answer:
    """The graph in the format of the request; `places` are those of the tokens. Raises UsageError, InputFailure, InputError."""
    integers, booleans = flow_values(request)
    picture = shader.picture(integers=integers, booleans=booleans, title=Path(shader.name).name)
    return drawn(picture, request.text("format", "text"), "--bool bN=VALUE rules branches out, ", places)
