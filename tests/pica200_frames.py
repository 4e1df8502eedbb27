"""Recorded frames that are written here, from sources of our own: `Recorder`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.frame.citrace import write_citrace
from lanewise.pica200.frame.commands import as_bytes, encode
from lanewise.pica200.frame.records import HEAD, read_records
from lanewise.pica200.frame.state import packed
from lanewise.pica200.isa.outmap import output_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.file import ShaderFile

LINEAR, LISTS = 0x20000000, 0x21000000
PASS = (
    ".in place\n.in tint\n.fvec scale[4]\n.out o position\n.out c color\n.proc main\n"
    + "".join([f"    dp4 o.{letter}, scale[{row}], place\n" for row, letter in enumerate("xyzw")])
    + "    mov c, tint\n    end\n.end\n"
)
EMIT = (
    ".gsh point c0\n.in a v0\n.in b v1\n.out o position\n.out c color\n.entry emits\n.proc emits\n"
    + "".join(f"    setemit {n}{', prim' if n == 2 else ''}\n    mov o, v0\n    mov c, v1\n    emit\n" for n in range(3))
    + "    end\n.end\n"
)
IDENTITY = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
TRIANGLE = ((-0.5, -0.5, -0.5), (0.5, -0.5, -0.5), (0.0, 0.5, -0.5))
FLOAT = 3
_WORDS = {0.0: 0, 1.0: 0x3F0000, -1.0: 0xBF0000, 0.5: 0x3E0000, -0.5: 0xBE0000}


def assembled(text: str = PASS, geometry: str = "") -> ShaderFile:
    return assemble_texts([("pass.v.pica", text), *([("emit.g.pica", geometry)] if geometry else [])])


def float24(*values: float) -> tuple[int, ...]:
    return packed([_WORDS[value] for value in values])


class Recorder:
    """A command list that grows, with the memory that it reads."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.records: list[bytes] = []
        self.frame = 0
        self.memory = bytearray(0x1000)

    def write(self, register: int, *values: int, mask: int = 15, consecutive: bool = False) -> Recorder:
        self.words += encode(register, values, mask=mask, consecutive=consecutive)
        return self

    def program(self, file: ShaderFile, *, stage: str = "vertex") -> Recorder:
        """Send the code and the interface of a shader, as libctru does."""
        shader = file.only(stage)
        base = 0x2B0 if stage == "vertex" else 0x280
        self.write(base + 0x1B, 0).write(base + 0x1C, *shader.words).write(base + 0x25, 0)
        self.write(base + 0x26, *shader.descriptors).write(base + 0xA, 0x7FFF0000 | shader.interface.entry)
        own = output_map(shader.interface)
        self.write(base + 0xD, own.vertex_mask).write(base, 0x7FFF0000)
        return self.write(0x4F, own.total).write(0x50, *own.words, consecutive=True)

    def attributes(self, *formats: tuple[int, int], fixed: int = 0, stride: int | None = None) -> Recorder:
        """All attributes in one buffer at the start of memory, of (type, elements) each."""
        bits = sum([(kind | elements - 1 << 2) << 4 * n for n, (kind, elements) in enumerate(formats)])
        loaded = [n for n in range(len(formats)) if not fixed >> n & 1]
        size = sum([formats[n][1] * (1, 1, 2, 4)[formats[n][0]] for n in loaded])
        components = sum([n << 4 * place for place, n in enumerate(loaded)])
        self.write(0x200, LINEAR >> 3).write(0x201, bits & 0xFFFFFFFF)
        self.write(0x202, bits >> 32 | fixed << 16 | len(formats) - 1 << 28)
        self.write(0x203, 0, components, (size if stride is None else stride) << 16 | len(loaded) << 28, consecutive=True)
        self.write(0x2B9, 0xA0000000 | len(formats) - 1).write(0x242, len(formats) - 1)
        return self.write(0x2BB, 0x76543210, 0xFEDCBA98, consecutive=True)

    def uniforms(self, rows: Sequence[Sequence[float]], first: int = 0, *, wide: bool = False, base: int = 0x2B0) -> Recorder:
        self.write(base + 0x10, first | wide << 31)
        for row in rows:
            words = struct.unpack("<4I", struct.pack("<4f", *row))[::-1] if wide else float24(*row)
            self.write(base + 0x11, *words)
        return self

    def default(self, number: int, *values: float) -> Recorder:
        return self.write(0x232, number).write(0x233, *float24(*values), consecutive=True)

    def state(self) -> Recorder:
        """What every draw of these tests has: depth, target, topology, both units apart."""
        self.write(0x4D, 0xBF0000).write(0x4E, 0).write(0x11D, 0x18000000 >> 3).write(0x11E, 0x0118F0F0)
        return self.write(0x25E, 0).write(0x244, 0, mask=1).write(0x229, 0)

    def vertices(self, rows: Sequence[Sequence[float]]) -> Recorder:
        data = b"".join([struct.pack(f"<{len(row)}f", *row) for row in rows])
        self.memory[: len(data)] = data
        return self

    def arrays(self, count: int, first: int = 0) -> Recorder:
        return self.write(0x228, count).write(0x22A, first).write(0x22E, 1)

    def elements(self, numbers: Sequence[int], at: int = 0x800) -> Recorder:
        data = struct.pack(f"<{len(numbers)}H", *numbers)
        self.memory[at : at + len(data)] = data
        return self.write(0x227, at | 1 << 31).write(0x228, len(numbers)).write(0x22F, 1)

    def immediate(self, vertices: Sequence[Sequence[Sequence[float]]]) -> Recorder:
        self.write(0x232, 0xF)
        for vertex in vertices:
            for attribute in vertex:
                self.write(0x233, *float24(*attribute), consecutive=True)
        return self.write(0x245, 1, mask=1)

    def submit(self) -> Recorder:
        """The list so far is given to the GPU."""
        data = as_bytes(self.words)
        self.records += [_record(b"MEML", LINEAR, bytes(self.memory)), _record(b"LIST", LISTS, data)]
        self.words = []
        return self

    def end(self) -> Recorder:
        self.frame += 1
        self.records.append(_record(b"FRAM", self.frame, b""))
        return self

    def bytes(self) -> bytes:
        """All as records."""
        return b"".join([_record(b"FRAM", 0, b""), *self.records])

    def citrace(self) -> bytes:
        """The same as CiTrace."""
        return write_citrace(read_records(self.bytes(), "a").events)


def _record(tag: bytes, first: int, data: bytes) -> bytes:
    return HEAD.pack(tag, first, 0, len(data)) + data


def triangle(recorder: Recorder | None = None) -> Recorder:
    """Draw a triangle whose colour is a default attribute."""
    recorder = (recorder or Recorder()).state().program(assembled()).attributes((FLOAT, 3), (FLOAT, 4), fixed=2)
    return recorder.uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).submit()


def as_azahar(registers: Sequence[int]) -> bytes:
    """A file as Azahar a2d16d4 writes it, with these internal registers (core/tracer/recorder.cpp, graphics_tracing.cpp): sizes
    in bytes where words are meant, a number of GPU registers that nothing sets, and the end after the PICA registers."""
    both = [0] * 0x400 + [*registers] + [0] * 0x32
    count = 4 * len(both)
    numbers = [100, 0xABCDEF, 100 + 4 * 0xABCDEF, 12, 100 + 4 * 0xABCDEF + 48, count, *[1 << 24, 64] * 7]
    data = b"CiTr" + struct.pack("<2I", 1, 100) + struct.pack("<22I", *[n & 0xFFFFFFFF for n in [*numbers, 1 << 25, 0]])
    return data + struct.pack(f"<{count}I", *both, *[0] * (count - len(both)))
