"""The run on a ShaderCore device that a request asks for: `Plan`, read once by `plan_of`.

`run`, `trace`, `debug` and `rtl` take the plan; what to show is a `lanewise.core.view.View`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.data import option_values, refuse, run_data
from lanewise.arrays.words import Words
from lanewise.core.ranges import AT_LEAST_ONE, THREADS, check_options
from lanewise.core.record import Record
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.streams import indices_of, read_streams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.core.service import Request
    from lanewise.shadercore.api.streams import Stream
    from lanewise.shadercore.isa.devices import Device

    Values = dict[str, NDArray[Any] | Words]


class Plan(Record):
    """The data of a run, and how it computes."""

    inputs: Values
    """By usage or register."""
    uniforms: Values
    """Constants by register or name."""
    initial: Values
    """Registers at the start."""
    streams: list[Stream]
    """Inputs in memory."""
    indices: NDArray[Any] | None
    """The vertices that are fetched; None for all in order."""
    vertices: int | None
    """The number of vertices; None for as many as the inputs have."""
    device: Device
    """What computes."""
    defaults: int | None
    """The value of what has no data; None where that is an error."""
    engine: str
    """A name of `lanewise.core.engines`."""
    threads: int
    """Of compiled code."""

    def settings(self) -> dict[str, Any]:
        """The arguments of `ShaderCoreProgram.trace` besides inputs, uniforms and the lane."""
        return {
            "device": self.device,
            "count": self.vertices,
            "streams": self.streams,
            "indices": self.indices,
            "initial": self.initial,
            "defaults": self.defaults,
        }


def plan_of(request: Request) -> Plan:
    """The plan of a request. Raises UsageError, InputFailure, InputError."""
    check_options(request, {"threads": THREADS, "count": AT_LEAST_ONE})
    data = run_data(request, "shadercore")
    refuse(data, "ShaderCore", ("integers", "booleans", "samplers", "outputs"))
    return Plan(
        inputs=option_values(request, "input", data.inputs),
        uniforms=option_values(request, "uniform", data.uniforms, "cN"),
        device=device_of(request),
        vertices=request.whole("count") if request.has("count") else data.count,
        streams=read_streams(request.texts("stream"), request.files),
        indices=indices_of(request),
        initial=_initial(option_values(request, "initial", data.initial, "REG")),
        defaults=0 if request.has("default") else None,
        engine=request.text("engine", "auto"),
        threads=request.integer("threads", 1),
    )


def _initial(values: Values) -> Values:
    """Single numbers as such: the command line has them as vectors of one."""

    def single(value: NDArray[Any] | Words) -> NDArray[Any] | Words:
        array = value.array if isinstance(value, Words) else value
        if array.shape != (1,):
            return value
        return Words(array[0]) if isinstance(value, Words) else array[0]

    return {name: single(value) for name, value in values.items()}
