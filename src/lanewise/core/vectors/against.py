"""Random jobs on a `Peer`, beside what is expected: differences by cause, each reduced.

The cause of a difference is its first wrong step: steps of the program are asked one by one, each alone in a program. Where all
are right alone, it is what the reduced program is about.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, islice

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors.candidates import Candidates, Chooser
from lanewise.core.vectors.comparing import CORNERS, differences, incomplete, nan_remark
from lanewise.core.vectors.model import ENDED, Case, Outcome
from lanewise.core.vectors.process import DIED, HANGS, WRONG_FORM, OneAnswerError, PeerError, SeveralAnswersError
from lanewise.core.vectors.relations import MOST_SAMPLES, Relations, Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.vectors.candidates import Separation
    from lanewise.core.vectors.comparing import Difference, Tolerance
    from lanewise.core.vectors.model import Job, Question, RandomJobs, Vectors, Wanted
    from lanewise.core.vectors.peer import Peer

DIFFERS, UNSTEADY = "differs", "another answer the second time"
_MOST_TRIES = 4000  # jobs of one reduction
_MOST_RESTARTS = 300
_MOST_DIED = 24  # jobs whose steps are tried alone, to name what the process dies of
_MOST_TRIED = 100  # more jobs whose steps are, for the other instructions
_MOST_CONFIRMING = 60  # programs that confirm a mistake which explains all
_MOST_HANGS = 8  # each takes the whole time limit
_KEPT = "something is kept between jobs: clear registers, flags and address registers before each one"
_GOES_ON = "answer jobs in a loop until the input ends, whatever the jobs before were"
NONE = Candidates((), (), None)


class Asked(Record):
    """The answer to a job, or what happened instead (`kind`, `message`); `kind` is DIFFERS for an answer that differs, empty
    for an equal one."""

    kind: str
    message: str = ""
    found: Outcome | None = None
    first: Difference | None = None


class WrongStep(Record):
    """A step that differs alone: its name, the job that shows it, the answer, and the steps before it, which are right, with
    their answers."""

    name: str
    job: Job
    asked: Asked
    right: Sequence[tuple[Job, Outcome]]


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
    step: str
    "The first wrong step; empty where each is right alone."
    answers: tuple[str, ...]
    "Single answers with which lanewise gives what the peer gave."
    confirmed: tuple[str, ...]
    "The `answers` that explain other programs too, the least certain first."
    separation: Separation | None
    "A program that separates `answers`, if there are several."
    depends: tuple[str, ...]
    "Keys of the open questions on which the expected outcome depends."
    concerned: tuple[str, ...]
    "Instructions of the job that are not right alone, or all."
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
        return f"{self.kind}: {self.step or ', '.join(self.concerned) or 'no instruction'}"


def _lane(first: Difference | None, expected: Outcome) -> int:
    """The lane of a difference; the run that sends it if it is in a primitive."""
    if first is None or first.lane < 0:
        return 0
    if first.what == "primitives" and expected.primitives is not None:
        return expected.primitives[first.lane // CORNERS].run
    return first.lane


class Comparing:
    """Compares job after job; `causes` counts programs by cause, `findings` has the first of each."""

    peer: Peer
    jobs: RandomJobs
    vectors: Vectors
    variant: str
    bits: int
    tolerance: Tolerance
    careful: str
    wanted: Wanted
    samples: list[Sample]
    alternatives: dict[str, str]
    chooser: Chooser

    def __init__(
        self,
        peer: Peer,
        jobs: RandomJobs,
        vectors: Vectors,
        variant: str,
        bits: int,
        tolerance: Tolerance,
        wanted: Wanted,
    ) -> None:
        self.peer, self.jobs, self.vectors, self.variant, self.bits, self.tolerance = (
            peer,
            jobs,
            vectors,
            variant,
            bits,
            tolerance,
        )
        self.careful = jobs.careful(variant)
        self.wanted = wanted._replace(variant=self.careful)
        self.causes: Counter[str] = Counter()
        self.findings: dict[str, Finding] = {}
        self.samples: list[Sample] = []
        self._before: Outcome | None = None
        self.alternatives = self._alternatives()
        self.chooser = Chooser(jobs, vectors, self.wanted, self.alternatives, self._answer, self.expected, bits, tolerance)

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
        """The answer of the peer, compared. Raises SeveralAnswersError, after which no answer has a meaning, and
        OneAnswerError."""
        starts = self.peer.starts
        try:
            found = self.peer.ask(Case(name="", group="", ops=(), shows="", job=job, expected=expected))
        except (OneAnswerError, SeveralAnswersError):
            raise
        except PeerError as error:
            return Asked(error.kind, str(error))
        before, self._before = self._before if self.peer.starts == starts else None, expected
        first = next(differences(job, expected, found, self.bits, self.tolerance), None)
        if first is None:
            return Asked("", found=found)
        lacks = incomplete(job, expected, found, self.vectors.register)
        if lacks:
            return Asked(WRONG_FORM, lacks, found, first)
        if len(self.samples) < MOST_SAMPLES:
            self.samples.append(Sample(job, expected, found, before))
        name = self.vectors.register(first.register) if first.register >= 0 else ""
        return Asked(DIFFERS, first.text(name) + nan_remark(first, self.bits), found, first)

    def lets_through(self, job: Job, expected: Outcome, asked: Asked) -> bool:
        """Whether an answer is equal only by the steps that are allowed."""
        if not self.tolerance.ulp or asked.found is None:
            return False
        exact = self.tolerance._replace(ulp=0)
        return next(differences(job, expected, asked.found, self.bits, exact), None) is not None

    def mistake(self) -> str:
        """The one mistake that explains all answers that differ, and those to some more programs; empty where none does.
        Raises SeveralAnswersError, OneAnswerError."""
        relations = Relations(self.vectors, self.careful, self.bits, self.tolerance)
        texts = [*relations.explaining(self.samples)] if self.samples else []
        if not texts:
            return ""
        more: list[Sample] = []
        for job in islice(self.chooser.programs(self.samples[-1].job.number), _MOST_CONFIRMING):
            expected, before, starts = self.expected(job), self._before, self.peer.starts
            if any(status != ENDED for status in expected.status):
                continue
            found = self.ask(job, expected).found
            before = before if self.peer.starts == starts else None
            if found is not None:
                more.append(Sample(job, expected, found, before))
        return relations.confirmed(texts, more)

    def _again(self, job: Job, expected: Outcome, kind: str) -> Asked:
        """Ask for a variation of a job whose answer was of a `kind`; twice where the process dies, which may be of the jobs
        before."""
        found = self.ask(job, expected)
        return self.ask(job, expected) if found.kind == DIED != kind else found

    def _answer(self, job: Job) -> Outcome | None:
        return self._again(job, self.expected(job), DIFFERS).found

    def differing(self, job: Job, expected: Outcome, asked: Asked, tick: Callable[[], None]) -> Finding | None:
        """Count a job that differs by its cause; the finding, if the cause is new."""
        if asked.kind in (DIED, WRONG_FORM) and asked.message in self.findings:
            self.causes[asked.message] += 1
            return None
        found = self._stepped(job, tick) if asked.kind == DIFFERS else None
        if found is None:
            for cause, finding in self.findings.items():
                if asked.found is not None and finding.confirmed and self._explains(job, asked.found, finding.confirmed[0]):
                    self.causes[cause] += 1
                    return None
            found = self._reduced(job, expected, asked, tick)
        cause = found if isinstance(found, str) else found.cause
        self.causes[cause] += 1
        if isinstance(found, str) or cause in self.findings:
            return None
        self.findings[cause] = found
        return found

    def _wrong_step(self, job: Job) -> WrongStep | None:
        """The first step that differs alone."""
        right: list[tuple[Job, Outcome]] = []
        for name, alone in self.jobs.alone(job, self.careful):
            if not self.chooser.may_send(alone):
                continue
            expected = self.expected(alone)
            if any(status != ENDED for status in expected.status):
                continue
            asked = self._again(alone, expected, DIFFERS)
            if asked.kind == DIFFERS:
                return WrongStep(name, alone, asked, right)
            if asked.found is not None:
                right.append((alone, asked.found))
        return None

    def _stepped(self, job: Job, tick: Callable[[], None]) -> Finding | str | None:
        """The cause by the first wrong step: one that is known, or a finding; None where no step is wrong alone."""
        wrong = self._wrong_step(job)
        if wrong is None or wrong.asked.found is None:
            return None
        known = [finding for finding in self.findings.values() if finding.step == wrong.name]
        for finding in known:
            explained = [name for name in finding.confirmed if self._explains(wrong.job, wrong.asked.found, name)]
            if explained:
                return finding.cause
        fits = self.chooser.explaining(wrong.job, wrong.asked.found)
        left, separation = self._not_refuted(fits, wrong.right)
        programs = self.chooser.steps_called(wrong.name, job.number)
        chosen = self.chooser.settled(left, programs, lambda _: False, tick) if left else NONE
        chosen = chosen._replace(fits=fits, separation=separation or chosen.separation)
        for finding in known:
            if not chosen.left and not finding.confirmed:
                return finding.cause
        if chosen.left and chosen.left[0] in self.findings:
            return chosen.left[0]
        return self._reduced(wrong.job, self.expected(wrong.job), wrong.asked, tick, wrong.name, chosen)

    def _not_refuted(
        self, names: Sequence[str], right: Sequence[tuple[Job, Outcome]]
    ) -> tuple[Sequence[str], Separation | None]:
        """The answers that leave right steps as they are, and a step that separates them from the others."""
        left, separation = names, None
        for job, found in right:
            kept = [name for name in left if self._explains(job, found, name)]
            if len(kept) < len(left):
                separation = separation or self.chooser.separation(job, names, found)
            left = kept
        return left, separation

    def _reduced(
        self,
        job: Job,
        expected: Outcome,
        asked: Asked,
        tick: Callable[[], None],
        step: str = "",
        chosen: Candidates | None = None,
    ) -> Finding:
        """The finding of a job; `step` is what it shows alone, `chosen` what explains it, None where that is not known."""
        self.peer.stop()  # a fresh process: what it gave must not depend on the jobs before
        again = self.ask(job, expected)
        if again.kind != asked.kind:
            reason = _GOES_ON if asked.kind in (DIED, HANGS) else _KEPT
            message = f"first {asked.message or 'an equal answer'}, then {again.message or 'an equal answer'}; {reason}"
            return self._finding(job, Asked(UNSTEADY, message), "", NONE)
        tries, hangs, starts = 0, 0, self.peer.starts

        def differs(candidate: Job) -> bool:
            nonlocal tries, hangs
            tick()
            if tries >= _MOST_TRIES or hangs >= _MOST_HANGS or self.peer.starts - starts > _MOST_RESTARTS:
                return False
            if self.wanted.nested and not self.jobs.nested(candidate):
                return False
            tries += 1
            wanted = self.expected(candidate)
            if any(status != ENDED for status in wanted.status):
                return False
            found = self._again(candidate, wanted, asked.kind)
            hangs += found.kind == HANGS
            if found.kind != asked.kind:
                return False
            return (
                not chosen or not chosen.left or found.found is None or self._explains(candidate, found.found, chosen.left[0])
            )

        first = again.first
        if first is not None and first.register in job.outputs:
            alone = job._replace(outputs=(first.register,))
            job = alone if differs(alone) else job
        small = self.jobs.reduce(job, self.variant, differs)
        wanted = self.expected(small)
        last = self._again(small, wanted, asked.kind)
        if last.kind != asked.kind:
            small, last = job, again
        if chosen is None:
            chosen = self._chosen(small, last, job, tick)
            wrong = self._wrong_step(small) if asked.kind not in (DIED, WRONG_FORM) and not chosen.left else None
            step = wrong.name if wrong is not None else ""
        return self._finding(small, last, step, chosen)

    def _chosen(self, job: Job, asked: Asked, whole: Job, tick: Callable[[], None]) -> Candidates:
        """The answers that explain a reduced job, with the data of the whole one and in other programs too."""
        if asked.kind != DIFFERS or asked.found is None:
            return NONE
        fits = self.chooser.explaining(job, asked.found)
        confirmed, separation = self._confirmed(job, whole, fits)
        if not confirmed:
            return Candidates(fits, (), separation)
        programs = self.chooser.programs(whole.number)
        chosen = self.chooser.settled(confirmed, programs, lambda other: self._wrong_step(other) is not None, tick)
        return chosen._replace(fits=fits, separation=separation or chosen.separation)

    def _finding(self, job: Job, asked: Asked, step: str, chosen: Candidates) -> Finding:
        expected = self.expected(job)
        depends: list[Question] = []
        ops = tuple(self.jobs.ops(job))
        concerned = ops
        if not chosen.left and asked.kind not in (DIED, WRONG_FORM):
            right = {name for name, _ in self.jobs.alone(job, self.careful)} - {step}
            concerned = tuple([name for name in ops if name not in right]) or ops
            depends = self._depends(job, expected, concerned if step else ())
        return Finding(
            number=job.number,
            kind=asked.kind,
            message=asked.message,
            job=job,
            expected=expected,
            found=asked.found,
            step=step,
            answers=self.chooser.ranked(chosen.fits),
            confirmed=chosen.left,
            separation=chosen.separation,
            depends=tuple([question.key for question in depends]),
            concerned=concerned,
            ops=ops,
            lane=_lane(asked.first, expected),
        )

    def _confirmed(self, job: Job, whole: Job, answers: Sequence[str]) -> tuple[Sequence[str], Separation | None]:
        """The answers that explain a reduced job with the data of the whole one too, most of its own data are 0, which hides
        much; and that job, if it separates the answers."""
        again = whole._replace(code=job.code, descriptors=job.descriptors, outputs=job.outputs)
        expected = self.expected(again)
        if not answers or any(status != ENDED for status in expected.status):
            return answers, None
        asked = self._again(again, expected, DIFFERS)
        if asked.found is None:
            return (), None
        left = [name for name in answers if self._explains(again, asked.found, name)]
        return left, self.chooser.separation(again, answers, asked.found)

    def _depends(self, job: Job, expected: Outcome, ops: Sequence[str]) -> list[Question]:
        """The questions on whose answers the outcome depends: those about `ops`, if they are known; otherwise those about
        particular instructions if there are any."""
        found = {name.partition("=")[0] for name in self.alternatives if not self._explains(job, expected, name)}
        questions = [question for question in self.vectors.questions if question.key in found]
        if ops:
            return [question for question in questions if set(ops).intersection(question.ops)]
        return [question for question in questions if question.ops] or questions

    def _explains(self, job: Job, found: Outcome, name: str) -> bool:
        return self.chooser.explains(job, found, name)


def instructions_of(comparing: Comparing, died: Sequence[Job]) -> tuple[list[str], list[str], list[str]]:
    """Instructions of which the process dies, those that it answers, and those that were not tried: by the single steps of jobs
    of which it died, and of more jobs for the others."""
    dies: set[str] = set()
    answered: set[str] = set()
    jobs, wanted = comparing.jobs, comparing.wanted
    possible = {op for names in jobs.groups.values() for op in names} - wanted.nops
    more = map(partial(jobs.job, wanted), range(_MOST_TRIED))
    for job in chain(died[:_MOST_DIED], more):
        if possible <= dies | answered:
            break
        if any(status != ENDED for status in comparing.expected(job).status):
            continue
        for name, alone in jobs.alone(job, comparing.careful):
            op = name.replace(",", " ").split()[0]
            if (
                op not in jobs.mnemonics
                or op in answered
                or dies.intersection(jobs.ops(alone))
                or not comparing.chooser.may_send(alone)
            ):
                continue
            expected = comparing.expected(alone)
            if all(status == ENDED for status in expected.status):
                asked = comparing.ask(alone, expected)
                asked = comparing.ask(alone, expected) if asked.kind == DIED else asked  # by a fresh process
                (dies if asked.kind == DIED else answered).add(op)
    return sorted(dies), sorted(answered), sorted(possible - dies - answered)
