"""Mutation of files: of texts by tokens and lines, of binary files by bytes and 32-bit fields. A seed gives the same mutants on
every machine."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
NUMBERS = (
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "7",
    "15",
    "16",
    "95",
    "96",
    "127",
    "128",
    "255",
    "256",
    "511",
    "512",
    "4095",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "-2147483649",
    "9223372036854775808",
    "1e38",
    "1e39",
    "-1e400",
    "1e-46",
    "0x",
    "0xFFFFFFFF",
    "0x1p-126",
    "1.",
    ".5",
    "inf",
    "-inf",
    "nan",
    "1_0",
    "1.0.0",
    "00",
    "08",
    "9" * 40,
    "9" * 5000,
    "0." + "0" * 400 + "1",
)
TEXTS = (
    "\x1b]0;x\x07",
    "\0",
    "\x08",
    "\x7f",
    "\x9b31m",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\u00e4",
    "\u65e5\u672c",
    "\U0001f600",
    "\ud7ff",
    "\u0660",
    "\u00b2",
    "\u0130",
    "\r",
    "\r\n",
    "\n\n",
    "\t",
    "\f",
    "\v",
    "%s%n",
    "{}",
    "\\",
    "\\\n",
    '"',
    "'",
    "`",
    ";",
    "//",
    "/*",
    "*/",
    "#",
    "//#",
    "-" * 100,
    "(" * 200,
    "[" * 3000,
    "a" * 3000,
    "../",
    "/dev/null",
    ".",
    "..",
    "$",
    "@",
    "~",
    "!",
    "==",
    "->",
    "[a0.x]",
    ".xyzw",
    ",",
)
WORDS = (
    0, 1, 2, 3, 7, 8, 0x7F, 0x80, 0xFF, 0x100, 0x1FF, 0x200, 0xFFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x00FFFFFF, 0x7FFFFFFF,
    0x80000000, 0xFFFFFFF0, 0xFFFFFFFF,
    0x3F800000, 0x7F800000, 0x7FC00000, 0x88000000, 0x84000000, 0xFFFE0200, 0xFFFF0300, 0x0000FFFF, 0x42415443,
)  # fmt: skip
_MOST_EDITS = 5
LARGEST = 1 << 18  # bytes; mutants of mutants do not grow beyond it


class Seed(NamedTuple):
    """A file to begin with. `context` are the placeholders of command lines that belong to it, such as the inputs of a
    program."""

    name: str
    data: bytes
    context: tuple[str, ...] = ()


def mutate_text(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """A text with a few edits of its tokens and lines; one in twelve is edited as bytes too."""
    text = seed.data.decode("utf-8", "surrogateescape")
    for _ in range(edits(rng)):
        text = rng.choice(_TEXT_EDITS)(rng, text, seeds)[:LARGEST]
    data = text.encode("utf-8", "surrogateescape")
    return mutate_bytes(rng, Seed(seed.name, data), seeds) if rng.random() < 1 / 12 else data


def mutate_bytes(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """Bytes with a few edits of single bytes, fields of 32 bits and blocks."""
    data = bytearray(seed.data)
    for _ in range(edits(rng)):
        rng.choice(_BINARY_EDITS)(rng, data, seeds)
        del data[LARGEST:]
    return bytes(data)


def edits(rng: random.Random) -> int:
    return min(_MOST_EDITS, 1 + int(rng.expovariate(0.9)))


# Texts


def _tokens(rng: random.Random, text: str, seeds: Sequence[Seed]) -> str:
    """Replace, repeat, drop, swap or insert a token."""
    found = _TOKEN.findall(text)
    if not found:
        return rng.choice(TEXTS)
    at = rng.randrange(len(found))
    how = rng.randrange(5)
    if how == 0:
        found[at] = _other_token(rng, seeds)
    elif how == 1:
        found.insert(at, found[at])
    elif how == 2:
        del found[at]
    elif how == 3:
        to = rng.randrange(len(found))
        found[at], found[to] = found[to], found[at]
    else:
        found.insert(at, _other_token(rng, seeds))
    return "".join(found)


def _other_token(rng: random.Random, seeds: Sequence[Seed]) -> str:
    text = rng.choice(seeds).data.decode("utf-8", "replace")
    start = rng.randrange(len(text) + 1)
    found = _TOKEN.findall(text[start : start + 60])
    return rng.choice(found) if found else " "


def _number(rng: random.Random, text: str, seeds: Sequence[Seed]) -> str:
    places = list(re.finditer(r"\d+(?:\.\d+)?", text))
    if not places:
        return text
    place = rng.choice(places)
    value = rng.choice(NUMBERS) if rng.random() < 0.7 else str(rng.randrange(-300, 300))
    return text[: place.start()] + value + text[place.end() :]


def _special(rng: random.Random, text: str, seeds: Sequence[Seed]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(TEXTS) + text[at:]


def _lines(rng: random.Random, text: str, seeds: Sequence[Seed]) -> str:
    """Repeat, drop, swap lines, or take some from another seed."""
    lines = text.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(5)
    if how == 0:
        lines[at:at] = [lines[to]] * rng.choice([1, 1, 2, 40])
    elif how == 1:
        del lines[min(at, to) : min(at, to) + rng.choice([1, 1, 3, len(lines)])]
    elif how == 2:
        lines[at], lines[to] = lines[to], lines[at]
    elif how == 3:
        other = rng.choice(seeds).data.decode("utf-8", "replace").split("\n")
        start = rng.randrange(len(other))
        lines[at:at] = other[start : start + rng.choice([1, 2, 10])]
    else:
        lines[at] = lines[to]
    return "\n".join(lines)


def _characters(rng: random.Random, text: str, seeds: Sequence[Seed]) -> str:
    """Cut, drop or repeat a part, or change one character."""
    at = rng.randrange(len(text) + 1)
    length = rng.choice([1, 1, 2, 8, 64, 1000])
    how = rng.randrange(4)
    if how == 0:
        return text[:at]
    if how == 1:
        return text[:at] + text[at + length :]
    if how == 2:
        return text[:at] + text[at : at + length] * rng.choice([2, 2, 10]) + text[at + length :]
    return text[:at] + chr(rng.choice([rng.randrange(128), rng.randrange(0x300), rng.randrange(0xD800)])) + text[at + 1 :]


def _ends(rng: random.Random, text: str, seeds: Sequence[Seed]) -> str:
    """Other line ends, a byte order mark, no last line end."""
    how = rng.randrange(4)
    if how == 0:
        return text.replace("\n", "\r\n")
    if how == 1:
        return text.replace("\n", "\r")
    return "\ufeff" + text if how == 2 else text.rstrip("\n")


_TEXT_EDITS = (_tokens, _tokens, _tokens, _tokens, _number, _number, _lines, _lines, _special, _characters, _characters, _ends)


# Binary files


def _byte(rng: random.Random, data: bytearray, seeds: Sequence[Seed]) -> None:
    if data:
        at = rng.randrange(len(data))
        data[at] = rng.choice([data[at] ^ 1 << rng.randrange(8), rng.randrange(256), 0, 0xFF])


def _word(rng: random.Random, data: bytearray, seeds: Sequence[Seed]) -> None:
    """Another value in an aligned word of 32 bits, of 16, or of 64."""
    size, kind = rng.choice([(4, "<I"), (4, "<I"), (4, "<I"), (2, "<H"), (8, "<Q")])
    if len(data) < size:
        return
    at = rng.randrange(len(data) // size) * size
    (old,) = struct.unpack_from(kind, data, at)
    value = rng.choice(
        [
            rng.choice(WORDS),
            rng.getrandbits(8 * size),
            old + rng.choice([-8, -4, -1, 1, 4, 8]),
            old ^ 1 << rng.randrange(8 * size),
            len(data),
            rng.randrange(len(data) + 1),
            ~old,
        ]
    )
    struct.pack_into(kind, data, at, value & (1 << 8 * size) - 1)


def _field(rng: random.Random, data: bytearray, seeds: Sequence[Seed]) -> None:
    """Other bits in the upper part of a word, where operations and registers are."""
    if len(data) >= 4:
        at = rng.randrange(len(data) // 4) * 4
        (old,) = struct.unpack_from("<I", data, at)
        width = rng.choice([2, 4, 5, 6, 7, 10])
        shift = rng.randrange(33 - width)
        struct.pack_into("<I", data, at, old & ~((1 << width) - 1 << shift) | rng.getrandbits(width) << shift)


def _block(rng: random.Random, data: bytearray, seeds: Sequence[Seed]) -> None:
    """Cut, drop, repeat, move, clear or take from another seed a block."""
    unit = rng.choice([1, 4, 4, 8])
    at = rng.randrange(len(data) // unit + 1) * unit
    length = unit * rng.choice([1, 1, 2, 4, 16, 100])
    how = rng.randrange(6)
    if how == 0:
        del data[at:]
    elif how == 1:
        del data[at : at + length]
    elif how == 2:
        data[at:at] = data[at : at + length] * rng.choice([1, 1, 20])
    elif how == 3:
        to = rng.randrange(len(data) // unit + 1) * unit
        data[to : to + length] = data[at : at + length]
    elif how == 4:
        data[at : at + length] = bytes([rng.choice([0, 0xFF])]) * length
    else:
        other = rng.choice(seeds).data
        start = rng.randrange(len(other) // unit + 1) * unit
        data[at : at + rng.choice([0, length])] = other[start : start + length]


def _random(rng: random.Random, data: bytearray, seeds: Sequence[Seed]) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.randbytes(rng.choice([1, 4, 8, 32]))


_BINARY_EDITS = (_byte, _byte, _word, _word, _word, _field, _field, _block, _block, _random)
