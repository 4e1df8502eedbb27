"""Random jobs on a `Peer`, beside what is expected: differences by cause, each reduced."""

from __future__ import annotations

from collections import Counter

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors.comparing import CORNERS, differences
from lanewise.core.vectors.model import ENDED, Case, Outcome
from lanewise.core.vectors.process import DIED, HANGS, WRONG_FORM, PeerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.vectors.comparing import Difference, Tolerance
    from lanewise.core.vectors.model import Job, Question, RandomJobs, Vectors
    from lanewise.core.vectors.peer import Peer

DIFFERS, UNSTEADY = "differs", "another answer the second time"
_MOST_TRIES = 4000  # jobs of one reduction
_MOST_RESTARTS = 300
_MOST_HANGS = 8  # each takes the whole time limit


class Asked(Record):
    """The answer to a job, or what happened instead (`kind`, `message`); `kind` is DIFFERS for an answer that differs, empty
    for an equal one."""

    kind: str
    message: str = ""
    found: Outcome | None = None
    first: Difference | None = None


class Finding(Record):
    """A cause with its smallest job."""

    number: int
    "Number of the random job that showed it."
    kind: str
    "DIFFERS, or the way in which there was no answer."
    message: str
    "One line on what happened."
    job: Job
    "The smallest job that shows it."
    expected: Outcome
    "The outcome that lanewise computes."
    found: Outcome | None
    "The outcome of the peer; None where it gave none."
    answers: tuple[str, ...]
    "Single answers with which lanewise gives what the peer gave."
    confirmed: tuple[str, ...]
    "The `answers` with which it does so on the data of the whole program too."
    depends: tuple[str, ...]
    "Keys of the open questions on which the expected outcome depends."
    concerned: tuple[str, ...]
    "The first instruction whose result differs; where it is not known, those of `ops` that `depends` is about, or all."
    ops: tuple[str, ...]
    "Mnemonics of the job."
    lane: int
    "Lane that differs; -1 for none."

    @property
    def cause(self) -> str:
        """The key by which differences count as one."""
        if self.kind in (DIED, WRONG_FORM):
            return self.message
        if self.confirmed:
            return self.confirmed[0]
        return f"{self.kind}: {', '.join(self.concerned) or 'no instruction'}" + (
            f" ({', '.join(self.depends)})" if self.depends else ""
        )


def _lane(first: Difference | None, expected: Outcome) -> int:
    """The lane of a difference; the run that sends it if it is in a primitive."""
    if first is None or first.lane < 0:
        return 0
    if first.what == "primitives" and expected.primitives is not None:
        return expected.primitives[first.lane // CORNERS].run
    return first.lane


class Comparing:
    """Compares job after job; `causes` counts programs by cause, `findings` has the first of each."""

    def __init__(
        self,
        peer: Peer,
        jobs: RandomJobs,
        vectors: Vectors,
        variant: str,
        bits: int,
        tolerance: Tolerance,
        *,
        nested: bool = False,
    ) -> None:
        self.peer, self.jobs, self.vectors, self.variant, self.bits, self.tolerance = (
            peer,
            jobs,
            vectors,
            variant,
            bits,
            tolerance,
        )
        self.nested = nested
        self.careful = jobs.careful(variant)
        self.causes: Counter[str] = Counter()
        self.findings: dict[str, Finding] = {}
        self.alternatives = self._alternatives()

    def _alternatives(self) -> dict[str, str]:
        """The variants with another answer to one question, by the name of the answer."""
        found: dict[str, str] = {}
        for question in self.vectors.questions:
            for answer in question.answers:
                try:
                    variant = self.vectors.with_answer(self.careful, f"{question.key}={answer}")
                except ValueError:  # it does not go with the others
                    continue
                if variant != self.careful and question.key != "rounding":
                    found[f"{question.key}={answer}"] = variant
        return found

    def expected(self, job: Job) -> Outcome:
        """The expected outcome; a lane that does what implementations need not agree on has not ended."""
        return self.vectors.run(job, self.careful)

    def ask(self, job: Job, expected: Outcome) -> Asked:
        try:
            found = self.peer.ask(Case(name="", group="", ops=(), shows="", job=job, expected=expected))
        except PeerError as error:
            return Asked(error.kind, str(error))
        first = next(differences(job, expected, found, self.bits, self.tolerance), None)
        if first is None:
            return Asked("", found=found)
        name = self.vectors.register(first.register) if first.register >= 0 else ""
        return Asked(DIFFERS, first.text(name), found, first)

    def _again(self, job: Job, expected: Outcome, kind: str) -> Asked:
        """Ask for a variation of a job whose answer was of a `kind`; twice where the process dies, which may be of the jobs
        before."""
        found = self.ask(job, expected)
        return self.ask(job, expected) if found.kind == DIED != kind else found

    def differing(self, job: Job, expected: Outcome, asked: Asked, tick: Callable[[], None]) -> Finding | None:
        """Count a job that differs by its cause; the finding, if the cause is new."""
        if asked.kind in (DIED, WRONG_FORM) and asked.message in self.findings:
            self.causes[asked.message] += 1
            return None
        for cause in self.findings:
            variant = self.alternatives.get(cause)
            if variant and asked.found is not None and self._explains(job, asked.found, variant):
                self.causes[cause] += 1
                return None
        found = self._reduced(job, expected, asked, tick)
        self.causes[found.cause] += 1
        if found.cause in self.findings:
            return None
        self.findings[found.cause] = found
        return found

    def _reduced(self, job: Job, expected: Outcome, asked: Asked, tick: Callable[[], None]) -> Finding:
        self.peer.stop()  # a fresh process: what it gave must not depend on the jobs before
        again = self.ask(job, expected)
        if again.kind != asked.kind:
            message = f"first {asked.message or 'an equal answer'}, then {again.message or 'an equal answer'}"
            return self._finding(job, Asked(UNSTEADY, message))
        tries, hangs, starts = 0, 0, self.peer.starts

        def differs(candidate: Job) -> bool:
            nonlocal tries, hangs
            tick()
            if tries >= _MOST_TRIES or hangs >= _MOST_HANGS or self.peer.starts - starts > _MOST_RESTARTS:
                return False
            if self.nested and not self.jobs.nested(candidate):
                return False
            tries += 1
            wanted = self.expected(candidate)
            if any(status != ENDED for status in wanted.status):
                return False
            found = self._again(candidate, wanted, asked.kind)
            hangs += found.kind == HANGS
            return found.kind == asked.kind

        first = again.first
        if first is not None and first.register in job.outputs:
            alone = job._replace(outputs=(first.register,))
            job = alone if differs(alone) else job
        small = self.jobs.reduce(job, self.variant, differs)
        wanted = self.expected(small)
        last = self._again(small, wanted, asked.kind)
        if last.kind == asked.kind:
            return self._finding(small, last, job)
        return self._finding(job, again)

    def _finding(self, job: Job, asked: Asked, whole: Job | None = None) -> Finding:
        """`whole` is the job from which this one was reduced."""
        expected = self.expected(job)
        answers: list[str] = []
        confirmed: list[str] = []
        depends: list[Question] = []
        first = ""
        if asked.kind == DIFFERS and asked.found is not None:
            answers = [name for name, variant in self.alternatives.items() if self._explains(job, asked.found, variant)]
            confirmed = self._confirmed(job, whole, answers)
        if not confirmed and asked.kind not in (DIED, WRONG_FORM):
            first = self._first(job, asked.kind)
            depends = self._depends(job, expected, first)
        ops = tuple(self.jobs.ops(job))
        about = {first} if first else {name for question in depends for name in question.ops}
        lane = _lane(asked.first, expected)
        return Finding(
            number=job.number,
            kind=asked.kind,
            message=asked.message,
            job=job,
            expected=expected,
            found=asked.found,
            answers=tuple(answers),
            confirmed=tuple(confirmed),
            depends=tuple([question.key for question in depends]),
            concerned=tuple([name for name in ops if name in about]) or ops,
            ops=ops,
            lane=lane,
        )

    def _confirmed(self, job: Job, whole: Job | None, answers: Sequence[str]) -> list[str]:
        """The answers that explain a reduced job with the data of the whole one too: most of its own data are 0, which hides
        much."""
        if whole is None or not answers:
            return list(answers)
        again = whole._replace(code=job.code, descriptors=job.descriptors, outputs=job.outputs)
        expected = self.expected(again)
        if any(status != ENDED for status in expected.status):
            return list(answers)
        asked = self._again(again, expected, DIFFERS)
        if asked.found is None:
            return []
        return [name for name in answers if self._explains(again, asked.found, self.alternatives[name])]

    def _first(self, job: Job, kind: str) -> str:
        """The first instruction after which the peer differs, empty if it cannot be seen."""
        for name, shown in self.jobs.visible(job):
            expected = self.expected(shown)
            if not any(expected.status) and self._again(shown, expected, kind).kind == kind:
                return name
        return ""

    def _depends(self, job: Job, expected: Outcome, first: str) -> list[Question]:
        """The questions on whose answers the outcome depends: those about the first instruction that differs, if that is known;
        otherwise those about particular instructions if there are any."""
        found = {
            name.partition("=")[0] for name, variant in self.alternatives.items() if not self._explains(job, expected, variant)
        }
        questions = [question for question in self.vectors.questions if question.key in found]
        if first:
            return [question for question in questions if first in question.ops]
        return [question for question in questions if question.ops] or questions

    def _explains(self, job: Job, found: Outcome, variant: str) -> bool:
        expected = self.vectors.run(job, variant)
        return next(differences(job, expected, found, self.bits, self.tolerance), None) is None
