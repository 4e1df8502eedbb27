"""Addresses of arrays, for compiled code."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray


def address(array: NDArray[Any]) -> int:
    """The address of the first element of an array."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))  # a quarter of the time of `array.ctypes`
    except (BufferError, TypeError, ValueError):  # read-only, with gaps, or empty
        return array.ctypes.data
