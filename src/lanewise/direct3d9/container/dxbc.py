"""The Direct3D 9 shader inside a DXBC container: its chunk Aon9, which compilers write for level 9 profiles.

`container.scan` says how the chunk is laid out. Source: the 77 of MonoGame's effects and of HlslDecompiler's tests.
"""

from __future__ import annotations

import struct

from lanewise.direct3d9.container.stream import DXBC as TAG


def chunks(data: bytes) -> list[tuple[bytes, int, int]]:
    """Name, offset of the contents and size of each chunk; those that are outside the bytes are left out."""
    if not data.startswith(TAG) or len(data) < 32:
        return []
    count = int.from_bytes(data[28:32], "little")
    found: list[tuple[bytes, int, int]] = []
    for at in struct.unpack_from(f"<{min(count, (len(data) - 32) // 4)}I", data, 32):
        if at + 8 <= len(data):
            size = int.from_bytes(data[at + 4 : at + 8], "little")
            if at + 8 + size <= len(data):
                found.append((data[at : at + 4], at + 8, size))
    return found


def has_chunk(data: bytes, name: bytes) -> bool:
    return any(letters == name for letters, _, _ in chunks(data))


def place_of_level9(data: bytes) -> tuple[int, int] | None:
    """Offset and size of the Direct3D 9 shader of a container; None where it has none."""
    for name, at, size in chunks(data):
        if name == b"Aon9" and size >= 16:
            length, offset = struct.unpack_from("<2I", data, at + 8)
            if 8 <= length <= size and offset <= size - length:
                return at + offset, length
    return None


def level9(data: bytes) -> bytes:
    """The Direct3D 9 shader of a container, empty where it has none."""
    place = place_of_level9(data)
    return b"" if place is None else data[place[0] : place[0] + place[1]]


__all__ = ["TAG", "chunks", "has_chunk", "level9", "place_of_level9"]
