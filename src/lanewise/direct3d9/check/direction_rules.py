"""Rules about what a vertex shader computes of normals and tangents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import Finding
from lanewise.direct3d9.isa.table import CONSTANT_FILES, INPUT, MOVING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.check.context import AnalysisContext
    from lanewise.direct3d9.isa.program import Inst, Source

_DIRECTIONS = {3: "normal", 6: "tangent", 7: "binormal"}  # usages (D3D, D3DDECLUSAGE)
_USAGE = 0xF
_W = 3


def moved_direction(context: AnalysisContext) -> Iterator[Finding]:
    """A normal or tangent that is multiplied by the matrix of points, translation included."""
    if not context.vertex:
        return
    inputs = {
        inst.dest.number: inst.payload[0] & _USAGE
        for _, inst in context.declarations
        if inst.dest is not None and inst.dest.file == INPUT and inst.payload
    }
    directions = {number: _DIRECTIONS[usage] for number, usage in inputs.items() if usage in _DIRECTIONS}
    if not directions:
        return
    products = [(at, inst) for at, inst in enumerate(context.insts) if inst.op.name in MOVING]
    points: dict[int, int] = {}  # by constant: the first product of a position with it
    for at, inst in products:
        for vector, first in _pairs(inst):
            if inputs.get(vector.number) == 0:
                for row in range(MOVING[inst.op.name][0]):
                    points.setdefault(first + row, at)
    for at, inst in products if points else ():
        for vector, first in _pairs(inst):
            name = directions.get(vector.number)
            if name is not None and vector.swizzle[_W] == _W and first in points:
                rows, shorter = MOVING[inst.op.name]
                masked = ", with the destination mask .xyz" if rows > 1 else ""
                yield Finding(
                    message=f"{inst.op.name} of a {name} adds the translation: w of an input of three components is 1",
                    fix=f"use {shorter}, which only turns it{masked}",
                    at=at,
                    related=context.because_of(points[first], "the row moves a point here"),
                )


def _pairs(inst: Inst) -> Iterator[tuple[Source, int]]:
    """The inputs of a product, each with the constant of the first row."""
    for vector, row in ((0, 1), (1, 0)):
        a, b = inst.sources[vector], inst.sources[row]
        if a.file == INPUT and not a.is_relative and b.file in CONSTANT_FILES and not b.is_relative:
            yield a, b.constant
