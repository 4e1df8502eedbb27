"""Entries of an SHBIN's tables: names, registers, values; None if invalid.

Source: 3dbrew SHBIN; output semantic 9: libctru shbin.h.
"""

from __future__ import annotations

from struct import Struct

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Constant, Output
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INPUT, INTEGER, REGISTER_END, SEMANTICS, TEMPORARY

if TYPE_CHECKING:
    from lanewise.pica200.container.shbin import ConstantEntry, OutputEntry, UniformEntry

# Constant types by number, as (first register of the class, registers in it): bool, int, float.
CONSTANT_CLASSES = (
    (BOOLEAN, REGISTER_END - BOOLEAN),
    (INTEGER, 4),
    (FLOAT, INTEGER - FLOAT),
)
BOOL_VALUE, INT_VALUE, FLOAT_VALUE = Struct("<I12x"), Struct("<4B12x"), Struct("<4I")
_VALUES = (BOOL_VALUE, INT_VALUE, FLOAT_VALUE)
_VALUE_MASKS = (1, 0xFF, 0xFFFFFF)  # libctru looks at bit 0 of a bool; a float24 has 24 bits

# Indices of the uniform table leave the temporaries out: 00-0F are inputs, what follows is the register number less 0x10.
INDEX_SHIFT = FLOAT - TEMPORARY

_FIRST_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$")
_LETTERS = _FIRST_LETTERS | frozenset("0123456789")


def symbol(symbols: bytes, offset: int) -> bytes | None:
    """The bytes of the name at an offset; None if outside the table or without NUL."""
    end = symbols.find(b"\0", offset) if offset < len(symbols) else -1
    return None if end < 0 else symbols[offset:end]


def name(symbols: bytes, offset: int) -> str | None:
    """The name at an offset; None also if it is not a valid name for an assembler."""
    found = symbol(symbols, offset)
    if not found or not found.isascii():
        return None
    text = found.decode("ascii")
    return text if text[0] in _FIRST_LETTERS and _LETTERS.issuperset(text) else None


def registers(entry: UniformEntry) -> tuple[int, int] | None:
    """First and last register of a uniform entry, in order and of one class, or None."""
    for start, count in ((INPUT, 16), *CONSTANT_CLASSES):
        shift = 0 if start == INPUT else INDEX_SHIFT
        if start <= entry.first + shift <= entry.last + shift < start + count:
            return entry.first + shift, entry.last + shift
    return None


def constant(entry: ConstantEntry) -> Constant | None:
    """The preset of a constant entry; None if its type or register does not exist. Bits that no value has are dropped."""
    if entry.type >= len(CONSTANT_CLASSES):
        return None
    first, count = CONSTANT_CLASSES[entry.type]
    if entry.register >= count:
        return None
    mask = _VALUE_MASKS[entry.type]
    values: tuple[int, ...] = _VALUES[entry.type].unpack(entry.value)
    return Constant(first + entry.register, tuple([value & mask for value in values]))


def output(entry: OutputEntry) -> Output | None:
    """The wiring of an output entry; None if semantic, register or mask is invalid."""
    if entry.type >= len(SEMANTICS) or entry.register >= TEMPORARY or not 0 < entry.mask <= 0xF:
        return None
    return Output(semantic=entry.type, register=entry.register, mask=entry.mask)
