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
# The first four bytes of compiled effects: of fx_2_0, with the header that XNA puts before it, of MonoGame (FNA, MojoShader:
# mojoshader_effects.c; MonoGame: Effect.cs).
EFFECTS = (b"\x01\x09\xff\xfe", b"\xcf\x0b\xf0\xbc", b"MGFX")
# What only HLSL has: a type of several components, and a meaning or a register after a colon.
_HLSL_TYPES = (b"float2", b"float3", b"float4", b"half2", b"half3", b"half4", b"sampler", b"Texture2D", b"cbuffer")
_HLSL_MEANINGS = (b"POSITION", b"TEXCOORD", b"COLOR", b"NORMAL", b"SV_", b"register")
_HEAD = 1 << 16  # bytes of a text that are looked at


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
            Diagnostic(
                code="C304",
                severity=WARNING,
                message=f"{len(rest)} bytes after the last word",
                span=Span(file=name, offset=4 * len(words)),
                fix="remove them, or leave them: they are preserved, but never read",
            )
        )
        shader = shader._replace(rest=rest)
    return Read(shader, found)


def is_effect(data: bytes) -> bool:
    """Whether a file begins as a compiled effect, which holds several shaders."""
    return data[:4] in EFFECTS


def is_hlsl(data: bytes) -> bool:
    """Whether a file is a text of HLSL: types such as float4, and a semantic or a register after a colon."""
    head = data[:_HEAD]
    if b":" not in head or b"{" not in head or b"\0" in head or not any(name in head for name in _HLSL_TYPES):
        return False
    return any(part.lstrip().startswith(_HLSL_MEANINGS) for part in head.split(b":")[1:])


def foreign(data: bytes, name: str) -> Diagnostic | None:
    """The finding about a file that people have in place of a shader: an effect, HLSL; None for any other file."""
    if is_effect(data):
        return Diagnostic(
            code="C312",
            severity=ERROR,
            message="this is a compiled effect, which holds several shaders",
            span=Span(file=name, offset=0),
            fix="name one: FILE:NAME, without --from; lanewise inspect FILE lists the names (in Python: lanewise.load_effect)",
        )
    if is_hlsl(data):
        return Diagnostic(
            code="C313",
            severity=ERROR,
            message="this is HLSL, not a compiled shader",
            span=Span(file=name, offset=0),
            fix="compile it for a profile of Direct3D 9 first: fxc /T vs_3_0 /Fo shader.vso FILE; or for another instruction "
            "set: `lanewise compile FILE --language hlsl`",
        )
    return None


def _no_stream(data: bytes, name: str) -> Diagnostic:
    place = Span(file=name, offset=0)
    known = foreign(data, name)
    if known is not None:
        return known
    if data[:4] == DXBC:
        return Diagnostic(
            code="C310",
            severity=ERROR,
            message="this is a DXBC file: a shader for Direct3D 10 or later (shader model 4 and up)",
            span=place,
            fix="compile for a Direct3D 9 profile, such as vs_3_0; a level 9 profile holds one inside: lanewise inspect "
            "--scan finds it",
        )
    if len(data) >= 4:
        what = f"it begins with 0x{int.from_bytes(data[:4], 'little'):08X}, not with a version token"
    else:
        what = f"it has {len(data)} bytes, a version token 4" if data else "the file is empty"
    return Diagnostic(
        code="C301",
        severity=ERROR,
        message=f"not a Direct3D 9 shader: {what}",
        span=place,
        fix="check that this is the right file; lanewise inspect --scan FILE finds shaders inside other files",
    )
