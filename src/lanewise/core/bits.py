"""Bit fields of machine words."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator


class Field(Record):
    """A run of bits of a word: `width` bits, the lowest of them bit `low`."""

    name: str
    low: int
    width: int
    reserved: bool = False

    @property
    def mask(self) -> int:
        """The field's bits, in place."""
        return ((1 << self.width) - 1) << self.low

    def extract(self, word: int) -> int:
        return (word >> self.low) & ((1 << self.width) - 1)

    def insert(self, value: int) -> int:
        """The value shifted into place. Raises ValueError if it does not fit."""
        if value < 0 or value >> self.width:
            raise ValueError(f"{self.name} = {value} does not fit {self.width} bits")
        return value << self.low


def bit_numbers(word: int) -> Iterator[int]:
    """The numbers of the bits of a word that are set, from 0 up."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low
