"""Stores that bypass the caches: the same bits, at every place where they may be used and where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from engines.kernels import Kernels, need_level
from lanewise.arrays.memory import LINE, address, rows_of_four
from lanewise.llvm.caches import bypassed_from, levels
from lanewise.llvm.movement import PACKED, Layout
from lanewise.pica200.engine.llvm import arguments, kernel
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SOURCE = (
    ".out pos position\n.out col color\n.proc main\n    mul r0, v0, v0\n    add pos, v0, r0\n    mov col, v0\n    end\n.end\n"
)


def placed(count: int, place: int) -> NDArray[np.float32]:
    """Rows that begin `place` bytes after a multiple of 64."""
    memory = np.zeros(16 * count + 2 * LINE, np.uint8)
    first = -address(memory) % LINE + place
    return memory[first : first + 16 * count].view(np.float32).reshape(count, 4)


@pytest.mark.parametrize("level", ["native", "avx2", "sse"])
@pytest.mark.parametrize("count", [4096, 4097, 4099, 4111])
def test_the_same_bits(level: str, count: int, monkeypatch: pytest.MonkeyPatch):
    """Also where the last vector does not begin with a line, and where an output does not."""
    need_level(level)
    monkeypatch.setattr(kernel, "bypassed_from", lambda: 1)
    shader = lw.assemble(SOURCE).vertex
    kernels = Kernels.of(shader.words, shader.descriptors, HARDWARE, ((0, Layout(PACKED, 4)),), level)
    data = np.random.default_rng(count).uniform(-4, 4, (count, 4)).astype(np.float32)
    wanted = shader.run({"v0": data[-50:]}, engine="reference")
    for place in (0, 16, 48):
        outputs = {n: placed(count, place if n else 0) for n in kernels.plan.outputs}
        call = kernels.call({0: data}, outputs, {}, count)
        assert call.words[arguments.BYPASS] == (not place)
        call.run()
        for n in kernels.plan.outputs:
            assert np.array_equal(outputs[n][-50:].view(np.uint32), wanted.outputs[f"o{n}"].view(np.uint32))
            assert np.array_equal(outputs[n][:, 0] == 0, data[:, 0] == 0)


def test_only_much_data(monkeypatch: pytest.MonkeyPatch):
    shader = lw.assemble(SOURCE).vertex
    kernels = Kernels.of(shader.words, shader.descriptors, HARDWARE, ((0, Layout(PACKED, 4)),))
    monkeypatch.setattr(kernel, "bypassed_from", lambda: 48 * 5000)
    for count, past in ((16, 0), (4096, 0), (4999, 0), (5000, 1)):
        outputs = {n: placed(count, 0) for n in kernels.plan.outputs}
        call = kernels.call({0: np.zeros((count, 4), np.float32)}, outputs, {}, count)
        assert call.words[arguments.BYPASS] == past


def test_outputs_of_runs_begin_with_a_line():
    shader = lw.assemble(SOURCE).vertex
    data = np.ones((5000, 4), np.float32)
    result = shader.run({"v0": data}, engine="llvm")
    batch = shader.batch({"v0": data})
    for array in (*result.outputs.values(), *batch.outputs.values(), rows_of_four(4096)):
        assert address(array) % LINE == 0
    assert not batch.outputs["position"].any()
    assert rows_of_four(3).shape == (3, 4)


def test_sizes_of_caches(tmp_path: Path):
    for number, (level, kind, size) in enumerate(
        [("1", "Data", "48K"), ("1", "Instruction", "32K"), ("2", "Unified", "2M"), ("3", "?", "x")]
    ):
        folder = tmp_path / f"index{number}"
        folder.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (folder / name).write_text(f"{text}\n")
    assert levels(tmp_path) == {1: 48 << 10, 2: 2 << 20}
    assert levels(tmp_path / "nothing") == {}
    assert bypassed_from() > 0
