"""A sample of the campaign against wrong answers of `lanewise diff` (`equality`; all of it is `nox -s equality`)."""

from __future__ import annotations

from collections import Counter

from corpus import REPOSITORY
from effort import times
from equality import corpus_bases, pairs


def test_no_pair_is_wrongly_called_equal():
    bases = [*corpus_bases(REPOSITORY / "examples")]
    assert len(bases) > 5
    equal: Counter[bool] = Counter()
    for number, name, answer in pairs(5, range(times(4, 400)), bases, 6, compiled=times(0, 1), on_reference=times(4, 64)):
        equal[answer.equal] += 1
        assert not answer.wrong, (number, name, answer)
    assert equal[True]  # so that engines have run
    assert equal[False]
