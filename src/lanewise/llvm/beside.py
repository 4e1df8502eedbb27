"""Work beside the program: jobs on one thread, which is there as long as there are any.

Jobs make something better that is there already, so none has to be done: at the end of the process those that wait are dropped.
The process waits for the one that is running. The machine code of a compiler cannot be interrupted, and LLVM aborts where the
C++ library takes down what it uses.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from typing import TYPE_CHECKING

from lanewise.llvm.stopping import WAIT, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable


class Beside:
    """The thread, and the jobs that it will do."""

    generation: int
    closed: bool

    def __init__(self) -> None:
        self._anew()
        self.generation = 0  # goes up where jobs are lost: in a process that was forked
        self.closed = False

    def _anew(self) -> None:
        self._lock = threading.Lock()
        self._busy = threading.Lock()  # held while a job is done
        self._jobs: deque[Callable[[], None]] = deque()
        self._thread: threading.Thread | None = None

    def start(self, job: Callable[[], None]) -> None:
        """Have a job done some time, or never."""
        with self._lock:
            if self.closed:
                return
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="lanewise-compiler", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        try:
            while True:
                with self._lock:
                    if not self._jobs:
                        self._thread = None
                        return
                    job = self._jobs.popleft()
                with self._busy:
                    job()
        except BaseException as error:
            with self._lock:
                self._thread = None  # the next job gets another thread
            if not isinstance(error, Stopped):  # reported by `threading.excepthook`
                raise

    def check(self) -> None:
        """Leave a job that nobody waits for any more. Raises Stopped."""
        if self.closed:
            raise Stopped

    def settle(self) -> None:
        """Wait until all jobs are done."""
        while (thread := self._thread) is not None and thread.is_alive():
            thread.join(WAIT)

    def close(self) -> None:
        """Drop the jobs that wait, and begin no more."""
        self.closed = True
        self._jobs.clear()

    def end(self) -> None:
        """Close, and wait until no job is running."""
        self.close()
        self.settle()

    def before_fork(self) -> None:
        """Wait for the job that is running: a compiler that holds a lock would hold it for ever in the new process."""
        self._busy.acquire()

    def after_fork(self) -> None:
        self._busy.release()

    def forked(self) -> None:
        """The new process has no thread of the old one."""
        self._anew()
        self.generation += 1


BESIDE = Beside()
atexit.register(BESIDE.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=BESIDE.before_fork, after_in_parent=BESIDE.after_fork, after_in_child=BESIDE.forked)
