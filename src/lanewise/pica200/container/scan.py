"""Shaders inside other files: programs, archives, memory dumps."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.searching import windows
from lanewise.pica200.container import layout as at
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import Shbin
from lanewise.pica200.container.survey import survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.service import Searched


class Found(Record):
    """An SHBIN inside a file: the offset of its DVLB, its size in bytes, its contents."""

    offset: int
    size: int
    shbin: Shbin


def scan(data: Searched, name: str, progress: Callable[[int, int], None] | None = None) -> list[Found]:
    """Find every SHBIN in `data` that reads without errors, in order.

    The inside of an SHBIN is not searched. `size` is the end of the last section, with picasso's padding after it if present.
    Time is in proportion to `len(data)`: an invalid DVLB is left at its first error, and a valid file is skipped whole.
    `progress(done, total)` counts bytes.
    """
    found: list[Found] = []
    resume = 0
    with memoryview(data) as view:
        for start, window in windows(data, len(at.DVLB_MAGIC) - 1, progress):
            place = window.find(at.DVLB_MAGIC, max(0, resume - start))
            while place >= 0:
                offset = start + place
                resume = offset + 1
                if _has_program(data, offset):
                    with view[offset:] as rest:
                        surveyed = survey(rest, name, most_errors=1)
                        if not surveyed.errors:
                            shader = _read(rest, surveyed.end, name)
                            found.append(Found(offset, *shader))
                            resume = offset + shader[0]
                place = window.find(at.DVLB_MAGIC, resume - start)
    return found


def _has_program(data: Searched, offset: int) -> bool:
    """Whether a DVLP follows the offsets of a DVLB's objects, without which the survey ends at its first error."""
    count = int.from_bytes(data[offset + 4 : offset + 8], "little")
    program = offset + at.DVLB.size + 4 * count
    return data[program : program + 4] == at.DVLP_MAGIC


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
