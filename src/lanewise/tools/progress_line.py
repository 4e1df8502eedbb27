"""How far a long run is: a line that changes on a terminal, a line every half minute elsewhere."""

from __future__ import annotations

import sys
import time

_EVERY, _TERMINAL = 30.0, 0.5  # seconds between two lines of progress


class Line:
    """The line of a run on standard error; silent without `show`."""

    def __init__(self, show: bool) -> None:
        self._show, self._terminal = show, sys.stderr.isatty()
        self._next = time.monotonic() + (0.2 if self._terminal else _EVERY)

    def show(self, text: str) -> None:
        """Show how far the run is, if it is time to."""
        now = time.monotonic()
        if not self._show or now < self._next:
            return
        self._next = now + (_TERMINAL if self._terminal else _EVERY)
        print(f"\r{text}\x1b[K" if self._terminal else text, end="" if self._terminal else "\n", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self.clear()
        if self._show:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line off the terminal."""
        if self._show and self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
