"""Ctrl-C ends any run, on any engine and any number of threads, and what was interrupted can be used again."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from effort import times
from engines.interrupted import ENDLESS, interrupted, runs, vertices
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.llvm import kernel as direct3d9_kernel
from lanewise.pica200.engine.llvm import generate
from lanewise.pica200.engine.llvm import kernel as pica200_kernel
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.engine.llvm import wave_kernels
from lanewise.shadercore.engine.llvm.waves import WAVES
from lanewise.shadercore.engine.run import WaveRunner
from lanewise.shadercore.isa.devices import RTL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.api.shader import Shader
    from lanewise.shadercore.engine.reference import Register

TESTS = Path(__file__).parents[1]
LIMIT = 500  # seconds; a run that cannot be interrupted ends after years


def test_every_run_can_be_interrupted():
    """In a process of its own, as what cannot be interrupted does not end."""
    found = subprocess.run(
        [sys.executable, "-m", "engines.interrupted"],
        cwd=TESTS,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *(path for path in sys.path if path)])},
    )
    assert found.returncode == 0, found.stderr[-3000:]
    assert found.stdout.splitlines() == [f"{name} True" for name in runs()]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_is_right_after_an_interrupt(threads: int):
    shader = lw.assemble(ENDLESS).vertex
    place = vertices(100)
    uniforms = {"one": [1.0] * 4, "again": True}
    with pytest.raises(lw.pica200.RunError):
        shader.batch({"place": place}, uniforms, budget=1000, threads=threads).run()
    batch = shader.batch({"place": place}, uniforms, budget=10**15, threads=threads)
    assert interrupted(batch.run)
    uniforms["again"] = False
    batch.set_uniforms(uniforms)
    wanted = shader.run({"place": place}, uniforms, engine="reference").outputs["position"]
    assert np.array_equal(batch.run()["position"], wanted)


COUNTED = """.in place v0
.out pos position
.proc main
    mov r0, place
    for i0
    add r0, place, r0
    .end
    mov pos, r0
    end
.end
"""


@pytest.fixture
def short_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels return after a few steps."""
    monkeypatch.setattr(generate, "CHUNK", 8)
    monkeypatch.setattr(pica200_kernel, "_STEPS", 100)
    monkeypatch.setattr(pica200_kernel, "_EXACT_STEPS", 100)
    monkeypatch.setattr(direct3d9_kernel, "_STEPS", 40)
    monkeypatch.setattr(wave_kernels, "_STEPS", 10)
    monkeypatch.setenv("LANEWISE_CACHE", "off")


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("turns", [0, 5, 6, 7, 40, times(90, 200)])
@pytest.mark.parametrize("refills", [0, 1, 3])
def test_a_run_in_many_calls_is_the_same(
    turns: int, refills: int, exact: bool, short_calls: None, monkeypatch: pytest.MonkeyPatch
):
    """Vectors that fit in a call, that reach its end, and that take more than one may."""
    monkeypatch.setattr(pica200_kernel, "_REFILLED", refills)
    monkeypatch.setattr(pica200_kernel, "_EXACT_REFILLED", refills)
    shader, place, wanted = counted(turns, exact=exact)
    found = shader.run({"place": place}, {"i0": [turns, 0, 1]}, engine="llvm")
    assert np.array_equal(found.bits["position"], wanted)


@cache
def counted(turns: int, *, exact: bool) -> tuple[Shader, NDArray[np.float32], NDArray[np.uint32]]:
    """A shader, its vertices, and what the reference gives for them, once for all ways of calls."""
    shader = lw.assemble(COUNTED).vertex
    place = vertices(16 * 9 + 3)
    if exact:
        place[5] = place[100] = np.nan
    return shader, place, shader.run({"place": place}, {"i0": [turns, 0, 1]}, engine="reference").bits["position"]


@pytest.mark.parametrize("budget", [1, 8, 9, 15, 16, 17, 18, 40, 43, 44, 45, 46, 80])
def test_the_budget_is_the_same_in_many_calls(budget: int, short_calls: None):
    shader = lw.assemble(COUNTED).vertex
    place, uniforms = vertices(40), {"i0": [40, 0, 1]}
    found, wanted = (
        shader.run({"place": place}, uniforms, engine=engine, budget=budget, keep_faults=True)
        for engine in ("llvm", "reference")
    )
    assert found.faults == wanted.faults
    assert np.array_equal(found.bits["position"], wanted.bits["position"])


@pytest.mark.parametrize("name", ["Direct3D 9", "ShaderCore"])
def test_other_runs_in_many_calls_are_the_same(name: str, short_calls: None):
    if name == "ShaderCore":
        core = ShaderCoreProgram.from_source(
            "mul r0.x, v0.x, v0.y\nadd o0.x, r0.x, v0.z\nadd o0.y, r1.x, v0.w\nmov r1.x, r0.x\nend\n"
        )
        for threads in (1, 3):
            found, wanted = (
                core.run({"v0": vertices(999)}, engine=engine, threads=threads) for engine in ("llvm", "reference")
            )
            assert np.array_equal(found.bits["o0"], wanted.bits["o0"])
        return
    text = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov r0, v0\nrep i0\nmad r0, r0, v0, v0\nendrep\nmov o0, r0\n"
    shader = Direct3DShader.from_source(text)
    for turns in (0, 3, 20, 255):
        found, wanted = (
            shader.run({"position": vertices(100)}, integers={"i0": turns}, engine=engine) for engine in ("llvm", "reference")
        )
        assert (found.engine, wanted.engine) == ("llvm", "reference")
        assert np.array_equal(found.bits["position"], wanted.bits["position"])


def test_a_call_of_a_core_has_few_waves(monkeypatch: pytest.MonkeyPatch):
    counts: list[int] = []

    def run(kernel: wave_kernels.Kernel) -> Callable[[int], None]:
        def counting(address: int) -> None:
            counts.append(ctypes.c_int64.from_address(address + 8 * WAVES).value)
            kernel.run(address)

        return counting

    class Counting(wave_kernels.Kernels):
        def kernel(self, inputs: Sequence[tuple[int, int]], outputs: Sequence[Register]) -> wave_kernels.Kernel:
            found = super().kernel(inputs, outputs)
            return found._replace(run=run(found))

    monkeypatch.setattr(wave_kernels, "_STEPS", 30)
    core = ShaderCoreProgram.from_source("mul o0.x, v0.x, v0.y\nadd o0.y, v0.z, v0.w\nend\n")
    runner = WaveRunner(core.insts, RTL)
    kernels = Counting(runner.timing)
    rows = {(0, n): np.arange(16 * 100, dtype=np.uint32) for n in range(4)}
    kernels.run({}, rows, 16 * 100, {}, 2)
    assert sum(counts) == 100
    assert max(counts) <= 10
