"""Scan files for Direct3D 9 shaders: effects (.fxb), programs, memory dumps.

A shader is a version token at any offset, then instructions of known opcodes with operands, then the end token (reference 3: in
70 of 70 streams of effect files, without a false one). DXBC containers hold shaders of later models; those that a compiler made
for a level 9 profile have a Direct3D 9 shader besides, in their chunk Aon9, at any offset of the file.

Aon9, as measured in the 77 of MonoGame's effects and of HlslDecompiler's tests: after the size of the chunk come its size
again, the version token, the size of the shader and its offset from the first of these words.
"""

from __future__ import annotations

import re
import struct

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.searching import windows
from lanewise.direct3d9.container.stream import DXBC
from lanewise.direct3d9.isa.codec import shapes
from lanewise.direct3d9.isa.table import BY_TOKEN, COMMENT, END

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.core.service import Searched
    from lanewise.direct3d9.isa.table import Version

LARGEST = 1 << 21  # bytes of a shader that is found: vs_3_0 and ps_3_0 end at 32768 slots, and a comment has at most 128 KiB
_MARK = re.compile(rb"[\x01-\x03][\xfe\xff]\xff")  # a version token, little endian, but for its first byte
_PARAMETER = 1 << 31
_BLOCK = 512  # words that are unpacked at once
_LONGEST = 32  # more words than any instruction has


class Found(Record):
    """A shader inside a file: where it begins, its bytes up to the end token, its version, the offset of the DXBC that has it
    as Aon9 (else None)."""

    offset: int
    data: bytes
    version: Version
    dxbc: int | None = None


class Scan(Record):
    """The shaders of a file in order, and the offsets of its DXBC containers (shader model 4 and later)."""

    shaders: list[Found]
    dxbc: list[int]


class _Walker:
    """Walks over the words after a version token. `flags` are the offsets from which no end is reached, of those that a walk
    from the present place can meet: a byte for each, from `base` on."""

    def __init__(self, version: Version) -> None:
        self.known = shapes(version)
        self.counted = version.major >= 2
        self.base = 0
        self.flags = bytearray(2 * LARGEST)

    def reach(self, start: int) -> None:
        """Have the offsets from `start` to `start + LARGEST`; lower ones are forgotten."""
        passed = start - self.base
        if passed > LARGEST:
            self.flags = self.flags[passed:] + bytearray(min(passed, 2 * LARGEST))
            self.base = start


def scan(data: Searched, progress: Callable[[int, int], None] | None = None) -> Scan:
    """Every shader in `data`. Nothing is looked for inside one that was found. Time is in proportion to `len(data)`, and memory
    is bounded but for what is found. `progress(done, total)` counts bytes."""
    dxbc: list[int] = []
    compiled: dict[int, int] = {}  # the offset of a shader in Aon9 -> that of its DXBC
    found: list[Found] = []
    walkers: dict[int, _Walker] = {}
    resume = 0
    for start, window in windows(data, len(DXBC) - 1, progress):
        for place in _containers(data, window, start):
            dxbc.append(place)
            compiled |= dict.fromkeys(_level9(data, place), place)
        for match in _MARK.finditer(window):
            offset = start + match.start() - 1
            if offset < resume:
                continue
            token = int.from_bytes(data[offset : offset + 4], "little")
            version = BY_TOKEN.get(token)
            if version is None:
                continue
            if token not in walkers:
                walkers[token] = _Walker(version)
            end = _walk(data, offset, walkers[token])
            if end is not None:
                resume = end
                found.append(Found(offset, data[offset:end], version, compiled.get(offset)))
    return Scan(found, dxbc)


def _containers(data: Searched, window: bytes, start: int) -> Iterator[int]:
    """The offsets of DXBC containers that begin in a window at `start`."""
    at = window.find(DXBC)
    while at >= 0:
        if _chunks(data, start + at) is not None:
            yield start + at
        at = window.find(DXBC, at + 1)


def _chunks(data: Searched, at: int) -> tuple[int, ...] | None:
    """The offsets of the chunks of a container in the file; None where the headers are not those of a container."""
    if at + 32 > len(data):
        return None
    version, size, count = struct.unpack_from("<3I", data, at + 20)
    if version != 1 or at + size > len(data) or 32 + 12 * count > size:
        return None
    offsets = struct.unpack_from(f"<{count}I", data, at + 32)
    return tuple([at + offset for offset in offsets]) if all(offset + 8 <= size for offset in offsets) else None


def _level9(data: Searched, at: int) -> list[int]:
    """The offsets of the shaders in the Aon9 chunks of a container."""
    chunks = [chunk for chunk in _chunks(data, at) or () if data[chunk : chunk + 4] == b"Aon9" and chunk + 24 <= len(data)]
    return [chunk + 8 + struct.unpack_from("<I", data, chunk + 20)[0] for chunk in chunks]


def _walk(data: Searched, start: int, walker: _Walker) -> int | None:
    """The offset after the end token of a shader at `start`, None if there is none.

    Where shaders are not aligned in words, one has an instruction with operands: a version and an end are soon found in
    pictures.
    """
    known, counted = walker.known, walker.counted
    code = int.from_bytes(data[start + 4 : start + 6], "little")
    if code not in known and code not in (COMMENT, END):
        return None
    walker.reach(start)
    flags, base = walker.flags, start - walker.base  # the flag of a word is 4 * number + base
    count = (min(len(data), start + LARGEST) - start) // 4
    tried: list[int] = []
    words: tuple[int, ...] = ()
    held, at = 0, 1  # the number of the first of `words`
    plausible = start % 4 == 0
    while at < count and not flags[4 * at + base]:
        if at + _LONGEST > held + len(words):
            held = at
            words = struct.unpack_from(f"<{min(_BLOCK if at > 1 else 2 * _LONGEST, count - at)}I", data, start + 4 * at)
        token = words[at - held]
        code = token & 0xFFFF
        if token == END:
            return start + 4 * at + 4 if plausible else None
        tried.append(4 * at + base)
        if code == COMMENT:
            if token & _PARAMETER:
                break
            at += 1 + (token >> 16 & 0x7FFF)
            continue
        shape = known.get(code)
        if shape is None or token & (_PARAMETER | 0x20000000):
            break
        first = at + 1 + shape.before
        stop = at + 1 + (token >> 24 & 0xF) if counted else first + shape.dest + shape.sources + shape.behind
        last = stop - shape.behind
        if stop > count or last < first or not all(words[n - held] & _PARAMETER for n in range(first, last)):
            break
        plausible |= last > first
        at = stop
    for place in tried:
        flags[place] = 1
    return None
