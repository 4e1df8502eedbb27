"""Addresses of arrays, for compiled code, and arrays at addresses that suit it."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray


def address(array: NDArray[Any]) -> int:
    """The address of the first element of an array."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))  # a quarter of the time of `array.ctypes`
    except (BufferError, TypeError, ValueError):  # read-only, with gaps, or empty
        return array.ctypes.data


LINE = 64  # bytes of a line of a cache
_FEW = 1 << 16  # bytes; fewer stay in a cache wherever they are


def rows_of_four(count: int) -> NDArray[np.float32]:
    """An uninitialised array (count, 4), float32, C order; a large one begins with a line of the caches, so that stores may bypass them."""
    size = 16 * count
    if size < _FEW:
        return np.empty((count, 4), np.float32)
    memory = np.empty(size + LINE, np.uint8)
    first = -address(memory) % LINE
    return memory[first : first + size].view(np.float32).reshape(count, 4)
