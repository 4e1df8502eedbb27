"""ShaderCore programs in a debugger: the vertices of waves, each in its lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.lists import table
from lanewise.core.diagnostics import InputError
from lanewise.core.numbers.floats import float32_bits
from lanewise.core.replaying import Replayed, Whole, unchangeable
from lanewise.shadercore.api.missing import read_components
from lanewise.shadercore.api.tracing import WaveTrace, prepared
from lanewise.shadercore.check.context import place_name
from lanewise.shadercore.engine.recording import record
from lanewise.shadercore.isa.table import COMPONENTS, LANES
from lanewise.shadercore.text.printer import line_of_inst

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.engine.recording import Data


def vertices(program: ShaderCoreProgram, inputs: Any, constants: Any, **more: Any) -> Replayed:
    """The vertices of a run; the arguments are those of `prepared`. Raises InputError."""
    try:
        bound, timing = prepared(program, inputs, constants, **more)
    except InputError as error:
        raise InputError((*program.diagnostics, *error.diagnostics)) from None
    texts = [line_of_inst(inst) for inst in program.insts]
    data = _completed(program, bound.data)

    def steps(vertex: int, changed: Mapping[str, float]) -> Whole:
        values = _changed(program, data, vertex, changed)
        waves = record(timing, values, vertex // LANES)
        return Whole(WaveTrace(program, timing, values, waves, vertex, [*program.diagnostics, *bound.warnings]))

    def text(address: int) -> str:
        return texts[address] if 0 <= address < len(texts) else ""

    return Replayed(
        "shadercore",
        program.name,
        "vertex",
        range(data.vertices),
        steps,
        text,
        group=LANES,
        writes=[place_name(place) for issue in timing.issues if (place := timing.target(issue)) is not None],
    )


def _completed(program: ShaderCoreProgram, data: Data) -> Data:
    """The data with the zeros of a run that are not in it: what the program reads is shown, and can be set."""
    held = {place[1:] for place in data.initial if place[0] == "v"}
    inputs = {place: table([0] * data.vertices, "u") for place in read_components(program, "v") if place not in held}
    constants = dict.fromkeys(read_components(program, "c"), 0)
    return data._replace(inputs={**inputs, **data.inputs}, constants={**constants, **data.constants})


def _changed(program: ShaderCoreProgram, data: Data, vertex: int, changed: Mapping[str, float]) -> Data:
    """The data with other values in places. Raises InputError."""
    if not changed:
        return data
    inputs = dict(data.inputs)
    constants = dict(data.constants)
    for place, number in changed.items():
        register, _, letter = place.partition(".")
        index, component = int(register[1:]) if register[1:].isdecimal() else -1, COMPONENTS.find(letter)
        bits = float32_bits(float(number))
        if register[0] == "v" and (index, component) in inputs:
            column: list[int] = inputs[index, component].tolist()
            column[vertex] = bits
            inputs[index, component] = table(column, "u")
        elif register[0] == "c" and index >= 0 and component >= 0:
            constants[index, component] = bits
        else:
            raise unchangeable(place, program.name)
    return data._replace(inputs=inputs, constants=constants)
