"""Runs of few vertices and other uniforms: what a call takes beside its kernel. Times are those of the processor, the least of
many samples."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from lanewise_bench.cases import CASES, shader_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.api.batch import Batch

# Of a run of 16 vertices, which is a whole vector: a run of fewer copies its rows to scratch memory and back.
SHORT = 1.5
# Of `set_uniforms` with a dict of all 116 uniforms: writing the float registers to an array, and converting them in the next
# run.
BY_ARRAY = 0.5


def us(work: Callable[[], object], calls: int = 100, samples: int = 30) -> float:
    best = float("inf")
    for _ in range(samples):
        start = time.thread_time_ns()
        for _ in range(calls):
            work()
        best = min(best, (time.thread_time_ns() - start) / calls / 1000)
    return best


def test_small_calls(judged: bool):
    case = next(case for case in CASES if case.name == "simple_transform")
    shader = shader_of(case)
    rng = np.random.default_rng(2)
    uniforms = {f"c{n}": rng.uniform(-1, 1, 4).astype(np.float32) for n in range(96)}
    uniforms |= {f"i{n}": np.array([3, 0, 1, 0]) for n in range(4)} | {f"b{n}": np.array(False) for n in range(16)}

    def inputs(count: int) -> dict[str, np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
        return {binding.register: rng.uniform(-1, 1, (count, 4)).astype(np.float32) for binding in shader.inputs}

    batches: dict[int, Batch] = {count: shader.batch(inputs(count), uniforms) for count in (1, 4, 15, 16, 17)}
    runs = {count: us(batch.run) for count, batch in batches.items()}
    print("\nbatches of " + ", ".join(f"{count}: {took:.2f} us" for count, took in runs.items()))
    batch = batches[16]
    other = {**uniforms, "c0": np.ones(4, np.float32)}
    by_dict = us(lambda: (batch.set_uniforms(uniforms), batch.set_uniforms(other)), 20) / 2
    rows = [batch.uniforms["c"].copy(), 0.5 * batch.uniforms["c"]]

    def write() -> None:
        rows.reverse()
        batch.uniforms["c"][...] = rows[0]
        batch.run()

    by_array = us(write) - us(batch.run)
    data = inputs(16)
    run = us(lambda: shader.run(data, uniforms, engine="llvm"), 20)
    print(f"116 uniforms by dict: {by_dict:.1f} us, 96 rows by array: {by_array:.1f} us; shader.run of 16: {run:.1f} us")
    if judged:
        assert max(runs.values()) < SHORT * runs[16]
        assert by_array < BY_ARRAY * by_dict
