"""Arrays whose memory is used again: only after everything that shows it is gone."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from lanewise.arrays.memory import LINE, address, rows_of_four

COUNT = 5000


def test_rows():
    for count in (0, 1, 4095, 4096, COUNT):
        rows = rows_of_four(count)
        assert rows.shape == (count, 4)
        assert rows.dtype == np.float32
        assert rows.flags.c_contiguous
        assert rows.flags.writeable
    assert address(rows_of_four(COUNT)) % LINE == 0


def test_memory_comes_back_when_no_view_is_left():
    rows = rows_of_four(COUNT)
    place = address(rows)
    view = rows.view(np.uint32)[5:][::2].T[1:]
    del rows
    other = rows_of_four(COUNT)
    assert address(other) != place
    del view
    again = rows_of_four(COUNT)
    assert address(again) == place
    assert address(rows_of_four(COUNT)) not in (place, address(other))


def test_memory_is_not_given_to_much_smaller_arrays_and_not_all_is_kept():
    rows = rows_of_four(8 * COUNT)
    place = address(rows)
    del rows
    assert address(rows_of_four(COUNT)) != place
    large = [rows_of_four(1 << 19) for _ in range(9)]
    places = {address(array) for array in large}
    large.clear()
    held = [rows_of_four(1 << 19) for _ in range(9)]
    assert len(places & {address(array) for array in held}) >= 1


def test_a_process_ends_without_a_word():
    code = (
        "from lanewise.arrays.memory import rows_of_four\nkept = [rows_of_four(9000) for _ in range(3)]\ncycle = [kept]\n"
        "cycle.append(cycle)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr == done.stdout == ""
