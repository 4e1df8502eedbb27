"""Warnings about the values of a run of a Direct3D 9 shader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.layout_warnings import layout_warnings
from lanewise.arrays.matrices import suspect
from lanewise.arrays.value_warnings import format_warnings, frame_warnings
from lanewise.direct3d9.isa.constants import FLOAT_SET
from lanewise.direct3d9.isa.table import CONSTANT_FILES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.direct3d9.api.shader import Direct3DShader

_VECTOR, _ROWS = 4, 4


def value_warnings(
    shader: Direct3DShader, given: Any, inputs: Mapping[str, object], uniforms: Mapping[str, object]
) -> list[Diagnostic]:
    """Warnings about values that float32 does not hold or a data frame (`given`) lacks, and about matrices whose columns are in
    the registers where the shader takes their rows."""
    found = [
        *frame_warnings(given, shader.name),
        *format_warnings(inputs, uniforms, shader.name),
        *layout_warnings(inputs, shader.name),
    ]
    suspects = {name: finding for name, value in uniforms.items() if (finding := suspect(name, value, shader.name)) is not None}
    widths = _widths(shader) if suspects else {}
    for name, finding in suspects.items():
        first = _first(shader, name)
        read = [widths.get(first + n, set()) for n in range(_ROWS)] if first is not None else []
        if read and all(each <= {3, _VECTOR} for each in read) and all(_VECTOR in each for each in read[:3]):
            found.append(finding)
    return found


def _first(shader: Direct3DShader, name: str) -> int | None:
    """The first c# of a uniform; None for others."""
    table = next((row for row in shader.constants if row.name == name and row.set == FLOAT_SET), None)
    if table is not None:
        return table.register
    digits = name[1:]
    return int(digits) if name[:1] in "cC" and digits.isascii() and digits.isdigit() else None


def _widths(shader: Direct3DShader) -> dict[int, set[int]]:
    """The lengths of the dot products that read each c#; 0 for other reads, and for all where addresses are relative."""
    found: dict[int, set[int]] = {}
    for inst in shader.flow.insts:
        both = inst.op.reads if len(set(inst.op.reads)) == 1 and len(inst.op.reads) > 1 else ()
        for source in inst.sources:
            if source.file not in CONSTANT_FILES:
                continue
            if source.is_relative:
                return {}
            for number in range(source.constant, source.constant + max(1, inst.op.rows)):
                found.setdefault(number, set()).add(len(both[0]) if both else 0)
    return found


__all__ = ["value_warnings"]
