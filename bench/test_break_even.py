"""`BREAK_EVEN`, up to which `engine="auto"` takes the reference engine: so many steps of it take about as long as the import of
the compiled one and its first result; and `PAYS`, from which on the best kernel is compiled beside the quick one.

Steps are vertices times words of the program, as `engine.run` counts them. What is asked is that on neither side of the number
much time is lost: in a new process four times as much at most. Where the program is in the cache on disk, `KEPT_BREAK_EVEN` is
the number.

The best kernel costs processor time, mostly of another core. It is begun when the quick one has run for a part of that time: if
the work ends then, little is lost, and if it goes on, little was waited.
"""

from __future__ import annotations

import time
from statistics import geometric_mean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.llvm.beside import BESIDE
from lanewise.llvm.cache import VARIABLE
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.llvm.running import parts
from lanewise.pica200.engine.run import BREAK_EVEN, KEPT_BREAK_EVEN, Runner
from lanewise.pica200.sem.profile import HARDWARE
from lanewise_bench.cases import CASES, bound, shader_of
from measuring import cpu_seconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms

MOST = 4.0
LEAST_SHARE, MOST_SHARE = 1 / 16, 1.0  # of the time of compiling the best kernel, spent in the quick one before it is begun
_MANY = 1 << 16
_REPEATED = 3
_IMPORTS = (
    "import lanewise, numpy, lanewise.pica200.engine.placing, lanewise.pica200.engine.run, lanewise.pica200.engine.reference"
)


def test_so_many_steps_take_as_long_as_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: str, judged: bool):
    engine = _IMPORTS + ", lanewise.pica200.engine.llvm.first, lanewise.pica200.engine.llvm.compiled as c; c.host()"
    without, whole = cpu_seconds([[python, "-c", _IMPORTS], [python, "-c", engine]], 9)
    imports = whole - without
    print(f"\na new process imports for {1e3 * imports:.0f} ms more")
    ratios: list[float] = []
    for case in CASES:
        lanes = BREAK_EVEN // len(shader_of(case).words)
        monkeypatch.setenv(VARIABLE, "off")
        reference, first = _first_run(case.name, lanes, REFERENCE), _first_run(case.name, lanes, LLVM)
        monkeypatch.setenv(VARIABLE, str(tmp_path))
        _first_run(case.name, lanes, LLVM, kept=True)
        cached = _first_run(case.name, lanes, LLVM)
        ratios.append(reference / (imports + first))
        print(
            f"{case.name}: {lanes} vertices: reference {1e3 * reference:.0f} ms, arrays {1e3 * first:.1f} ms, a kernel from "
            f"the cache {1e3 * cached:.1f} ms; arrays pay from {BREAK_EVEN * first / reference:,.0f} steps on, the cache from "
            f"{BREAK_EVEN * cached / reference:,.0f} (in a process that has imported the engine; auto takes it from "
            f"{KEPT_BREAK_EVEN:,})"
        )
    assert not judged or 1 / MOST < geometric_mean(ratios) < MOST


def test_the_best_kernel_is_begun_when_it_may_pay(monkeypatch: pytest.MonkeyPatch, judged: bool):
    monkeypatch.setenv(VARIABLE, "off")
    shares: list[float] = []
    print()
    for case in CASES:
        shader = shader_of(case)
        inputs, uniforms = bound(case, shader, _MANY, HARDWARE)
        quick, best = (_prepared(shader, inputs, uniforms, tier) for tier in (tiers.QUICK, tiers.BEST))
        first = tiers.PAYS / (tiers.LOOPED if quick.loops else 1)
        shares.append(first * quick.vertex / best.compiled)
        gained = quick.vertex - best.vertex
        print(
            f"{case.name}: quick {1e3 * quick.compiled:.0f} ms, {1e9 * quick.vertex:.1f} ns a vertex; best "
            f"{1e3 * best.compiled:.0f} ms,"
            f" {1e9 * best.vertex:.1f} ns; begun after {first:,.0f} vertices, {shares[-1]:.0%} of its time,"
            f" and paid after {best.compiled / gained if gained > 0 else float('inf'):,.0f}"
        )
    assert not judged or LEAST_SHARE < geometric_mean(shares) < MOST_SHARE


class _Prepared(NamedTuple):
    """Seconds of compiling a kernel, and of a vertex."""

    compiled: float
    vertex: float
    loops: bool


def _prepared(shader: Shader, inputs: Inputs, uniforms: Uniforms, tier: str) -> _Prepared:
    compiled, vertex, loops = float("inf"), float("inf"), False
    for _ in range(_REPEATED):
        runner = Runner(shader.words, shader.descriptors, shader.interface.entry, HARDWARE)
        runner.compiled.tier = tier
        plan = runner.choose(LLVM, uniforms.booleans, _MANY)[1]
        assert plan is not None
        outputs = {n: np.zeros((_MANY, 4), np.float32) for n in plan.outputs}
        flags = {n: np.zeros(_MANY, np.uint8) for n in plan.unsure}
        table, data = runner.table(plan, uniforms), runner.columns(inputs)
        start = time.process_time()
        work = parts(runner.compiled, plan, table, data, _MANY, 1_000_000, 1, outputs, flags)
        compiled, loops = min(compiled, time.process_time() - start), plan.loops
        assert work is not None
        vertex = min(vertex, *[_seconds_of(work.run) / _MANY for _ in range(8)])
    return _Prepared(compiled, vertex, loops)


def _seconds_of(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def _first_run(name: str, lanes: int, engine: str, *, kept: bool = False) -> float:
    """Seconds of CPU time of the first run of a shader, the best of some. `kept`: its kernel is compiled and kept after it."""
    case = next(case for case in CASES if case.name == name)
    best = float("inf")
    for _ in range(_REPEATED):
        shader = shader_of(case)
        inputs, uniforms = bound(case, shader, lanes, HARDWARE)
        runner = shader.runner(HARDWARE)
        start = time.process_time()
        runner.run(inputs, uniforms, shader.outputs, (), 1_000_000, engine=engine)
        best = min(best, time.process_time() - start)
        if kept:
            runner.run(inputs, uniforms, shader.outputs, (), 1_000_000, engine=engine)
            BESIDE.settle()
    return best
