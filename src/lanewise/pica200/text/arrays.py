"""Arrays of uniforms that are named without an index."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Operation, Source
from lanewise.pica200.isa.table import register_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.isa.module import Mark


class Bare(Record):
    """The first use of an array without an index."""

    name: str
    "As it is written."
    register: int
    "Its first register."
    size: int
    "Its registers."
    span: Span
    "The operand."


def without_index(uses: Iterable[Bare], items: Sequence[Operation | Mark]) -> list[Diagnostic]:
    """V113: arrays that are named without an index, of which nothing else is read by any instruction."""
    uses = list(uses)
    if not uses:
        return []
    read = set[int]()
    for item in items:
        for operand in item.operands if isinstance(item, Operation) else ():
            if isinstance(operand, Source):
                read.add(operand.register)
                if operand.relative:
                    read.add(operand.register + 1)
    return [
        Diagnostic(
            code="V113",
            severity=WARNING,
            message=f"{use.name} is an array of {use.size}: without an index it is {use.name}[0], "
            f"{register_name(use.register)}, and nothing reads the others",
            span=use.span,
            notes=(),
            fix=f"write {use.name}[0] if that is meant; a product with a matrix is one dp4 for each row: "
            f"dp4 DST.x, {use.name}[0], SRC",
        )
        for use in uses
        if read.isdisjoint(range(use.register + 1, use.register + use.size))
    ]
