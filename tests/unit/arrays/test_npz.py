"""`.npz` files: written the same with every version of NumPy."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from lanewise.arrays.npz import npz_bytes, read_npy, read_npz
from lanewise.core.service import InputFailure


def test_an_archive_holds_the_arrays_and_nothing_else():
    arrays = {"file": np.arange(6, dtype=np.float32).reshape(2, 3), "allow_pickle": np.array([True]), "o0": np.zeros((0, 4))}
    data = npz_bytes(arrays)
    assert zipfile.ZipFile(io.BytesIO(data)).namelist() == ["file.npy", "allow_pickle.npy", "o0.npy"]
    with np.load(io.BytesIO(data), allow_pickle=False) as read:
        for name, array in arrays.items():
            assert read[name].dtype == array.dtype
            assert np.array_equal(read[name], array)
    assert read_npz(npz_bytes({"o0": np.ones(2)}), "one.npz", "").tolist() == [1, 1], "one array needs no name"
    assert npz_bytes(arrays) == data, "no time is written"


@pytest.mark.parametrize(
    ("names", "key", "said", "then"),
    [
        (["arr_0", "arr_1"], "", "without names, arr_0, arr_1: write m.npz:arr_0 for the first, or save them", "arr_0"),
        (["positions", "normals"], "", "has 2 arrays, positions, normals: write m.npz:positions", "positions"),
        (["position", "normal"], "normals", "has no array 'normals': write m.npz:normal", "normal"),
        (["position", "normal"], "uv", "has no array 'uv': it has position, normal", "normal"),
        ([], "", r"no arrays: write it with `numpy.savez\('m.npz', position=values\)`", "position"),
    ],
)
def test_an_archive_of_several_arrays(names: list[str], key: str, said: str, then: str):
    data = npz_bytes({name: np.ones(2) for name in names})
    with pytest.raises(InputFailure, match=said):
        read_npz(data, "m.npz", key, "position")
    assert read_npz(data if names else npz_bytes({"position": np.ones(2)}), "m.npz", then).tolist() == [1, 1]


def test_a_value_takes_the_array_of_its_name():
    data = npz_bytes({"normal": np.ones(2), "position": np.zeros(3)})
    assert read_npz(data, "m.npz", "", "position").tolist() == [0, 0, 0]


def test_an_empty_file():
    with pytest.raises(InputFailure, match=r"is empty, .*`numpy.savez\('values.npz', \*\*values\)`"):
        read_npy(io.BytesIO(), 0, "first.npy")


def test_objects_are_refused():
    with pytest.raises(ValueError, match="allow_pickle"):
        npz_bytes({"o0": np.array([object()])})
