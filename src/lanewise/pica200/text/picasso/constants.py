"""Constants and registers of a file that a fix may use: those with a value, those with a name in the text.

Loaded for sources with errors only.
"""

from __future__ import annotations

import re

from lanewise.core.numbers.floats import float32_bits, host_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import read_float
from lanewise.pica200.isa.table import FLOAT, IDENTITY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.text.picasso.reader import Reader


def named(reader: Reader) -> frozenset[str]:
    """The temporaries and address registers in the text of this file, and `mova a0.x` for one that is written."""
    if reader.named is None:
        found = re.findall(r"\b(?:r\d+|a[01]|mova\s+a0\.[xy])\b", reader.text.lower(), re.ASCII)
        reader.named = frozenset([" ".join(each.split()) for each in found])
    return reader.named


def constant_of(reader: Reader, value: str) -> str:
    """An operand that is a number in all components: a name of a constant of this file, with components if it has others too;
    empty without one."""
    number, _ = read_float(value)
    found = ["", "", ""]  # one component, all of them with another sign, one of those
    values = {each.register: each.values for each in (reader.unit.constants if reader.unit else ())}
    for name, alias in reader.operands.aliases.items():
        words = values.get(alias.register, ())
        if alias.letter or len(words) != 4 or alias.register < FLOAT or not name.isascii():
            continue
        for place, sign in enumerate((1.0, -1.0)):
            word = _word(number * sign * (-1.0 if alias.negate else 1.0))
            here = [part for part in range(4) if words[alias.selector >> (6 - 2 * part) & 3] == word]
            if len(here) == 4 and not place:
                return name
            if len(here) == 4:
                found[1] = found[1] or f"-{name}"
            elif here and alias.selector == IDENTITY:
                found[2 * place] = found[2 * place] or f"{'-' * place}{name}.{'xyzw'[here[0]]}"
    return next(filter(None, found), "")


def values_of(reader: Reader, texts: Sequence[str]) -> str:
    """The name of a constant of this file with four values; empty without one."""
    words = tuple([_word(read_float(text)[0]) for text in texts])
    values = {each.register: each.values for each in (reader.unit.constants if reader.unit else ())}
    for name, alias in reader.operands.aliases.items():
        plain = not alias.letter and alias.selector == IDENTITY and not alias.negate
        if plain and alias.register >= FLOAT and values.get(alias.register) == words:
            return name
    return ""


def _word(value: float) -> int:
    return host_float24(float32_bits(value))
