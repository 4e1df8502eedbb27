"""Read and write files of Direct3D 9 shaders without loss.

`write_stream(read_stream(x).shader) == x`.

A file is 32-bit words, little endian, of which `direct3d9.isa.codec` makes a shader.
"""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa.codec import decode, version_of
from lanewise.direct3d9.isa.table import BY_TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.program import Shader

DXBC = b"DXBC"  # the container of Direct3D 10 and later


class Read(Record):
    """The shader of a stream, None where it has no version; what was found, with places as offsets."""

    shader: Shader | None
    diagnostics: list[Diagnostic]


def is_direct3d9(data: bytes) -> bool:
    """Whether a file begins with the token of a version that there is."""
    return len(data) >= 4 and int.from_bytes(data[:4], "little") in BY_TOKEN


def write_stream(shader: Shader) -> bytes:
    """The bytes of a shader, as a file has them."""
    words = shader.words
    return struct.pack(f"<{len(words)}I", *words) + shader.rest


def read_stream(data: bytes | Sequence[int], name: str = "") -> Read:
    """The shader of a stream, of bytes or of words; `name` is for messages. Whatever follows the version, there is a shader."""
    rest = b""
    words: Sequence[int]
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = bytes(data)
        whole = len(data) // 4
        words = struct.unpack_from(f"<{whole}I", data)
        rest = data[4 * whole :]
    else:
        words = data
    if not words or version_of(words[0]) is None:
        begin = data if isinstance(data, bytes) else struct.pack("<I", words[0]) if words else b""
        return Read(None, [_no_stream(begin, name)])
    shader, found = decode(words, name)
    if rest:
        found.append(
            Diagnostic("C304", WARNING, f"{len(rest)} bytes after the last word", Span(name, offset=4 * len(words)),
                       fix="remove them, or leave them: they are preserved, but never read")
        )  # fmt: skip
        shader = shader._replace(rest=rest)
    return Read(shader, found)


def _no_stream(data: bytes, name: str) -> Diagnostic:
    place = Span(name, offset=0)
    if data[:4] == DXBC:
        return Diagnostic(
            "C310", ERROR, "this is a DXBC file: a shader for Direct3D 10 or later (shader model 4 and up)", place,
            fix="compile for a Direct3D 9 profile, such as vs_3_0; a level 9 profile holds one inside: lanewise inspect --scan finds it",
        )  # fmt: skip
    if len(data) >= 4:
        what = f"it begins with 0x{int.from_bytes(data[:4], 'little'):08X}, not with a version token"
    else:
        what = f"it has {len(data)} bytes, a version token 4" if data else "the file is empty"
    return Diagnostic("C301", ERROR, f"not a Direct3D 9 shader: {what}", place,
                      fix="check that this is the right file; lanewise inspect --scan FILE finds shaders inside other files")  # fmt: skip
