"""Run a compiled Direct3D 9 shader and compare it with the original.

Both runs use the same data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.engine import reference as direct3d9
from lanewise.direct3d9.engine.data import DEFAULTS, signed
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import ONE
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.shadercore.api import running
from lanewise.shadercore.api.interface import Limits, truth_unlike
from lanewise.shadercore.engine.recording import Data as Waves
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.sem.fetch import elements_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.api.program import ShaderCoreProgram

Component = tuple[int, int, int]  # file, number, component of a register of the source


class Difference(NamedTuple):
    """A component of an output in which the compiled program gives other bits than the shader, and the first lane that does."""

    cell: Component
    lane: int
    expected: int
    found: int

    def __str__(self) -> str:
        file, number, component = self.cell
        return (
            f"output {file}/{number}.{'xyzw'[component]}, lane {self.lane}: 0x{self.expected:08X} by the shader, "
            f"0x{self.found:08X} compiled"
        )


def constants_of(compiled: Compiled, data: Data) -> dict[tuple[int, int], int]:
    """The patterns of c# by (number, component): what the application sets, and what comes with the program."""
    found = {(n, c): row[c] for n in compiled.uniforms if (row := data.constants.get(n)) for c in range(4)}
    for name, place in compiled.counts.items():
        number = int(name[1:])
        if name[0] == "b":
            found[place] = ONE if data.booleans.get(number, False) else 0
        else:
            count = data.integers.get(number, (0,))[0]
            found[place] = int(np.float32(count).view(np.uint32))
    for upload in compiled.uploads:
        found |= {(upload.number, c): bits for c, bits in enumerate(upload.values) if bits is not None}
    return found


def inputs_of(compiled: Compiled, data: Data) -> dict[tuple[int, int], NDArray[np.uint32]]:
    """The patterns of v# of the program by (number, component)."""
    inputs: dict[tuple[int, int], NDArray[np.uint32]] = {}
    for place in compiled.inputs:
        given = data.inputs.get((place.file, place.number))
        for component in range(4):
            column = np.full(data.lanes, DEFAULTS[component], np.uint32) if given is None else given[:, component]
            inputs[place.register, component] = np.ascontiguousarray(column)
    return inputs


def last_registers(compiled: Compiled, program: ShaderCoreProgram, data: Data) -> Mapping[str, NDArray[np.uint32]]:
    """Patterns of (16 lanes, 4 components) of all registers of the core after the last wave of a run; `program` is the compiled
    one."""
    inputs = inputs_of(compiled, data)
    given = Waves(
        constants=constants_of(compiled, data), inputs=inputs, vertices=data.lanes, initial={}, elements=elements_of(inputs)
    )
    return running.last_registers(program, compiled.device, given)


def limits_of(compiled: Compiled, number: int) -> Limits | None:
    """Return the limits of an i# for which a program was compiled; None if the program does not depend on it."""
    known, bound = compiled.options.integers.get(number), compiled.most.get(f"i{number}")
    if known is not None:
        limits = Limits(None, known[1], known[2], known[0])
    elif bound is not None:
        limits = Limits(*bound)
    else:
        return None
    return limits if compiled.reads_counter else limits._replace(start=None, step=None)


def unlike(compiled: Compiled, data: Data) -> list[Diagnostic]:
    """B203: values of i# and b# in a run that differ from those that the program was compiled for."""
    options = compiled.options
    found: list[Diagnostic] = []
    for number, row in data.integers.items():
        limits = limits_of(compiled, number)
        if limits is not None:
            found += limits.unlike(f"i{number}", [signed(row, component) for component in range(3)])
    found += [
        truth_unlike(f"b{number}", value)
        for number, value in data.booleans.items()
        if number in options.booleans and value != options.booleans[number]
    ]
    return found


def run(compiled: Compiled, data: Data, *, engine: str = "auto") -> dict[Component, NDArray[np.uint32]]:
    """The outputs by (file, number, component) of the source, a pattern for each lane. Raises InputError."""
    wrong = unlike(compiled, data)
    if wrong:
        raise InputError(wrong)
    inputs = inputs_of(compiled, data)
    found = run_waves(compiled.program.insts, compiled.device, constants_of(compiled, data), inputs, data.lanes, engine=engine)
    wanted: dict[Component, NDArray[np.uint32]] = {}
    for place in compiled.outputs:
        for component in range(4):
            register = ("o", place.register, component)
            if place.mask >> component & 1 and register in found:
                wanted[place.file, place.number, component] = found[register]
    return wanted


def compare(compiled: Compiled, flow: Flow, data: Data, *, rule: Rule | None = None, engine: str = "auto") -> list[Difference]:
    """Where the compiled program and the shader, run under the device's own rule, differ in what leaves the core. Raises
    InputError."""
    found = run(compiled, data, engine=engine)
    registers = sorted({(file, number) for file, number, _ in found})
    raw = direct3d9.run(flow, rule or rule_of(compiled.device), data, registers)
    differences: list[Difference] = []
    for (file, number, component), lanes in found.items():
        expected = raw.outputs[file, number][:, component]
        wrong = np.flatnonzero(expected != lanes)
        if len(wrong):
            lane = int(wrong[0])
            differences.append(Difference((file, number, component), lane, int(expected[lane]), int(lanes[lane])))
    return differences


def error(
    compiled: Compiled, found: Mapping[Component, NDArray[np.uint32]], exact: Mapping[Component, NDArray[np.uint32]]
) -> float:
    """The greatest difference of outputs from others, in proportion to the greater of 1 and the exact value; infinite and NaN
    ones count where only one of the two is so."""
    worst = 0.0
    for cell, lanes in found.items():
        a, b = lanes.view(np.float32).astype(np.float64), exact[cell].view(np.float32).astype(np.float64)
        finite = np.isfinite(a) & np.isfinite(b)
        if np.any(np.isfinite(a) != np.isfinite(b)):
            return float("inf")
        if finite.any():
            worst = max(worst, float(np.max(np.abs(a - b)[finite] / np.maximum(1.0, np.abs(b[finite])))))
    return worst


assert isa.PIXEL
