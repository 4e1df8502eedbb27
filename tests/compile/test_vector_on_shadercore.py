"""The compiler from vector programs to ShaderCore."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from compile import vector_shaders as shaders
from compile.vector_on_shadercore import compare, compiled, some_device, without_neighbours
from compile.vector_random import Random
from effort import times
from lanewise.compile.vector import code as v
from lanewise.shadercore.isa.devices import DOCUMENT, RTL


@pytest.mark.parametrize("make", shaders.BY_HAND, ids=lambda make: make.__name__)
def test_shaders_compute_what_the_interpreter_does(make: Callable[[], v.Program]):
    for device in (DOCUMENT, without_neighbours(RTL)):
        compare(make(), device, 1)


@pytest.mark.parametrize("seed", range(times(6, 2000)))
def test_random_programs_compute_what_the_interpreter_does(seed: int):
    program, device = Random(seed).program(), some_device(random.Random(seed))
    made = compiled(program, device)
    compare(program, device, seed, made)


def test_what_leaves_early_is_kept_by_selections():
    """30 and 33 slots where each way out has a copy of the state."""
    assert [compiled(Random(seed).program(), DOCUMENT).slots for seed in (253, 397)] == [22, 24]
