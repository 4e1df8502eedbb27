"""Runs of a geometry shader: both engines on the examples, as a ratio."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from measuring import REPOSITORY

RUNS = 100_000
FEW = 300  # for the reference engine


@pytest.mark.parametrize("name", ["particles", "subdivide"])
def test_runs_a_second(name: str, benchmark: Any):
    shader = lw.assemble([REPOSITORY / "examples" / f"{name}.{stage}.pica" for stage in "vg"]).pipeline
    taken = 3 if name == "subdivide" else 1
    rng = np.random.default_rng(1)
    uniforms: dict[str, Any] = {"projection": np.eye(4)} | ({"size": [0.5, 0.25, 0, 0]} if name == "particles" else {})

    def data(runs: int) -> dict[str, Any]:
        return {"position": rng.random((taken * runs, 2), np.float32), "color": rng.random((taken * runs, 4), np.float32)}

    many, few = data(RUNS), data(FEW)
    slow = min(_seconds(lambda: shader.run(few, uniforms=uniforms, engine="reference")) for _ in range(2)) / FEW
    made = benchmark(lambda: shader.run(many, uniforms=uniforms, engine="llvm"))
    assert made.engine == "llvm"
    if benchmark.stats:
        fast = benchmark.stats["min"] / RUNS
        print(f"\n{name}: {1 / fast:,.0f} runs a second, {slow / fast:.0f} times as many as on the reference engine")
        assert slow / fast > 20


def _seconds(run: Any) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start
