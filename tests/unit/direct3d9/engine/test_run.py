"""Which engine runs a Direct3D 9 shader: few lanes are not worth a kernel, unless there is one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from direct3d9_runs import shader_of
from lanewise.direct3d9.engine import run as direct3d9_run
from lanewise.direct3d9.engine.llvm import kernel as direct3d9_kernel


def test_few_lanes_run_in_the_reference_until_there_is_a_kernel(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(direct3d9_kernel, "_kernels", {})
    shader = shader_of("vs_2_0\ndcl_position v0\nadd oPos, v0, v0\n")
    data = {"position": [1, 2, 3, 4]}
    assert shader.run(data).engine == "reference"
    assert shader.run(data, count=direct3d9_run.FEW).engine == "llvm"
    assert shader.run(data).engine == "llvm"
    assert shader.run(data, rule="rtl").engine == "reference"


def test_a_shader_that_is_too_large_to_compile_says_so():
    body = "label l{}\n" + "add r0.x, r0, c0\n" * 70 + "ret\n"
    text = "vs_2_x\n" + "call l0\n" * 80 + "mov oPos, r0\nret\n" + body.format(0)
    result = shader_of(text).run(uniforms={"c0": [1, 0, 0, 0]}, engine="llvm")
    assert result.engine == "reference" and "at most" in result.reason
    assert result.outputs["position"][0, 0] == 80 * 70


def test_the_reference_engine_needs_no_llvmlite():
    code = (
        "import lanewise as lw, sys\n"
        "shader = lw.Direct3DShader.from_source('vs_2_0\\nmov oPos, c0\\n')\n"
        "assert shader.run(defaults=0).engine == 'reference'\n"
        "assert 'llvmlite' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_progress_is_reported_between_waves_and_in_long_loops():
    text = "vs_2_0\ndefi i0, 90, 0, 0, 0\nmov r0, c0\nrep i0\nrep i0\nadd r0.x, r0, c0\nendrep\nendrep\nmov oPos, r0\n"
    seen: list[tuple[int, int]] = []
    shader = shader_of(text)
    shader.run(uniforms={"c0": [0] * 4}, count=1, engine="reference", progress=lambda done, total: seen.append((done, total)))
    assert len(seen) > 10 and set(seen) == {(0, 1)}
    seen.clear()
    adding = shader_of("vs_2_0\ndcl_position v0\nadd oPos, v0, v0\n")
    adding.run(
        {"position": [1, 2, 3, 4]}, count=40, engine="reference", progress=lambda done, total: seen.append((done, total))
    )
    assert [done for done, _ in seen] == sorted({done for done, _ in seen}) and {total for _, total in seen} == {40}
