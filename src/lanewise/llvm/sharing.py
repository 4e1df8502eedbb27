"""Pieces of a run among threads that stay: to start two takes as long as some thousand vertices."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from lanewise.llvm.stopping import WAIT

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Future, ThreadPoolExecutor
    from typing import TypeVar

    from lanewise.llvm.stopping import Stop

    T = TypeVar("T")


def shared(work: Callable[[int], T], count: int, threads: int, stop: Stop | None = None) -> Generator[T, None, None]:
    """Yield the results of `work` for 0 to `count` - 1, in order, from threads.

    The caller's thread is one of them. If one raises, or the iterator is closed, no other is still running afterwards; `stop`, which
    `work` looks at, makes that soon.
    """
    if threads <= 1 or count <= 1:
        yield from map(work, range(count))
        return
    from concurrent.futures import wait

    helpers = _helpers(os.getpid(), min(threads, count) - 1)
    begun: list[Future[T]] = []
    try:
        for number in range(1, count):
            begun.append(helpers.submit(work, number))  # noqa: PERF401 - an interrupt between two must find those before
        yield work(0)
        for number, other in enumerate(begun, 1):
            # What no other thread has begun this one does.
            yield work(number) if other.cancel() else _result(other)
    except BaseException:
        if stop is not None:
            stop.set()
        for other in begun:
            other.cancel()
        wait(begun)
        raise


def _result(future: Future[T]) -> T:
    """The result, once it is there; signals are handled while this waits."""
    while True:
        try:
            return future.result(WAIT)
        except TimeoutError:
            if future.done():
                return future.result()


@lru_cache(4)
def _helpers(process: int, count: int) -> ThreadPoolExecutor:
    """Threads that wait for work; a process that was forked has none of those of its parent."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(count, f"lanewise-{process}")
