"""Any stream of Direct3D 9 tokens is run to its end or refused with findings, by both engines alike."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from direct3d9_cases import streams
from effort import examples, sample, times
from lanewise.api.findings import findings as codes
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.engine.random_programs import Options, random_case

CODES = codes()


@examples(75, 1500)
@given(streams)
def test_any_stream(words: list[int]):
    shader = read_stream(words).shader
    if shader is None:
        return
    loaded = Direct3DShader("any", shader)
    assert outcome(loaded, "reference") == outcome(loaded, "llvm")


def test_nothing_but_a_version():
    shader = read_stream([0xFFFE0200, 0x0000FFFF]).shader
    assert shader is not None
    assert list(Direct3DShader("none", shader).run(defaults=0).outputs) == []
    with pytest.raises(KeyError):
        _ = Direct3DShader("none", shader).run(defaults=0).outputs["position"]


def outcome(shader: Direct3DShader, engine: str) -> object:
    """The patterns of all outputs, or the codes of what is said; the reference's for what only it can run."""
    try:
        result = shader.run(samplers={n: [0.5, 1, 2, 3] for n in range(2048)}, engine=engine, count=3, turns=200, defaults=0)
    except InputError as error:
        assert error.diagnostics and all(finding.code in CODES for finding in error.diagnostics)
        return [finding.code for finding in error.diagnostics]
    killed: list[bool] = [] if result.killed is None else result.killed.tolist()
    words: dict[str, list[list[int]]] = {name: result.bits[name].tolist() for name in result.bits}
    return words, killed


@pytest.mark.parametrize("seed", sample(range(8), 5))
def test_shaders_with_wrong_bits(seed: int):
    """A few bits of a shader that was fine: it runs, or says what is wrong."""
    rng = random.Random(seed)
    ran = 0
    for _ in range(times(5, 30)):
        words = list(random_case(rng, Options(size=8)).shader.words)
        for _ in range(rng.randint(1, 3)):
            words[rng.randrange(1, len(words))] ^= 1 << rng.randrange(32)
        shader = read_stream(words).shader
        assert shader is not None
        loaded = Direct3DShader("wrong", shader)
        found = outcome(loaded, "reference")
        assert found == outcome(loaded, "llvm")
        ran += not isinstance(found, list)
    assert ran > times(1, 5)
