"""A process that answers jobs on its standard input and output, in either form of test vectors; docs/emulators.md says what it does.

Nothing here waits without a limit: a process that dies, hangs, closes a stream, or writes what is not one answer to the job is a
`PeerError`, and the next job starts it again.
"""

from __future__ import annotations

import os
import queue
import signal
import struct
import subprocess
import threading
import time
from contextlib import suppress

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.vectors import flat, lines
from lanewise.core.vectors.model import Suite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    from lanewise.core.vectors.model import Case, Identity, Outcome

FLAT, LINES = "flat", "lines"
# What can happen to a process besides an answer.
DIED, HANGS, WRONG_FORM = "died", "hangs", "wrong form"
_CHUNK = 1 << 16
_LARGEST = 1 << 26  # bytes of an answer
_GRACE = 1.0  # seconds to end after a stream was closed
_TAIL = 400  # bytes of standard error that are kept


class PeerError(Exception):
    """No answer to a job: `kind` is DIED, HANGS or WRONG_FORM."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Peer:
    """Runs the command when the first job comes, and again after each PeerError.

    `timeout` is the seconds for an answer, `startup` those for the first answer of a process. `starts` counts processes, `answers` jobs with an answer.
    """

    def __init__(
        self, command: Sequence[str], identity: Identity, form: str = FLAT, timeout: float = 5.0, startup: float = 30.0
    ) -> None:
        self.command, self.identity, self.form, self.timeout, self.startup = list(command), identity, form, timeout, startup
        self.starts = self.answers = 0
        self._running: _Running | None = None

    def ask(self, case: Case) -> Outcome:
        """The answer to a job. Raises PeerError; OSError if the command cannot be started."""
        if self._running is None:
            self.starts += 1
            self._running = _Running(self.command)
            self._running.send(self._header())
        running = self._running
        limit = self.timeout if running.answered else self.startup
        try:
            if running.answered and running.leftover():
                raise PeerError(WRONG_FORM, "the process wrote more than one answer to a job")
            running.send(flat.job_bytes(case) if self.form == FLAT else lines.job_text(case).encode())
            found = self._flat(running, case, limit) if self.form == FLAT else self._lines(running, case, limit)
        except PeerError as error:
            text = running.errors()
            self.stop()
            raise PeerError(error.kind, f"{error}: {text}" if text else str(error)) from None
        running.answered = True
        self.answers += 1
        return found

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._running is not None:
            self._running.stop()
            self._running = None

    def _header(self) -> bytes:
        return (
            flat.header_bytes(self.identity, b"") if self.form == FLAT else lines.suite_text(Suite(self.identity, ())).encode()
        )

    def _flat(self, running: _Running, case: Case, limit: float) -> Outcome:
        """The next record; a header before the first one is skipped."""
        until = time.monotonic() + limit
        head = running.take(8, until)
        if head == flat.MAGIC and not running.answered:
            rest = running.take(flat.HEAD.size - 8, until)
            (size,) = struct.unpack_from("<I", rest, 4)
            if not flat.HEAD.size <= size <= _CHUNK:
                raise PeerError(WRONG_FORM, f"the process wrote a header of {size} bytes")
            running.take(size - flat.HEAD.size, until)
            head = running.take(8, until)
        kind, count = struct.unpack("<2I", head)
        if kind != flat.ANSWER:
            raise PeerError(WRONG_FORM, f"expected a record of kind {flat.ANSWER} (answer), found the bytes {head.hex(' ')}")
        if 4 * count > _LARGEST:
            raise PeerError(WRONG_FORM, f"an answer of {count} words: the limit is {_LARGEST // 4}")
        data = running.take(4 * count, until)
        try:
            number, found = flat.read_answer(struct.unpack(f"<{count}I", data), 0)
        except flat.FlatError as error:
            raise PeerError(WRONG_FORM, str(error)) from None
        return self._checked(case, number, found)

    def _lines(self, running: _Running, case: Case, limit: float) -> Outcome:
        until = time.monotonic() + limit
        line = running.take_line(until)
        if not running.answered and b'"schema"' in line:
            line = running.take_line(until)
        try:
            number, found = lines.read_answer(line.decode())
        except (lines.LineError, UnicodeDecodeError) as error:
            raise PeerError(WRONG_FORM, f"{error}: {line[:60]!r}") from None
        return self._checked(case, number, found)

    def _checked(self, case: Case, number: int, found: Outcome) -> Outcome:
        if number != case.job.number:
            raise PeerError(WRONG_FORM, f"an answer to job {number}, expected {case.job.number}")
        return found


class _Running:
    """A process with a thread for each of its streams, so that neither a full pipe nor silence blocks."""

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
        self._closed = self._refused = False
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
        return found

    def take_line(self, until: float) -> bytes:
        """A line without its end. Raises PeerError."""
        at = 0
        while (end := self._buffer.find(b"\n", at)) < 0:
            at = len(self._buffer)
            if at > _LARGEST:
                raise PeerError(WRONG_FORM, f"a line of more than {_LARGEST} bytes")
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
        part = f" in the middle of an answer ({len(self._buffer)} bytes)" if self._buffer else ""
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return PeerError(DIED, f"the process closed its standard output{part}")
        how = f"exit code {code}"
        if code < 0:
            how = next((each.name for each in signal.Signals if each.value == -code), f"signal {-code}")
        return PeerError(DIED, f"the process died with {how}{part}")

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
    """What a process writes, as it comes; closes the stream at its end."""
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
