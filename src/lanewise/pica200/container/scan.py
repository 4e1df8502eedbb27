"""Shaders inside other files: programs, archives, memory dumps."""

from __future__ import annotations

from lanewise.core.record import Record
from lanewise.pica200.container import layout as at
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import Shbin
from lanewise.pica200.container.survey import survey


class Found(Record):
    """An SHBIN inside a file: the offset of its DVLB, its size in bytes, its contents."""

    offset: int
    size: int
    shbin: Shbin


def scan(data: bytes, name: str) -> list[Found]:
    """Find every SHBIN in `data` that reads without errors, in order.

    The inside of an SHBIN is not searched. `size` is the end of the last section, with picasso's padding after it if present. Time is in
    proportion to `len(data)`: an invalid DVLB is left at its first error, and a valid file is skipped whole.
    """
    view = memoryview(data)
    found: list[Found] = []
    offset = data.find(at.DVLB_MAGIC)
    while offset >= 0:
        resume = offset + 1
        rest = view[offset:]
        surveyed = survey(rest, name, most_errors=1)
        if not surveyed.errors:
            shader = _read(rest, surveyed.end, name)
            found.append(Found(offset, *shader))
            resume = offset + shader[0]
        offset = data.find(at.DVLB_MAGIC, resume)
    return found


def _read(rest: memoryview, end: int, name: str) -> tuple[int, Shbin]:
    """Size and value of the file at the start of `rest` whose sections end at `end`."""
    padded = min(len(rest), -(-end // 4) * 4)
    for size in (end, padded):
        shbin, _ = read_shbin(rest[:size], name)
        if shbin is not None and shbin.layout in at.LAYOUTS:
            return size, shbin
    shbin, _ = read_shbin(rest[:end], name)
    if shbin is None:
        raise AssertionError("a file without errors in its survey reads")
    return end, shbin
