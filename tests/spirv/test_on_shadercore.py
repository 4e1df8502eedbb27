"""Our shaders through the compiler for ShaderCore, against the evaluator: within its bound, which is wide for float32, on both
devices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from spirv import outside, random_glsl, shaders
from spirv.compiled import Refusal, compare
from spirv.evaluator import Evaluator
from spirv.on_shadercore import compile_module
from spirv.test_compiled import LOCATIONS as SEMANTICS

if TYPE_CHECKING:
    from collections.abc import Mapping

SWEEP = bool(os.environ.get("LANEWISE_GLSL"))
COUNT = 10_000 if SWEEP else 100
DEVICES = (DOCUMENT, RTL.replace({"exports": "all"}))
NAMES = [name for name in shaders.NAMES if name not in ("skin", "lamps")]  # too long: a palette, and a loop of many lamps
# Of outputs by location: without names only those that the device has a place for have a meaning.
LOCATIONS: Mapping[str, str] = {
    name: semantic if semantic in ("color", "texcoord0") else "output" + name.rpartition(" ")[2]
    for name, semantic in SEMANTICS.items()
}


@pytest.mark.parametrize("name", NAMES)
def test_values_are_within_the_bound(name: str):
    level = shaders.LEVELS[NAMES.index(name) % 2]
    binary = shaders.binary(name, level)
    data = shaders.data(name, COUNT)
    given = shaders.for_level(name, level, data)
    wanted = Evaluator(binary).run(given.inputs, given.uniforms, COUNT)
    first = 0 if name == "wave" else NAMES.index(name) % 2  # its sines are too many for the public hardware
    devices = DEVICES if SWEEP and name != "wave" else (DEVICES[first],)
    for device in devices:
        made = compile_module(binary, name, device, output_locations=not shaders.has_names(name, level))
        found = made.run(*shaders.for_level(name, level, data, "v", "u"), COUNT)
        result = compare(wanted, found, LOCATIONS)
        assert result.wrong == ()
        assert result.judged > 0.9


@pytest.mark.skipif(not SWEEP or bool(outside.missing()), reason="a sweep: nox -s glsl")
def test_random_shaders():
    refused: list[str] = []
    for seed in range(200):
        given = random_glsl.shader(seed, 16)
        binary = outside.compiled(given.text, given.form, (outside.O0, outside.O)[seed % 2])
        inputs, uniforms = given.data(200, seed, nan=False)
        try:
            made = compile_module(binary, "random", DEVICES[seed // 2 % 2])
        except Refusal as refusal:
            refused += refusal.codes
            continue
        assert compare(Evaluator(binary).run(inputs, uniforms, 200), made.run(inputs, uniforms, 200)).wrong == (), seed
    assert len(refused) < 40
    assert set(refused) <= {"L003"}
