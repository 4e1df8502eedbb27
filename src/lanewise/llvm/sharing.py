"""Pieces of a run among threads that stay: to start two takes as long as some thousand vertices.

Helpers are threads of Python that wait for a lock, which takes no time of a processor, until a run wakes them. The thread that
asks never waits for a helper to begin: it does the pieces itself, in order, and a helper that comes takes those that are left.
So a processor that is busy with something else costs what it takes to wake a thread, not the run.
"""

from __future__ import annotations

import _thread
import atexit
import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from lanewise.llvm.stopping import WAIT

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from typing import Self

    from lanewise.llvm.stopping import Stop

K = TypeVar("K")
T = TypeVar("T")


def shared(work: Callable[[int], T], count: int, threads: int, stop: Stop | None = None) -> Generator[T, None, None]:
    """Yield the results of `work` for 0 to `count` - 1, in order, from threads.

    The caller's thread is one of them. If one raises, or the iterator is closed, no other is still running afterwards; `stop`,
    which `work` looks at, makes that soon.
    """
    if threads <= 1 or count <= 1:
        yield from map(work, range(count))
        return
    job = Job(work, iter(range(count)), stop)
    with job:
        job.begin(min(threads, count) - 1)
        for number in range(count):
            while number not in job.results:
                if not job.step():
                    job.wait_for(number)
            yield job.results.pop(number)


class Job(Generic[K, T]):
    """Pieces of work that several threads take one after the other, with the result of `work` for each.

    The methods are for the thread that asks, in a `with` block: after it no other thread does anything for the job.
    """

    def __init__(self, work: Callable[[K], T], pieces: Iterator[K], stop: Stop | None = None) -> None:
        """`stop` is set if an exception ends the work early."""
        self._work, self._pieces, self._stop = work, pieces, stop
        self.results: dict[K, T] = {}
        self._lock = threading.Lock()  # of all that follows, and of `pieces`
        self._running = 0  # helpers
        self._closed = self._waiting = False
        self._errors: list[BaseException] = []
        self._woken = _thread.allocate_lock()
        self._woken.acquire()

    def begin(self, helpers: int) -> None:
        """Wake so many threads, or as many as there are."""
        _begin(self._help, helpers)

    def step(self) -> bool:
        """Do one of the pieces; False if there is none left. Raises what the work of helpers has raised."""
        with self._lock:
            for error in self._errors:
                raise error
            try:
                piece = next(self._pieces)
            except StopIteration:
                return False
        self.results[piece] = self._work(piece)
        return True

    def wait_for(self, piece: K) -> None:
        """Wait until a helper has done a piece. Raises what it has raised."""
        self._wait(lambda: piece in self.results or bool(self._errors))
        if piece not in self.results:
            raise self._errors[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Wait until no helper does anything for this job any more; after an exception, here too, pieces that are left are not
        done."""
        raised: BaseException | None = None
        try:
            # Those that are left are done by helpers; none of them has to come for that.
            while kind is None and self.step():
                pass
        except BaseException as own:
            raised = own
        with self._lock:
            self._closed = True
        _withdraw(self._help)
        if (kind is not None or raised is not None) and self._stop is not None:
            self._stop.set()
        while True:
            try:
                self._wait(lambda: not self._running)
                break
            except BaseException as other:
                raised = other
                if self._stop is not None:
                    self._stop.set()
        if raised is not None:
            raise raised
        if kind is None and self._errors:
            raise self._errors[0]

    def _help(self) -> None:
        """Take pieces as a helper, until there are none or the job is closed."""
        with self._lock:
            if self._closed:
                return
            self._running += 1
        try:
            while True:
                with self._lock:
                    if self._closed:
                        break
                    try:
                        piece = next(self._pieces)
                    except StopIteration:
                        break
                self.results[piece] = self._work(piece)
                if self._waiting:
                    self._wake()
        except BaseException as error:
            with self._lock:
                self._errors.append(error)
                self._closed = True
        finally:
            with self._lock:
                self._running -= 1
            self._wake()

    def _wake(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting = False
                if self._woken.locked():  # otherwise an exception has ended the waiting for a piece before
                    self._woken.release()

    def _wait(self, ready: Callable[[], bool]) -> None:
        """Signals are handled while this waits."""
        while True:
            with self._lock:
                if ready():
                    return
                self._waiting = True
            while not self._woken.acquire(timeout=WAIT):
                pass


class _Helper:
    """A thread that waits for work."""

    def __init__(self, pool: _Pool) -> None:
        self._pool = pool
        self._go = _thread.allocate_lock()
        self._go.acquire()
        self._work: Callable[[], None] | None = None
        self.thread = threading.Thread(target=self._serve, name="lanewise", daemon=True)
        self.thread.start()

    def wake(self, work: Callable[[], None] | None) -> None:
        """Give it work; None ends it."""
        self._work = work
        self._go.release()

    def _serve(self) -> None:
        pool = self._pool
        while True:
            self._go.acquire()
            work, self._work = self._work, None
            if work is None:
                return
            while work is not None:
                work()
                del work  # with the arrays that it knows
                with pool.lock:
                    work = pool.wanted.popleft() if pool.wanted else None
                    if work is None:
                        pool.idle.append(self)


class _Pool:
    """The helpers of a process."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.lock = threading.Lock()  # of all that follows
        self.idle: list[_Helper] = []
        self.wanted: deque[Callable[[], None]] = deque()  # work that found no helper idle: the next that is takes it
        self.count = 0


_pools = [_Pool()]  # one; a process that was forked has none of the threads of its parent


def _begin(work: Callable[[], None], helpers: int) -> None:
    """Let so many threads work: those that are idle, new ones as long as there are no more than it asks for, or processors, and
    those that will be idle: a helper may still end the run before this one."""
    if _pools[0].process != os.getpid():
        _pools[0] = _Pool()
    pool = _pools[0]
    for _ in range(helpers):
        with pool.lock:
            helper = pool.idle.pop() if pool.idle else None
            if helper is None:
                if pool.count >= max(helpers, os.cpu_count() or 1):
                    pool.wanted.append(work)
                    continue
                pool.count += 1
        (helper or _Helper(pool)).wake(work)


def _withdraw(work: Callable[[], None]) -> None:
    """Want no helper any more."""
    pool = _pools[0]
    if pool.wanted and pool.process == os.getpid():
        with pool.lock:
            while work in pool.wanted:
                pool.wanted.remove(work)


@atexit.register
def _end() -> None:
    """End the threads that wait."""
    pool = _pools[0]
    if pool.process == os.getpid():
        helpers, pool.idle = pool.idle, []
        for helper in helpers:
            helper.wake(None)
        for helper in helpers:
            helper.thread.join(1)
