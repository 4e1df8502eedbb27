"""When to compile, and when to compile again.

`BREAK_EVEN`, up to which `engine="auto"` takes the reference engine: so many steps of it take about as long as compiling does. Steps are vertices times words of the program, as `engine.run` counts them. A new process has to import what compiles as well; a kernel
that is in the cache on the disk is there at once. `auto` knows of neither, so what is asked is that on neither side of the number
much time is lost: of the first run of a shader in a process that compiles, four times as much at most.

`PAYS`, from which on the best kernel is compiled beside: so many vertices through the first kernel take a part of the time in which the
best one is compiled, not more than all of it, so that a program that ends soon wastes little and one that goes on waits little.
"""

from __future__ import annotations

import time
from statistics import geometric_mean
from typing import TYPE_CHECKING

import pytest
from measuring import seconds

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.llvm.cache import VARIABLE
from lanewise.pica200.engine.llvm.tiers import LOOPED, PAYS
from lanewise.pica200.engine.run import BREAK_EVEN
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.tools.bench_cases import CASES, bound, shader_of
from lanewise.tools.measure import Bench

if TYPE_CHECKING:
    from pathlib import Path

MOST = 4.0
_REPEATED = 3
_IMPORTS = (
    "import lanewise, numpy, lanewise.pica200.engine.binding, lanewise.pica200.engine.run, lanewise.pica200.engine.reference"
)


def test_so_many_steps_take_as_long_as_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: str, judged: bool):
    ratios: list[float] = []
    print()
    for case in CASES:
        lanes = BREAK_EVEN // len(shader_of(case).words)
        monkeypatch.setenv(VARIABLE, "off")
        reference, compiled = _first_run(case.name, lanes, REFERENCE), _first_run(case.name, lanes, LLVM)
        monkeypatch.setenv(VARIABLE, str(tmp_path))
        _first_run(case.name, lanes, LLVM)
        cached = _first_run(case.name, lanes, LLVM)
        ratios.append(reference / compiled)
        print(
            f"{case.name}: {lanes} vertices: reference {1e3 * reference:.0f} ms, compiling {1e3 * compiled:.0f} ms, from the cache"
            f" {1e3 * cached:.1f} ms; compiling pays from {BREAK_EVEN * compiled / reference:,.0f} steps on"
        )
    whole = seconds(
        [python, "-c", _IMPORTS + ", lanewise.pica200.engine.llvm.compiled; lanewise.pica200.engine.llvm.compiled.host()"], 5
    )
    print(f"a new process imports for {1e3 * (whole - seconds([python, '-c', _IMPORTS], 5)):.0f} ms more")
    assert not judged or 1 / MOST < geometric_mean(ratios) < MOST


def test_so_many_vertices_pay_for_the_best_kernel(judged: bool):
    measuring = Bench("native", stream=False)
    ratios: list[float] = []
    print()
    for case in CASES:
        found = measuring.measure(case, "hardware")
        looped = LOOPED if measuring.data(case, "hardware").plan.loops else 1
        spent = 1e-6 * found.quick_ns * PAYS / looped
        pays = 1e6 * found.best_compile_ms / max(found.quick_ns - found.ns, 1e-3)
        ratios.append(spent / found.best_compile_ms)
        print(
            f"{case.name}: first {found.quick_ns:.2f} ns, best {found.ns:.2f} ns compiled in {found.best_compile_ms:.0f} ms: pays after"
            f" {pays:,.0f} vertices; begun after {PAYS // looped:,}, which take {spent:.1f} ms"
        )
    assert not judged or 1 / 32 < geometric_mean(ratios) < 1


def _first_run(name: str, lanes: int, engine: str) -> float:
    """Seconds of CPU time of the first run of a shader, the best of some; code is compiled on another thread."""
    case = next(case for case in CASES if case.name == name)
    best = float("inf")
    for _ in range(_REPEATED):
        shader = shader_of(case)
        inputs, uniforms = bound(case, shader, lanes, HARDWARE)
        runner = shader.runner(HARDWARE)
        start = time.process_time()
        runner.run(inputs, uniforms, shader.outputs, (), 1_000_000, engine=engine)
        best = min(best, time.process_time() - start)
    return best
