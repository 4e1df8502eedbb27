"""`python -m rules_search` finds rows that the table lacks."""

from __future__ import annotations

from lanewise.rules.matching import Matcher
from lanewise.rules.row import PROVED
from rules_search import KNOWN, Search, text


def test_a_row_that_the_table_lacks_is_found():
    search = Search("x")
    before, after = next(pair for pair in search.level(float("inf")) if text(pair[0]) == "max(x, x)")
    assert text(after) == "x"
    assert search.judged(before, after).kind == KNOWN
    search.rows = Matcher(lambda _: [])
    assert search.judged(before, after).kind == PROVED
