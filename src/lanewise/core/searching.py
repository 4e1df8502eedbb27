"""Search files of any size: they are mapped, their holes are left out, and what was searched leaves the memory."""

from __future__ import annotations

import mmap
import os

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.core.service import Searched

_WINDOW = 1 << 20  # bytes that are searched between two reports of progress
_ZEROS = bytes(_WINDOW)
_MOST = 1 << 12  # holes that are looked for


class Mapped(mmap.mmap):
    """A mapped file. `extents` are the offsets where its data begins and ends: between them are holes, whose bytes are zero."""

    extents: tuple[tuple[int, int], ...] = ()


def mapped(handle: int) -> Mapped:
    """Map an open file. Raises OSError, ValueError for one without a size."""
    found = Mapped(handle, 0, access=mmap.ACCESS_READ)
    found.extents = _extents(handle, len(found))
    return found


def _extents(handle: int, size: int) -> tuple[tuple[int, int], ...]:
    """The data of a file; all of it where the system does not say. Holes smaller than a window count as data."""
    found: list[tuple[int, int]] = []
    end = 0
    while hasattr(os, "SEEK_DATA") and len(found) < _MOST:  # not on Windows
        try:
            first = os.lseek(handle, end, os.SEEK_DATA)
            end = os.lseek(handle, first, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == 6:  # ENXIO: no data after this place
                return tuple(found)
            break
        if found and first - found[-1][1] < _WINDOW:
            first = found.pop()[0]
        found.append((first, end))
        if end >= size:
            return tuple(found)
    return (*found, (end, size))


def windows(data: Searched, more: int, progress: Callable[[int, int], None] | None = None) -> Iterator[tuple[int, bytes]]:
    """Parts of `data` in order, each with its offset and, where there are any, `more` bytes after it; those that are zero
    throughout are left out.

    A pattern of up to `more + 1` bytes that does not begin with a zero is in the window in which it begins.
    `progress(done, total)` counts bytes.
    """
    forget = data.madvise if isinstance(data, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") else None
    kept = 0  # where the part of the file begins that may be in the memory
    for first, end in data.extents if isinstance(data, Mapped) else ((0, len(data)),):
        for start in range(first, end, _WINDOW):
            if progress is not None:
                progress(start, len(data))
            if forget is not None and start - start % mmap.PAGESIZE > kept:
                forget(mmap.MADV_DONTNEED, kept, start - start % mmap.PAGESIZE - kept)
                kept = start - start % mmap.PAGESIZE
            window = data[start : min(start + _WINDOW, end) + more]
            if not window.startswith(_ZEROS):
                yield start, window
