"""Conversions and rows by lane that LLVM would do lane by lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engines.lanes import Lanes
from lanewise.llvm import movement
from lanewise.llvm.target import host
from together import together

if TYPE_CHECKING:
    from lanewise.llvm.text import Name, Text


def _integers(width: int, *, by_instruction: bool) -> Lanes:
    def cut(text: Text, a: Name, _: Name) -> Name:
        return text.number_of(text.to_integer(a, by_instruction=by_instruction))

    return Lanes(host(), "nearest", cut, width)


def test_numbers_cut_to_integers():
    """As LLVM's intrinsic does it, and as it is defined."""
    edges = np.array(
        [0.0, -0.0, 0.5, -0.99, 1.5, 127.0, 2.0**24 + 2, 2.0**31 - 128, 2.0**31, 2.0**40, 1e-40, np.inf], np.float32
    )
    a = np.resize(np.concatenate([edges, -edges, np.array([np.nan], np.float32)]), 32)
    found = _integers(16, by_instruction=False)(a, a).view(np.int32)
    assert np.array_equal(found, _integers(16, by_instruction=True)(a, a).view(np.int32))
    wanted = [0 if np.isnan(x) else int(min(max(x, -(2.0**31)), 2.0**31 - 1)) for x in a.astype(np.float64).tolist()]
    assert found.tolist() == wanted


@together("width", [8, 16])
def test_rows_by_lane(width: int):
    table = np.arange(2048, dtype=np.float32)
    numbers = 4 * np.random.default_rng(1).integers(0, 512, 2 * width, np.int32)
    numbers[:2] = 0, 2044
    padded = np.resize(table, max(len(table), width))
    for component in range(4):

        def row(text: Text, a: Name, _: Name, component: int = component) -> Name:
            base = text.load("ptr", text.new("getelementptr i64, ptr %args, i64 1"))
            return movement.rows_by_lane(text, base, text.bits(a))[component]

        run = Lanes(host(), "nearest", row, width)
        indices = np.resize(numbers.view(np.float32), padded.shape)
        found = run(indices, padded)
        assert np.array_equal(found, table[indices.view(np.int32) + component])
