"""Values are recognised by their contents: equal ones only."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lanewise.pica200.engine.binding import fingerprint

NUMBERS = np.arange(8, dtype=np.float32)
FOUR = NUMBERS[4:]
DIFFERENT = [
    {"a": FOUR},
    {"b": FOUR},
    {"a": FOUR.reshape(1, 4)},
    {"a": FOUR.reshape(4, 1)},
    {"a": FOUR.reshape(2, 2)},
    {"a": FOUR.view(np.int32)},
    {"a": FOUR.view(np.uint32)},
    {"a": FOUR.view(np.float64)},
    {"a": FOUR.view(">f4")},
    {"a": FOUR[:2], "b": FOUR[2:]},
    {"a": FOUR[:1], "b": FOUR[1:]},
    {"a": FOUR[:1].reshape(()), "b": FOUR[1:]},
    {"a": FOUR[:2], "b": FOUR[2:].view(np.int32)},
    {"a": FOUR[:2].view(np.int32), "b": FOUR[2:]},
    {"a": FOUR[:2].reshape(1, 2), "b": FOUR[2:]},
    {"a": FOUR[:2], "b": FOUR[2:].reshape(1, 2)},
    {"a": FOUR[:2].reshape(1, 2), "b": FOUR[2:].reshape(2, 1)},
    {"a": FOUR[:2].reshape(1, 2), "b": FOUR[2:].reshape(1, 2)},
    {"a": [4.0, 5.0, 6.0, 7.0]},
    {"a": (4.0, 5.0, 6.0, 7.0)},
    {"a": [4, 5, 6, 7]},
    {"a": [0.0, 0.0]},
    {"a": [0.0, -0.0]},
    {"a": 1},
    {"a": True},
    {"a": 1.0},
    {},
]


def test_what_differs_in_name_bytes_type_or_shape_has_another_fingerprint():
    found = [fingerprint(values) for values in DIFFERENT]
    assert None not in found
    for one, other in combinations(range(len(found)), 2):
        assert found[one] != found[other], (DIFFERENT[one], DIFFERENT[other])


def test_equal_contents_have_one_fingerprint():
    for values in DIFFERENT:
        copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        assert fingerprint(copies) == fingerprint(values)
        assert hash(fingerprint(copies)) == hash(fingerprint(values))


@pytest.mark.parametrize("value", [np.array(["x"]), np.array([1j]), "text", np.zeros(1 << 20), object()])
def test_other_values_have_none(value: object):
    assert fingerprint({"a": value}) is None  # pyright: ignore[reportArgumentType]
