"""`lanewise run --trace` for ShaderCore: the wave of a vertex, its write log, and where a value came from."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.trace import shown, style_of
from lanewise.shadercore.api.services.run import named_data

if TYPE_CHECKING:
    from lanewise.core.service import Answer, Request
    from lanewise.shadercore.api.program import ShaderCoreProgram


def traced(request: Request, program: ShaderCoreProgram) -> Answer:
    """The trace of `--trace N` in the format of the request. Raises UsageError, InputFailure, InputError."""
    try:
        trace = program.trace(lane=request.integer("trace"), **named_data(request))
    except InputError as error:
        raise InputError((*program.diagnostics, *error.diagnostics)) from None
    trace.bits, trace.with_registers = request.flag("bits"), request.flag("registers")
    vcd = {"vcd": trace.vcd().rstrip("\n")} if style_of(request) == "vcd" else {}
    return shown(request, (), trace, vcd)
