"""Scan files for Direct3D 9 shaders: effects (.fxb), programs, memory dumps.

A shader is a version token at an offset that is a multiple of 4, then instructions of known opcodes with operands, then the end token
(reference 3: in 70 of 70 streams of effect files, without a false one). DXBC containers, which hold later shader models, are counted.
"""

from __future__ import annotations

import re
import struct

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.container.stream import DXBC
from lanewise.direct3d9.isa.codec import shapes
from lanewise.direct3d9.isa.table import BY_TOKEN, COMMENT, END

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.table import Version

_MARK = re.compile(rb"(?=[\x00-\x04\xff][\x01-\x03][\xfe\xff]\xff)", re.DOTALL)  # a version token, little endian
_PARAMETER = 1 << 31


class Found(Record):
    """A shader inside a file: where it begins, its bytes up to the end token, its version."""

    offset: int
    data: bytes
    version: Version


class Scan(Record):
    """The shaders of a file in order, and the offsets of its DXBC containers (shader model 4 and later)."""

    shaders: list[Found]
    dxbc: list[int]


def scan(data: bytes) -> Scan:
    """Every shader in `data`. Nothing is looked for inside one that was found. Time is in proportion to `len(data)`."""
    words: Sequence[int] = struct.unpack_from(f"<{len(data) // 4}I", data)
    found: list[Found] = []
    dead: dict[Version, set[int]] = {}  # words from which, in a version, no end is reached
    resume = 0
    for match in _MARK.finditer(data):
        offset = match.start()
        if offset % 4 or offset < resume:
            continue
        version = BY_TOKEN.get(words[offset // 4])
        if version is None:
            continue
        end = _walk(words, offset // 4 + 1, version, dead.setdefault(version, set()))
        if end is not None:
            resume = 4 * end
            found.append(Found(offset, data[offset:resume], version))
    return Scan(found, [match.start() for match in re.finditer(DXBC, data)])


def _walk(words: Sequence[int], at: int, version: Version, dead: set[int]) -> int | None:
    """The number of the word after the end token, None if the words are not a shader. `dead` remembers what was tried."""
    known = shapes(version)
    counted = version.major >= 2
    tried: list[int] = []
    count = len(words)
    while at < count and at not in dead:
        token = words[at]
        tried.append(at)
        code = token & 0xFFFF
        if token == END:
            return at + 1
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
        if stop > count or last < first or not all(words[n] & _PARAMETER for n in range(first, last)):
            break
        at = stop
    dead.update(tried)
    return None
