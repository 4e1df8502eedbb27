"""A process whose streams are read and written without waiting for ever: neither a full pipe nor silence blocks.

A process that dies, hangs or closes a stream is a `PeerError`.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import suppress

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

# What can happen to a process besides an answer.
DIED, HANGS, WRONG_FORM = "died", "hangs", "wrong form"
LARGEST = 1 << 26  # bytes of an answer
_CHUNK = 1 << 16
_GRACE = 1.0  # seconds to end after a stream was closed
_TEXT = frozenset((*range(0x20, 0x7F), *b"\t\r\n"))
_SHOWN = 40  # letters of a text that is no answer
_TAIL = 400  # bytes of standard error that are kept


class PeerError(PortableError):
    """No answer to a job: `kind` is DIED, HANGS or WRONG_FORM."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class SeveralAnswersError(PeerError):
    """More than one answer to a job: what the process writes cannot be told apart any more."""


class EndedError(PeerError):
    """The process ended by itself between two answers, as programs do that have done their work."""


class OneAnswerError(PeerError):
    """The process answers one job and ends."""


class Process:
    """A command that runs, with a thread for each of its streams. `answered` is for its user: whether it has given an
    answer."""

    def __init__(self, command: list[str]) -> None:
        self._log = b""  # the end of its standard error
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name == "posix",
            bufsize=0,
        )
        self.answered = False
        self._buffer = bytearray()
        self._closed = self._refused = self._begun = False
        self._in: queue.Queue[bytes | None] = queue.Queue()
        self._out: queue.Queue[bytes] = queue.Queue(1024)  # a process that writes without end waits
        self._listener = threading.Thread(target=self._listen, daemon=True)
        for thread in (
            threading.Thread(target=self._write, daemon=True),
            threading.Thread(target=self._read, daemon=True),
            self._listener,
        ):
            thread.start()

    def send(self, data: bytes) -> None:
        self._in.put(data)

    def leftover(self) -> bool:
        """Whether bytes have come that nothing asked for."""
        while True:
            try:
                self._add(self._out.get_nowait())
            except queue.Empty:
                return bool(self._buffer)

    def take(self, count: int, until: float) -> bytes:
        """That many bytes. Raises PeerError."""
        while len(self._buffer) < count:
            self._more(until)
        found = bytes(self._buffer[:count])
        del self._buffer[:count]
        self._begun = True
        return found

    def take_line(self, until: float) -> bytes:
        """A line without its end. Raises PeerError."""
        at = 0
        while (end := self._buffer.find(b"\n", at)) < 0:
            at = len(self._buffer)
            if at > LARGEST:
                raise PeerError(WRONG_FORM, f"a line of more than {LARGEST} bytes")
            self._more(until)
        found = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return found

    def _more(self, until: float) -> None:
        if self._closed:
            raise self._ended()
        start = time.monotonic()
        if self._refused:
            until = min(until, start + _GRACE)
        try:
            self._add(self._out.get(timeout=max(until - start, 0.001)))
        except queue.Empty:
            if self._refused:
                raise PeerError(DIED, "the process closed its standard input without an answer") from None
            part = f" after {len(self._buffer)} bytes of one" if self._buffer else ""
            raise PeerError(HANGS, f"no answer in time{part}") from None

    def _add(self, data: bytes) -> None:
        self._closed = self._closed or not data
        self._buffer += data

    def _ended(self) -> PeerError:
        part = f" in the middle of an answer ({counted(len(self._buffer), 'byte')})" if self._buffer else ""
        if self._buffer and not self._begun and all(byte in _TEXT for byte in self._buffer):
            part = f" after the text {bytes(self._buffer[:_SHOWN]).decode()!r} on standard output, which is for answers"
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return PeerError(DIED, f"the process closed its standard output{part}")
        if not code and not part:
            return EndedError(DIED, "the process ended with exit code 0")
        how = f"exit code {code}"
        if code < 0:
            how = next((each.name for each in signal.Signals if each.value == -code), f"signal {-code}")
        return PeerError(DIED, f"the process {'died' if code else 'ended'} with {how}{part}")

    def errors(self) -> str:
        """The last line of its standard error."""
        if self._process.poll() is not None:
            self._listener.join(_GRACE)
        text = self._log.decode("utf-8", "replace")
        return " ".join((text.strip().splitlines() or [""])[-1].split())

    def stop(self) -> None:
        self._in.put(None)
        try:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except OSError:
            pass  # it has ended
        self._process.wait()
        while True:  # make room for the reading thread, which then finds the end
            try:
                self._out.get_nowait()
            except queue.Empty:
                break

    def _write(self) -> None:
        stream = self._process.stdin
        if stream is None:
            return
        while (data := self._in.get()) is not None:
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[stream.write(rest) or 0 :]
            except OSError:
                self._refused = True
                break
        with suppress(OSError):
            stream.close()

    def _read(self) -> None:
        for data in _chunks(self._process.stdout):
            self._out.put(data)
        self._out.put(b"")

    def _listen(self) -> None:
        for data in _chunks(self._process.stderr):
            self._log = (self._log + data)[-_TAIL:]


def _chunks(stream: IO[bytes] | None) -> Iterator[bytes]:
    """The output of a process, as it comes; closes the stream at its end."""
    if stream is None:
        return
    with stream:
        while True:
            try:
                data = os.read(stream.fileno(), _CHUNK)
            except OSError:
                return
            if not data:
                return
            yield data
