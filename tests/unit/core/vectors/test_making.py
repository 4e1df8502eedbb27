"""Cases of drafts: how far their making is."""

from __future__ import annotations

from lanewise.core.vectors.making import cases_of
from lanewise.core.vectors.model import Case


def test_drafts_are_counted_before_their_number_is_known():
    seen: list[tuple[int, int]] = []

    def none(draft: str, number: int) -> Case | None:
        return None

    assert cases_of(iter("ab"), none, lambda done, total: seen.append((done, total))) == ()
    assert seen == [(0, 0), (1, 0), (0, 2), (1, 2)]
