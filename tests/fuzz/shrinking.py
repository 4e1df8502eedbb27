"""Shrink a mutant that has a fault: the smallest file with the same fault that removing parts finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def shrunk(data: bytes, faulty: Callable[[bytes], bool], trials: int) -> bytes:
    """Remove lines, then bytes, in ever smaller runs, as long as the fault stays; `trials` bounds the calls of `faulty`."""
    left = [trials]

    def still(candidate: bytes) -> bool:
        if left[0] <= 0:
            return False
        left[0] -= 1
        return faulty(candidate)

    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        data = b"".join(_reduced(lines, lambda parts: still(b"".join(parts))))
    return b"".join(_reduced([data[at : at + 1] for at in range(len(data))], lambda parts: still(b"".join(parts))))


def _reduced(parts: list[bytes], still: Callable[[list[bytes]], bool]) -> list[bytes]:
    size = max(1, len(parts) // 2)
    while parts:
        at, smaller = 0, False
        while at < len(parts):
            candidate = parts[:at] + parts[at + size :]
            if still(candidate):
                parts, smaller = candidate, True
            else:
                at += size
        if size == 1 and not smaller:
            return parts
        size = max(1, size // 2) if not smaller or size > 1 else 1
    return parts
