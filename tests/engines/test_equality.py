"""A sample of the campaign against wrong answers of `lanewise diff` (`equality`; all of it is `nox -s equality`)."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from corpus import REPOSITORY
from effort import times
from equality import Trials, corpus_bases, judge, pairs, random_base, true_pairs
from lanewise.pica200.proof.structure import Prover
from lanewise.pica200.sem.profile import profiles
from mutants import mutant

if TYPE_CHECKING:
    from lanewise.pica200.proof.code import Code
    from lanewise.proving.walk import Reason


def test_no_pair_is_wrongly_called_equal():
    bases = [*corpus_bases(REPOSITORY / "examples")]
    assert len(bases) > 5
    equal: Counter[bool] = Counter()
    for number, name, answer in pairs(5, range(times(4, 400)), bases, 6, compiled=times(0, 1), on_reference=times(4, 64)):
        equal[answer.equal] += 1
        assert not answer.wrong, (number, name, answer)
    assert equal[True]  # so that engines have run
    assert equal[False]


def test_pairs_that_are_rewritten_are_called_equal():
    """Nine in ten at least; those that differ in a run would be no rewriting."""
    equal: Counter[bool] = Counter()
    for number, name, answer in true_pairs(5, range(times(3, 400)), [], 4, on_reference=times(4, 64)):
        equal[answer.equal] += 1
        assert not answer.wrong, (number, name, answer)
    assert equal[True] >= 9 * equal[False]


def test_a_wrong_answer_is_found():
    """A prover that calls everything equal: the engines show for most mutants that it is wrong."""

    class Wrong(Prover):
        def compare(self, other: Code) -> Reason | None:
            return None

    wrong: Counter[bool] = Counter()
    for number in (4, 5, 6, 9):
        rng = random.Random(number)
        code = random_base(7, number)
        profile = profiles["hardware"]
        prover = Wrong(code, [profile])
        honest = Prover(code, [profile])
        trials = Trials(rng, code, [profile], known=False, on_reference=16)
        for _ in range(4):
            changed = mutant(rng, code)
            answer = judge(code, changed, prover, trials, compiled=0)
            wrong[bool(answer.wrong)] += 1
            assert not (answer.wrong and honest.compare(changed.code) is None)
    assert wrong[True] >= 4
