"""The judgement on answers: which instruction is at fault where a case has several."""

from __future__ import annotations

from typing import NoReturn

from lanewise.core.vectors.comparing import EXACT
from lanewise.core.vectors.judging import fitting, judge
from lanewise.core.vectors.model import ENDED, VERTEX, Case, Identity, Job, Outcome, Suite, Vectors, same_job, same_outcome


def _unused(*arguments: object) -> NoReturn:
    raise AssertionError(arguments)


def outcome(word: int) -> Outcome:
    return Outcome(status=(ENDED,), outputs={0: ((word, 0, 0, 0),)})


def suite(*about: tuple[str, ...]) -> Suite:
    cases = [
        Case(
            name=f"{number}",
            group="programs",
            ops=ops,
            shows="",
            job=Job(number=number, kind=VERTEX, lanes=1, entry=0, code=(0,), outputs=(0,)),
            expected=outcome(number),
        )
        for number, ops in enumerate(about)
    ]
    return Suite(Identity(isa="toy", suite="quick", seed=1, variant="usual", bits=32), tuple(cases))


def run(job: Job, variant: str) -> Outcome:
    return outcome(job.number)


VECTORS = Vectors(
    suites={},
    presets=("usual",),
    make=_unused,
    run=run,
    questions=(),
    register=str,
    translate=same_job,
    comparable=same_outcome,
    with_answer=_unused,
)


def counts(given: Suite, wrong: set[int]) -> dict[str, tuple[int, int]]:
    """By instruction: unexplained cases, and those in which it alone can be at fault."""
    answers = {case.job.number: outcome(99 if case.job.number in wrong else case.job.number) for case in given.cases}
    verdict = judge(given, answers, VECTORS)
    assert {case.job.number for case in verdict.failing} == wrong
    assert fitting(given, answers, VECTORS, EXACT, "usual") == set(answers) - wrong
    return {row.name: (row.unexplained, row.alone) for row in verdict.instructions}


def test_an_instruction_that_is_right_alone_is_not_at_fault():
    given = suite(("add",), ("dst",), ("add", "dst"), ("add", "for"), ("add", "mul"))
    assert counts(given, {1, 2}) == {"add": (1, 0), "dst": (2, 2), "for": (0, 0), "mul": (0, 0)}


def test_an_instruction_without_cases_of_its_own():
    """`for` has none: nothing else of its program can be wrong, but it may be of a program that also has `mul`."""
    given = suite(("add",), ("add", "for"), ("for", "mul"))
    assert counts(given, {1, 2}) == {"add": (1, 0), "for": (2, 1), "mul": (1, 0)}


def test_one_wrong_case_of_its_own_is_enough():
    assert counts(suite(("add",), ("add",), ("add", "dst")), {1, 2}) == {"add": (2, 1), "dst": (1, 0)}
