"""Effect files for tests: fx_2_0, MGFX of every version, XNB and DXBC around shaders of our own, written by the layouts that
the readers document."""

from __future__ import annotations

import struct

import lanewise as lw
from lanewise.direct3d9.container.stream import write_stream

FX, XNA = 0xFEFF0901, 0xBCF00BCF
VERTEX = "vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c0\n"
PIXEL = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n"
PLAIN = "ps_2_0\nmov oC0, c1\n"
GLSL = b"void main()\n{\n    gl_FragColor = vec4(1.0);\n}\n\0"


def stream(source: str) -> bytes:
    return write_stream(lw.Direct3DShader.from_source(source).shader)


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *[number & 0xFFFFFFFF for number in numbers])


class Fx2:
    """Writes an effect of fx_2_0: a table that grows, then what names places in it."""

    def __init__(self) -> None:
        self.table = bytearray(4)  # an empty name at 0
        self.small: list[tuple[int, bytes]] = []
        self.large: list[bytes] = []
        self.objects = 1

    def put(self, data: bytes) -> int:
        at = len(self.table)
        self.table += data + bytes(-len(data) % 4)
        return at

    def name(self, text: str) -> int:
        return self.put(words(len(text) + 1) + text.encode() + b"\0") if text else 0

    def typed(self, base: int, kind: int, name: str, *more: int, semantic: str = "", elements: int = 0) -> int:
        named, meaning = self.name(name), self.name(semantic)
        return self.put(words(base, kind, named, meaning, elements, *more))

    def floats(self, name: str, *values: float, semantic: str = "") -> bytes:
        kind = self.typed(3, 1, name, len(values), 1, semantic=semantic)
        return words(kind, self.put(struct.pack(f"<{len(values)}f", *values)))

    def text(self, name: str, value: str) -> bytes:
        self.objects += 1
        self.small.append((self.objects - 1, value.encode() + b"\0"))
        return words(self.typed(4, 4, name), self.put(words(self.objects - 1)))

    def shaders(self, name: str, base: int, sources: list[str]) -> bytes:
        numbers = list(range(self.objects, self.objects + len(sources)))
        self.objects += len(sources)
        self.small += [(n, stream(source)) for n, source in zip(numbers, sources, strict=True)]
        return words(self.typed(base, 4, name, elements=len(sources)), self.put(words(*numbers)))

    def state(self, number: int, value: int, index: int = 0) -> bytes:
        return words(number, index, self.typed(2, 0, "", 1, 1), self.put(words(value)))

    def shader_state(self, number: int) -> bytes:
        self.objects += 1
        return words(number, 0, self.typed(16 if number == 146 else 15, 4, ""), self.put(words(self.objects - 1)))

    def object(self, technique: int, place: int, state: int, data: bytes, usage: int = 0) -> None:
        self.large.append(words(technique, place, 0xFFFFFFFF, state, usage, len(data)) + data + bytes(-len(data) % 4))

    def file(self, parameters: list[bytes], techniques: list[bytes], *, xna: bool = False) -> bytes:
        body = words(len(parameters), len(techniques), 0, self.objects) + b"".join(parameters + techniques)
        body += words(len(self.small), len(self.large))
        body += b"".join([words(n, len(data)) + data + bytes(-len(data) % 4) for n, data in self.small]) + b"".join(self.large)
        effect = words(FX, len(self.table)) + bytes(self.table) + body
        return words(XNA, 16, 0, 0) + effect if xna else effect


def water(*, xna: bool = False) -> bytes:
    """Technique `Water` with passes `P0` (both shaders, states) and one without a name (a pixel shader of an array), and
    technique `Flat`."""
    fx = Fx2()
    note = fx.text("Help", "how much")
    tint = fx.floats("Tint", 1.0, 0.5, 0.25, 1.0, semantic="COLOR") + words(0, 1) + note
    array = fx.shaders("Choices", 15, [PIXEL, PLAIN]) + words(0, 0)
    point = words(fx.typed(12, 4, "Picture"), fx.put(words(1) + fx.state(169, 2))) + words(0, 0)  # MagFilter Linear
    both = [fx.shader_state(146), fx.shader_state(147), fx.state(13, 1), fx.state(6, 5)]  # AlphaBlendEnable, SrcBlend SrcAlpha
    chosen = [fx.shader_state(147)]
    passes = words(fx.name("P0"), 0, len(both)) + b"".join(both), words(0, 0, len(chosen)) + b"".join(chosen)
    flat = [fx.shader_state(147)]
    techniques = [
        words(fx.name("Water"), 0, 2) + b"".join(passes),
        words(fx.name("Flat"), 0, 1) + words(fx.name("Only"), 0, 1) + flat[0],
    ]
    fx.object(0, 0, 0, stream(VERTEX))
    fx.object(0, 0, 1, stream(PIXEL))
    fx.object(0, 1, 0, words(8) + b"Choices\0" + words(0) + b"FXLC", 2)
    fx.object(1, 0, 0, stream(PLAIN))
    return fx.file([tint, array, point], techniques, xna=xna)


def string7(text: str) -> bytes:
    data = text.encode()
    assert len(data) < 128
    return bytes([len(data)]) + data


def dxbc(inside: bytes) -> bytes:
    """A DXBC container with a chunk Aon9 around a shader, and one without; empty: only the other."""
    chunks = [b"SHEX" + words(4) + bytes(4)]
    if inside:
        body = words(len(inside) + 16, int.from_bytes(inside[:4], "little"), len(inside), 16) + inside
        chunks.insert(0, b"Aon9" + words(len(body)) + body)
    places = [32 + 4 * len(chunks) + sum(len(chunk) for chunk in chunks[:n]) for n in range(len(chunks))]
    size = places[-1] + len(chunks[-1])
    return b"DXBC" + bytes(16) + words(1, size, len(chunks), *places) + b"".join(chunks)


def mgfx(version: int, profile: int, *, short: bool = False) -> bytes:
    """An effect of MonoGame with one buffer, two shaders, a parameter and technique `Glow` with two passes; `short`: version 9
    as first written."""

    def number(value: int) -> bytes:
        return words(value) if version >= 10 else bytes([value & 0xFF])

    def parameters(value: int) -> bytes:
        return struct.pack("<H", value) if short else number(value)

    named = version >= 8 or profile == 0

    def shader(vertex: bool, code: bytes) -> bytes:
        found = bytes([vertex]) + (string7("src/glow.fx") + string7("Main") if version >= 11 else b"")
        found += (words(len(code)) if version >= 5 else struct.pack("<H", len(code))) + code
        state = bytes(3) + (bytes(4) if version >= 7 else b"") + bytes(13)
        found += bytes([1]) + bytes(3 if version >= 4 else 2) + b"\1" + state + (string7("s0") if named else b"") + b"\0"
        found += bytes([1, 0])  # a constant buffer
        return found + (bytes([1]) + string7("vPosition") + bytes(4) if named else b"")

    codes = [GLSL, GLSL] if profile == 0 else [dxbc(stream(VERTEX)), dxbc(stream(PIXEL))]
    body = number(1) + (string7("Globals") if named else b"") + bytes(2) + number(1) + number(0) + bytes(2)
    body += number(2) + shader(True, codes[0]) + shader(False, codes[1])
    body += parameters(1) + bytes([1, 3]) + string7("Tint") + string7("") + number(0) + bytes([1, 4])
    body += parameters(0) * 2 + struct.pack("<4f", 1, 2, 3, 4)
    none = b"\0\0\0" if version < 99 else b""
    passes = [("P0", 0, 1), ("P1", -1, 1)]
    body += number(1) + string7("Glow") + number(0) + number(2)
    for name, vertex, pixel in passes:
        body += string7(name) + number(0) + number(vertex) + number(pixel)
        body += (
            none
            if name == "P0"
            else b"\1" + bytes(14) + words(7) + b"\0" + b"\1\2" + struct.pack("<f", 0.5) + bytes(3) + bytes(4)
        )
    tail = b"MGFX" if version >= 10 else b""
    return b"MGFX" + bytes([version, profile]) + (words(0x1234) if version >= 6 else b"") + body + tail


def xnb(effect: bytes, reader: str = "EffectReader", flags: int = 0) -> bytes:
    name = f"Microsoft.Xna.Framework.Content.{reader}, Microsoft.Xna.Framework"
    body = b"\1" + bytes([len(name)]) + name.encode() + words(0) + b"\0\1" + words(len(effect)) + effect
    return b"XNBw\5" + bytes([flags]) + words(len(body) + 10) + body
