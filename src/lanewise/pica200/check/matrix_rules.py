"""Rules of products with matrices, whose rows are registers of a uniform."""

from __future__ import annotations

from lanewise.core.diagnostics import Edit
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Dest
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.isa.program import Uniform

_ROWS = (3, 4)
_Product = tuple[int, int, int]  # component of the result, row of the matrix, address


def row_taken_twice(context: AnalysisContext) -> Iterator[Finding]:
    """V131: a component of a product that takes the row of another component, where nothing reads the row of its own."""
    matrices = [
        each for each in context.interface.uniforms if each.last - each.first + 1 in _ROWS and FLOAT <= each.first < INTEGER
    ]
    if not matrices:
        return
    read = set[int]()
    moving = set[int]()
    for other in context.reached:
        for source in context.sources[other]:
            (moving if source.relative else read).add(source.register)
    for matrix in matrices:
        rows = range(matrix.first, matrix.last + 1)
        if moving.isdisjoint(rows) and not read.issuperset(rows) and not read.isdisjoint(rows):
            for products in _products(context, matrix).values():
                yield from _twice(context, matrix, products, read)


def _products(context: AnalysisContext, matrix: Uniform) -> dict[tuple[object, ...], list[_Product]]:
    """Dot products of a matrix that write one component, by the register that they write and the vector."""
    found: dict[tuple[object, ...], list[_Product]] = {}
    for pc in sorted(context.reached):
        sources = context.sources[pc]
        operation = context.operations[pc]
        dest = operation.operands[0] if operation.operands else None
        if len(sources) != 2 or not operation.op.widths or not isinstance(dest, Dest) or dest.mask not in (8, 4, 2, 1):
            continue
        own = [source for source in sources if matrix.first <= source.register <= matrix.last]
        others = [source for source in sources if source not in own]
        if len(own) == len(others) == 1:
            component = (8, 4, 2, 1).index(dest.mask)
            found.setdefault((dest.register, *others), []).append((component, own[0].register - matrix.first, pc))
    return found


def _twice(context: AnalysisContext, matrix: Uniform, products: list[_Product], read: set[int]) -> Iterator[Finding]:
    for component, row, pc in products:
        others = [each for each, taken, _ in products if taken == row and each != component]
        register = matrix.first + component
        if others and row != component and register <= matrix.last and register not in read:
            wanted, here = f"{matrix.name}[{component}]", f"{matrix.name}[{row}]"
            span = context.span(pc)
            at = span.text.find(here, span.column - 1) if span is not None else -1
            yield Finding(
                message=f"{COMPONENTS[component]} takes {here}, as {COMPONENTS[others[0]]} does, and nothing reads {wanted}",
                fix=f"write {wanted}",
                pc=pc,
                edits=(Edit(span.at(at + 1, len(here)), wanted),) if span is not None and at >= 0 else (),
            )
