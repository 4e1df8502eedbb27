"""What `lanewise run` shows: a table of outputs, plain data, an `.npz` of all arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.npz import npz_bytes
from lanewise.core.diagnostics import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.results import Result

SHOWN = 20
_GAP, _GROUP_GAP = "  ", "    "


def components(shader: Shader, key: str) -> str:
    """The letters of an output's columns."""
    return next((output.components for output in shader.outputs if output.semantic == key), "xyzw")


def table(shader: Shader, result: Result, *, everything: bool) -> str:
    """The outputs by vertex, in columns: a component that the shader did not write is `-`; a vertex that stopped says why."""
    shown = result.lanes if everything else min(result.lanes, SHOWN)
    codes = {fault.lane: fault.fault.code for fault in result.faults}
    registers = {output.semantic: output.register for output in shader.outputs}
    groups = [[["", "vertex", *map(str, range(shown))]]]
    for key in result.outputs:
        title = f"{key} ({registers[key]})" if key in registers else key
        columns: list[list[str]] = []
        for place, letter in enumerate(components(shader, key)):
            numbers = result.outputs[key][:shown, place].tolist()
            there = result.written[key][:shown, place].tolist()
            cells = [f"{number:.6g}" if known else "-" for number, known in zip(numbers, there, strict=True)]
            columns.append(["", letter, *cells])
        groups.append(titled(columns, title))
    lines = table_lines(groups)
    for lane, code in codes.items():
        if lane < shown:
            lines[lane + 2] += f"{_GAP}stopped: {code}"
    if not any(registers) and len(groups) == 1:
        lines = ["the shader has no outputs"]
    if shown < result.lanes:
        lines.append(f"... {result.lanes - shown} more vertices (--all shows them, -o FILE.npz writes them)")
    if not result.lanes:
        lines.append("no vertices")
    return "\n".join(line.rstrip() for line in lines)


def titled(columns: list[list[str]], title: str) -> list[list[str]]:
    """The columns of an output, wide enough together for its title, which stands over the first."""
    widths = [max(map(len, column)) for column in columns]
    lacking = len(title) - sum(widths) - len(_GAP) * (len(widths) - 1)
    if lacking > 0:
        columns[0] = [cell.rjust(widths[0] + lacking) for cell in columns[0]]
    columns[0][0] = title
    return columns


def table_lines(groups: Sequence[list[list[str]]]) -> list[str]:
    """The columns side by side, numbers to the right; a title takes the width of its whole group."""
    parts: list[list[str]] = []
    for columns in groups:
        widths = [max(map(len, column[1:])) for column in columns]
        rows = [
            _GAP.join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in list(zip(*columns, strict=True))[1:]
        ]
        parts.append([columns[0][0].ljust(len(rows[0])), *rows])
    return [_GROUP_GAP.join(row) for row in zip(*parts, strict=True)]


def as_data(shader: Shader, result: Result, diagnostics: Sequence[Diagnostic]) -> dict[str, object]:
    """Everything as plain values; `words` are of the profile's format. Numbers that JSON has no way to write are the texts NaN, Infinity, -Infinity."""
    registers = {output.semantic: output.register for output in shader.outputs}
    return {
        "shader": shader.name,
        "vertices": result.lanes,
        "profile": result.profile.describe(),
        "engine": result.engine,
        "outputs": {
            key: {
                "register": registers.get(key, key),
                "components": components(shader, key),
                "values": [[plain(number) for number in row] for row in array.tolist()],
                "words": result.words[key].tolist(),
                "written": result.written[key].tolist(),
            }
            for key, array in result.outputs.items()
        },
        "faults": [
            {"vertex": lane, "code": fault.code, "message": fault.message, "word": fault.pc, "step": fault.step}
            for lane, fault in result.faults
        ],
        "diagnostics": [to_json(d) for d in diagnostics],
    }


def plain(number: float) -> float | str:
    """A number for JSON: those that it has no way to write are text."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def as_npz(result: Result) -> bytes:
    """An `.npz` of float32 arrays by semantic or register, the same as words of the profile's format as NAME_words, and the numbers
    of the vertices that stopped, as `faults`."""
    arrays: dict[str, NDArray[Any]] = dict(result.outputs)
    arrays |= {f"{key}_words": array for key, array in result.words.items()}
    arrays["faults"] = np.array([fault.lane for fault in result.faults], np.int64)
    return npz_bytes(arrays)
