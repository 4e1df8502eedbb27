"""How work is cancelled and how far it is: `Stop`."""

from __future__ import annotations

import time
from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_BETWEEN = 0.1  # seconds between two messages of progress


class Cancelled(Exception):
    """Somebody no longer wants the answer."""


class Stop:
    """A mark that other threads set. Work asks it now and then."""

    def __init__(self, report: Callable[[int, int, str], None] | None = None) -> None:
        """`report` gets (done, of all, what) now and then."""
        self._event = Event()
        self._report = report
        self._next = time.monotonic() + 2 * _BETWEEN

    def set(self) -> None:
        self._event.set()

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raise Cancelled if the work is no longer wanted."""
        if self._event.is_set():
            raise Cancelled

    def progress(self, what: str) -> Callable[[int, int], None]:
        """What a service of lanewise calls with (done, of all)."""

        def report(done: int, total: int) -> None:
            self.check()
            now = time.monotonic()
            if self._report is not None and now >= self._next:
                self._next = now + _BETWEEN
                self._report(done, total, what)

        return report


__all__ = ["Cancelled", "Stop"]
