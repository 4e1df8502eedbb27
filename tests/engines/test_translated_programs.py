"""Random programs as C on the compiler of this machine beside the reference engines; campaigns are `translated_programs`."""

from __future__ import annotations

import pytest

from effort import times
from installed import missing
from translated_programs import compare_direct3d9, compare_shadercore, compare_toy
from translations import compiler

pytestmark = pytest.mark.skipif(not compiler(), reason=missing("gcc", "clang"))


def test_waves_of_shadercore():
    found = compare_shadercore(1, range(times(5, 200)), flags=("-O0",))
    assert not found.differences
    assert found.programs > 3
    assert found.values > 1000


def test_lanes_of_shadercore():
    found = compare_shadercore(2, range(times(6, 200)), lanes=1, flags=("-O0",))
    assert not found.differences
    assert found.programs > 2


def test_direct3d9():
    found = compare_direct3d9(1, range(times(9, 200)), flags=("-O0",))
    assert not found.differences
    assert found.programs > 3


def test_toy():
    found = compare_toy(1, range(times(5, 200)), flags=("-O0",))
    assert not found.differences
    assert found.values > 100
