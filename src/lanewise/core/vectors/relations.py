"""One mistake that explains all answers which differ: their form, or a part of jobs that is read in another way."""

from __future__ import annotations

from functools import reduce
from itertools import permutations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors.comparing import differences
from lanewise.core.vectors.model import ENDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lanewise.core.vectors.comparing import Tolerance
    from lanewise.core.vectors.model import Job, Lanes, Outcome, Vector, Vectors

    # The outcome that is meant for a sample, and its answer as it is read; None where a mistake says nothing about it.
    _Change = Callable[["Sample"], tuple[Outcome, Outcome] | None]

MOST_SAMPLES = 60
_MOST_OF_SUITE = 200
_WIDEST = 32  # bits of a number
_LEAST_TELLING = 3  # samples that are not as expected
_LETTERS = "xyzw"


class Sample(Record):
    """An answer beside what is expected."""

    job: Job
    expected: Outcome
    found: Outcome
    before: Outcome | None
    "What was expected of the job that was asked before; None where that is not known."


class Relations:
    """The mistakes that are known, tried on answers."""

    def __init__(self, vectors: Vectors, variant: str, bits: int, tolerance: Tolerance) -> None:
        self._vectors, self._variant, self._bits, self._tolerance = vectors, variant, bits, tolerance

    def explaining(self, samples: Iterable[Sample]) -> Iterator[str]:
        """The mistakes that explain all samples."""
        listed = [*samples]
        for text, meant in self._all():
            if all(found is None or self._same(sample, *found) for sample in listed for found in [meant(sample)]):
                yield text

    def confirmed(self, texts: Iterable[str], samples: Sequence[Sample]) -> str:
        """The first of some mistakes that explains all samples, and with which some of them are not as expected."""
        known = dict(self._all())
        for text in texts:
            telling = 0
            for sample in samples:
                found = known[text](sample)
                if found is not None and not self._same(sample, *found):
                    break
                telling += found is not None and not self._same(sample, sample.expected, sample.found)
            else:
                if telling >= _LEAST_TELLING:
                    return text
        return ""

    def of_suite(self, samples: Sequence[Sample]) -> str:
        """The mistake that explains the answers to a suite, all of which are `samples`; empty where none does."""
        wrong = [sample for sample in samples if not self._same(sample, sample.expected, sample.found)]
        if not wrong:
            return ""
        some = samples[:: max(1, len(samples) // _MOST_OF_SUITE)]
        return self.confirmed(self.explaining(wrong[:: max(1, len(wrong) // MOST_SAMPLES)]), [*wrong[:MOST_SAMPLES], *some])

    def _all(self) -> Iterator[tuple[str, _Change]]:
        yield from _forms(self._bits)
        for text, misread in self._vectors.misreadings.items():
            yield text, lambda sample, misread=misread: self._misread(sample, misread)
        for text, settings in self._vectors.habits.items():
            try:
                variant = reduce(self._vectors.with_answer, settings, self._variant)
            except ValueError:  # they do not go with the others
                continue
            if variant != self._variant:
                yield text, lambda sample, variant=variant: self._under(sample, variant)
        for preset in self._vectors.presets if self._bits < _WIDEST else ():
            fix = f"a unit that computes in float32 is asked with `--profile {preset}`"
            text = f"words of {self._bits} bits are read as float32: {fix}"
            yield text, lambda sample, preset=preset: self._as_wide(sample, preset)

    def _as_wide(self, sample: Sample, preset: str) -> tuple[Outcome, Outcome] | None:
        """The outcome of the same words under a preset of another number format; None under one of the same."""
        try:
            if self._vectors.translate(sample.job, self._variant, preset) is sample.job:
                return None
        except ValueError:
            return None
        meant = self._vectors.run(sample.job, preset)
        return (meant, sample.found) if all(status == ENDED for status in meant.status) else None

    def _under(self, sample: Sample, variant: str) -> tuple[Outcome, Outcome] | None:
        meant = self._vectors.run(sample.job, variant)
        return (meant, sample.found) if all(status == ENDED for status in meant.status) else None

    def _misread(self, sample: Sample, misread: Callable[[Job], Job]) -> tuple[Outcome, Outcome] | None:
        meant = self._vectors.run(misread(sample.job), self._variant)
        return (meant, sample.found) if all(status == ENDED for status in meant.status) else None

    def _same(self, sample: Sample, meant: Outcome, found: Outcome) -> bool:
        meant = meant._replace(cycles=(), writes=(), state={}, primitives=None)
        return next(differences(sample.job, meant, found, self._bits, self._tolerance), None) is None


def _forms(bits: int) -> Iterator[tuple[str, _Change]]:
    """Ways in which outcomes are written that are not the form of answers."""
    for text, outcome in _written(bits):
        yield text, lambda sample, outcome=outcome: (outcome(sample), sample.found)
    yield "answers are those of the job before: answer each job before the next one is read", _late
    size = bits // 8
    yield (  # of a NaN, any pattern may be equal, but not in reverse
        "answers have the bytes of words in reverse order: write words as little-endian",
        lambda sample: (sample.expected, _mapped(sample.found, lambda _, row: _each(row, lambda word: _swapped(word, size)))),
    )


def _written(bits: int) -> Iterator[tuple[str, Callable[[Sample], Outcome]]]:
    yield (
        "all outputs are 0: copy the output registers to the answer, after the program has ended",
        lambda sample: _mapped(sample.expected, lambda _, row: (0, 0, 0, 0)),
    )
    for order in sorted(permutations(range(4)), key=lambda order: order != (3, 2, 1, 0)):
        if order != (0, 1, 2, 3):
            letters = " ".join([_LETTERS[place] for place in order])
            yield (
                f"answers have components in the order {letters}: write rows as x y z w",
                lambda sample, order=order: _ordered(sample.expected, order),
            )
    yield (
        "answers have the sign of each number reversed",
        lambda sample: _mapped(sample.expected, lambda _, row: _each(row, lambda word: word ^ 1 << bits - 1)),
    )
    yield (
        "all lanes have the answer of lane 0: run the program for each lane, with its own inputs",
        lambda sample: _mapped(sample.expected, lambda lanes, _: lanes[0]) if sample.job.lanes > 1 else sample.expected,
    )
    yield (
        "lanes after lane 0 are 0: run the program for each lane",
        lambda sample: _by_lane(sample.expected, lambda lane, row: row if lane == 0 else (0, 0, 0, 0)),
    )
    yield (
        "lanes are in reverse order: answer the first one first",
        lambda sample: sample.expected._replace(
            outputs={register: lanes[::-1] for register, lanes in sample.expected.outputs.items()},
            written={register: masks[::-1] for register, masks in sample.expected.written.items()},
        ),
    )


def _late(sample: Sample) -> tuple[Outcome, Outcome] | None:
    """The outcome of the job before, as far as it can answer a job; None where nothing of it can."""
    if sample.before is None or len(sample.before.status) != sample.job.lanes:
        return None
    outputs = {register: lanes for register, lanes in sample.before.outputs.items() if register in sample.expected.outputs}
    return (sample.before._replace(outputs=outputs), sample.found) if outputs else None


def _mapped(outcome: Outcome, change: Callable[[Lanes, Vector], Vector]) -> Outcome:
    outputs = {register: tuple([change(lanes, row) for row in lanes]) for register, lanes in outcome.outputs.items()}
    return outcome._replace(outputs=outputs)


def _by_lane(outcome: Outcome, change: Callable[[int, Vector], Vector]) -> Outcome:
    outputs = {
        register: tuple([change(lane, row) for lane, row in enumerate(lanes)]) for register, lanes in outcome.outputs.items()
    }
    return outcome._replace(outputs=outputs)


def _ordered(outcome: Outcome, order: Sequence[int]) -> Outcome:
    """An outcome whose rows have the component `order[n]` at the place n."""
    written: Mapping[int, tuple[int, ...]] = {
        register: tuple([sum(8 >> n for n in range(4) if mask & 8 >> order[n]) for mask in masks])
        for register, masks in outcome.written.items()
    }

    def turned(_: Lanes, row: Vector) -> Vector:
        return row[order[0]], row[order[1]], row[order[2]], row[order[3]]

    return _mapped(outcome, turned)._replace(written=written)


def _each(row: Vector, change: Callable[[int], int]) -> Vector:
    return change(row[0]), change(row[1]), change(row[2]), change(row[3])


def _swapped(word: int, size: int) -> int:
    return int.from_bytes((word & (1 << 8 * size) - 1).to_bytes(size, "big"), "little")
