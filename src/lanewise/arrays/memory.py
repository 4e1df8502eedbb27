"""Addresses of arrays, for compiled code, and arrays at addresses that suit it."""

from __future__ import annotations

import ctypes
import threading
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


_addressof = ctypes.addressof
_first_byte: Any = ctypes.c_char.from_buffer  # which takes arrays


def address(array: NDArray[Any]) -> int:
    """The address of the first element of an array."""
    try:
        return _addressof(_first_byte(array))  # a sixth of the time of `array.ctypes`
    except (BufferError, TypeError, ValueError):  # read-only, with gaps, or empty
        return array.ctypes.data


LINE = 64  # bytes of a line of a cache
_FEW = 1 << 16  # bytes; fewer stay in a cache wherever they are


def rows_of_four(count: int) -> NDArray[np.float32]:
    """An array (count, 4), float32, C order, of which nothing is known; a large one begins with a line of the caches, so that
    stores may bypass them.

    Memory of large arrays that nothing refers to any more is used again: fresh memory takes the system ten times as long as a
    kernel takes to fill it.
    """
    size = 16 * count
    return _kept.array(size).view(np.float32).reshape(count, 4) if size >= _FEW else np.empty((count, 4), np.float32)


class _Kept:
    """Blocks of memory whose arrays are gone."""

    # Of the class: arrays are freed when a process ends too, and names of modules may be gone before.
    most_bytes = (1 << 25) + (1 << 12)
    most_blocks = 16

    def __init__(self) -> None:
        self._free: list[NDArray[np.uint8]] = []
        self._used: dict[int, tuple[weakref.ref[NDArray[np.uint8]], NDArray[np.uint8]]] = {}
        self._lock = threading.RLock()  # an array may be freed within these methods

    def array(self, size: int) -> NDArray[np.uint8]:
        """Bytes that begin with a line. All views of them keep this array alive; after that the memory may be given again."""
        block = self._take(size)
        if block is None:
            block = np.empty(size + LINE, np.uint8)
        first = -address(block) % LINE
        # An array of a buffer: NumPy does not look for the array of that buffer when it is asked for views of views.
        found: NDArray[np.uint8] = np.frombuffer(block.data[first : first + size], np.uint8)
        number = id(found)
        with self._lock:
            self._used[number] = weakref.ref(found, lambda _: self._give(number)), block
        return found

    def _take(self, size: int) -> NDArray[np.uint8] | None:
        with self._lock:
            for place, block in enumerate(self._free):
                if size + LINE <= len(block) <= 2 * size:
                    return self._free.pop(place)
        return None

    def _give(self, number: int) -> None:
        """Keep a block, the last ones of all."""
        with self._lock:
            _, block = self._used.pop(number)
            self._free.insert(0, block)
            kept = 0
            for place, other in enumerate(self._free):
                kept += len(other)
                if kept > self.most_bytes or place >= self.most_blocks:
                    del self._free[place:]
                    break


_kept = _Kept()
