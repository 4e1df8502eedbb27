"""Escape sequences are asked for on a console of Windows, and not written to one that has none; kernel32 is simulated."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import pytest

from lanewise.tools.windows_console import obeys_escapes


class Kernel32:
    """A console with a mode; `newest` has virtual terminals."""

    def __init__(self, mode: int | None, *, newest: bool = True) -> None:
        self.mode, self.newest, self.asked = mode, newest, list[int]()

    def GetStdHandle(self, number: int) -> int:
        self.asked.append(number)
        return 7

    def GetConsoleMode(self, _handle: int, place: Any) -> int:
        if self.mode is None:
            return 0
        ctypes.cast(place, ctypes.POINTER(ctypes.c_uint32))[0] = self.mode
        return 1

    def SetConsoleMode(self, _handle: int, mode: int) -> int:
        if not self.newest:
            return 0
        self.mode = mode
        return 1


@pytest.mark.parametrize(
    ("kernel", "obeys", "mode"),
    [
        (Kernel32(3), True, 7),  # Windows 10 and newer: asked for
        (Kernel32(3, newest=False), False, 3),  # Windows 8: no colour
        (Kernel32(7, newest=False), True, 7),  # asked for before
        (Kernel32(None), True, None),  # a pipe that a terminal of MSYS2 reads
    ],
)
def test_escape_sequences_are_asked_for(kernel: Kernel32, obeys: bool, mode: int | None):
    assert obeys_escapes(sys.stdout, kernel) is obeys
    assert kernel.mode == mode
    assert obeys_escapes(sys.stderr, kernel) is obeys
    assert kernel.asked == [-11, -12]
