"""Vocabulary of the picasso language, and wrong forms that picasso accepts."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import BY_NAME, JUMP, LOOP, OPS

if TYPE_CHECKING:
    from lanewise.pica200.isa.table import Op

# The plain instructions, and the inverted ones as synonyms (rule 13).
MNEMONICS: dict[str, Op] = {op.name: BY_NAME[op.base] for op in OPS}

# Index registers by every spelling (rule 6), lower case.
INDEX_REGISTERS = {"a0.x": 1, "a0": 1, "a0.y": 2, "a1": 2, "al": 3, "a2": 3, "lcnt": 3}

MAX_CONSTANTS = 96  # entries of the table of constants and presets (rule 35)

# Fixes for what other languages write in an operand.
ABSOLUTE = "use `max` with the negated source: max r0, r1, -r1"
CONSTANT = "declare the values as a constant: .constf NAME(x, y, z, w)"

# Component letters of the three alphabets (rule 7).
LETTERS = {letter: i for letters in ("xyzw", "rgba", "stpq", "XYZW", "RGBA", "STPQ") for i, letter in enumerate(letters)}


def takes_count(op: Op) -> bool:
    """Whether NUM of a flow instruction counts words: its numeric form has two numbers.

    Jumps and loops have only DST.
    """
    return op.kind not in (JUMP, LOOP)


def numeric_operands(op: Op) -> int:
    """Operand count of a flow instruction with a numeric target (lanewise extension)."""
    return len(op.operands) + takes_count(op)


class Quirk(Record):
    """A form that picasso accepts, with bytes that differ from its meaning.

    It is an error, unless compatibility is requested.
    """

    code: str
    message: str
    fix: str
    start: int = 0
    length: int = 0


def is_identifier(text: str) -> bool:
    """Letters, digits, `_` and `$`, not a digit first."""
    return text.replace("$", "_").isidentifier() and text.isascii()


def begins_like_register(text: str) -> bool:
    """Whether picasso would try to read a register: a letter of a register file, then a digit."""
    return len(text) > 1 and text[0] in "vorcibVORCIB" and text[1] in "0123456789"


def is_register(text: str) -> bool:
    """Whether a name is that of a register and nothing else: r3."""
    return len(text) > 1 and text[0] in "vorcib" and text[1:].isdigit() and text.isascii()
