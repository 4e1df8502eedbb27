"""Our shaders through the compiler for the PICA200, against the evaluator: within 4 times the bound, at both levels."""

from __future__ import annotations

import os
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from effort import sample, times
from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.spirv.lower import lower
from lanewise.compile.spirv.module import Module, read_module
from spirv import outside, random_glsl, shaders
from spirv.campaign import FAULTS, FEW, REFUSED, RIGHT, judge
from spirv.compiled import Compiled, compare, compile_module, program_of
from spirv.evaluator import Evaluator, Outcome, Output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


COUNT = 100_000 if os.environ.get("LANEWISE_GLSL") else times(400, 1000)
# By the location of an output: of modules without names.
LOCATIONS: Mapping[str, str] = {
    "location 0": "normalquat",
    "location 1": "color",
    "location 2": "texcoord0",
    "location 4": "texcoord1",
    "location 6": "view",
}


def through(name: str, level: str) -> Compiled:
    return compile_module(shaders.binary(name, level), name, output_locations=not shaders.has_names(name, level))


@pytest.mark.parametrize("level", shaders.LEVELS)
@pytest.mark.parametrize("name", shaders.NAMES)
def test_values_are_within_the_bound(name: str, level: str):
    made = through(name, level)
    data = shaders.data(name, COUNT)
    given = shaders.for_level(name, level, data)
    wanted = Evaluator(shaders.binary(name, level)).run(given.inputs, given.uniforms, COUNT)
    # Without names the compiler numbers inputs and uniforms by location.
    found = made.run(*shaders.for_level(name, level, data, "v", "u"), COUNT)
    result = compare(wanted, found, LOCATIONS)
    assert result.wrong == ()
    assert result.apart <= 0.01
    assert result.judged > 0.95


@pytest.mark.parametrize("first", sample(outside.COMPARISONS, 4))
def test_comparisons_of_nan(first: int):
    """The twelve, ordered and unordered, in the places of `comparisons.vert`: exactly, with NaN, infinities and equal numbers.

    An exhaustive run has each in all places, a default run each in two at least.
    """
    opcodes = cycle([outside.COMPARISONS[(first + 5 * place) % 12] for place in range(12)])
    binary = outside.with_comparison(shaders.binary("comparisons", "O0"), lambda _: next(opcodes))
    numbers = np.array([0.0, 1.0, 1.5, 2.0, -1.0, np.nan, np.inf, -np.inf])
    rng = np.random.default_rng(first)
    count = times(40, 400)
    inputs: dict[str, NDArray[Any]] = {name: rng.choice(numbers, (count, 4)) for name in "ab"}
    result = compare(Evaluator(binary).run(inputs, {}, count), compile_module(binary).run(inputs, {}, count))
    assert result.wrong == ()
    assert (result.judged, result.apart) == (1.0, 0.0)


def test_a_wrong_value_is_found():
    """What compares has to be able to fail: by more than 4 bounds, by a vertex, by NaN."""
    value, error = np.linspace(1.0, 2.0, 8).reshape(4, 2), np.full((4, 2), 1e-3)
    wanted = Outcome({"gl_Position": Output(value, error)}, np.array([False, False, False, True]))
    right = {"position": value + 3.9e-3}
    assert compare(wanted, right).wrong == ()
    assert compare(wanted, right).apart == 0.25
    for lane, off in ((0, 4.1e-3), (2, -1.0), (1, np.nan), (1, np.inf)):
        found = value.copy()
        found[lane, 1] += off
        (text,) = compare(wanted, {"position": found}).wrong
        assert f"vertex {lane}" in text
    in_doubt = value.copy()
    in_doubt[3] = 99
    assert compare(wanted, {"position": in_doubt}).wrong == ()


def test_skinning_beside_one_by_hand():
    """Two bones a vertex as an expert writes them: `blended.v.pica`. The same in GLSL takes no more words, and both are within
    the bound."""
    made = compile_module(shaders.binary("blended", "O0"), "blended")
    by_hand = lw.assemble(shaders.FOLDER / "blended.v.pica").programs[0]
    assert by_hand.check() == ()
    assert made.words <= len(by_hand.words) == 24
    data = shaders.data("skin", FEW)
    wanted = Evaluator(shaders.binary("blended", "O0")).run(data.inputs, data.uniforms, FEW)
    result = by_hand.run(inputs=data.inputs, uniforms=data.uniforms, count=FEW, defaults=0, engine="reference")
    hand = {name: np.asarray(value) for name, value in result.outputs.items()}
    for found in (made.run(data.inputs, data.uniforms, FEW, "reference"), hand):
        assert compare(wanted, found).wrong == ()


@pytest.mark.parametrize("name", ["triangle", "sprite", "lamp", "facing", "tangent", "skin", "lamps"])
def test_what_is_optimised_is_proved_equal(name: str):
    """For all inputs, under all profiles."""
    module = read_module(shaders.binary(name, "O0"), name)
    assert isinstance(module, Module)
    program = lower(module).program
    assert program is not None
    plain, optimised = (program_of(compile_vector(program, name=name, optimise=optimise), name) for optimise in (False, True))
    assert plain.equivalent(optimised).verdict == "equal"
    assert optimised.check() == ()


@pytest.mark.skipif(bool(outside.missing()), reason=outside.missing())
def test_random_shaders():
    """A few of those that `nox -s glsl` compiles."""
    kinds = [judge(random_glsl.shader(seed, 16), (outside.O0, outside.O)[seed % 2], seed, 200) for seed in range(2)]
    assert [verdict for verdict in kinds if verdict.kind in FAULTS] == []
    assert {verdict.kind for verdict in kinds} <= {RIGHT, REFUSED}
