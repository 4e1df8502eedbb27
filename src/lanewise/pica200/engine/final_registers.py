"""The values of all registers after each vertex, by the reference engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.lists import table
from lanewise.pica200.isa.table import FLOAT, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reference import Machine, Reference, Words
    from lanewise.pica200.engine.results import LaneFault

_OUTPUTS = 16
_ZERO: Words = (0, 0, 0, 0)
REGISTER_FORMATS = {"a0": "int32", "cmp": "int32", "aL": "int32"}


def final_registers(
    program: Reference, inputs: Inputs, uniforms: Uniforms, faults: Sequence[LaneFault]
) -> dict[str, NDArray[Any]]:
    """Patterns (uint32) of (vertices, components): r0-r15, v0-v15 as loaded, o0-o15, a0, cmp and aL.

    A vertex that stopped has its registers at that moment, one that does not end has zeros.
    """
    readable: list[list[Words]] = [[] for _ in range(FLOAT)]  # v, then r
    outputs: list[list[Words]] = [[] for _ in range(_OUTPUTS)]
    others: list[tuple[int, ...]] = []
    endless = {lane for lane, fault in faults if fault.endless}
    floats, integers, booleans = uniforms[:3]
    last: Machine | None = None
    columns = list(inputs.words.items())
    for lane in range(inputs.lanes):
        if lane in endless:
            for rows in (*readable, *outputs):
                rows.append(_ZERO)
            others.append((0,) * 5)
            continue
        vertex = {number: tuple(rows[lane].tolist()) for number, rows in columns}
        machine = program.start(vertex, floats, integers, booleans, last)
        machine.run()
        registers = machine.registers
        for rows, words in zip((*readable, *outputs), (*registers.readable[:FLOAT], *registers.outputs), strict=True):
            rows.append(words)
        others.append(tuple([value & 0xFFFFFFFF for value in (*registers.a0, *registers.cmp, registers.loops.al)]))
        last = machine
    found = {f"r{n}": table(readable[TEMPORARY + n], "u", 4) for n in range(16)}
    found |= {f"v{n}": table(readable[n], "u", 4) for n in range(16)}
    found |= {f"o{n}": table(outputs[n], "u", 4) for n in range(_OUTPUTS)}
    whole = table(others, "u", 5)
    return {**found, "a0": whole[:, :2], "cmp": whole[:, 2:4], "aL": whole[:, 4:]}
