"""Shader caches of the emulator Azahar: vertex programs with the state of the GPU that they ran with.

Two kinds, by their layouts in azahar-emu/azahar a2d16d4 (2026-08-21), each of one version:

- the transferable cache of its OpenGL renderer, version 1 (video_core/renderer_opengl/gl_shader_disk_cache.cpp): the version,
  then entries of a kind, a hash, a program type and the 0x300 registers of the GPU; vertex programs have 4096 words and 4096
  operand descriptors besides.
- the cache of vertex shaders of its Vulkan renderer, `..._vs.vkch`, version 0
  (video_core/renderer_vulkan/vk_shader_disk_cache.h): entries between a header and a footer, mostly compressed. A program
  (VSProgramEntry) and a configuration (VSConfigEntry), which has the entry point and the output map, are different entries.

Neither has float uniforms. Registers by number: 3dbrew, GPU/Internal Registers.
"""

from __future__ import annotations

import struct

from lanewise.core import zstd
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, PortableError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.isa.outmap import semantics_by_register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.service import Searched

OPENGL, VULKAN = "opengl", "vulkan"
TITLES = {OPENGL: "transferable OpenGL cache of Azahar", VULKAN: "Vulkan cache of Azahar"}
VERSIONS = {OPENGL: 1, VULKAN: 0}

_REGISTERS, _WORDS = 0x300, 4096
# OpenGL
ENTRY = struct.Struct("<IQIQ")  # kind, hash, program type, number of registers
REGISTERS = struct.Struct(f"<{_REGISTERS}I")
MEMORY = struct.Struct(f"<Q{_WORDS}I{_WORDS}I")  # of a vertex program: how many, words, operand descriptors
_VERTEX, _FRAGMENT, _GEOMETRY = range(3)
_TYPES = ("vertex programs", "fragment configurations", "geometry configurations")
_OUTMAP_TOTAL, _OUTMAP, _GEOSTAGE, _VSH = 0x4F, 0x50, 0x229, 0x2B0

# Vulkan
HEADER = struct.Struct("<BBHIQ")  # version, flags, type, size, hash
FOOTER = struct.Struct("<IIQ")  # 0x24 and the number of the entry, size, unknown
INFO = struct.Struct("<4sIQI1124x")  # letters, version, layout, type of the file
CONFIG = struct.Struct("<QQ32xI4x16I60xI7I4x")  # 0, hash of the program, entry, places of outputs, words of the output map
PROGRAM = struct.Struct(f"<QII{_WORDS}I{_WORDS}I")  # 0, how many words and descriptors, words, operand descriptors
_FILE_INFO, _VS_CONFIG, _VS_PROGRAM, _VS_SPIRV = range(4)
_NAMES = ("file information", "vertex configurations", "vertex programs", "SPIR-V modules")
_FILES = ("vertex shaders", "fragment shaders", "geometry shaders", "pipelines")
_MOST = 4 << 20  # bytes of an entry, packed or not
# The hash of the layout of PicaVSConfigState, as Azahar computes it from the places and sizes of its fields.
_LAYOUT = 0x35990DAFD10FA7DF
VULKAN_MAGIC = b"VKCH"
_VULKAN_PLACE = HEADER.size


class CachedProgram(Record):
    """A vertex program of a cache with a state that it ran with."""

    hash: int
    "Hash by which the emulator knows it."
    offset: int
    "Byte offset of its entry in the file."
    words: tuple[int, ...]
    "Machine words."
    descriptors: tuple[int, ...]
    "Operand descriptors."
    entry: int | None = None
    "Address of the first instruction; None where no state is known."
    config: int | None = None
    "Hash of its configuration (Vulkan); None where there is none."
    outputs: tuple[tuple[str, str], ...] = ()
    "Registers with their semantics."
    booleans: int | None = None
    "Mask of the b registers; None where the cache does not have it."
    integers: tuple[int, ...] | None = None
    "Four bytes of each i register as one word; None where the cache does not have them."

    @property
    def name(self) -> str:
        """The hash of the program, after it that of its configuration, as 16 hexadecimal digits."""
        return f"{self.hash:016x}" + (f"/{self.config:016x}" if self.config is not None else "")


class Damage(Record):
    """Why a cache cannot be read further: where, what is wrong, whether it is of another version, and whether the file ends
    inside an entry."""

    offset: int
    message: str
    version: bool = False
    cut: bool = False


class Cache(Record):
    """The entries of a cache."""

    kind: str
    "Name of the kind of cache."
    programs: tuple[CachedProgram, ...]
    "Vertex programs in the order of the file."
    others: Mapping[str, int]
    "Number of entries of each other type."
    end: int
    "End of the last whole entry, a byte offset."
    damage: Damage | None = None
    "Reason why the cache cannot be read after `end`; None for a whole one."


class _Damaged(PortableError):
    """A cache that cannot be read further."""

    def __init__(self, offset: int, message: str, *, version: bool = False, cut: bool = False) -> None:
        super().__init__(message)
        self.damage = Damage(offset, message, version, cut)


def _cut(number: int, start: int, missing: int, *, head: bool = False) -> _Damaged:
    """An entry that ends after the file. Of one that is cut inside its head the size is not known."""
    bytes_are = counted(missing, "byte is", "bytes are")
    much = f" inside its head: at least {bytes_are}" if head else f": {bytes_are}"
    return _Damaged(start, f"entry {number}, at 0x{start:X}, is cut{much} missing at the end of the file", cut=True)


def kind_of(data: Searched | bytes, at: int = 0) -> str:
    """The kind of the cache that begins at an offset, whatever its version; empty for none."""
    if data[at + _VULKAN_PLACE : at + _VULKAN_PLACE + 4] == VULKAN_MAGIC:
        return VULKAN
    version, kind, _, program, registers = struct.unpack("<II8sIQ", data[at : at + 28].ljust(28, b"\xff"))
    return OPENGL if version < 256 and kind == 0 and program <= _GEOMETRY and registers == _REGISTERS else ""


def read_cache(data: bytes, name: str) -> tuple[Cache | None, list[Diagnostic]]:
    """Read a cache; None with an error for a damaged one, and one of another version."""
    kind = kind_of(data)
    if not kind:
        return None, [
            Diagnostic(
                code="C018",
                severity=ERROR,
                message="not a shader cache of Azahar",
                span=Span(file=name, offset=0),
                notes=(),
                fix="give a file of its folder shaders: opengl/transferable/TITLE.bin, or vulkan/transferable/TITLE_vs.vkch",
            )
        ]
    cache = _found(data, 0, kind)
    if cache.damage is None:
        return cache, []
    return None, [_finding(kind, cache.damage, name, ERROR)]


def damage_found(at: int, cache: Cache, name: str) -> list[Diagnostic]:
    """A finding about a cache at an offset of a file that is read only to its first damaged entry.

    A note if what follows may be something else than an entry: a cache inside other bytes has no mark at its end.
    """
    if cache.damage is None:
        return []
    found = _finding(cache.kind, cache.damage, name, WARNING if cache.damage.cut or not at else NOTE)
    return [found._replace(notes=(f"the cache at 0x{at:X} is read up to 0x{cache.end:X}",))]


def _finding(kind: str, damage: Damage, name: str, severity: str) -> Diagnostic:
    title = TITLES[kind]
    if damage.version:
        code, fix = "C019", f"lanewise reads version {VERSIONS[kind]} of the {title}, as azahar-emu/azahar a2d16d4 writes it"
    else:
        code, fix = "C018", "delete the file, and let Azahar write it again"
        if severity == ERROR:
            fix += "; `lanewise inspect --scan` reads the entries before this place"
    return Diagnostic(
        code=code,
        severity=severity,
        message=f"{title}: {damage.message}",
        span=Span(file=name, offset=damage.offset),
        notes=(),
        fix=fix,
    )


def found_at(data: Searched | bytes, at: int) -> Cache | None:
    """The cache at an offset in other bytes, up to its first damaged entry; None without a program."""
    kind = kind_of(data, at)
    cache = _found(data, at, kind) if kind else None
    return cache if cache is not None and cache.programs else None


def damage_at(data: Searched | bytes, at: int) -> str:
    """The damage of the cache at an offset, with its kind; empty for none, and for one that can be read."""
    kind = kind_of(data, at)
    damage = _found(data, at, kind).damage if kind else None
    return "" if damage is None else f"{TITLES[kind]}: {damage.message}"


def scan_caches(data: Searched, progress: Callable[[int, int], None] | None = None) -> list[tuple[int, Cache]]:
    """Every cache in `data` with its offset, in order. Nothing is looked for inside one. `progress(done, total)` counts
    bytes."""
    import re

    from lanewise.core.searching import windows

    opengl = re.compile(rb"\x01\0{3}\0{4}[\0-\xff]{8}[\0-\x02]\0{3}\0\x03\0{6}", re.DOTALL)
    found: list[tuple[int, Cache]] = []
    resume = 0
    for start, window in windows(data, 28, progress):
        places = [start + match.start() for match in opengl.finditer(window)]
        at = window.find(VULKAN_MAGIC)
        while at >= 0:
            places.append(start + at - _VULKAN_PLACE)
            at = window.find(VULKAN_MAGIC, at + 1)
        for place in sorted(places):
            cache = found_at(data, place) if place >= resume else None
            if cache is not None:
                resume = cache.end
                found.append((place, cache))
    return found


def _found(data: Searched | bytes, at: int, kind: str) -> Cache:
    reader = _OpenGl(data, at) if kind == OPENGL else _Vulkan(data, at)
    damage: Damage | None = None
    try:
        reader.read()
    except _Damaged as error:
        damage = error.damage
    others = {name: count for name, count in reader.others.items() if count}
    return Cache(kind=kind, programs=tuple(reader.programs()), others=others, end=reader.at, damage=damage)


class _OpenGl:
    """A reader of the OpenGL cache; `at` is the end of the last whole entry."""

    def __init__(self, data: Searched | bytes, at: int) -> None:
        self._data, self.at = data, at
        self.others: dict[str, int] = dict.fromkeys(_TYPES[1:], 0)
        self._found: list[CachedProgram] = []

    def programs(self) -> list[CachedProgram]:
        return self._found

    def read(self) -> None:
        """Read all entries. Raises _Damaged."""
        version = int.from_bytes(self._data[self.at : self.at + 4], "little")
        if version != VERSIONS[OPENGL]:
            raise _Damaged(self.at, f"version {version}", version=True)
        self.at += 4
        number = 0
        while self.at < len(self._data):
            self._entry(number, self.at)
            number += 1

    def _entry(self, number: int, start: int) -> None:
        head = bytes(self._data[start : start + ENTRY.size])
        if len(head) < ENTRY.size:
            raise _cut(number, start, start + ENTRY.size - len(self._data), head=True)
        kind, own, program, count = ENTRY.unpack(head)
        if kind:
            raise _Damaged(start, f"unknown kind {kind} of an entry")
        if program > _GEOMETRY:
            raise _Damaged(start, f"unknown program type {program}")
        if count != _REGISTERS:
            raise _Damaged(start, f"{count} registers, expected {_REGISTERS}", version=True)
        at = start + ENTRY.size
        end = at + REGISTERS.size + (MEMORY.size if program == _VERTEX else 0)
        place = at + REGISTERS.size
        if program == _VERTEX and place + 8 <= len(self._data):
            size = int.from_bytes(self._data[place : place + 8], "little")
            if size != 2 * _WORDS:
                raise _Damaged(place, f"a program of {size} words and descriptors, expected {2 * _WORDS}", version=True)
        if end > len(self._data):
            raise _cut(number, start, end - len(self._data))
        self.at = end
        if program != _VERTEX:
            self.others[_TYPES[program]] += 1
            return
        registers = REGISTERS.unpack(self._data[at:place])
        _, *memory = MEMORY.unpack(self._data[place:end])
        unit = registers[_VSH:]
        uses_geometry = bool(registers[_GEOSTAGE] & 3)
        outputs = (
            ()
            if uses_geometry
            else semantics_by_register(unit[0xD] & 0xFFFF, registers[_OUTMAP_TOTAL] & 7, registers[_OUTMAP : _OUTMAP + 7])
        )
        self._found.append(
            CachedProgram(
                hash=own,
                offset=start,
                words=_trimmed(memory[:_WORDS]),
                descriptors=_trimmed(memory[_WORDS:]),
                entry=unit[0xA] & 0xFFFF,
                config=None,
                outputs=outputs,
                booleans=unit[0] & 0xFFFF,
                integers=tuple(unit[1:5]),
            )
        )


class _Vulkan:
    """A reader of the Vulkan cache."""

    def __init__(self, data: Searched | bytes, at: int) -> None:
        self._data, self.at = data, at
        self.others: dict[str, int] = dict.fromkeys(_NAMES[3:], 0)
        self._programs: dict[int, CachedProgram] = {}
        self._configs: list[CachedProgram] = []

    def programs(self) -> list[CachedProgram]:
        """Each program with each of its configurations; one without any has no state."""
        used = {config.hash for config in self._configs}
        alone = [program for number, program in self._programs.items() if number not in used]
        found = [
            config._replace(words=self._programs[config.hash].words, descriptors=self._programs[config.hash].descriptors)
            for config in self._configs
            if config.hash in self._programs
        ]
        return sorted([*alone, *found], key=lambda program: program.offset)

    def read(self) -> None:
        """Read all entries. Raises _Damaged."""
        for number, (at, kind, own, payload) in enumerate(self._entries()):
            if number == 0:
                self._info(at, kind, payload)
            elif kind == _VS_CONFIG:
                self._config(at, own, payload)
            elif kind == _VS_PROGRAM:
                self._program(at, own, payload)
            elif kind == _VS_SPIRV:
                self.others[_NAMES[kind]] += 1
            else:
                raise _Damaged(at, f"an entry of type {kind} in a cache of vertex shaders")
            self.at = at + self._size

    def _entries(self) -> Iterator[tuple[int, int, int, bytes]]:
        """Offset, type, hash and content of each entry."""
        at, number = self.at, 0
        ends = HEADER.size + FOOTER.size
        while at < len(self._data):
            head = self._data[at : at + HEADER.size]
            if len(head) < HEADER.size:
                raise _cut(number, at, HEADER.size - len(head), head=True)
            version, flags, kind, size, own = HEADER.unpack(head)
            if version != 0x42 or flags > 1:
                raise _Damaged(
                    at, f"an entry has version {version:#x} and flags {flags:#x}, expected 0x42 and 0 or 1", version=number == 0
                )
            if not ends <= size < _MOST:
                raise _Damaged(at, f"an entry has {size} bytes, expected {ends} to {_MOST - 1}")
            if at + size > len(self._data):
                raise _cut(number, at, at + size - len(self._data))
            mark, again, _ = FOOTER.unpack(self._data[at + size - FOOTER.size : at + size])
            if mark & 0xFF != 0x24 or again != size or mark >> 8 != number:
                raise _Damaged(at + size - FOOTER.size, f"the footer of entry {number} is that of another entry")
            payload = bytes(self._data[at + HEADER.size : at + size - FOOTER.size])
            if flags & 1:
                try:
                    payload = zstd.decompress(payload, _MOST)
                except ValueError as error:
                    raise _Damaged(at + HEADER.size, str(error)) from None
            self._size = size
            yield at, kind, own, payload
            at += size
            number += 1

    @staticmethod
    def _info(at: int, kind: int, payload: bytes) -> None:
        if kind != _FILE_INFO or len(payload) != INFO.size:
            raise _Damaged(
                at,
                f"the first entry has type {kind} and {len(payload)} bytes, expected {_FILE_INFO} and {INFO.size}",
                version=True,
            )
        magic, version, layout, file = INFO.unpack_from(payload)
        number = int(file)
        if magic != VULKAN_MAGIC or version != VERSIONS[VULKAN]:
            raise _Damaged(at, f"version {version}", version=True)
        if number:
            what = _FILES[number] if number < len(_FILES) else f"unknown type {number}"
            raise _Damaged(at, f"a cache of {what}, which has no program of the PICA200", version=True)
        if layout != _LAYOUT:
            raise _Damaged(at, f"configurations of the layout {layout:016x}, expected {_LAYOUT:016x}", version=True)

    def _config(self, at: int, own: int, payload: bytes) -> None:
        if len(payload) != CONFIG.size or payload[:8] != bytes(8):
            raise _Damaged(
                at, f"a configuration has {len(payload)} bytes, expected {CONFIG.size}, or another version", version=True
            )
        _, program, entry, *rest = CONFIG.unpack(payload)
        places, (total, *words) = rest[:16], rest[16:]
        mask = sum([1 << register for register, place in enumerate(places) if place < 16])
        self._configs.append(
            CachedProgram(
                hash=program,
                offset=at,
                words=(),
                descriptors=(),
                entry=entry,
                config=own,
                outputs=semantics_by_register(mask, total, words),
            )
        )

    def _program(self, at: int, own: int, payload: bytes) -> None:
        if len(payload) != PROGRAM.size or payload[:8] != bytes(8):
            raise _Damaged(at, f"a program has {len(payload)} bytes, expected {PROGRAM.size}, or another version", version=True)
        _, words, descriptors, *memory = PROGRAM.unpack(payload)
        if words > _WORDS or descriptors > _WORDS:
            raise _Damaged(at, f"a program has {words} words and {descriptors} descriptors, expected at most {_WORDS}")
        self._programs.setdefault(
            own, CachedProgram(hash=own, offset=at, words=_trimmed(memory[:_WORDS]), descriptors=_trimmed(memory[_WORDS:]))
        )


def _trimmed(memory: Sequence[int]) -> tuple[int, ...]:
    """A memory up to its last word that is not 0: what was never sent is 0."""
    end = len(memory)
    while end and not memory[end - 1]:
        end -= 1
    return tuple(memory[:end])


__all__ = [
    "OPENGL",
    "TITLES",
    "VERSIONS",
    "VULKAN",
    "Cache",
    "CachedProgram",
    "Damage",
    "damage_at",
    "damage_found",
    "found_at",
    "kind_of",
    "read_cache",
    "scan_caches",
]
