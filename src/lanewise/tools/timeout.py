"""A time limit on work of the main thread: `time_limit`, and that of a command, `begin` to `end`."""

from __future__ import annotations

import _thread
from contextlib import contextmanager, suppress

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, UsageError

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager
    from types import TracebackType

_AGAIN = 0.5  # seconds between two signals: code that the first one interrupts may discard its exception


_MOST_SECONDS = 1_000_000


class TimeLimitExceeded(BaseException):
    """The work took longer than its limit. Like KeyboardInterrupt it passes handlers of ordinary errors."""


class Late(InputFailure):
    """A command took longer than `--timeout`."""

    code = "U004"


_running: list[tuple[float, AbstractContextManager[None]]] = []


def begin(text: str) -> None:
    """Begin the limit of a command, the value of `--timeout`. `console.guarded` ends it. Raises UsageError."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.001 <= seconds <= _MOST_SECONDS:
        raise UsageError(f"--timeout is '{text}', expected 0.001 to {_MOST_SECONDS:,} seconds")
    limit = time_limit(seconds)
    _running.append((seconds, limit))
    limit.__enter__()


def end(
    kind: type[BaseException] | None = None, error: BaseException | None = None, trace: TracebackType | None = None
) -> None:
    """End the limit of a command, with the error that ends it. Raises Late if that is the limit."""
    while _running:
        seconds, limit = _running[-1]
        try:
            limit.__exit__(kind, error, trace)
        except TimeLimitExceeded:  # on Windows an interrupt is one; and it may come now
            kind = TimeLimitExceeded
        finally:
            _running.pop()
        if kind is TimeLimitExceeded:
            raise Late(f"it took longer than {seconds:g} s and was ended: raise --timeout, or give it less to do") from None


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
        while watcher.is_alive():  # no interrupt comes later, not one that was on its way either
            with suppress(KeyboardInterrupt):
                ended.set()
                watcher.join()
