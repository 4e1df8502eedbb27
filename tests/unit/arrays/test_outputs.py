"""Outputs under several names, and the address that compiled code gets of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays.memory import address
from lanewise.arrays.outputs import Arrays, Column, rows_at
from lanewise.arrays.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_the_public_name_is_this_class():
    assert lw.Words is Words
    assert Words([[1, 2]]).array.shape == (1, 2)


def test_arrays_are_made_once_and_cut_to_their_components():
    made: list[int] = []

    def make(register: int) -> NDArray[np.float32]:
        made.append(register)
        return np.arange(8, dtype=np.float32).reshape(2, 4) + 10 * register

    arrays = Arrays({"uv": Column(1, (1, 2)), "wx": Column(1, (3, 0)), "o1": Column(1, (0, 1, 2, 3))}, ["uv"], make)
    assert list(arrays) == ["uv"]
    assert arrays["uv"].tolist() == [[11, 12], [15, 16]]
    assert arrays["wx"].tolist() == [[13, 10], [17, 14]]
    assert arrays.rows(np.array([1, 1]))["o1"].tolist() == [[14, 15, 16, 17]] * 2
    assert made == [1]
    with pytest.raises(KeyError, match="did you mean uv"):
        arrays["UVs"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint32"])
def test_rows_are_those_of_indexing(dtype: str):
    array: NDArray[Any] = np.arange(40).reshape(10, 4).astype(dtype)
    for source in (array, array[:, :3], np.asfortranarray(array)):
        numbers = np.array([[3, 0], [9, 3]])
        assert rows_at(source, numbers).tolist() == source[numbers].tolist()


def test_addresses():
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    frozen = array.copy()
    frozen.flags.writeable = False
    for given in (array, array[:, 1:], frozen):
        assert address(given) == given.ctypes.data
