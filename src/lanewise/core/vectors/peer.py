"""A process that answers jobs on its standard input and output, in either form of test vectors; docs/emulators.md says what it
does.

Nothing here waits without a limit: a process that dies, hangs, closes a stream, or writes what is not one answer to the job is
a `PeerError`, and the next job starts it again.
"""

from __future__ import annotations

import struct
import time

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors import flat, lines
from lanewise.core.vectors.model import FLAT, LINES, Suite
from lanewise.core.vectors.process import (
    DIED,
    LARGEST,
    WRONG_FORM,
    EndedError,
    OneAnswerError,
    PeerError,
    Process,
    SeveralAnswersError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.vectors.model import Case, Identity, Outcome

_LEAST_TEXT = 4  # bytes in front of a record that are taken for text
_MOST_HEADER = 1 << 16  # bytes
_SEVERAL = "the process wrote more than one answer to a job"
_ONE = "the process ends with exit code 0 after its first answer: answer jobs in a loop until the input ends, such as "


class Form(Record):
    """A form of test vectors as a process reads and writes it.

    `header` and `job` are the bytes that it is sent; `answer(process, until)` is the next answer, with the number of its case;
    before the first one of a process a header is skipped. Raises PeerError.
    """

    header: Callable[[Identity], bytes]
    job: Callable[[Case], bytes]
    answer: Callable[[Process, float], tuple[int, Outcome]]
    loop: str
    "What answers every job, in the language that most write this form in."


class Peer:
    """Runs the command when the first job comes, and again after each PeerError.

    `timeout` is the seconds for an answer, `startup` those for the first answer of a process. `starts` counts processes,
    `answers` jobs with an answer; `slowest` is the longest time that a first answer took.
    """

    command: list[str]
    identity: Identity
    timeout: float
    startup: float
    starts: int
    answers: int
    slowest: float

    def __init__(
        self, command: Sequence[str], identity: Identity, form: str = FLAT, timeout: float = 5.0, startup: float = 30.0
    ) -> None:
        self.command, self.identity, self.timeout, self.startup = list(command), identity, timeout, startup
        self._form = FORMS[form]
        self.starts = self.answers = 0
        self.slowest = 0.0
        self._running: Process | None = None
        self._last = -1  # number of the job that the process has answered
        self._first: Case | None = None  # the job that the process was asked first
        self._loops = False  # whether a process has answered two jobs, or was asked for them

    def ask(self, case: Case) -> Outcome:
        """The answer to a job. Raises PeerError; OSError if the command cannot be started."""
        if self._running is None:
            self.starts += 1
            self._running = Process(self.command)
            self._running.send(self._form.header(self.identity))
        running = self._running
        try:
            found = self._answer(running, case)
        except PeerError as error:
            text = running.errors()
            self.stop()
            if isinstance(error, EndedError) and running.answered and self._first is not None and not self._loops:
                self._ask_twice(self._first)
            raise type(error)(error.kind, f"{error}: {text}" if text else str(error)) from None
        self._loops = self._loops or running.answered
        self._first = self._first if running.answered else case
        running.answered, self._last = True, case.job.number
        self.answers += 1
        return found

    def _ask_twice(self, case: Case) -> None:
        """Ask a fresh process twice for a job that one has answered: where it ends in between, it is not for lack of an
        instruction. Raises OneAnswerError."""
        self._loops = True  # once is enough
        running = Process(self.command)
        try:
            running.send(self._form.header(self.identity) + self._form.job(case))
            self._form.answer(running, time.monotonic() + self.startup)
            running.answered = True
            running.send(self._form.job(case))
            self._form.answer(running, time.monotonic() + self.timeout)
        except EndedError:
            if running.answered:
                raise OneAnswerError(DIED, _ONE + self._form.loop) from None
        except PeerError:
            pass  # it does more than that
        finally:
            running.stop()

    def _answer(self, running: Process, case: Case) -> Outcome:
        if running.answered and running.leftover():
            raise SeveralAnswersError(WRONG_FORM, _SEVERAL)
        running.send(self._form.job(case))
        limit = self.timeout if running.answered else self.startup
        start = time.monotonic()
        number, found = self._form.answer(running, start + limit)
        if not running.answered:
            self.slowest = max(self.slowest, time.monotonic() - start)
        if number != case.job.number:
            if running.answered and number == self._last:  # it came after the look at what was left over
                raise SeveralAnswersError(WRONG_FORM, _SEVERAL)
            raise PeerError(WRONG_FORM, f"an answer to job {number}, expected {case.job.number}")
        return found

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._running is not None:
            self._running.stop()
            self._running = None


def _flat_answer(running: Process, until: float) -> tuple[int, Outcome]:
    """The next record."""
    head = running.take(8, until)
    if head == flat.MAGIC and not running.answered:
        rest = running.take(flat.HEAD.size - 8, until)
        (size,) = struct.unpack_from("<I", rest, 4)
        if not flat.HEAD.size <= size <= _MOST_HEADER:
            raise PeerError(WRONG_FORM, f"the process wrote a header of {size} bytes")
        running.take(size - flat.HEAD.size, until)
        head = running.take(8, until)
    kind, count = struct.unpack("<2I", head)
    if kind != flat.ANSWER:
        shown = 0
        while shown < len(head) and (0x20 <= head[shown] < 0x7F or head[shown] in b"\t\r\n"):
            shown += 1
        if shown >= _LEAST_TEXT:
            text = head[:shown].decode().replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
            fix = "standard output is for answers, print to standard error"
            raise PeerError(WRONG_FORM, f"expected an answer, found the text '{text}': {fix}")
        if kind == flat.JOB:
            fix = f"write an answer, a record of kind {flat.ANSWER} with the rows of its outputs"
            raise PeerError(WRONG_FORM, f"the job came back: {fix}")
        raise PeerError(WRONG_FORM, f"expected a record of kind {flat.ANSWER} (answer), found the bytes {head.hex(' ')}")
    if 4 * count > LARGEST:
        raise PeerError(WRONG_FORM, f"an answer of {count} words: the limit is {LARGEST // 4}")
    data = running.take(4 * count, until)
    try:
        return flat.read_answer(struct.unpack(f"<{count}I", data), 0)
    except flat.FlatError as error:
        raise PeerError(WRONG_FORM, str(error)) from None


def _line_answer(running: Process, until: float) -> tuple[int, Outcome]:
    """The next line."""
    line = running.take_line(until)
    if not running.answered and b'"schema"' in line:
        line = running.take_line(until)
    try:
        return lines.read_answer(line.decode())
    except (lines.LineError, UnicodeDecodeError) as error:
        raise PeerError(WRONG_FORM, f"{error}: {line[:60]!r}") from None


def _flat_header(identity: Identity) -> bytes:
    return flat.header_bytes(identity, b"")


def _line_header(identity: Identity) -> bytes:
    return lines.suite_text(Suite(identity, ())).encode()


def _line_job(case: Case) -> bytes:
    return lines.job_text(case).encode()


FORMS = {
    FLAT: Form(_flat_header, flat.job_bytes, _flat_answer, "for (Job job; read_job(std::cin, job); job = {})"),
    LINES: Form(_line_header, _line_job, _line_answer, "for line in sys.stdin:"),
}
