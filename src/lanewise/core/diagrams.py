"""Diagrams of machine words: a box for each field, with bit numbers and values.

The highest bit is first, bit numbers are above the boxes, values below.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.bits import Field


def bit_diagram(fields: Sequence[Field], values: Mapping[str, int] | None = None) -> tuple[str, ...]:
    """The boxes of a word's fields as lines of equal width.

    `values` gives the fields whose bits are shown, by name, such as the opcode; the others show how many bits they have.
    """
    values = values or {}
    numbers: list[str] = []
    names: list[str] = []
    contents: list[str] = []
    for field in sorted(fields, key=lambda field: -field.low):
        high, low = str(field.low + field.width - 1), str(field.low)
        name = "-" if field.reserved else field.name
        content = f"{values[field.name]:0{field.width}b}" if field.name in values else str(field.width)
        single = field.width == 1
        width = max(len(name), len(content), len(low) if single else len(high) + 1 + len(low)) + 2
        numbers.append(f" {low.center(width)}" if single else f" {high}{low.rjust(width - len(high))}")
        names.append(name.center(width))
        contents.append(content.center(width))
    bar = "+" + "+".join("-" * len(name) for name in names) + "+"
    return ("".join(numbers) + " ", bar, _boxes(names), _boxes(contents), bar)


def _boxes(cells: Sequence[str]) -> str:
    return f"|{'|'.join(cells)}|"
