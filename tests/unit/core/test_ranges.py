"""Whole numbers with a range: what is taken, and the error of everything else."""

from __future__ import annotations

import numpy as np
import pytest

from lanewise.core.ranges import COUNT, STEPS, THREADS, check_options, count_or_none, whole, whole_or_none
from lanewise.core.service import Request, UsageError


@pytest.mark.parametrize("value", [1, 1024, np.int64(7), np.uint8(7)])
def test_whole_numbers(value: object):
    found = whole("threads", value, THREADS)
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize("value", [0, -1, 1025])
def test_numbers_out_of_range(value: int):
    with pytest.raises(ValueError, match=f"^threads is {value}, expected 1 to 1,024: `os.cpu_count..` are all cores$"):
        whole("threads", value, THREADS)


@pytest.mark.parametrize("value", [1.5, 2.0, "x", None, [1], np.float32(1)])
def test_what_is_not_a_whole_number(value: object):
    with pytest.raises(ValueError, match=r"^budget is .*, expected a whole number from 1 to 1(,000){5}(: write [12])?$"):
        whole("budget", value, STEPS)


def test_a_default():
    assert whole_or_none("budget", None, STEPS) is None
    assert whole_or_none("budget", 1, STEPS) == 1
    with pytest.raises(ValueError, match="budget is -1"):
        whole_or_none("budget", -1, STEPS)


def test_a_count():
    assert count_or_none(None) is None
    assert count_or_none(np.int8(-1)) == -1
    for value in (1.5, "x", [1]):
        with pytest.raises(ValueError, match=r"^count is .*, expected a whole number from 0 to 134,217,728$"):
            count_or_none(value)


def test_options():
    check_options(Request("run", (), {"threads": 2, "budget": 10**15}), {"threads": THREADS, "budget": STEPS, "count": COUNT})
    with pytest.raises(UsageError, match="--threads is 0, expected 1 to 1,024"):
        check_options(Request("run", (), {"threads": 0}), {"threads": THREADS})
