"""How far a proof is, for the function that its caller gave: set for a call, asked where the work is done.

Proofs are many layers below what asks for them, and each instruction set has its own; none of these layers knows of progress.
"""

from __future__ import annotations

from contextvars import ContextVar
from itertools import count

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[int, int], None]

_EVERY = 32  # steps
_CURRENT: ContextVar[Counter | None] = ContextVar("lanewise.progress", default=None)


class Counter:
    """Steps done in a call, of all its proofs."""

    def __init__(self, report: Progress) -> None:
        self._report, self._done, self._next = report, 0, 0

    def add(self, steps: int) -> None:
        """Count steps, and report them from time to time; how many there will be is unknown (0)."""
        self._done += steps
        if self._done >= self._next:
            self._next = self._done + _EVERY
            self._report(self._done, 0)


class reported:  # noqa: N801 - used as a function is
    """While it is entered, steps of proofs in this thread are reported to a function; to none for None."""

    def __init__(self, progress: Progress | None) -> None:
        self._counter = None if progress is None else Counter(progress)

    def __enter__(self) -> None:
        self._token = _CURRENT.set(self._counter)

    def __exit__(self, *_: object) -> None:
        _CURRENT.reset(self._token)


def counting(progress: Progress | None) -> Callable[[], None] | None:
    """A function that counts its calls and reports them; None where nobody asked."""
    numbers = count(1)
    return None if progress is None else lambda: progress(next(numbers), 0)


def counter() -> Counter | None:
    """Where the steps of this call are counted; None where nobody asked."""
    return _CURRENT.get()


__all__ = ["Counter", "counter", "counting", "reported"]
