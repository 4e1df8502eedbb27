"""`BREAK_EVEN`, up to which `engine="auto"` takes the reference engine: so many steps of it take about as long as compiling does.

Steps are vertices times words of the program, as `engine.run` counts them. A new process has to import what compiles as well; a kernel
that is in the cache on the disk is there at once. `auto` knows of neither, so what is asked is that on neither side of the number
much time is lost: of the first run of a shader in a process that compiles, four times as much at most.
"""

from __future__ import annotations

import time
from statistics import geometric_mean
from typing import TYPE_CHECKING

import pytest
from measuring import seconds

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.llvm.cache import VARIABLE
from lanewise.pica200.engine.run import BREAK_EVEN
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.tools.bench_cases import CASES, bound, shader_of

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


def _first_run(name: str, lanes: int, engine: str) -> float:
    """Seconds of the first run of a shader, the best of some."""
    case = next(case for case in CASES if case.name == name)
    best = float("inf")
    for _ in range(_REPEATED):
        shader = shader_of(case)
        inputs, uniforms = bound(case, shader, lanes, HARDWARE)
        runner = shader.runner(HARDWARE)
        start = time.perf_counter()
        runner.run(inputs, uniforms, shader.outputs, (), 1_000_000, engine=engine)
        best = min(best, time.perf_counter() - start)
    return best
