"""The panes of the source and of the data: findings, inputs, uniforms with their controls, and the first rows of the
results."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from lanewise.core.diagnostics import in_order
from lanewise.core.plain import plain_number
from lanewise.packages import languages

from lanewise_studio.places import finding_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.arrays.results import Result
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.debugger.listing import Listing

    from lanewise_studio.evaluation import Evaluation

_ROWS = 20
_MOST_ROWS = 500
_FAULTS = 50


def source(evaluation: Evaluation) -> dict[str, object]:
    """What the source is, with the findings of the assembler and of `check`."""
    service = evaluation.loaded.check
    found: Sequence[Diagnostic] = in_order(service(evaluation.program.request("check")).findings) if service is not None else ()
    subject, listing = evaluation.subject, evaluation.listing
    plain = evaluation.program.described()
    if listing is not None:
        name = evaluation.program.name
        plain["languages"] = {name: listing.language}
        plain["listing"] = {"file": name, "text": listing.text, "source": _source_name(name, listing)}
    return {
        "ok": True,
        **plain,
        "stage": subject.stage,
        "entry": evaluation.program.entry,
        "entries": [*subject.entries],
        "emits": subject.emits,
        "remarks": [*evaluation.remarks],
        "implied": {
            key: value for key, value in evaluation.program.state.options.items() if value != evaluation.state.options.get(key)
        },
        "diagnostics": [finding_json(finding) for finding in found],
    }


def _source_name(name: str, listing: Listing) -> str:
    """What the disassembly of a file is called as a source; empty where it is not one."""
    suffixes = [language.suffixes[0] for _, language in languages() if language.name == listing.language]
    return f"{name.rpartition('.')[0] or name}{suffixes[0]}" if suffixes else ""


def data(evaluation: Evaluation) -> dict[str, object]:
    """The inputs, the uniforms with their controls, the mesh, and the first rows of the results."""
    result = evaluation.result
    mesh = evaluation.mesh
    return {
        "inputs": [
            {
                "name": row.name,
                "register": row.register,
                "components": row.components,
                "binding": row.binding,
                "rows": len(row.values),
                "default": row.binding == "default",
                "first": [plain_number(float(number)) for number in row.values[0]],
            }
            for row in evaluation.inputs
        ],
        "uniforms": [control.plain() for control in evaluation.controls],
        "mesh": {
            "name": mesh.path,
            "vertices": evaluation.vertices,
            "triangles": len(evaluation.faces),
            "properties": [*mesh.arrays],
            "placed": evaluation.is_placed,
        },
        "primitives": _primitives(evaluation),
        "table": table(result, 0, _ROWS),
        "engine": result.engine,
        "variant": result.variant,
        "faults": [
            {"vertex": fault.lane, "code": fault.fault.code, "message": fault.fault.message}
            for fault in result.faults[:_FAULTS]
        ],
        "stopped": len(result.faults),
        "diagnostics": [finding_json(finding) for finding in result.warnings],
    }


def _primitives(evaluation: Evaluation) -> dict[str, object] | None:
    """The primitives of a geometry shader: how many vertices each has, whether that may be chosen, and whether the number is in
    front of each; None without such a shader."""
    subject = evaluation.subject
    if not subject.emits:
        return None
    return {"vertices": evaluation.takes, "chosen": subject.chooses and evaluation.drawn is None, "counted": subject.counts}


def table(result: Result, first: int, count: int) -> dict[str, object]:
    """Rows of the results: a column for each component of the outputs."""
    first = max(0, min(first, result.lanes))
    last = min(first + max(0, min(count, _MOST_ROWS)), result.lanes)
    columns: list[str] = []
    parts: list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]] = []
    for port in result.ports:
        values = np.asarray(result.outputs[port.name][first:last], np.float64)
        array = values.reshape(last - first, math.prod(values.shape[1:]))
        columns += (
            [f"{port.name}.{letter}" for letter in port.components]
            if len(port.components) == array.shape[1]
            else [f"{port.name}.{number}" for number in range(array.shape[1])]
        )
        parts.append(array)
    rows: list[list[float]] = np.concatenate(parts, axis=1).tolist() if parts else []
    return {
        "columns": columns,
        "first": first,
        "rows": [[plain_number(number) for number in row] for row in rows],
        "total": result.lanes,
    }


__all__ = ["data", "source", "table"]
