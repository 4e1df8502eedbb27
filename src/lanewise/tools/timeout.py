"""A time limit on work of the main thread: `time_limit`."""

from __future__ import annotations

import _thread
from contextlib import contextmanager

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

_AGAIN = 0.5  # seconds between two signals: code that the first one interrupts may discard its exception


class TimeLimitExceeded(BaseException):
    """The work took longer than its limit. Like KeyboardInterrupt it passes handlers of ordinary errors."""


@contextmanager
def time_limit(seconds: float | None) -> Generator[None, None, None]:
    """Raise TimeLimitExceeded in the body once it has taken so many seconds; None: no limit. For the main thread."""
    if seconds is None:
        yield
        return
    import signal

    if hasattr(signal, "setitimer"):
        with _alarm(seconds):
            yield
    else:  # Windows
        with _interrupt(seconds):
            yield


@contextmanager
def _alarm(seconds: float) -> Generator[None, None, None]:
    import signal

    running = True

    def stop(*_: object) -> None:
        if running:  # not where the work ended as the signal came
            raise TimeLimitExceeded

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _interrupt(seconds: float) -> Generator[None, None, None]:
    """The same by what Ctrl-C does, where there are no timers."""
    import threading

    expired, ended = threading.Event(), threading.Event()

    def watch() -> None:
        left = seconds
        while not ended.wait(left):
            expired.set()
            _thread.interrupt_main()
            left = _AGAIN

    watcher = threading.Thread(target=watch, name="lanewise-timeout", daemon=True)
    watcher.start()
    try:
        yield
    except KeyboardInterrupt:
        if expired.is_set():
            raise TimeLimitExceeded from None
        raise
    finally:
        ended.set()
