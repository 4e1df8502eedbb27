"""The findings from a project's answers: which answers to the open questions they follow, and what no variant explains."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors.comparing import EXACT, Tolerance, differences, incomplete

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.vectors.comparing import Difference
    from lanewise.core.vectors.model import Case, Job, Outcome, Question, Suite, Vectors


_PASSES = 3


class Followed(Record):
    """A question: how many of the cases that depend on it each answer fits; `follows` is the one that fits all or most, empty
    where none fits any."""

    question: Question
    cases: int
    fits: Mapping[str, int]
    follows: str


class Tally(Record):
    """Counts of an instruction or a group.

    Of the cases that are `unexplained`, `alone` counts those in which nothing else can be wrong: every other instruction is
    right in each case about it alone.
    """

    name: str
    "Mnemonic, or name of the group."
    cases: int
    "Number of cases with an answer."
    equal: int
    "Number of answers that are as the suite expects."
    explained: int
    "Number of the others that `Verdict.variant` explains."
    alone: int
    "Number of unexplained cases of which the others are right."

    @property
    def unexplained(self) -> int:
        return self.cases - self.equal - self.explained


class Unexplained(Record):
    """Cases of one kind that no variant explains: how many, and the smallest with its first difference."""

    what: str
    cases: int
    case: Case
    difference: str


class Verdict(Record):
    """The judgement on a project's answers."""

    suite: Suite
    "The cases that were asked."
    answered: int
    "Number of cases with an answer."
    presets: Mapping[str, int]
    "Number of cases that differ under each preset whose numbers the suite's data can be."
    variant: str
    "Preset with the answers of `questions`: the one that the answers follow."
    differing: int
    "Number of answers that are not as the suite expects."
    questions: tuple[Followed, ...]
    "Open questions with the answers that fit."
    instructions: tuple[Tally, ...]
    "Counts by mnemonic; a case counts for each of its instructions."
    groups: tuple[Tally, ...]
    "Counts by group; a case counts once."
    unexplained: tuple[Unexplained, ...]
    "Cases that no variant explains, by kind."
    failing: tuple[Case, ...]
    "The same cases: the smallest of each kind first, then in order."
    unanswered: tuple[Case, ...]
    "Cases without an answer that every implementation can answer."
    left_out: int
    "Number of the other cases without an answer, on which an implementation may hang or abort."

    @property
    def equal(self) -> int:
        return sum(tally.equal for tally in self.groups)

    @property
    def explained(self) -> int:
        return sum(tally.explained for tally in self.groups)


def about(case: Case) -> str:
    """The instructions that a case is about, in a table."""
    return ", ".join(case.ops) if case.group not in ("random", "flow") or len(case.ops) < 3 else "programs"


def fitting(suite: Suite, answers: Mapping[int, Outcome], vectors: Vectors, tolerance: Tolerance, variant: str) -> set[int]:
    """The numbers of the cases whose answers are what the suite expects, or what a variant gives."""
    judged = _Judge(suite, answers, vectors, tolerance, None)
    return {case.job.number for case in judged.cases if judged.fits(case, judged.base) or judged.fits(case, variant)}


def judge(
    suite: Suite,
    answers: Mapping[int, Outcome],
    vectors: Vectors,
    tolerance: Tolerance = EXACT,
    progress: Callable[[int, int], None] | None = None,
) -> Verdict:
    """Judge answers by the number of their cases."""
    return _Judge(suite, answers, vectors, tolerance, progress).verdict()


class _Judge:
    def __init__(
        self,
        suite: Suite,
        answers: Mapping[int, Outcome],
        vectors: Vectors,
        tolerance: Tolerance,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.suite, self.answers, self.vectors, self.tolerance = suite, answers, vectors, tolerance
        self.base = suite.identity.variant
        self.cases = [case for case in suite.cases if case.job.number in answers]
        self._progress = progress
        self._outcomes: dict[tuple[int, str], Outcome] = {}
        self._fits: dict[tuple[int, str], bool] = {}
        self._same_numbers: dict[str, bool] = {self.base: True}

    def verdict(self) -> Verdict:
        presets = {name: self._misses(name) for name in self.vectors.presets if self._has_form(name)}
        wrong = [case for case in self.cases if not self.fits(case, self.base)]
        variant, questions = min(
            [self._settled(start) for start in self._starts(presets, len(wrong))],
            key=lambda found: sum(not self.fits(case, found[0]) for case in wrong),
        )
        left = [case for case in wrong if not self.fits(case, variant)] if variant != self.base else wrong
        equal = {case.job.number for case in self.cases} - {case.job.number for case in wrong}
        unexplained = {case.job.number for case in left}
        unanswered = [case for case in self.suite.cases if case.job.number not in self.answers]
        kinds = tuple(self._kinds(left, variant))
        smallest = [each.case for each in kinds]
        first = {case.job.number for case in smallest}
        return Verdict(
            suite=self.suite,
            answered=len(self.cases),
            presets=presets,
            variant=variant,
            differing=len(wrong),
            questions=tuple(questions),
            instructions=self._tallies(lambda case: case.ops, equal, unexplained),
            groups=self._tallies(lambda case: (case.group,), equal, unexplained),
            unexplained=kinds,
            failing=(*smallest, *[case for case in left if case.job.number not in first]),
            unanswered=tuple([case for case in unanswered if not case.flags]),
            left_out=sum(bool(case.flags) for case in unanswered),
        )

    def outcome(self, case: Case, variant: str) -> Outcome:
        """The outcome of a case under a variant, as `differences` compares it."""
        if variant == self.base:
            return case.expected
        key = case.job.number, variant
        found = self._outcomes.get(key)
        if found is None:
            found = self.vectors.run(self.vectors.translate(case.job, self.base, variant), variant)
            if not self._has_numbers_of(variant):
                found = self.vectors.comparable(case.job, found, variant)
            self._outcomes[key] = found
        return found

    def differences(self, case: Case, variant: str) -> Iterator[Difference]:
        """The differences of an answer from a variant's outcome: in words of the suite, or as float32 where it has others."""
        job, given, bits = case.job, self.answers[case.job.number], self.suite.identity.bits
        if not self._has_numbers_of(variant):
            given, bits = self.vectors.comparable(job, given, self.base), 32
        return differences(job, self.outcome(case, variant), given, bits, self.tolerance)

    def _has_numbers_of(self, variant: str) -> bool:
        """Whether a variant has the number format of the suite: data then have a form in both directions."""
        found = self._same_numbers.get(variant)
        if found is None:
            try:
                self.vectors.translate(self.cases[0].job, variant, self.base)
                found = True
            except ValueError:
                found = False
            self._same_numbers[variant] = found
        return found

    def fits(self, case: Case, variant: str) -> bool:
        """Whether the answer to a case is what a variant gives."""
        key = case.job.number, variant
        if key not in self._fits:
            self._fits[key] = next(self.differences(case, variant), None) is None
        return self._fits[key]

    def _misses(self, preset: str) -> int:
        """How many answers are not what a preset gives, which is what the suite gives unless the case names it."""
        found = 0
        for place, case in enumerate(self.cases):
            if self._progress is not None:
                self._progress(place, len(self.cases))
            found += not self.fits(case, preset if preset in case.differs else self.base)
        return found

    def _has_form(self, preset: str) -> bool:
        """Whether the data of the suite have a form under a preset: float32 patterns have none in float24."""
        try:
            for case in self.cases[:1]:
                self.vectors.translate(case.job, self.base, preset)
        except ValueError:
            return False
        return True

    def _starts(self, presets: Mapping[str, int], wrong: int) -> list[str]:
        """The variants that answers are added to: that of the suite, and the preset that fits most answers if it fits more."""
        best = min(presets, key=lambda name: presets[name])
        return [self.base, *([best] if presets[best] < wrong else [])]

    def _settled(self, start: str) -> tuple[str, list[Followed]]:
        """The answers to all questions; again where one of them may change what an earlier one shows."""
        variant, found = self._answers(start)
        for _ in range(_PASSES):
            before = variant
            variant, found = self._answers(before)
            if variant == before:
                break
        return variant, found

    def _answers(self, closest: str) -> tuple[str, list[Followed]]:
        """The closest variant with each answer that fits more cases, one after another, and what was found for each
        question."""
        variant, found = closest, list[Followed]()
        for question in self.vectors.questions:
            settings = {f"{question.key}={answer}": answer for answer in question.answers}
            concerned = [case for case in self.cases if not settings.keys().isdisjoint(case.differs)]
            if not concerned:
                continue
            fits: dict[str, int] = {}
            for setting, answer in settings.items():
                with_answer = self.vectors.with_answer(variant, setting)
                fits[answer] = sum(self.fits(case, with_answer) for case in concerned)
            most = max(fits.values())
            present = next(
                (answer for setting, answer in settings.items() if self.vectors.with_answer(variant, setting) == variant), ""
            )
            best = present if fits.get(present) == most else next(answer for answer, count in fits.items() if count == most)
            follows = best if most else ""
            found.append(Followed(question, len(concerned), fits, follows))
            if follows:
                variant = self.vectors.with_answer(variant, f"{question.key}={follows}")
        return variant, found

    def _tallies(self, names: Callable[[Case], Sequence[str]], equal: set[int], unexplained: set[int]) -> tuple[Tally, ...]:
        counts: dict[str, list[int]] = {}
        right = self._right(names, unexplained)
        for case in self.cases:
            about, wrong = names(case), case.job.number in unexplained
            for name in about:
                row = counts.setdefault(name, [0, 0, 0, 0])
                row[0] += 1
                row[1] += case.job.number in equal
                row[2] += case.job.number not in equal and not wrong
                row[3] += wrong and right.issuperset(other for other in about if other != name)
        return tuple(
            [
                Tally(name=name, cases=cases, equal=equals, explained=explained, alone=alone)
                for name, (cases, equals, explained, alone) in sorted(counts.items())
            ]
        )

    def _right(self, names: Callable[[Case], Sequence[str]], unexplained: set[int]) -> set[str]:
        """The names that have cases about nothing else, none of which is unexplained."""
        single: dict[str, bool] = {}
        for case in self.cases:
            about = names(case)
            if len(about) == 1:
                single[about[0]] = single.get(about[0], True) and case.job.number not in unexplained
        return {name for name, right in single.items() if right}

    def _kinds(self, cases: Sequence[Case], variant: str) -> list[Unexplained]:
        """Unexplained cases by instruction and by the kind of their first difference, each with the smallest."""
        kinds: dict[tuple[str, str], list[tuple[Case, str]]] = {}
        for case in cases:
            first = next(self.differences(case, variant))
            lacks = incomplete(case.job, case.expected, self.answers[case.job.number], self.vectors.register)
            text = lacks or first.text(self.vectors.register(first.register) if first.register >= 0 else "")
            kinds.setdefault((about(case), first.what.split(" ")[0]), []).append((case, text))
        found: list[Unexplained] = []
        for (ops, what), rows in kinds.items():
            case, text = min(rows, key=lambda row: (_size(row[0].job), row[0].job.number))
            found.append(Unexplained(f"{ops}: {what}" if ops else what, len(rows), case, text))
        return sorted(found, key=lambda each: (-each.cases, each.what))


def _size(job: Job) -> tuple[int, int, int]:
    return len(job.code), job.lanes, len(job.inputs) + len(job.floats)
