"""`lanewise vectors --supervise`: a suite is sent to a command, which is started again when it dies or hangs."""

from __future__ import annotations

import sys

from lanewise.core.paths import split_command
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import UsageError
from lanewise.core.vectors.alone import Alone, Failed, ask_alone
from lanewise.core.vectors.model import FLAT, LINES
from lanewise.core.vectors.peer import Peer
from lanewise.core.vectors.process import DIED, HANGS, WRONG_FORM, OneAnswerError, PeerError
from lanewise.tools.command import Progress
from lanewise.tools.peer_start import cannot_start, no_answer, refuse_shell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.vectors.model import Case, Job, Lanes, Outcome, Suite
    from lanewise.tools.command import Parsed

SECONDS = 10.0  # for an answer
_STARTUP = 30.0  # seconds for the first answer of a process
_MOST_FAILED = 3  # cases without an answer, where none has one
_PROBES = 100  # cases all over the suite that are tried where the first ones kill the process: it may lack their instructions
_PATIENCE = 4  # times as long as the slowest start of a process, before a case that hangs is given up
_MOST_KEPT = 4  # cases that are asked again, to see what is kept between them
_MOST_ALONE = 200  # cases that are sent alone, each to a process of its own


class Silence(Record):
    """A case without an answer: `kind` is one of `core.vectors.process`, DIED, HANGS or WRONG_FORM."""

    case: Case
    kind: str
    reason: str


class Supervised(Record):
    """The answers by the number of their case, the cases without one, how often the command was started again, and by the place
    of each case that of the first which its process was asked."""

    answers: dict[int, Outcome]
    silent: tuple[Silence, ...]
    restarts: int
    first: Mapping[int, int]


class Supervisor:
    """Sends cases to the command that `--supervise` names. Raises UsageError for one that cannot be started or never
    answers."""

    suite: Suite

    def __init__(self, parsed: Parsed, suite: Suite) -> None:
        self._text, self.suite = parsed.text("supervise"), suite
        try:
            command = split_command(self._text)
        except ValueError as error:
            raise UsageError(f"--supervise: {error}: close the quotation marks") from None
        if not command:
            raise UsageError("--supervise names a command, such as --supervise ./my_unit")
        refuse_shell("--supervise", self._text, command)
        self._seconds = _seconds(parsed)
        form = LINES if parsed.text("form") == LINES else FLAT
        self._peer = Peer(command, suite.identity, form, self._seconds, max(self._seconds, _STARTUP))
        self._progress = Progress("cases") if sys.stderr.isatty() else None

    def all(self) -> Supervised:
        """Ask for every case."""
        peer = self._peer
        answers: dict[int, Outcome] = {}
        silent: list[Silence] = []
        first: dict[int, int] = {}
        start, probed = 0, False
        try:
            for place, case in enumerate(self.suite.cases):
                self._show(place, len(self.suite.cases))
                starts = peer.starts
                kind = ""
                try:
                    answers[case.job.number] = peer.ask(case)
                except OneAnswerError:
                    raise
                except PeerError as error:
                    kind = error.kind
                    limit = f"more than {self._seconds:g} s: " if kind == HANGS else ""
                    silent.append(Silence(case, kind, f"{limit}{error}"))
                start = place if peer.starts > starts else start
                first[place] = start
                if not answers and not probed and len(silent) >= _MOST_FAILED:
                    probed = True
                    if kind != DIED or not self._answers_any():
                        break
        except OneAnswerError as error:
            raise UsageError(f"--supervise {self._text}: {error}") from None
        except OSError as error:
            raise cannot_start("--supervise", self._text, self._peer.command, error) from None
        finally:
            self._end()
        if silent and not answers:
            writes = silent[-1].kind == WRONG_FORM
            what = "the command writes something else than answers" if writes else "the command never answers"
            reason = silent[-1].reason
            raise UsageError(f"--supervise {self._text}: {what}: {reason}{'' if writes else f'; {no_answer(reason)}'}")
        return Supervised(answers, tuple(silent), max(peer.starts - 1, 0), first)

    def _answers_any(self) -> bool:
        """Whether the command answers some case of the whole suite."""
        for case in self.suite.cases[:: max(len(self.suite.cases) // _PROBES, 1)]:
            if case.flags:
                continue
            try:
                self._peer.ask(case)
            except PeerError as error:
                if error.kind != DIED:
                    return False
            else:
                return True
        return False

    def alone(self, found: Supervised, failing: Sequence[Case], right: Callable[[Case, Outcome], bool]) -> Alone:
        """Ask for cases that failed once more, each alone; `right(case, answer)` says whether an answer is."""
        self._peer.startup = min(self._peer.startup, self._seconds + _PATIENCE * self._peer.slowest)
        places = {case.job.number: place for place, case in enumerate(self.suite.cases)}
        failed: list[Failed] = []
        for case in failing[:_MOST_ALONE]:
            place = places[case.job.number]
            failed.append(Failed(case, self.suite.cases[found.first[place] : place]))
        try:
            return ask_alone(self._peer, failed, right, lambda place: self._show(place, len(failed)))
        except OSError as error:
            raise cannot_start("--supervise", self._text, self._peer.command, error, " again") from None
        finally:
            self._end()

    def kept(self, found: Supervised, run: Callable[[Job], Outcome]) -> tuple[Case, Case] | None:
        """A case and one after which it has other words in registers that its program does not write; None where none was
        found. `run(job)` is the outcome of a job."""
        answered = [case for case in self.suite.cases if case.job.number in found.answers and not case.flags]
        writes: dict[int, Case] = {}
        for case in answered:
            for register in case.job.outputs:
                writes.setdefault(register, case)
        try:
            for case in answered[:: max(1, len(answered) // _MOST_KEPT)][:_MOST_KEPT]:
                others = {register: each for register, each in writes.items() if register not in case.job.outputs}
                job = case.job._replace(outputs=tuple(others), state=())
                written = run(job).written if others else dict[int, tuple[int, ...]]()
                for register, before in others.items():
                    if register in written and not any(written[register]):
                        asked = case._replace(job=job._replace(outputs=(register,)))
                        alone, after = self._last([asked]), self._last([before, asked])
                        if alone is not None and after is not None and alone != after:
                            return case, before
        except OSError as error:
            raise cannot_start("--supervise", self._text, self._peer.command, error, " again") from None
        finally:
            self._end()
        return None

    def _last(self, cases: Sequence[Case]) -> Mapping[int, Lanes] | None:
        """The outputs of the last of some cases in a fresh process; None where one has no answer."""
        self._peer.stop()
        found: Outcome | None = None
        try:
            for case in cases:
                found = self._peer.ask(case)
        except PeerError:
            return None
        return found.outputs if found is not None else None

    def _show(self, place: int, count: int) -> None:
        if self._progress is not None:
            self._progress(place, count)

    def _end(self) -> None:
        self._peer.stop()
        if self._progress is not None:
            self._progress.clear()


def _seconds(parsed: Parsed) -> float:
    text = parsed.text("answer-timeout")
    try:
        seconds = float(text) if text else SECONDS
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        from lanewise.tools.loose_values import duration

        name = "--answer-timeout"
        raise UsageError(f"{name} is '{text}', expected a number of seconds above 0{duration(text, name)}")
    return seconds
