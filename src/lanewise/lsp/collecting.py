"""Garbage collections of the server: not in an analysis, and not through what stays for good.

An analysis makes some hundred thousand objects in a few cycles only. Collections that these numbers start would go through all
that is kept of the texts, several times an analysis.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


YOUNG = 1 << 16  # objects


class Pauses:
    """Stretches of time without collections, which may overlap: the first ends them, and the last begins them again if they
    were on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running = 0
        self._resumes = False

    @contextmanager
    def pause(self) -> Generator[None]:
        """Put collections off. The first new object after the last pause starts one of all that is young."""
        with self._lock:
            if not self._running:
                self._resumes = gc.isenabled()
                gc.disable()
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                if not self._running and self._resumes:
                    gc.enable()


PAUSES = Pauses()


def settle() -> None:
    """Keep what stays for the life of the server, such as modules and tables, out of garbage collections: each would go through
    all of it. Young objects are collected by tens of thousands: an analysis frees about as many as it makes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


__all__ = ["PAUSES", "Pauses", "settle"]
