"""Warnings about the values of a run: what the format cannot hold, what a data frame lacks, matrices with rows and columns
exchanged, bytes that are colours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lanewise.arrays.matrices import is_transposed, rows_of, transposed_warning
from lanewise.arrays.value_warnings import format_warnings, warning
from lanewise.core.diagnostics import INPUT, About
from lanewise.pica200.api.colours import COLOUR, bright_colours
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import FLOAT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.sem.profile import Profile


def value_warnings(
    inputs: Mapping[str, object], uniforms: Mapping[str, object], shader: Shader, profile: Profile
) -> list[Diagnostic]:
    """Warnings about values that the format of a profile cannot hold, and about matrices with rows and columns exchanged."""
    form = "float32" if profile.rounding == "float32" else "float24"
    return [*format_warnings(inputs, uniforms, shader.name, form), *_matrices(uniforms, shader)]


def colour_warnings(
    inputs: Mapping[str, Any], uniforms: Mapping[str, Any], shader: Shader, result: ShaderResult
) -> list[Diagnostic]:
    """Warnings about colours above 1 of a run with bytes among its inputs, and far above 1 of any."""
    arrays = {key: value for key, value in inputs.items() if str(getattr(value, "dtype", "")) == "uint8"}
    large = [key for key, array in arrays.items() if array.size and array.max() > 1]
    key = next((key for key in large if COLOUR in key.lower()), large[0] if large else "")
    for output in shader.outputs if large else ():
        top = float(result.outputs[output.semantic].max(initial=0.0)) if output.semantic.startswith(COLOUR) else 0.0
        if 1 < top < math.inf:
            clamps = "the rasterizer clamps colors at 1"
            message = f"{output.semantic} reaches {top:g}, and {clamps}; input '{key}' is bytes (uint8)"
            fix = f"divide it by 255: `{key} / numpy.float32(255)`"
            return [warning("B022", message, fix, shader.name, About(INPUT, key))]

    def trace(row: int) -> Trace:
        return shader.trace(inputs, uniforms, lane=row, profile=result.profile, defaults=0)

    return bright_colours(shader, shader.outputs, result.outputs, trace)


def _matrices(uniforms: Mapping[str, object], shader: Shader) -> list[Diagnostic]:
    """Warnings about matrices whose columns are in the registers, where the shader takes their rows."""
    suspects = {name: rows for name, value in uniforms.items() if (rows := rows_of(value)) is not None and is_transposed(rows)}
    found: list[Diagnostic] = []
    for name, rows in suspects.items():
        place = find(name, shader.uniform_names, UNIFORM_FILES)
        if place is not None and place.first >= FLOAT and _multiplies_rows(shader, place.first):
            found.append(transposed_warning(name, rows, shader.name))
    return found


def _multiplies_rows(shader: Shader, first: int) -> bool:
    """Whether a shader reads the registers of a matrix only in dot products, the first three in those of four components."""
    read = reads(shader.words, shader.descriptors, shader.interface.entry, {})
    widths: dict[int, set[int]] = {register: set() for register in range(first, first + 4)}
    for (register, _), addresses in read.components.items():
        for address in addresses if register in widths else ():
            widths[register].add(max(decode(shader.words[address]).op.widths, default=0))
    single = set(read.relative).isdisjoint(widths) and all(each <= {3, 4} for each in widths.values())
    return single and all(4 in widths[register] for register in range(first, first + 3))


__all__ = ["colour_warnings", "value_warnings"]
