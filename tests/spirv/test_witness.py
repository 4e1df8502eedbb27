"""The evaluator of SPIR-V against Mesa's llvmpipe, which compiles the same GLSL by itself: `nox -s glsl`.

llvmpipe computes in float32, 2**8 times as exactly as the bound for float24 is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from effort import times
from spirv import approximate, outside, random_glsl, shaders
from spirv.evaluator import Evaluator
from spirv.given import LOOSE
from spirv.llvmpipe import Llvmpipe, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

pytestmark = pytest.mark.skipif(not os.environ.get("LANEWISE_GLSL"), reason="run by nox -s glsl, which gets moderngl")

COUNT = 2000
PROGRAMS = times(60, 600)
# Of the bound for float24: what float32 and llvmpipe's own polynomials for sin, exp2 and log2 may take.
PART = 1 / 4
RELATIVE, SMALL = 2.0**-20, 2.0**-20
ARC = 2.0**-13  # of Mesa's polynomials for asin and acos


@pytest.fixture(scope="module")
def device() -> Llvmpipe:
    try:
        return Llvmpipe()
    except Unavailable as reason:
        pytest.skip(str(reason))


def judge(
    device: Llvmpipe,
    name: str,
    text: str,
    binary: bytes,
    inputs: Mapping[str, ArrayLike],
    uniforms: Mapping[str, ArrayLike],
    count: int = COUNT,
) -> tuple[float, list[str]]:
    """How much of the outputs is judged, and where they differ."""
    found = Evaluator(binary).run(inputs, uniforms, count)
    captured = device.run(text, {key: output.value.shape[1] for key, output in found.outputs.items()}, inputs, uniforms, count)
    wrong: list[str] = []
    judged: list[float] = []
    small = ARC if "acos" in text or "asin" in text else SMALL
    for key, output in found.outputs.items():
        value: Any = output.value
        known = ~found.apart[:, None] & np.isfinite(output.error) & np.isfinite(value)
        with np.errstate(invalid="ignore"):
            off = np.abs(captured[key] - value)
        off[np.isnan(off)] = np.inf
        # A step that is in doubt, as of round at a tie, makes a bound that is far above roundings: all of it is allowed.
        steps = output.error >= 2.0**-8 * np.maximum(1.0, np.abs(value))
        allowed = np.where(steps, output.error, PART * output.error) + RELATIVE * np.abs(value) + small
        bad = known & (off > allowed)
        judged.append(float(known.mean()))
        if bad.any():
            lane = int(np.flatnonzero(bad.any(1))[0])
            wrong.append(
                f"{name}: {key} of vertex {lane}: llvmpipe {captured[key][lane]}, evaluator {value[lane]}, bound "
                f"{output.error[lane]}"
            )
    return float(np.mean(judged)), wrong


@pytest.mark.parametrize("name", shaders.NAMES)
def test_our_shaders(device: Llvmpipe, name: str):
    for seed in range(3):
        given = shaders.data(name, COUNT, seed)
        judged, wrong = judge(device, name, shaders.source(name), shaders.binary(name, "O0"), given.inputs, given.uniforms)
        assert wrong == []
        assert judged > 0.95


def test_random_shaders(device: Llvmpipe, monkeypatch: pytest.MonkeyPatch):
    """At both levels: what the optimiser outside does is evaluated too."""
    monkeypatch.setattr(approximate, "NAN_COMPARES", False)  # to Mesa's optimiser, x == x - 0 is true
    if outside.missing():
        pytest.skip(outside.missing())
    wrong: list[str] = []
    judged: list[float] = []
    for seed in range(PROGRAMS):
        shader = random_glsl.shader(seed, form=LOOSE)
        binary = outside.compiled(shader.text, shader.form, (outside.O0, outside.O)[seed % 2])
        part, found = judge(device, f"seed {seed}", shader.text, binary, *shader.data(COUNT, seed, nan=seed % 3 == 0))
        judged.append(part)
        wrong += found
    assert wrong == []
    assert np.mean(judged) > 0.9
