"""Directives that only lanewise knows: they carry what the picasso language cannot say, for files that picasso did not
write."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import read_integer
from lanewise.core.text.problems import Problem
from lanewise.core.text.quoting import unquote
from lanewise.pica200.isa.table import VERTEX
from lanewise.pica200.text.picasso.syntax import Quirk

if TYPE_CHECKING:
    from lanewise.pica200.text.picasso.reader import Reader


def _number(text: str, bits: int, what: str, least: int = 0) -> int:
    value, length = read_integer(text)
    if not length or length < len(text) or value < least or value >> bits > 0:
        from lanewise.pica200.text.pinning import unreadable

        raise Problem("P055", f"'{text}' is not a {what}", unreadable(text, bits))
    return value


def opdesc(reader: Reader, rest: str) -> None:
    """`.opdesc N 0xWORD`: from the first one on, the descriptor table is pinned."""
    words = rest.split()
    if "," in rest or "=" in rest:
        from lanewise.pica200.text.pinning import separated

        numbers = rest.replace(",", " ").replace("=", " ").split()
        if len(numbers) == 2:
            raise separated(*numbers)
    if len(words) != 2:
        from lanewise.pica200.text.pinning import LONE, completed

        given = _number(words[0], 32, "descriptor number") if len(words) == 1 else 0
        raise Problem("P010", LONE, completed(given))
    if not words[0].isdecimal() or len(words[0]) > 2:
        from lanewise.pica200.text.pinning import EXCHANGED, exchanged

        line = exchanged(*words)
        if line:
            raise Problem("P055", EXCHANGED, line)
    number = _number(words[0], 12, "descriptor number")
    if number == VERTEX.descriptors:
        reader.warn(
            Quirk(
                code="V030",
                message=f"operand descriptor out of range: instructions reach {VERTEX.descriptors} descriptors",
                fix="use 0 to 127",
            )
        )
    if number in reader.descriptors:
        raise Problem("P056", f"operand descriptor {number} is already pinned", "remove one of the lines")
    reader.descriptors[number] = _number(words[1], 32, "word")


def word(reader: Reader, rest: str) -> None:
    text = rest.strip()
    value = _number(text, 32, "word")
    if len(text) == 8:
        from lanewise.pica200.text.pinning import not_in_decimal

        not_in_decimal(text)
    reader.raw_word(value)


def nonop(reader: Reader, rest: str) -> None:
    """`.nonop`: no padding NOPs are inserted in this link."""
    if rest.strip():
        raise Problem("P011", ".nonop has no operands", "remove the rest")
    reader.padding = False


def symbol(reader: Reader, rest: str) -> None:
    """`.symbol "text"`: the name that the next input or uniform has in the file, whatever its name in the source."""
    reader.symbol = unquote(rest.strip())


def shbin(reader: Reader, rest: str) -> None:
    """`.shbin KEY VALUE`: a field of the container; keys that begin with `dvle.` are of this file's shader."""
    key, _, value = rest.strip().partition(" ")
    text = value.strip()
    if not key or not text:
        raise Problem("P010", ".shbin needs a key and a value", "write .shbin dvle.version 0x1002")
    field = unquote(text) if text.startswith('"') else _number(text, 32, "value", -1)
    reader.places[key] = reader.span()
    if key.startswith("dvle."):
        reader.make_unit().container[key] = field
    else:
        reader.container[key] = field
