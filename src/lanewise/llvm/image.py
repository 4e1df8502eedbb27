"""Object files of x86-64 Linux in memory, without LLVM: a start from the cache need not import it.

Code for here is position-independent and its sections refer only to each other, so the file is its own image: references
between sections are filled in, and it is mapped as it is. What is different is left to LLVM's linker.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HEADER = struct.Struct("<4sBBBB8xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QIIq")
_ELF64_LITTLE, _RELOCATABLE, _X86_64 = (b"\x7fELF", 2, 1), 1, 62
_SYMBOLS, _RELOCATIONS, _RELOCATIONS_WITHOUT_ADDEND, _EMPTY = 2, 4, 9, 8  # types of sections
_WRITABLE, _ALLOCATED = 1, 2  # flags of sections
_RELATIVE = (2, 4)  # R_X86_64_PC32, R_X86_64_PLT32: the distance to a symbol, in 32 bits
_ABSOLUTE = 0xFF00  # from here on, a symbol's section is none


class Image(NamedTuple):
    """Code in memory: `memory` must live as long as `address` is called."""

    memory: mmap.mmap
    address: int


class _Section(Record):
    """A row of the section header table (Elf64_Shdr), in the order of the file."""

    name: int
    "The offset of the name in the table of names."
    type: int
    "The kind of contents, such as `_SYMBOLS`."
    flags: int
    "`_WRITABLE`, `_ALLOCATED` and others, as bits."
    address: int
    "The address when the section is loaded; 0 in object files."
    offset: int
    "The first byte of the contents in the file."
    size: int
    "Bytes of the contents."
    link: int
    "The number of a section; of symbols, that of their names."
    info: int
    "The number of a section; of relocations, the one that they change."
    alignment: int
    "The alignment of the contents in bytes; 0 and 1 for none."
    entry: int
    "Bytes of each row, for sections that are tables."


def image(code: bytes, function: str) -> Image | None:
    """The object file in memory, with the address of a function; None if that takes a linker. Raises RuntimeError for other
    data."""
    if sys.platform != "linux":
        return None
    try:
        linked = _linked(code, function.encode())
    except (struct.error, IndexError, ValueError) as error:
        raise RuntimeError(f"not an object file: {error}") from None
    return linked and _mapped(*linked)


def _linked(code: bytes, function: bytes) -> tuple[bytearray, int] | None:
    """The image, and the offset of the function in it."""
    magic, size, order, _, _, kind, machine, _, _, _, first, _, _, _, _, each, count, _ = _HEADER.unpack_from(code)
    if (magic, size, order) != _ELF64_LITTLE or kind != _RELOCATABLE or each != _SECTION.size:
        raise ValueError("its header is that of another kind of file")
    if machine != _X86_64:
        return None
    sections = [_Section._make(_SECTION.unpack_from(code, first + number * each)) for number in range(count)]
    for section in sections:
        if section.type != _EMPTY and section.offset + section.size > len(code):
            raise ValueError("a section is beyond its end")
        if section.flags & _ALLOCATED and (
            section.flags & _WRITABLE or section.type == _EMPTY or section.offset % max(section.alignment, 1)
        ):
            return None
    table = next((section for section in sections if section.type == _SYMBOLS), None)
    if table is None:
        return None
    names = sections[table.link]
    symbols = list(_rows(_SYMBOL, code, table))
    found = bytearray(code)
    for section in sections:
        if section.type == _RELOCATIONS_WITHOUT_ADDEND:
            return None
        if section.type != _RELOCATIONS or not sections[section.info].flags & _ALLOCATED:
            continue
        base, end = sections[section.info].offset, sections[section.info].size
        for offset, how, number, addend in _rows(_RELOCATION, code, section):
            symbol = symbols[number]
            if how not in _RELATIVE or not 0 < symbol[3] < _ABSOLUTE:
                return None
            if offset + 4 > end:
                raise ValueError("a reference is beyond the end of its section")
            distance = sections[symbol[3]].offset + symbol[4] + addend - (base + offset)
            struct.pack_into("<i", found, base + offset, distance)
    for name, _, _, section, value, _ in symbols:
        start = names.offset + name
        if 0 < section < _ABSOLUTE and code[start : start + len(function) + 1] == function + b"\0":
            if value >= sections[section].size:
                raise ValueError("a function is beyond the end of its section")
            return found, sections[section].offset + value
    return None


def _rows(row: struct.Struct, code: bytes, section: _Section) -> Iterator[tuple[int, ...]]:
    return row.iter_unpack(memoryview(code)[section.offset : section.offset + section.size // row.size * row.size])


def _mapped(image: bytearray, function: int) -> Image | None:
    """None where memory that was written may not be executed."""
    memory = mmap.mmap(-1, len(image), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory[: len(image)] = bytes(image)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if _protect()(start, len(image), mmap.PROT_READ | mmap.PROT_EXEC):
        return None
    return Image(memory, start + function)


@cache
def _protect() -> Callable[[int, int, int], int]:
    function = ctypes.CDLL(None).mprotect
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return function
