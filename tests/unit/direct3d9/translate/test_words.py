from __future__ import annotations

import random

import pytest

from lanewise.arrays.lists import clipped, table
from lanewise.direct3d9.engine.random_programs import pattern
from lanewise.direct3d9.sem.numbers import index_of
from lanewise.direct3d9.translate import words

EDGES = (
    0,
    1,
    0x80000000,
    0x80000001,
    0x3F000000,
    0xBF000000,
    0x3EFFFFFF,
    0x3FC00000,
    0x40200000,
    0xC0200000,
    0x497FFFFF,
    0x49800000,
)


@pytest.mark.parametrize("raw", [False, True])
def test_indices(monkeypatch: pytest.MonkeyPatch, raw: bool):
    monkeypatch.setattr(words, "RAW", raw)
    rng = random.Random(1)
    given = [*EDGES, *[pattern(rng) for _ in range(200)]]
    for mode, how in ((words.FLOOR, "floor"), (words.EVEN, "even"), (words.UP, "up"), (words.AWAY, "away")):
        assert [words.address(a, mode) for a in given] == [index_of(a, how, flushes=raw) for a in given], how


def test_sums_wrap():
    assert words.plus(0x7FFFFFFF, 1) == -0x80000000
    assert words.plus(-5, 3) == -2


def test_clipping():
    rng = random.Random(2)
    given = [*EDGES, *[pattern(rng) for _ in range(200)]]
    for low, number in ((0, 0.0), (0xBF800000, -1.0)):
        assert [words.clipped(a, low) for a in given] == clipped(table(given, "u"), number).tolist()
