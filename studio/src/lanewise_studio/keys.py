"""Keys that let a browser in once, and the private file that a browser is started with."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import tempfile
import time
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from lanewise.core.writing import open_new

if TYPE_CHECKING:
    from collections.abc import Callable

ENTER = "/enter"  # where a key is exchanged for the cookie
STARTED = 60.0  # seconds for a browser that is started to come
PRINTED = 600.0  # seconds for somebody to copy a link
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>lanewise studio</title>
<form method="post" action="{address}"><input type="hidden" name="key" value="{key}"><button>Open lanewise \
studio</button></form>
<script>document.forms[0].submit();</script>
</html>
"""


class Keys:
    """Keys by their digests. Each dies when it is used, or when its time is over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[bytes, tuple[float, Callable[[], None]]] = {}

    def issue(self, seconds: float, used: Callable[[], None] = lambda: None) -> str:
        """A new key; `used` is called when it is used."""
        now = self._clock()
        for digest in [digest for digest, (until, _) in [*self._known.items()] if until <= now]:
            self._known.pop(digest, None)
        key = secrets.token_urlsafe(32)
        self._known[_digest(key)] = now + seconds, used
        return key

    def take(self, key: str) -> bool:
        """Whether a key was good. It is not good again."""
        until, used = self._known.pop(_digest(key), (0.0, lambda: None))
        good = self._clock() < until
        if good:
            used()
        return good


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


class LaunchFile:
    """A file that only its owner can read, which brings a key to the server: arguments of a browser are seen by everybody on a
    machine, what it posts is not."""

    def __init__(self, keys: Keys, address: str) -> None:
        """`address` is that of the server. Raises OSError."""
        self.used = Event()
        self._folder = Path(tempfile.mkdtemp(prefix="lanewise-studio-"))  # 0700
        self.path = self._folder / "open.html"
        text = _PAGE.format(address=address + ENTER, key=keys.issue(STARTED, self.used.set))
        with open_new(self.path, 0o600) as file:
            file.write(text.encode())

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


__all__ = ["ENTER", "PRINTED", "STARTED", "Keys", "LaunchFile"]
