"""Files that programs were loaded from: whether one has changed since."""

from __future__ import annotations

import os

_MOST = 4096
_stamps: dict[str, tuple[str, int, int]] = {}


def remember(path: str) -> None:
    """Keep the time and size of a file that is loaded."""
    if len(_stamps) >= _MOST:
        _stamps.clear()
    whole = os.path.abspath(path)  # noqa: PTH100 - pathlib takes longer to import
    _stamps[path] = (whole, *_state(whole))


def changed(path: str) -> bool:
    """Whether a file that was loaded is another now; False for one that is gone."""
    stamp = _stamps.get(path)
    if stamp is None:
        return False
    now = _state(stamp[0])
    return now != stamp[1:] and now != (0, 0)


def _state(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


__all__ = ["changed", "remember"]
