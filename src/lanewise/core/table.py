"""What an instruction table is made of: formats, operand kinds, rows, devices."""

from __future__ import annotations

from lanewise.core.bits import Field
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    class Row(Protocol):
        """What the rows of every table have."""

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


class Op(Record):
    """One row: how an instruction is encoded and what its operands are. Its meaning is the function of the same name in `sem`.

    `operands` are operand kinds in the order in which they are written; `base` names the instruction of which this row is
    another encoding (`dphi` of `dph`), or is the row's own name. `dead` names the rule for descriptor bits that the
    instruction ignores. `unproven` is empty, or says what about the meaning no outside witness has shown.
    """

    name: str
    opcode: int
    format: Format
    operands: tuple[str, ...]
    base: str
    dead: str
    writes: tuple[str, ...]
    summary: str
    source: str
    unproven: str = ""

    @property
    def match(self) -> tuple[int, int]:
        """(mask, value): the words that this row describes are those with `word & mask == value`."""
        field = self.format.field("opcode")
        return field.mask, field.insert(self.opcode)

    @property
    def source_count(self) -> int:
        return self.operands.count("src")


class Device(Record):
    """The limits of one unit that runs the ISA."""

    name: str
    code_words: int
    descriptors: int
    mad_descriptors: int
    outputs: int
    call_depth: int
    if_depth: int
    loop_depth: int
    source: str


class Isa(Record):
    """A table of instructions with the words that no row describes."""

    name: str
    title: str
    word_bits: int
    ops: tuple[Op, ...]
    unknown: Op
    devices: tuple[Device, ...]

    def by_name(self) -> Mapping[str, Op]:
        return {op.name: op for op in self.ops}


def check(isa: Isa) -> None:
    """Raise ValueError unless the table is sound: every bit of every word is accounted for and no word has two rows."""
    check_formats([op.format for op in (*isa.ops, isa.unknown)], isa.word_bits)
    check_rows(isa.ops)
    names = [op.name for op in isa.ops]
    for op in isa.ops:
        if op.base not in names:
            raise ValueError(f"{op.name} is a form of {op.base}, which has no row")


def check_formats(formats: Sequence[Format], word_bits: int) -> None:
    """Raise ValueError unless the fields of each format cover each bit of a word once."""
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
