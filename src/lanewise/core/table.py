"""Instruction tables: formats whose fields cover each bit, rows without overlaps."""

from __future__ import annotations

from lanewise.core.bits import Field
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Row(Protocol):
        """The common columns of all tables."""

        @property
        def name(self) -> str: ...
        @property
        def format(self) -> Format: ...
        @property
        def match(self) -> tuple[int, int]: ...


class Format(Record):
    """A word layout: fields that together cover every bit. The field `opcode` selects the instruction."""

    name: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field:
        """The field of that name. Raises KeyError."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def has(self, name: str) -> bool:
        return any(field.name == name for field in self.fields)


def check_formats(formats: Sequence[Format], word_bits: int) -> None:
    """Check that the fields of each format cover each bit once. Raises ValueError."""
    everything = (1 << word_bits) - 1
    for form in formats:
        seen = 0
        for field in form.fields:
            if seen & field.mask:
                raise ValueError(f"{field.name} overlaps another field of format {form.name}")
            seen |= field.mask
        if seen != everything:
            raise ValueError(f"bits {everything ^ seen:#x} of format {form.name} are neither opcode, field nor reserved")


def check_rows(rows: Sequence[Row]) -> None:
    """Raise ValueError if two rows have one name or match one word."""
    for i, first in enumerate(rows):
        mask, value = first.match
        for second in rows[i + 1 :]:
            mask2, value2 = second.match
            if not (value ^ value2) & mask & mask2:
                raise ValueError(f"{first.name} and {second.name} match the same words")
    names = [row.name for row in rows]
    if len(set(names)) != len(names):
        raise ValueError("two rows have one name")
