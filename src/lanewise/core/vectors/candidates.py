"""The answers to open questions that explain a difference, and which of them an implementation follows.

A difference fits several answers now and then, and may fit one by chance. More random programs on which the answers differ,
asked of the same implementation, separate them.
"""

from __future__ import annotations

from lanewise.core.evidence import CLASSES
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors.comparing import differences
from lanewise.core.vectors.model import ENDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.vectors.comparing import Tolerance
    from lanewise.core.vectors.model import Job, Outcome, RandomJobs, Vectors, Wanted

_MOST_PROGRAMS = 150  # random programs that are looked through for one difference
_ENOUGH = 6  # programs that confirm an answer


class Separation(Record):
    """A program on which answers that fit a difference give different outcomes."""

    job: Job
    "The program."
    expected: Mapping[str, Outcome]
    "What each answer gives, and what is expected, whose key is empty."
    fits: tuple[str, ...]
    "Answers whose outcome the implementation gives; empty for none, and where it gives none."


class Candidates(Record):
    """The answers that explain a difference."""

    fits: tuple[str, ...]
    "Single answers that explain it."
    left: tuple[str, ...]
    "Those that explain other programs too, the least certain first."
    separation: Separation | None
    "A program that separates `fits`, if there are several."


class Chooser:
    """Tries answers on more programs.

    `ask(job)` is the outcome of the implementation, None if it gives none; `wrong(job)` the name of the first step that is
    wrong alone, empty if there is none. `alternatives` are variants by the name of their answer.
    """

    jobs: RandomJobs
    vectors: Vectors
    wanted: Wanted
    alternatives: Mapping[str, str]

    def __init__(
        self,
        jobs: RandomJobs,
        vectors: Vectors,
        wanted: Wanted,
        alternatives: Mapping[str, str],
        ask: Callable[[Job], Outcome | None],
        expected: Callable[[Job], Outcome],
        bits: int,
        tolerance: Tolerance,
    ) -> None:
        self.jobs, self.vectors, self.wanted, self.alternatives = jobs, vectors, wanted, alternatives
        self._ask, self._expected, self._bits, self._tolerance = ask, expected, bits, tolerance
        self._known = {
            f"{question.key}={answer}": question.known for question in vectors.questions for answer in question.answers
        }

    def explaining(self, job: Job, found: Outcome) -> tuple[str, ...]:
        """All answers with which lanewise gives an outcome."""
        return tuple([name for name in self.alternatives if self.explains(job, found, name)])

    def explains(self, job: Job, found: Outcome, name: str) -> bool:
        return self._equal(job, self.vectors.run(job, self.alternatives[name]), found)

    def known(self, name: str) -> str:
        """How well the question is known that an answer is about."""
        return self._known[name]

    def ranked(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those about questions that nothing has measured first."""
        return tuple(sorted(names, key=lambda name: -CLASSES.index(self._known[name])))

    def separation(self, job: Job, names: Sequence[str], found: Outcome) -> Separation | None:
        """A job with the outcome of the implementation, if it separates answers."""
        given = {name: self.vectors.run(job, self.alternatives[name]) for name in names}
        if len(given) < 2 or not self._differ(job, list(given.values())):
            return None
        fits = tuple([name for name, outcome in given.items() if self._equal(job, outcome, found)])
        return Separation(job, {"": self._expected(job), **given}, fits)

    def settled(
        self, fits: Sequence[str], programs: Iterator[Job], contaminated: Callable[[Job], bool], tick: Callable[[], None]
    ) -> Candidates:
        """Which answers explain further programs too. One that does not is left out, unless the program is `contaminated` by
        another difference."""
        left: list[str] = [*fits]
        confirmed = dict.fromkeys(left, 0)
        separation: Separation | None = None
        for job in programs:
            tick()
            if not left or (min(confirmed[name] for name in left) >= _ENOUGH and (separation or len(left) == 1)):
                break
            usual = self._expected(job)
            if any(status != ENDED for status in usual.status):
                continue
            given = {name: self.vectors.run(job, self.alternatives[name]) for name in left}
            telling = [name for name, outcome in given.items() if not self._equal(job, usual, outcome)]
            if not telling:
                continue
            separates = self._differ(job, list(given.values()))
            if not separates and min(confirmed[name] for name in telling) >= _ENOUGH:
                continue
            found = self._ask(job)
            if found is None:
                continue
            true = tuple([name for name, outcome in given.items() if self._equal(job, outcome, found)])
            if not true and not self._equal(job, usual, found) and contaminated(job):
                continue
            if separates and (separation is None or (true and not separation.fits)):
                separation = Separation(job, {"": usual, **given}, true)
            for name in true:
                confirmed[name] += 1
            left = [name for name in left if name in true or (name not in telling and self._equal(job, usual, found))]
        return Candidates(tuple(fits), self.ranked(left), separation)

    def steps_called(self, name: str, after: int) -> Iterator[Job]:
        """The steps of a name in random programs, each alone."""
        for program in self.programs(after):
            for each, job in self.jobs.alone(program, self.wanted.variant):
                if each == name and self.may_send(job):
                    yield job

    def programs(self, after: int) -> Iterator[Job]:
        """Random programs after that of a number."""
        for number in range(after + 1, after + 1 + _MOST_PROGRAMS):
            yield self.jobs.job(self.wanted, number)

    def may_send(self, job: Job) -> bool:
        """Whether a job has only what random programs may have."""
        if self.wanted.nops.intersection(self.jobs.ops(job)):
            return False
        return not self.wanted.nested or self.jobs.nested(job)

    def _equal(self, job: Job, one: Outcome, other: Outcome) -> bool:
        return next(differences(job, one, other, self._bits, self._tolerance), None) is None

    def _differ(self, job: Job, outcomes: Sequence[Outcome]) -> bool:
        return any(not self._equal(job, outcomes[0], other) for other in outcomes[1:])
