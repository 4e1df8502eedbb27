"""`.npz` files: written the same with every version of NumPy."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from lanewise.arrays.npz import npz_bytes, read_npz


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


def test_objects_are_refused():
    with pytest.raises(ValueError, match="allow_pickle"):
        npz_bytes({"o0": np.array([object()])})
