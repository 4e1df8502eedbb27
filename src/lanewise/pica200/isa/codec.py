"""Machine words to decoded instructions and back, without loss.

Every 32-bit word decodes, and encodes to itself again.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import OPS, UNKNOWN

if TYPE_CHECKING:
    from lanewise.pica200.isa.table import Op


class Inst(Record):
    """A decoded word: its row and the values of the fields of the row's format.

    Reserved fields are included; the lowest bits come first.
    """

    op: Op
    values: tuple[int, ...]

    def __repr__(self) -> str:
        fields = zip(self.op.format.fields, self.values, strict=True)
        return f"Inst({self.op.name} {' '.join(f'{field.name}={value:#x}' for field, value in fields)})"

    def field(self, name: str) -> int:
        """The value of the field `name`. Raises KeyError."""
        return self.values[_PLACES[self.op.format.name][name]]

    def has(self, name: str) -> bool:
        return name in _PLACES[self.op.format.name]

    def replace(self, **fields: int) -> Inst:
        """A copy with other field values. Raises KeyError for a field that the format lacks."""
        names = [field.name for field in self.op.format.fields]
        values = list(self.values)
        for name, value in fields.items():
            if name not in names:
                raise KeyError(name)
            values[names.index(name)] = value
        return Inst(self.op, tuple(values))


# The place of each field among the values of a format, by its name.
_PLACES = {op.format.name: {field.name: n for n, field in enumerate(op.format.fields)} for op in (*OPS, UNKNOWN)}


def _rows_by_top_bits() -> tuple[Op, ...]:
    """The row for each value of bits 31-26; formats with shorter opcodes fill several places."""
    rows = [UNKNOWN] * 64
    for op in OPS:
        mask, value = op.match
        first, places = value >> 26, 64 - (mask >> 26)
        rows[first : first + places] = [op] * places
    return tuple(rows)


_ROWS = _rows_by_top_bits()


def row_of(word: int) -> Op:
    """The row of a word, or `UNKNOWN`."""
    return _ROWS[(word >> 26) & 0x3F]


_DECODED: dict[int, Inst] = {}  # the same words are decoded by each analysis of a program
_MOST_DECODED = 1 << 14


def decode(word: int) -> Inst:
    """Decode any 32-bit word. Raises ValueError for integers outside 0..2**32-1."""
    try:
        found = _DECODED.get(word)
        if found is None:
            if word < 0 or word >> 32:
                raise ValueError(f"{word:#x} is not a 32-bit word")
            op = _ROWS[word >> 26]
            found = Inst(op, tuple([(word >> low) & ((1 << width) - 1) for _, low, width, _ in op.format.fields]))
            if len(_DECODED) >= _MOST_DECODED:
                _DECODED.clear()
            _DECODED[word] = found
        return found
    except TypeError:
        raise TypeError(_not_a_word(word)) from None


def _not_a_word(value: object) -> str:
    """The sentence about a value that is not a whole number."""
    from lanewise.core.argument_kinds import shown

    how = ""
    if isinstance(value, str):
        how = f": `int({value!r}, {0 if value[:2].lower() == '0x' else 16})`"
    elif isinstance(value, bytes):
        how = ": `int.from_bytes(word, 'little')`"
    elif hasattr(value, "__len__"):
        how = ": `[decode(int(word)) for word in words]`"
    return f"word is {shown(value)}, expected a whole number of 32 bits{how}"


def encode(inst: Inst) -> int:
    """Encode an instruction; `encode(decode(word)) == word`.

    Raises ValueError if a value does not fit its field.
    """
    word = 0
    for field, value in zip(inst.op.format.fields, inst.values, strict=True):
        word |= field.insert(value)
    return word
