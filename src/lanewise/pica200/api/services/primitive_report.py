"""What `lanewise run` shows of primitives: a table, plain data, an `.npz` of all arrays."""

from __future__ import annotations

import numpy as np

from lanewise.arrays.npz import npz_bytes
from lanewise.arrays.report import cell, plain, table_lines, titled
from lanewise.core.diagnostics import to_json
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.primitives import Primitives

    Seen = Mapping[str, NDArray[np.float32]]

SHOWN = 10


def table(result: Primitives, rasterized: Seen | None, *, everything: bool, bits: bool = False) -> str:
    """The vertices of each primitive, in columns: a component that was not written is `-`. What the rasterizer takes, if it is
    given; `bits`: patterns."""
    shown = result.triangles if everything else min(result.triangles, SHOWN)
    numbers = [str(number) if corner == 0 else "" for number in range(shown) for corner in range(3)]
    groups = [[["", "primitive", *numbers], ["", "vertex", *["0", "1", "2"] * shown]]]
    groups += _outputs(result, shown, bits=bits) if rasterized is None else _seen(rasterized, shown)
    nothing = "no primitives" if result.left_over else "no primitives (--why says what is missing)"
    lines = table_lines(groups) if shown else [nothing]
    if shown < result.triangles:
        lines.append(f"... {result.triangles - shown} more primitives (--all shows them, -o FILE.npz writes them)")
    if result.left_over:
        lines.append(f"{result.left_over} left over at the end of the list: too few for a primitive")
    return "\n".join(line.rstrip() for line in lines)


def _outputs(result: Primitives, shown: int, *, bits: bool) -> list[list[list[str]]]:
    registers = {binding.semantic: binding for binding in result.bindings}
    groups: list[list[list[str]]] = []
    for key in result.outputs:
        binding = registers.get(key)
        letters = binding.components if binding is not None else "xyzw"
        columns: list[list[str]] = []
        for place, letter in enumerate(letters):
            values = (result.bits if bits else result.outputs)[key][:shown, :, place].reshape(-1).tolist()
            known = result.written[key][:shown, :, place].reshape(-1).tolist()
            columns.append(
                [
                    "",
                    letter,
                    *[
                        cell(value, result.format, bits=bits) if there else "-"
                        for value, there in zip(values, known, strict=True)
                    ],
                ]
            )
        groups.append(titled(columns, f"{key} ({binding.register})" if binding is not None else key))
    return groups


def _seen(rasterized: Seen, shown: int) -> list[list[list[str]]]:
    groups: list[list[list[str]]] = []
    for name, array in rasterized.items():
        numbers = array[:shown].reshape(-1, array.shape[-1]).T.tolist()
        columns = [["", letter, *[f"{value:.6g}" for value in column]] for letter, column in zip("xyzw", numbers, strict=False)]
        groups.append(titled(columns, name))
    return groups


def as_data(
    pipeline: Pipeline, result: Primitives, rasterized: Seen | None, diagnostics: Sequence[Diagnostic]
) -> dict[str, object]:
    """Everything as plain values: `values`, `bits` and `written` are lists of primitives of three vertices of components.
    `rasterized` is null if it was not asked for, and the engine of a geometry shader where there is none."""
    registers = {binding.semantic: binding for binding in result.bindings}
    return {
        "vertex_shader": pipeline.vertex.name,
        "geometry_shader": pipeline.geometry.name if pipeline.geometry is not None else None,
        "primitives": result.triangles,
        "left_over": result.left_over,
        "variant": result.profile.describe(),
        "format": result.format,
        "engines": {"vertex": result.vertices.engine, "geometry": result.engine or None},
        "runs": result.runs.tolist(),
        "outputs": {
            key: {
                "register": registers[key].register if key in registers else key,
                "components": registers[key].components if key in registers else "xyzw",
                "values": plain(array),
                "bits": result.bits[key].tolist(),
                "written": result.written[key].tolist(),
            }
            for key, array in result.outputs.items()
        },
        "rasterized": None if rasterized is None else {name: plain(array) for name, array in rasterized.items()},
        "faults": [
            {
                "stage": stage,
                "number": number,
                "code": fault.code,
                "message": fault.message,
                "word": fault.pc,
                "step": fault.step,
            }
            for stage, number, fault in result.faults
        ],
        "diagnostics": [to_json(d) for d in diagnostics],
    }


def as_npz(result: Primitives, rasterized: Seen | None) -> bytes:
    """An `.npz` of (primitives, 3, components) by semantic or register, float32; the same as patterns as NAME_bits; `runs`; and
    `faults_vertex` and `faults_geometry`, the numbers of the vertices and runs that stopped. What the rasterizer takes, if it
    is given, is rasterized_NAME."""
    arrays: dict[str, NDArray[Any]] = dict(result.outputs)
    arrays |= {f"{key}_bits": array for key, array in result.bits.items()}
    arrays |= {f"rasterized_{name}": array for name, array in (rasterized or {}).items()}
    arrays["runs"] = result.runs
    for stage in ("vertex", "geometry"):
        arrays[f"faults_{stage}"] = np.array([fault.number for fault in result.faults if fault.stage == stage], np.int64)
    return npz_bytes(arrays)
