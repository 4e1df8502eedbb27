"""Mistakes that explain all answers to random programs and to suites."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from lanewise.core.vectors.comparing import Tolerance
from lanewise.core.vectors.model import ENDED, KINDS, VERTEX, Job, Outcome, Wanted
from lanewise.core.vectors.relations import Relations, Sample
from lanewise.pica200.vectors import random_jobs
from lanewise.pica200.vectors.misreadings import HABITS, MISREADINGS
from lanewise.pica200.vectors.suite import VECTORS

if TYPE_CHECKING:
    from collections.abc import Callable

VARIANT, BITS = "azahar", 32
ANY_NAN = Tolerance(any_nan=True)
FEW = frozenset(random_jobs.MNEMONICS) - {"add", "mov", "mul"}
FLOW = frozenset(random_jobs.MNEMONICS) - {"add", "mov", "ifu", "callu", "jmpu"}


@cache
def programs(nops: frozenset[str]) -> tuple[tuple[Job, Outcome], ...]:
    wanted = Wanted(seed=3, variant=VARIANT, nops=nops, kind=KINDS[VERTEX])
    jobs = [random_jobs.job(wanted, number) for number in range(100 if nops is FLOW else 30)]
    found = [(job, VECTORS.run(job, VARIANT)) for job in jobs]
    return tuple([pair for pair in found if all(status == ENDED for status in pair[1].status)])


def mistake(answer: Callable[[Job, Outcome], Outcome], nops: frozenset[str] = FEW) -> str:
    """What is said of a unit that answers so: of half of the programs, confirmed by the others."""
    samples: list[Sample] = []
    before: Outcome | None = None
    for job, expected in programs(nops):
        samples.append(Sample(job, expected, answer(job, expected)._replace(written={}), before))
        before = expected
    relations = Relations(VECTORS, VARIANT, BITS, ANY_NAN)
    return relations.confirmed(relations.explaining(samples[::2]), samples[1::2])


@pytest.mark.parametrize("text", [text for text in MISREADINGS if "entry" not in text])
def test_a_part_of_jobs_that_is_read_in_another_way(text: str):
    nops = FLOW if "booleans" in text else FEW
    assert mistake(lambda job, _: VECTORS.run(MISREADINGS[text](job), VARIANT), nops) == text


@pytest.mark.parametrize("text", [text for text in HABITS if "all others" not in text])
def test_what_units_do(text: str):
    variant = ", ".join([VARIANT, *HABITS[text]])
    assert mistake(lambda job, _: VECTORS.run(job, variant), FLOW) == text
    assert ",".join(HABITS[text]) in text, "what to compare with"


def of_rows(change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Callable[[Job, Outcome], Outcome]:
    return lambda _, outcome: outcome._replace(
        outputs={register: tuple([change(row) for row in lanes]) for register, lanes in outcome.outputs.items()}  # pyright: ignore[reportArgumentType]: rows of four words
    )


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (of_rows(lambda row: row[::-1]), "components in the order w z y x"),
        (of_rows(lambda row: (row[3], *row[:3])), "components in the order w x y z"),
        (of_rows(lambda _: (0, 0, 0, 0)), "all outputs are 0: copy"),
        (of_rows(lambda row: tuple([word ^ 1 << 31 for word in row])), "the sign of each number reversed"),
        (
            of_rows(lambda row: tuple([int.from_bytes(word.to_bytes(4, "big"), "little") for word in row])),
            "the bytes of words in reverse order",
        ),
    ],
)
def test_answers_in_another_form(answer: Callable[[Job, Outcome], Outcome], text: str):
    assert text in mistake(answer)


def test_lanes_and_jobs_in_another_order():
    def lanes(change: Callable[[int, int], int]) -> Callable[[Job, Outcome], Outcome]:
        return lambda _, outcome: outcome._replace(
            outputs={
                register: tuple([rows[change(lane, len(rows))] for lane in range(len(rows))])
                for register, rows in outcome.outputs.items()
            }
        )

    assert "lanes are in reverse order" in mistake(lanes(lambda lane, count: count - 1 - lane))
    assert "all lanes have the answer of lane 0" in mistake(lanes(lambda lane, _: 0))
    last: list[Outcome] = []

    def late(job: Job, outcome: Outcome) -> Outcome:
        last.append(outcome)
        before = last[-2] if len(last) > 1 else outcome
        zeros = dict.fromkeys(outcome.outputs, ((0, 0, 0, 0),) * job.lanes)
        kept = {register: rows for register, rows in before.outputs.items() if register in zeros and len(rows) == job.lanes}
        return outcome._replace(outputs={**zeros, **kept})

    assert "answers are those of the job before" in mistake(late)


def test_words_of_24_bits_that_are_read_as_float32():
    samples: list[Sample] = []
    for number in range(20):
        job = random_jobs.job(Wanted(seed=3, variant="hardware", nops=FEW, kind=KINDS[VERTEX]), number)
        found = VECTORS.run(job, VARIANT)._replace(written={})
        samples.append(Sample(job, VECTORS.run(job, "hardware"), found, None))
    relations = Relations(VECTORS, "hardware", 24, ANY_NAN)
    said = relations.confirmed(relations.explaining(samples[::2]), samples[1::2])
    assert said == "words of 24 bits are read as float32: a unit that computes in float32 is asked with `--profile azahar`"
    right = [sample._replace(found=sample.expected) for sample in samples]
    assert not relations.confirmed(relations.explaining(right), right)


def test_right_answers_and_other_faults_are_not_explained():
    assert not mistake(lambda _, outcome: outcome)
    assert not mistake(of_rows(lambda row: tuple([word + 1 & 0xFFFFFFFF for word in row])))


def test_the_answers_to_a_suite():
    mirrored = next(text for text in MISREADINGS if "masks of operand descriptors" in text)
    relations = Relations(VECTORS, VARIANT, BITS, ANY_NAN)
    samples = [Sample(job, expected, expected, None) for job, expected in programs(FEW)]
    assert not relations.of_suite(samples)
    wrong = [
        sample._replace(found=VECTORS.run(MISREADINGS[mirrored](sample.job), VARIANT)._replace(written={}))
        for sample in samples
    ]
    assert relations.of_suite(wrong) == mirrored
    assert not relations.of_suite([*samples[:20], *wrong[20:]])
