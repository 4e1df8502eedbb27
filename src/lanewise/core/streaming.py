"""Steps of a run that are made when they are needed, by an engine that does not stop between instructions.

    Stream(head, run)

The engine runs in a thread of the host, which waits in front of the first step that nobody has asked for; without threads, as
in a browser, it makes all steps at once. Steps are kept compressed, so that a million of a loop take some tens of megabytes.
"""

from __future__ import annotations

import pickle
import sys
import threading
import zlib
from weakref import finalize

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.trace import Step, Trace

    Run = Callable[[Callable[[Step], None]], None]

_PART = 256  # steps that are compressed together, and made at once
_FIRST = 64  # steps of the first stop
_DECODED = 8  # parts that are kept as they are too


class Stream:
    """The steps of a run. `head` is its trace without steps; `run` makes all of them, in order, and raises InputError for a run
    that has no end."""

    def __init__(self, head: Trace, run: Run) -> None:
        self.head = head
        self._channel = _Channel(run)
        finalize(self, self._channel.close)

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """Findings of the head, and of the end if it is reached."""
        return [*self.head.diagnostics, *self._channel.errors]

    @property
    def made(self) -> int:
        """The number of steps made so far."""
        return self._channel.count

    def step(self, number: int) -> Step | None:
        """A step by its number; None after the end."""
        channel = self._channel
        if number >= channel.count:
            channel.need(number + 1)
        return channel.step(number) if number < channel.count else None


class _Closed(BaseException):
    """The steps are not wanted any more. Not an error that an engine may handle."""


class _Channel:
    """State shared by the thread and the stream. The thread knows no stream, so that one that is forgotten ends its thread."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._wanted, self._closed, self._ended = 0, False, False
        self._parts: list[bytes] = []
        self._open: list[Step] = []
        self._decoded: dict[int, Sequence[Step]] = {}
        self._failure: BaseException | None = None
        self.count = 0
        self.errors: Sequence[Diagnostic] = ()

    def need(self, count: int) -> None:
        """Wait until there are so many steps, or the end."""
        with self._changed:
            if self.count < count and not self._ended:
                self._wanted = max(self._wanted, _FIRST if count <= _FIRST else -(-count // _PART) * _PART)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="lanewise steps", daemon=True)
                    self._start(self._thread)
                self._changed.notify_all()
                self._changed.wait_for(lambda: self.count >= count or self._ended)
            if self._failure is not None:
                raise self._failure

    def _start(self, thread: threading.Thread) -> None:
        try:
            thread.start()
        except RuntimeError:  # the host has no threads: Pyodide, https://pyodide.org/en/stable/usage/wasm-constraints.html
            self._wanted = sys.maxsize
            self._work()

    def step(self, number: int) -> Step:
        with self._changed:
            return self._step(number)

    def _step(self, number: int) -> Step:
        part, index = divmod(number, _PART)
        if part == len(self._parts):
            return self._open[index]
        found = self._decoded.get(part)
        if found is None:
            if len(self._decoded) >= _DECODED:
                del self._decoded[next(iter(self._decoded))]
            found = self._decoded[part] = pickle.loads(zlib.decompress(self._parts[part]))
        return found[index]

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _work(self) -> None:
        try:
            self._run(self._emit)
        except InputError as error:
            self.errors = error.diagnostics
        except _Closed:
            pass
        except BaseException as error:
            self._failure = error
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _emit(self, step: Step) -> None:
        """Take a step, in the thread, which goes on when another one is wanted."""
        with self._changed:
            self._open.append(step)
            self.count += 1
            if len(self._open) == _PART:
                self._parts.append(zlib.compress(pickle.dumps(tuple(self._open), pickle.HIGHEST_PROTOCOL), 1))
                self._open = []
            if self.count >= self._wanted:
                self._changed.notify_all()
                self._changed.wait_for(lambda: self.count < self._wanted or self._closed)
            if self._closed:
                raise _Closed
