"""Frames that a page fetches by HTTP, which browsers read three times as fast as messages of a socket."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

LARGE = 128 << 10  # bytes of a frame that is worth a request of its own


class Shelf:
    """Frames by names that cannot be guessed. Each is taken once."""

    def __init__(self) -> None:
        self._frames: dict[str, tuple[bytes, asyncio.Event]] = {}

    @contextmanager
    def holding(self, frame: bytes) -> Generator[tuple[str, asyncio.Event]]:
        """The name of a frame that lies here meanwhile, and what is set once it is taken."""
        name, taken = secrets.token_urlsafe(16), asyncio.Event()
        self._frames[name] = frame, taken
        try:
            yield name, taken
        finally:
            self._frames.pop(name, None)

    def take(self, name: str) -> bytes | None:
        """The frame, which then lies here no more; None where there is none."""
        found = self._frames.pop(name, None)
        if found is None:
            return None
        frame, taken = found
        taken.set()
        return frame


__all__ = ["LARGE", "Shelf"]
