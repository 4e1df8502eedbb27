"""The dependences of a ShaderCore program for `lanewise graph`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.draw import drawn
from lanewise.shadercore.api.picture import dependence_picture
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Answer, Request
    from lanewise.core.source import Span
    from lanewise.shadercore.api.program import ShaderCoreProgram


def graphed(request: Request, program: ShaderCoreProgram, places: Sequence[Span | None]) -> Answer:
    """The graph on the device of the request, in its format; `places` are those of the slots. Raises UsageError, InputFailure,
    InputError."""
    picture = dependence_picture(
        time_program(program.insts, device_of(request)),
        program.program,
        request.name,
        each=request.flag("each"),
        order=request.flag("order"),
    )
    hint = "a box for each expression is smaller, " if request.flag("each") else ""
    return drawn(picture, request.text("format", "text"), hint, places)
