"""`lanewise vectors --supervise`: a suite is sent to a command, which is started again when it dies or hangs."""

from __future__ import annotations

import sys

from lanewise.core.paths import split_command
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import UsageError
from lanewise.core.vectors.model import FLAT, LINES
from lanewise.core.vectors.peer import Peer
from lanewise.core.vectors.process import HANGS, PeerError
from lanewise.tools.command import Progress
from lanewise.tools.console import reason

if TYPE_CHECKING:
    from lanewise.core.vectors.model import Case, Outcome, Suite
    from lanewise.tools.command import Parsed

SECONDS = 10.0  # for an answer
_STARTUP = 30.0  # seconds for the first answer of a process
_MOST_FAILED = 3  # starts without any answer


class Silence(Record):
    """A case without an answer: `kind` is one of `core.vectors.process`, DIED, HANGS or WRONG_FORM."""

    case: Case
    kind: str
    reason: str


class Supervised(Record):
    """The answers by the number of their case, the cases without one, and how often the command was started again."""

    answers: dict[int, Outcome]
    silent: tuple[Silence, ...]
    restarts: int


def supervise(parsed: Parsed, suite: Suite) -> Supervised:
    """Ask the command for every case. Raises UsageError for one that cannot be started or never answers."""
    text = parsed.text("supervise")
    try:
        command = split_command(text)
    except ValueError as error:
        raise UsageError(f"--supervise: {error}: close the quotation marks") from None
    if not command:
        raise UsageError("--supervise names a command, such as --supervise ./my_unit")
    seconds = _seconds(parsed)
    form = LINES if parsed.text("form") == LINES else FLAT
    peer = Peer(command, suite.identity, form, seconds, max(seconds, _STARTUP))
    answers: dict[int, Outcome] = {}
    silent: list[Silence] = []
    progress = Progress("cases") if sys.stderr.isatty() else None
    try:
        for place, case in enumerate(suite.cases):
            if progress is not None:
                progress(place, len(suite.cases))
            try:
                answers[case.job.number] = peer.ask(case)
            except PeerError as error:
                limit = f"more than {seconds:g} s: " if error.kind == HANGS else ""
                silent.append(Silence(case, error.kind, f"{limit}{error}"))
                if not answers and peer.starts >= _MOST_FAILED:
                    break
    except OSError as error:
        raise UsageError(f"--supervise {text}: cannot start the command: {reason(error)}") from None
    finally:
        peer.stop()
        if progress is not None:
            progress.clear()
    if silent and not answers:
        raise UsageError(f"--supervise {text}: the command never answers: {silent[-1].reason}")
    return Supervised(answers, tuple(silent), max(peer.starts - 1, 0))


def _seconds(parsed: Parsed) -> float:
    text = parsed.text("answer-timeout")
    try:
        seconds = float(text) if text else SECONDS
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise UsageError(f"--answer-timeout is '{text}', expected a number of seconds above 0")
    return seconds
