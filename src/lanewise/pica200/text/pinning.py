"""What `.opdesc` and `.word` take, in each dialect: numbers that are missing, exchanged, or in another base."""

from __future__ import annotations

from lanewise.core.text.numbers import read_integer
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.codec import row_of
from lanewise.pica200.isa.table import UNKNOWN, VERTEX

LONE = ".opdesc takes the number of a descriptor, 0 to 127, and its word"


def completed(given: int) -> str:
    """The line to write for an `.opdesc` with one number, which is the descriptor's if it may be, else the word."""
    return f"write .opdesc {given} 0x0000036F" if given < VERTEX.descriptors else f"write .opdesc 0 {given:#010x}"


def unreadable(text: str, bits: int) -> str:
    """The fix of a text that is not a number of so many bits."""
    words = text.replace(",", " ").split()
    if len(words) > 1:
        return f"write a line for each word, the first one .word {words[0]}"
    if len(text) * 4 <= bits and text and set("0123456789abcdefABCDEF").issuperset(text):
        return f"write 0x{text}"
    return f"write a number of {bits} bits, such as 0x1F"


def exchanged(number: str, word: str) -> str:
    """The line to write for an `.opdesc` whose word is in front of its number; empty for one in order.

    A file may have more descriptors than instructions reach: the words of such lines are in hexadecimal.
    """
    (first, read), (second, end) = read_integer(number), read_integer(word)
    if read < len(number) or end < len(word) or first < VERTEX.descriptors or not 0 <= second < VERTEX.descriptors:
        return ""
    if first >> 32 or (number[:2].lower() != "0x" and word[:2].lower() == "0x"):
        return ""
    return f"write .opdesc {second} {first:#010x}"


def separated(number: str, word: str) -> Problem:
    """The problem of an `.opdesc` with a mark between its numbers."""
    line = f"write .opdesc {number} {word}"
    return Problem("P055", "the numbers of .opdesc have a blank between them", exchanged(number, word) or line)


EXCHANGED = ".opdesc has the number of the descriptor first, then its word"


def not_in_decimal(text: str) -> None:
    """Raise Problem for a word of eight decimal digits that is one of the instruction set in hexadecimal."""
    if len(text) != 8 or not text.isdecimal() or not text.isascii():
        return
    op = row_of(int(text, 16))
    if op is UNKNOWN:
        return
    value = read_integer(text)[0]
    raise Problem(
        "P055",
        f"'{text}' is decimal, {value:#010x}: in hexadecimal it is a word of {op.name}",
        f"write 0x{text}, or {value:#010x} for the decimal number",
    )
