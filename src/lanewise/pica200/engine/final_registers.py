"""What all registers hold after each vertex, by the reference engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.pica200.isa.table import FLOAT, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reference import Machine, Reference
    from lanewise.pica200.engine.results import LaneFault

REGISTER_FORMATS = {"a0": "int32", "cmp": "int32", "aL": "int32"}


def final_registers(
    program: Reference, inputs: Inputs, uniforms: Uniforms, faults: Sequence[LaneFault]
) -> dict[str, NDArray[Any]]:
    """Patterns (uint32) of (vertices, components): r0-r15, v0-v15 as loaded, o0-o15, a0, cmp and aL.

    A vertex that stopped has its registers at that moment, one that does not end has zeros.
    """
    lanes = inputs.lanes
    readable = np.zeros((FLOAT, lanes, 4), np.uint32)  # v, then r
    outputs = np.zeros((16, lanes, 4), np.uint32)
    others = np.zeros((lanes, 5), np.int64)
    endless = {lane for lane, fault in faults if fault.endless}
    floats, integers, booleans, _ = uniforms
    last: Machine | None = None
    columns = list(inputs.words.items())
    for lane in range(lanes):
        if lane in endless:
            continue
        vertex = {number: tuple(rows[lane].tolist()) for number, rows in columns}
        machine = program.start(vertex, floats, integers, booleans, last)
        machine.run()
        registers = machine.registers
        readable[:, lane] = registers.readable[:FLOAT]
        outputs[:, lane] = registers.outputs
        others[lane] = (*registers.a0, *registers.cmp, registers.loops.al)
        last = machine
    found: dict[str, NDArray[Any]] = {f"r{n}": readable[TEMPORARY + n] for n in range(16)}
    found |= {f"v{n}": readable[n] for n in range(16)}
    found |= {f"o{n}": outputs[n] for n in range(16)}
    whole = others.astype(np.uint32)
    return {**found, "a0": whole[:, :2], "cmp": whole[:, 2:4], "aL": whole[:, 4:]}
