"""Runs of much data: `shader.run` allocates its outputs, and takes at most twice the time of a batch that has them; stores past
the caches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.memory import LINE, address
from lanewise_bench.cases import CASES, shader_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

ALLOCATING, ORDINARY = 2.5, 1.1


def placed(count: int, place: int) -> NDArray[np.float32]:
    """Rows that begin `place` bytes after a line of the caches."""
    memory = np.zeros(16 * count + 2 * LINE, np.uint8)
    first = -address(memory) % LINE + place
    return memory[first : first + 16 * count].view(np.float32).reshape(count, 4)


def test_memory(judged: bool):
    case = next(case for case in CASES if case.name == "simple_transform")
    shader = shader_of(case)
    rng = np.random.default_rng(2)
    uniforms = {f"c{n}": rng.uniform(-1, 1, 4).astype(np.float32) for n in range(96)}
    print()
    for count in (65_536, 1 << 20):
        data = {binding.register: rng.uniform(-1, 1, (count, 4)).astype(np.float32) for binding in shader.inputs}
        keys = [output.register for output in shader.outputs]
        past, ordinary = (
            shader.batch(data, uniforms, defaults=0, out={key: placed(count, place) for key in keys}) for place in (0, 16)
        )
        works: dict[str, Callable[[], object]] = {
            "past the caches": past.run,
            "ordinary": ordinary.run,
            "shader.run": lambda data=data: shader.run(data, uniforms, defaults=0, engine="llvm"),
        }
        best = dict.fromkeys(works, float("inf"))
        for _ in range(max(20, 4_000_000 // count)):
            for name, work in works.items():
                start = time.thread_time_ns()
                work()
                best[name] = min(best[name], (time.thread_time_ns() - start) / count)
        print(f"{count} vertices: " + ", ".join(f"{name} {took:.2f} ns" for name, took in best.items()))
        if judged:
            assert best["shader.run"] < ALLOCATING * min(best["past the caches"], best["ordinary"])
            assert best["past the caches"] < ORDINARY * best["ordinary"]
