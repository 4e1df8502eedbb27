"""Differences that have one cause: the fix explains all of them."""

from __future__ import annotations

from lanewise.arrays.relations import explanation, rearranged
from together import together


@together(
    ("pairs", "fix"),
    [
        ([(32, 0.125), (255, 1), (64, 0.25)], "divide them by 255"),
        ([(0.5, -0.5), (-1.25, 1.25)], "change the signs"),
        ([(0.25, 0.75), (1, 0)], "subtract them from 1"),
        ([(4, 0.25), (0.5, 2)], "reciprocals"),
        ([(0.5, 0.25), (3, 9)], "squares"),
        ([(2, 1), (6, 3), (-1, -0.5)], "divide them by 2"),
        ([(0.3333333, 0.33332825)], "add tolerance = {abs = 1e-05}: no difference is larger"),
        ([(0x3F800000, 1), (0x40000000, 2)], "write {bits = ROWS}"),
        ([(0x3F0000, 1)], "write {bits = ROWS}"),  # float24
        ([(0x40000000, 1)], "write {bits = ROWS}"),  # of another number
        ([(1, 2), (3, 5)], ""),
        ([(1, 0.5)], ""),  # one may be anything
        ([(float("nan"), 1), (2, 1)], ""),
        ([], ""),
    ],
)
def test_one_cause(pairs: list[tuple[float, float]], fix: str):
    said = explanation(pairs)
    assert fix in said and bool(said) == bool(fix)


@together(
    ("expected", "got", "fix"),
    [
        (
            [[1, 2, 3], [4, 5, 6]],
            [[3, 2, 1], [6, 5, 4]],
            "exchange components of color: what is expected of x is computed in z",
        ),
        ([[1, 2, 3], [4, 5, 6]], [[2, 3, 1], [5, 6, 4]], "what is expected of x is computed in z"),
        (
            [[1, 2], [3, 4]],
            [[3, 4], [1, 2]],
            "put the rows of color in the order of the inputs: row 0 is what is computed of lane 1",
        ),
        ([[1, 2], [3, 4]], [[3, 4], [1, 5]], ""),
        ([[1, 2, 3]], [[1, 2, 4]], ""),
    ],
)
def test_another_order(expected: list[list[int]], got: list[list[int]], fix: str):
    found = [
        ("color", letter, lane, one, other)
        for lane, rows in enumerate(zip(expected, got, strict=True))
        for letter, one, other in zip("xyz", *rows, strict=False)
        if one != other
    ]
    said = rearranged(found)
    assert fix in said and bool(said) == bool(fix)


def test_a_tolerance_that_is_said_is_enough():
    for got in (0.33332825, 0.3331, 100.0102):
        expected = round(got, 3)
        said = explanation([(expected, got)])
        assert said and abs(expected - got) <= float(said.partition("abs = ")[2].partition("}")[0])
