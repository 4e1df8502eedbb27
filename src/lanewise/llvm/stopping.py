"""Machine code that can be ended: by Ctrl-C, by another thread.

Python handles signals in its main thread, between its own instructions, so no call of machine code there may last. Kernels
therefore do a bounded part of the work in a call, and calls follow each other. What cannot be cut, a lane with millions of
steps or a compilation, is called on another thread while the main thread waits.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

WAIT = 0.1  # seconds; some systems do not interrupt a thread that waits without end


class Stopped(Exception):
    """Raised by work that a `Stop` has ended: in threads whose results nobody waits for any more."""


class Stop:
    """A request to end: `requested` for Python, and for machine code a word at `address` that is not 0 then."""

    requested: bool = False  # of the class, so that one costs nothing until it is used

    @cached_property
    def _word(self) -> ctypes.c_int64:
        return ctypes.c_int64(self.requested)

    @property
    def address(self) -> int:
        return ctypes.addressof(self._word)

    def set(self) -> None:
        self.requested = True
        self._word.value = 1

    def clear(self) -> None:
        self.requested = False
        self._word.value = 0


def awaited(work: Callable[[], T], stop: Stop | None = None) -> T:
    """The result of `work`, machine code that may take long, so that signals are handled while it runs.

    Whatever a signal handler raises leaves here. Work that looks at `stop` is ended before; other work goes on to its end, and
    its result is lost. `work` must keep alive what it uses.
    """
    if threading.current_thread() is not threading.main_thread():  # only that thread handles signals
        return work()
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run, name="lanewise", daemon=True)
    try:
        thread.start()
        while not done.wait(WAIT):
            pass
    except BaseException:
        if stop is not None:
            stop.set()
            while thread.is_alive() and not done.wait(WAIT):
                pass
        raise
    for error in errors:
        raise error
    return results[0]
