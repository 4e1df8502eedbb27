"""`lanewise run` for ShaderCore programs: waves of 16 vertices on a device."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

from lanewise.arrays.npz import npz_bytes
from lanewise.arrays.values import read_value
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.document import columns
from lanewise.core.ranges import AT_LEAST_ONE, THREADS, check_options
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.streams import read_indices, read_streams
from lanewise.shadercore.isa.program import usage_name, used_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lanewise.core.service import Request
    from lanewise.shadercore.api.program import ShaderCoreProgram, WaveResult

SHOWN = 20


def results(request: Request, program: ShaderCoreProgram) -> Answer:
    """The outputs of a run as a table, JSON and `.npz`. Raises UsageError, InputFailure, InputError."""
    threads, count, output = request.integer("threads", 1), request.whole("count"), request.text("output")
    check_options(request, {"threads": THREADS, "count": AT_LEAST_ONE})
    if request.has("output") and output != STDIO and not output.lower().endswith(".npz"):
        raise UsageError(f"-o {output}: outputs are written as .npz")
    if request.as_json and output == STDIO:
        raise UsageError("--format json and -o - both want standard output: name a file")
    device = device_of(request)
    try:
        result = program.run(
            _values(request, "input", "NAME"),
            _values(request, "uniform", "cN"),
            device=device,
            engine=request.text("engine", "auto"),
            threads=threads,
            count=count,
            streams=read_streams(request.texts("stream"), request.files),
            indices=read_indices(request.text("indices"), request.files),
            initial=_initial(_values(request, "initial", "REG")),
            defaults=0 if request.has("default") else None,
        )
    except InputError as error:
        raise InputError(error.diagnostics if request.as_json else (*program.diagnostics, *error.diagnostics)) from None
    beside = program.beside
    remarks = (
        (f"constants and names of inputs are those of {beside.path}",) if beside is not None and not request.as_json else ()
    )
    return Answer(
        _data(program, result) if request.as_json else {},
        text=""
        if request.as_json
        else _table(program, result, bits=request.flag("bits"), everything=request.flag("all")) + "\n",
        first=program.diagnostics,
        last=result.warnings[len(program.diagnostics) :],
        remarks=remarks,
        files=((output, npz_bytes({name: result.outputs[name] for name in result.outputs})),) if request.has("output") else (),
    )


def _values(request: Request, key: str, what: str) -> dict[str, NDArray[Any] | Words]:
    """Values of an option by name. Raises UsageError, InputFailure."""
    found: dict[str, NDArray[Any] | Words] = {}
    for text in request.texts(key):
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise UsageError(f"--{key} {text}: write {what}=VALUE")
        if name in found:
            raise UsageError(f"--{key} {name} is given twice")
        found[name] = read_value(value, f"--{key} {name}", request.files)
    return found


def _initial(values: dict[str, NDArray[Any] | Words]) -> dict[str, NDArray[Any] | Words]:
    """Single numbers as such: the command line has them as vectors of one."""

    def single(value: NDArray[Any] | Words) -> NDArray[Any] | Words:
        array = value.array if isinstance(value, Words) else value
        if array.shape != (1,):
            return value
        return Words(array[0]) if isinstance(value, Words) else array[0]

    return {name: single(value) for name, value in values.items()}


def _shown(program: ShaderCoreProgram, result: WaveResult) -> list[tuple[int, int, NDArray[np.uint32]]]:
    """(output, component, patterns) of the outputs that the program writes."""
    written = used_outputs(program.insts)
    found: list[tuple[int, int, NDArray[np.uint32]]] = []
    for name in result.bits:
        number = int(program.outputs[name][1:])
        if number in written:
            array = result.bits[name]
            found += [(number, n, array[:, n]) for n in range(array.shape[1])]
    return sorted(found, key=lambda row: row[:2])


def _data(program: ShaderCoreProgram, result: WaveResult) -> dict[str, object]:
    outputs: list[dict[str, object]] = []
    for number, component, patterns in _shown(program, result):
        numbers = [_number(value) for value in patterns.tolist()]
        outputs.append({
            "register": _name(number, component),
            "usage": usage_name(program.program.outputs[number]),
            "values": [value if math.isfinite(value) else None for value in numbers],
            "bits": [f"0x{value:08X}" for value in patterns.tolist()],
        })  # fmt: skip
    return {
        "device": result.device.describe(),
        "vertices": result.vertices,
        "inputs_without_data": list(result.zeroed),
        "outputs": outputs,
        "diagnostics": [to_json(finding) for finding in result.warnings],
    }


def _number(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def _name(number: int, component: int) -> str:
    return f"o{number}.{'xyzw'[component]}"


def _table(program: ShaderCoreProgram, result: WaveResult, *, bits: bool, everything: bool) -> str:
    listed = _shown(program, result)
    if not listed:
        return "the program writes no output that leaves the core"
    shown = result.vertices if everything else min(result.vertices, SHOWN)
    rows = [["vertex", *(_name(number, component) for number, component, _ in listed)]]
    for vertex in range(shown):
        values = [int(patterns[vertex]) for _, _, patterns in listed]
        rows.append([str(vertex), *(f"0x{value:08X}" if bits else f"{_number(value):.7g}" for value in values)])
    lines = columns(rows)
    if shown < result.vertices:
        lines.append(f"... {result.vertices - shown} more vertices (--all shows them)")
    return "\n".join(lines)
