"""Kernels on disk: found again, never wrong, never in the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.llvm import cache
from lanewise.pica200.engine.llvm import compiled

SOURCE = ".out pos position\n.proc main\n    add pos, v0, v0\n    end\n.end\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    return tmp_path


def run() -> list[float]:
    found = lw.assemble(SOURCE).vertex.run({"v0": np.ones((20, 4), np.float32)}, engine="llvm")
    assert found.engine == "llvm"
    return found.outputs["position"][0].tolist()


def never(*_: object) -> bytes:
    raise AssertionError("compiled again")


def test_a_kernel_is_found_again(monkeypatch: pytest.MonkeyPatch):
    assert run() == [2.0] * 4
    assert len(cache.kept()) == 1
    monkeypatch.setattr(compiled, "compile_object", never)
    assert run() == [2.0] * 4


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_file_is_as_good_as_none(damage: bytes | None):
    run()
    (path,) = cache.kept()
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if damage is None else damage)
    assert run() == [2.0] * 4
    assert path.read_bytes() == data


def test_without_a_cache(monkeypatch: pytest.MonkeyPatch, folder: Path):
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert run() == [2.0] * 4
    assert cache.folder() is None and cache.kept() == [] and cache.clear() == 0
    assert list(folder.rglob("*.kernel")) == []


def test_a_folder_that_cannot_be_made_is_no_error(monkeypatch: pytest.MonkeyPatch, folder: Path):
    (folder / "file").write_text("")
    monkeypatch.setenv(cache.VARIABLE, str(folder / "file"))
    assert run() == [2.0] * 4


def test_clearing():
    run()
    assert cache.clear() == 1
    assert cache.kept() == []


def test_other_profiles_are_other_kernels():
    shader = lw.assemble(SOURCE).vertex
    for profile in lw.profiles:
        shader.run({"v0": np.ones((20, 4), np.float32)}, engine="llvm", profile=profile)
    assert len(cache.kept()) == len(lw.profiles)


def test_processes_at_once(folder: Path):
    code = f"""
import numpy as np, lanewise as lw
found = lw.assemble({SOURCE!r}).vertex.run({{"v0": np.ones((20, 4), np.float32)}}, engine="llvm")
assert found.outputs["position"][0, 0] == 2.0
"""
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait(60) for process in started] == [0] * 4
    assert len(cache.kept()) == 1
    assert [path.name for path in folder.rglob(".*") if path.is_file()] == []
