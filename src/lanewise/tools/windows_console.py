"""Escape sequences in the consoles of Windows, which obey them only where a program asks (Microsoft, "Console Virtual Terminal
Sequences")."""

from __future__ import annotations

import ctypes
from typing import Any, TextIO

_OUTPUT, _ERROR = -11, -12  # STD_OUTPUT_HANDLE, STD_ERROR_HANDLE
_PROCESSED, _VIRTUAL_TERMINAL = 0x1, 0x4  # ENABLE_PROCESSED_OUTPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING


def obeys_escapes(stream: TextIO, kernel: Any = None) -> bool:
    """Whether the console of standard output or error obeys escape sequences, which it is asked to. `kernel` is the library
    kernel32."""
    import sys

    library: Any = kernel or vars(ctypes)["WinDLL"]("kernel32")
    handle = library.GetStdHandle(_ERROR if stream is sys.stderr else _OUTPUT)
    mode = ctypes.c_uint32()
    if not library.GetConsoleMode(handle, ctypes.byref(mode)):
        return True  # not a console of Windows: a terminal of Cygwin or MSYS2, which obeys them
    return bool(mode.value & _VIRTUAL_TERMINAL) or bool(
        library.SetConsoleMode(handle, mode.value | _PROCESSED | _VIRTUAL_TERMINAL)
    )


__all__ = ["obeys_escapes"]
