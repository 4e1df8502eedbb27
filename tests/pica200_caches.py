"""Synthetic shader caches: the layouts of azahar-emu/azahar a2d16d4 around programs of our own."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lanewise.core.zstd import MAGIC

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import lanewise as lw

LAYOUT = 0x35990DAFD10FA7DF  # of PicaVSConfigState, by a C++ program with its fields
POSITION, COLOUR, EMPTY = 0x03020100, 0x0B0A0908, 0x1F1F1F1F
STATE = {0x4F: 2, 0x50: POSITION, 0x51: COLOUR, 0x2B0: 0x7FFF0005, 0x2B1: 0x00010203, 0x2BA: 0x7FFF0000, 0x2BD: 3}


def memory(words: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(words)}I", *words).ljust(4 * 4096, b"\0")


def opengl(entries: Sequence[tuple[int, int, Mapping[int, int], Sequence[int], Sequence[int]]], version: int = 1) -> bytes:
    """A transferable cache: hash, type, registers, words, descriptors of each entry."""
    parts = [struct.pack("<I", version)]
    for number, kind, state, words, descriptors in entries:
        registers = [state.get(register, 0) for register in range(0x300)]
        parts.append(struct.pack("<IQIQ768I", 0, number, kind, 0x300, *registers))
        if kind == 0:
            parts += [struct.pack("<Q", 8192), memory(words), memory(descriptors)]
    return b"".join(parts)


def stored(data: bytes) -> bytes:
    """A Zstandard frame of blocks that are not compressed."""
    parts = [data[at : at + 30000] for at in range(0, len(data), 30000)]
    blocks = [(len(part) << 3 | (number == len(parts) - 1)).to_bytes(3, "little") + part for number, part in enumerate(parts)]
    return MAGIC + b"\x00\x58" + b"".join(blocks)


def vulkan(entries: Sequence[tuple[int, int, bytes]], *, layout: int = LAYOUT, version: int = 0, file: int = 0) -> bytes:
    """A cache of vertex shaders: type, hash and content of each entry after the first."""
    info = struct.pack("<4sIQI", b"VKCH", version, layout, file).ljust(1144, b"\0")
    parts: list[bytes] = []
    for number, (kind, own, content) in enumerate([(0, 0, info), *entries]):
        payload = stored(content) if number else content
        size = len(payload) + 32
        parts.append(
            struct.pack("<BBHIQ", 0x42, number > 0, kind, size, own)
            + payload
            + struct.pack("<IIQ", 0x24 | number << 8, size, 0)
        )
    return b"".join(parts)


def vulkan_program(words: Sequence[int], descriptors: Sequence[int]) -> bytes:
    return struct.pack("<QII", 0, len(words), len(descriptors)) + memory(words) + memory(descriptors)


def vulkan_config(program: int, entry: int, maps: Sequence[int], mask: int = 3) -> bytes:
    places = iter(range(16))
    output_map = [next(places) if mask >> register & 1 else 16 for register in range(16)]
    state = struct.pack("<QQQII16I", 0, 1, 2, entry, mask.bit_count(), *output_map) + bytes([2]) + bytes(48) + bytes(3)
    state += struct.pack("<3I7I", mask.bit_count(), mask.bit_count(), len(maps), *maps, *[EMPTY] * (7 - len(maps)))
    return struct.pack("<QQQ", 0, program, 7) + state.ljust(192, b"\0")


def parts_of(file: lw.pica200.ShaderFile) -> tuple[Sequence[int], Sequence[int]]:
    """Words and descriptors of a program."""
    return file.words, file.programs[0].descriptors
