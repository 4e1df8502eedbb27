"""`lanewise run` for ShaderCore programs: waves of 16 vertices on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.data import option_values, refuse, run_data
from lanewise.arrays.report import answered
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.engines import REFERENCE
from lanewise.core.ranges import AT_LEAST_ONE, THREADS, check_options
from lanewise.core.view import view_of
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.streams import read_indices, read_streams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.core.service import Answer, Request
    from lanewise.shadercore.api.program import ShaderCoreProgram


def results(request: Request, program: ShaderCoreProgram) -> Answer:
    """The outputs of a run as a table, JSON and `.npz`. Raises UsageError, InputFailure, InputError."""
    check_options(request, {"threads": THREADS, "count": AT_LEAST_ONE})
    view = view_of(request)
    data = named_data(request)
    try:
        result = program.run(**data, engine=request.text("engine", "auto"), threads=request.integer("threads", 1))
    except InputError as error:
        raise InputError((*program.diagnostics, *error.diagnostics)) from None
    beside, found = program.beside, len(program.diagnostics)
    remarks = (f"constants and names of inputs are those of {beside.path}",) if beside is not None else ()
    if view.registers and result.engine != REFERENCE:
        remarks += ("registers are those of the reference engine: compiled code does not keep them",)
    before, after = result.warnings[:found], result.warnings[found:]
    return answered(view, result, program.name, before=before, after=after, remarks=remarks)


def named_data(request: Request) -> dict[str, Any]:
    """The arguments of `ShaderCoreProgram.run` and `trace` that are data, by their names. Raises UsageError, InputFailure,
    InputError."""
    data = run_data(request, "shadercore")
    refuse(data, "ShaderCore", ("integers", "booleans", "samplers", "outputs"))
    return {
        "inputs": option_values(request, "input", data.inputs),
        "uniforms": option_values(request, "uniform", data.uniforms, "cN"),
        "device": device_of(request),
        "count": request.whole("count") if request.has("count") else data.count,
        "streams": read_streams(request.texts("stream"), request.files),
        "indices": read_indices(request.text("indices"), request.files),
        "initial": _initial(option_values(request, "initial", data.initial, "REG")),
        "defaults": 0 if request.has("default") else None,
    }


def _initial(values: dict[str, NDArray[Any] | Words]) -> dict[str, NDArray[Any] | Words]:
    """Single numbers as such: the command line has them as vectors of one."""

    def single(value: NDArray[Any] | Words) -> NDArray[Any] | Words:
        array = value.array if isinstance(value, Words) else value
        if array.shape != (1,):
            return value
        return Words(array[0]) if isinstance(value, Words) else array[0]

    return {name: single(value) for name, value in values.items()}
