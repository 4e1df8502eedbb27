"""What a line of the picasso language is made of, and what picasso takes although it is wrong."""

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

# Component letters of the three alphabets (rule 7).
LETTERS = {letter: i for letters in ("xyzw", "rgba", "stpq", "XYZW", "RGBA", "STPQ") for i, letter in enumerate(letters)}


def takes_count(op: Op) -> bool:
    """Whether NUM of a flow instruction counts words, so that its numeric form has two numbers; jumps and loops have DST alone."""
    return op.kind not in (JUMP, LOOP)


def numeric_operands(op: Op) -> int:
    """Operands of a flow instruction with its target in numbers, a form that lanewise alone reads."""
    return len(op.operands) + takes_count(op)


class Quirk(Record):
    """Something that picasso takes, but for bytes that do not mean what the line says: an error, unless asked for."""

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
