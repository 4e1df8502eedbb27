"""Command lists: headers, byte masks, repeated and consecutive writes.

Source: 3dbrew, GPU/Internal Registers, "GPU Commands": a command is a value, a header, and further values; each begins at a
multiple of 8 bytes. Bits of the header: 0 to 15 the register, 16 to 19 the bytes that are written, 20 to 27 the number of
further values, 31 whether they go to the registers that follow or to the same one.
"""

from __future__ import annotations

import struct

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Bits of the bytes that a mask of 4 bits selects.
BYTES = tuple([sum([0xFF << 8 * byte for byte in range(4) if mask >> byte & 1]) for mask in range(16)])
WHOLE = 15
MOST_EXTRA = 255


class Command(Record):
    """A command of a list: where it is, and what it writes."""

    word: int
    "Number of its first word in the list."
    register: int
    "Number of the first register."
    mask: int
    "Bytes that are written, a bit for each."
    values: Sequence[int]
    "Values in order."
    consecutive: bool
    "They go to one register after another."
    cut: bool = False
    "The list ends inside it."


def words_of(data: bytes | memoryview) -> Sequence[int]:
    """The words of a list; bytes after the last whole word are left out."""
    return struct.unpack_from(f"<{len(data) // 4}I", data)


def commands(words: Sequence[int]) -> Iterator[Command]:
    """The commands of a list."""
    at, end = 0, len(words)
    while at + 1 < end:
        header = words[at + 1]
        extra = header >> 20 & 0xFF
        after = at + 2 + extra
        values = (words[at], *words[at + 2 : after]) if extra else (words[at],)
        yield Command(
            word=at,
            register=header & 0xFFFF,
            mask=header >> 16 & 15,
            values=values,
            consecutive=bool(header >> 31),
            cut=after > end,
        )
        at = after + (after & 1)


def encode(register: int, values: Sequence[int], *, mask: int = WHOLE, consecutive: bool = False) -> list[int]:
    """The words of a write, as many commands as it needs."""
    found: list[int] = []
    for start in range(0, len(values), MOST_EXTRA + 1):
        part = values[start : start + MOST_EXTRA + 1]
        first = register + (start if consecutive else 0)
        found += [part[0], first & 0xFFFF | mask << 16 | len(part) - 1 << 20 | consecutive << 31, *part[1:]]
        if len(found) & 1:
            found.append(0)
    return found


def as_bytes(words: Iterable[int]) -> bytes:
    """A list in memory."""
    found = list(words)
    return struct.pack(f"<{len(found)}I", *found)
