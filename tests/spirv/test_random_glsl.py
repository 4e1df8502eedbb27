"""The random shaders, their data, and how a shader with a fault is reduced."""

from __future__ import annotations

import numpy as np
import pytest

from spirv import campaign, outside, random_glsl
from spirv.approximate import representable
from spirv.evaluator import Evaluator
from spirv.given import BLOCK, Shader
from spirv.precise import with_precise
from spirv.reducing import parts, reduced
from spirv.test_chains import NO_CONTRACTION, with_decorations

SEEDS = 200


@pytest.fixture(scope="module")
def shaders() -> list[Shader]:
    return [random_glsl.shader(seed) for seed in range(SEEDS)]


def test_a_seed_is_a_shader(shaders: list[Shader]):
    assert shaders[7] == random_glsl.shader(7)
    assert len({shader.text for shader in shaders}) == SEEDS
    assert random_glsl.shader(3, form=BLOCK).form == BLOCK


@pytest.mark.parametrize(
    "part",
    [
        "for (int",
        "while (",
        "} while",
        "continue;",
        "break;",
        "return;",
        "switch (",
        "default:",
        "else if",
        "inout ",
        "out vec",
        "const ",
        "mat4 m",
        "mat3 m",
        "transpose(",
        "uniform int n",
        "uniform bool on",
        "set=0",
        "isnan(",
        "mix(",
        "step(",
        "clamp(",
        "normalize(",
        "cross(",
        "t0[clamp(",
        "struct Pair",
        "Pair(",
        "while (true)",
        "for (float",
        "ivec",
        "inverse(",
        "outerProduct(",
        "gl_Position.",
        "<= n0",
        "xyz",
        "any(",
        "fract(",
    ],
)
def test_what_shaders_have(shaders: list[Shader], part: str):
    assert sum(part in shader.text for shader in shaders) >= 2


def test_data(shaders: list[Shader]):
    counts: set[int] = set()
    nan = 0
    for seed, shader in enumerate(shaders):
        inputs, uniforms = shader.data(300, seed)
        for values in inputs.values():
            assert representable(values[~np.isnan(values)]).all()
            nan += int(np.isnan(values).sum())
        counts |= {int(value) for name, value in uniforms.items() if name.startswith("n")}
        again = shader.data(300, seed)[0]
        assert all(np.array_equal(again[name], values, equal_nan=True) for name, values in inputs.items())
    assert nan
    assert {0, 1, 5} <= counts


@pytest.mark.skipif(bool(outside.missing()), reason=outside.missing())
def test_they_compile_and_are_evaluated(shaders: list[Shader]):
    for seed in range(2):
        shader = shaders[seed]
        for level in (outside.O0, outside.O):
            inputs, uniforms = shader.data(50, seed)
            found = Evaluator(outside.compiled(shader.text, shader.form, level)).run(inputs, uniforms, 50)
            assert "gl_Position" in found.outputs


@pytest.mark.skipif(bool(outside.missing()), reason=outside.missing())
def test_precise_outputs_are_judged(monkeypatch: pytest.MonkeyPatch):
    """The marks of precise operations are what keeps the bits: without them the same shader is wrong."""
    seed = 7
    given = with_precise(random_glsl.shader(seed, 12), seed)
    assert campaign.judge_precise(given, outside.O0, seed, 50).kind == campaign.OTHERWISE
    binary = outside.compiled(given.text, given.form, outside.O0)
    free = with_decorations(binary, lambda inst: () if inst[2] == NO_CONTRACTION else inst)

    def compiled(*_: object) -> bytes:
        return free

    monkeypatch.setattr(outside, "compiled", compiled)
    assert campaign.judge_precise(given, outside.O0, seed, 50).kind == campaign.WRONG


def test_parts_of_a_line():
    assert list(parts("x = max(a, (b * c)).x;")) == ["x = a.x;", "x = (b * c).x;", "x = max(a, b).x;", "x = max(a, c).x;"]
    assert list(parts("if (a && b) {")) == ["if (a) {", "if (b) {"]
    assert list(parts("for (int i = 0; i < (n); i++) {")) == ["for (int i = 0; i < n; i++) {"]


def test_reduced_to_what_matters():
    text = (
        "head\nvoid main() {\n  a = 1;\n  if (x) {\n    for (i) {\n      y = max(f(2), (z + bad));\n    }\n  }\n  b = 2;\n}\n"
    )

    def faulty(candidate: str) -> bool:
        return "bad" in candidate and "main() {" in candidate and candidate.count("{") == candidate.count("}")

    assert reduced(text, faulty) == "head\nvoid main() {\n      y = bad;\n}\n"
