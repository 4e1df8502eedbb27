"""The sweep of functions of one number, over some words."""

from __future__ import annotations

import pytest

from lanewise.distributed import functions
from lanewise.distributed.functions import unary


def test_some_words_of_a_function(capsys: pytest.CaptureFixture[str]):
    assert functions.main(["rcp", "--words", "3000"]) == 0
    assert capsys.readouterr().out.startswith("rcp, rounding zero: 3000 words in 1 of 1 pieces, 0 differ, ")
    found = unary("rsq", {"rounding": "nearest"}, words=2000)
    whole = functions.compare({"function": "rsq", "profile": {"rounding": "nearest"}}, 0, 2000)
    cut = [
        functions.compare({"function": "rsq", "profile": {"rounding": "nearest"}}, first, 500) for first in range(0, 2000, 500)
    ]
    assert whole.digest % (1 << 128) == sum(part.digest for part in cut) % (1 << 128) == int(found.digest, 16)
    assert found.counts == {"words": 2000, "differences": 0}
    with pytest.raises(ValueError, match="unknown function 'sin': use rcp"):
        unary("sin")


def test_a_difference_is_listed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(functions.FUNCTIONS, "rcp", "rsq")
    found = unary("rcp", words=0x10002)
    assert found.counts["differences"] > 0
    assert set(found.findings[0]) == {"word", "reference", "compiled"}
