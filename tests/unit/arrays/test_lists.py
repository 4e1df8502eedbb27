"""Tables of values without NumPy have the operations of arrays with the same results."""

from __future__ import annotations

import array
import math
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from lanewise.arrays import lists
from lanewise.arrays.lists import Lists
from lanewise.core.numbers.floats import float24_from_float, float32_bits
from lanewise.pica200.engine import array_words, encoding
from lanewise.pica200.engine.float24 import encode
from lanewise.pica200.sem.profile import profiles
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

VALUES: list[Any] = [
    3,
    2.5,
    True,
    [],
    [1, 2, 3],
    [1, 2.5],
    [True, 2],
    [True, False],
    [[1, 2], [3, 4], [5, 6]],
    [[1.5], [2]],
    [[[1, 2]], [[3, 4]]],
    (1, (2)),
    range(4),
    array.array("f", [1.5, 2]),
    [-1, 1 << 63],
    [1 << 63],
    [[], []],
]
KEYS: list[Any] = [
    0,
    -1,
    slice(1, 3),
    slice(0, 0),
    [2, 0],
    (slice(None), 1),
    (slice(None), slice(0, 2)),
    (..., slice(1, 3)),
    (slice(None), [1, 0]),
]
NUMBERS = (
    0.0,
    -0.0,
    1.0,
    1e39,
    -1e39,
    3.4028235677973366e38,
    1e-45,
    7e-46,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
    -math.nan,
    1 + 2.0**-24 + 2.0**-52,
)


def as_lists(found: Any) -> Lists:
    assert isinstance(found, Lists)
    return found


def as_table(value: object) -> NDArray[Any]:
    return lists.as_array(Lists.of(value))


@together("value", VALUES, ids=str)
def test_values_have_the_shape_and_kind_of_arrays(value: Any):
    made, wanted = Lists.of(value), np.asarray(value)
    assert (made.shape, made.ndim, made.size) == (wanted.shape, wanted.ndim, wanted.size)
    assert made.dtype.kind == {"u": "i"}.get(wanted.dtype.kind, wanted.dtype.kind)
    assert made.tolist() == wanted.tolist()
    assert list(map(type, made.flat)) == list(map(type, wanted.reshape(-1).tolist()))


@pytest.mark.parametrize(("value", "kind"), [("text", "U"), (None, "O"), ([1j, 2], "c"), ([1 << 70], "O"), ([1, None], "O")])
def test_values_that_are_not_numbers_have_the_kind_of_arrays(value: Any, kind: str):
    assert Lists.of(value).dtype.kind == np.asarray(value).dtype.kind == kind


@pytest.mark.parametrize("value", [[1, [2]], [[1], 2], [[1, 2], [3]]], ids=str)
def test_rows_of_different_lengths_are_refused(value: Any):
    with pytest.raises(ValueError, match="different lengths"):
        Lists.of(value)


@together("key", KEYS, ids=str)
def test_indexing(key: Any):
    rows = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    made, wanted = Lists.of(rows)[key], np.array(rows)[key]
    assert (made.shape, made.tolist()) == (wanted.shape, wanted.tolist())
    assert [row.tolist() for row in Lists.of(rows)] == rows


def test_single_values_rows_and_assignment():
    made = Lists.of([[1, 2], [3, 4]])
    assert (made[1, 0], made[0][1], Lists.of([5, 6])[1], made.min(), made.max()) == (3, 2, 6, 1, 4)
    assert made.reshape(-1).tolist() == [1, 2, 3, 4]
    assert made.reshape(4, -1).shape == (4, 1)
    other = made.copy()
    other[:, 1] = Lists.of([7, 8])
    other[:, 0] = 9
    assert (other.tolist(), made.tolist(), repr(made)) == ([[9, 7], [9, 8]], [[1, 2], [3, 4]], "[[1, 2], [3, 4]]")


@pytest.mark.parametrize(
    ("value", "shape"), [(3, (4,)), ([1], (3,)), ([1, 2], (3, 2)), ([[1], [2]], (2, 3)), ([[1, 2]], (2, 2)), ([1, 2], (2,))]
)
def test_broadcasting(value: Any, shape: tuple[int, ...]):
    assert (
        lists.broadcast(lists.as_array(Lists.of(value)), shape).tolist() == np.broadcast_to(np.asarray(value), shape).tolist()
    )


@pytest.mark.parametrize(("value", "shape"), [([1, 2], (3,)), ([[1]], (3,)), ([[1, 2]], (2, 4))])
def test_shapes_that_cannot_be_broadcast_are_refused(value: Any, shape: tuple[int, ...]):
    for made in (np.asarray(value), lists.as_array(Lists.of(value))):
        with pytest.raises(ValueError):
            lists.broadcast(made, shape)


def test_functions_on_rows():
    rows, flags = [[1, 2], [3, 4]], [[True, False], [False, False]]
    ways: list[Callable[[object], NDArray[Any]]] = [np.asarray, as_table]
    for made in ways:
        assert lists.completed(made(rows), (0, 0, 0, 7)).tolist() == [[1, 2, 0, 7], [3, 4, 0, 7]]
        assert lists.stacked([made([1, 2]), made([3, 4])]).tolist() == [[1, 3], [2, 4]]
        assert lists.false_counts(made(flags)) == [1, 2]


def test_float32_patterns_of_numbers():
    numbers = [*NUMBERS, *[random.Random(1).uniform(-1, 1) * 2.0**n for n in range(-160, 140, 7)]]
    wanted = lists.float32_patterns(np.array(numbers))
    made = lists.float32_patterns(as_table(numbers))
    assert made.tolist() == wanted.tolist()
    assert [repr(one) for one in as_lists(lists.float32_numbers(made)).flat] == [
        repr(one) for one in wanted.view(np.float32).tolist()
    ]
    for low in (0.0, -1.0):
        assert lists.clipped(made, low).tolist() == lists.clipped(wanted, low).tolist()


def test_limits_leave_the_zeros_and_nans_alone():
    """Not by `numpy.clip`, whose -0 has another sign in other versions of NumPy."""
    given = [
        0x80000000,
        0,
        0x7FA00001,
        0xFFC00000,
        0x80000001,
        0xBF800000,
        0xBF800001,
        0x3F800000,
        0x3F800001,
        0xFF800000,
        0x7F800000,
    ]
    one, minus = 0x3F800000, 0xBF800000
    colors = [0x80000000, 0, 0x7FA00001, 0xFFC00000, 0, 0, 0, one, one, 0, one]
    constants = [0x80000000, 0, 0x7FA00001, 0xFFC00000, 0x80000001, minus, minus, one, one, minus, one]
    for made in (lists.table(given, "u"), lists.as_array(Lists(given, (len(given),), "i"))):
        assert lists.clipped(made, 0.0).tolist() == colors
        assert lists.clipped(made, -1.0).tolist() == constants


def test_integers_are_rounded_to_float32_once():
    rng = random.Random(2)
    numbers = [rng.getrandbits(63) >> rng.randrange(63) for _ in range(300)]
    numbers += [(1 << 60) + (1 << 36) + 1, -(1 << 60) - (1 << 36) - 1, (1 << 60) + (1 << 36)]
    assert [float32_bits(number) for number in numbers] == np.array(numbers).astype(np.float32).view(np.uint32).tolist()


def test_numbers_are_rounded_to_the_nearest_float24():
    rng = random.Random(3)
    numbers = [math.ldexp(rng.getrandbits(20) + rng.choice((0, 0.5, 0.25)), rng.randrange(-100, 60)) for _ in range(400)]
    numbers += [2.0**64 - 2.0**46, 2.0**64 - 2.0**46 - 2.0**40, 2.0**-62 - 2.0**-79, -(2.0**-79), 2.0**-79 * 1.01, *NUMBERS]
    assert [float24_from_float(number, nearest=True) for number in numbers] == encode(numbers, nearest=True).tolist()


@pytest.mark.parametrize("upload", ["zero", "nearest", "host"])
def test_words_of_numbers(upload: str):
    profile = profiles["hardware"].replace(upload=upload)
    for numbers in (list(NUMBERS), [(1 << 62) + (1 << 45) + 1, -(1 << 53) - 1, 5, (1 << 63) - 1]):
        made = encoding.encoded(as_table(numbers), profile)
        assert made.tolist() == array_words.encoded(np.array(numbers), upload).tolist()
