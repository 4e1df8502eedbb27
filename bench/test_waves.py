"""ShaderCore programs on the compiled engine: ratios to the reference engine, and how much has to be done until compiling pays.

More than 1,000 times the reference engine on either device, with the data of 16,000 vertices going in and out.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.llvm import cache
from lanewise.shadercore.engine.run import BREAK_EVEN, WaveRunner
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.text.reader import read_source_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.shadercore.isa.codec import Inst

VERTICES, SLOWLY = 16_000, 320
TIMES_REFERENCE = 500
# A directional light with a highlight: normals made unit vectors, diffuse and specular parts, the latter to a power.
LIGHT = """.const c0 (0.0, 0.6, 0.8, 16.0)
mul r0.xyz, v0.xyz, v0.xyz
add r0.x, r0.x, r0.y
add r0.x, r0.x, r0.z
rsq r0.w, r0.x
mul r1.x, v0.x, r0.w
mul r1.y, v0.y, r0.w
mul r1.z, v0.z, r0.w
mul r2.y, r1.y, c0.y
mul r2.z, r1.z, c0.z
add r2.x, r2.y, r2.z
max r2.x, r2.x, 0
add r3.x, r2.x, r2.x
mul r3.y, r3.x, r1.z
add r3.y, r3.y, -c0.z
max r3.y, r3.y, 0
log r3.z, r3.y
mul r3.z, r3.z, c0.w
exp r3.w, r3.z
rcp r4.x, v1.w
mul r4.y, r2.x, v1.x
mul_sat o1.x, r4.y, r4.x
mul r4.y, r2.x, v1.y
mul_sat o1.y, r4.y, r4.x
mul r4.y, r2.x, v1.z
mul_sat o1.z, r4.y, r4.x
add_sat o1.w, r3.w, r2.x
mov o0.xyz, r1.xyz
mov o0.w, -(-1)
end
"""
PROGRAMS = {"transform": (Path(__file__).parents[1] / "examples" / "transform.sc").read_text(), "light": LIGHT}


def insts_of(text: str) -> list[Inst]:
    result = read_source_text(text, "bench.sc")
    assert result.program is not None, result.diagnostics
    return list(result.program.insts)


def best(what: Callable[[], object], repeat: int = 5) -> float:
    """The least seconds of CPU time of some runs."""
    found = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        what()
        found = min(found, time.process_time() - start)
    return found


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_ratio(name: str, device: str, benchmark: Any, monkeypatch: pytest.MonkeyPatch, judged: bool):
    monkeypatch.setenv(cache.VARIABLE, "off")
    insts = insts_of(PROGRAMS[name])
    rng = np.random.default_rng(1)
    rows = rng.uniform(-1, 1, (8, VERTICES)).astype(np.float32).view(np.uint32)
    inputs = {(n // 4, n % 4): rows[n] for n in range(8)}
    few = {place: values[:SLOWLY] for place, values in inputs.items()}
    wave = {place: values[:LANES] for place, values in inputs.items()}
    runner = WaveRunner(insts, DEVICES[device])
    first = best(lambda: runner.run({}, wave, LANES, engine=LLVM), 1)
    found = runner.run({}, few, SLOWLY, engine=LLVM)
    wanted = runner.run({}, few, SLOWLY, engine=REFERENCE)
    assert all(np.array_equal(found[place], wanted[place]) for place in wanted)
    slow = best(lambda: runner.run({}, few, SLOWLY, engine=REFERENCE), 3) / SLOWLY
    compiling = best(lambda: WaveRunner(insts, DEVICES[device]).run({}, wave, LANES, engine=LLVM), 3)
    fast = benchmark.pedantic(lambda: best(lambda: runner.run({}, inputs, VERTICES, engine=LLVM)), rounds=1) / VERTICES
    even = compiling / (slow * LANES) * len(insts)
    benchmark.extra_info |= {"ratio": slow / fast, "ns": fast * 1e9, "break_even": even}
    print(
        f"\n{name}, {device}: {len(insts)} instructions, {fast * 1e9:.1f} ns a vertex, {slow / fast:,.0f} x the reference "
        f"engine; compiled in {compiling * 1e3:.0f} ms (at first {first * 1e3:.0f}), as much as {even:,.0f} instructions of "
        "a wave take there"
    )
    if judged:
        assert slow / fast > TIMES_REFERENCE
        assert BREAK_EVEN / 6 < even < BREAK_EVEN * 6
