"""`lanewise run --trace` for ShaderCore: the wave of a vertex, its write log, and where a value came from."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.trace import shown
from lanewise.core.view import view_of
from lanewise.shadercore.api.services.plan import plan_of

if TYPE_CHECKING:
    from lanewise.core.service import Answer, Request
    from lanewise.shadercore.api.program import ShaderCoreProgram


def traced(request: Request, program: ShaderCoreProgram) -> Answer:
    """The trace of `--trace N` in the format of the request. Raises UsageError, InputFailure, InputError."""
    view = view_of(request)
    try:
        plan = plan_of(request)
        trace = program.trace(plan.inputs, plan.uniforms, lane=view.lane or 0, **plan.settings())
    except InputError as error:
        raise InputError((*program.diagnostics, *error.diagnostics)) from None
    trace.bits, trace.with_registers = view.bits, view.registers
    vcd = {"vcd": trace.vcd().rstrip("\n")} if view.style == "vcd" else {}
    return shown(view, (), trace, vcd)
