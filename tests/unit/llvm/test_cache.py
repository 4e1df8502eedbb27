"""Kernels on disk: found again, never wrong, never in the way."""

from __future__ import annotations

import os
import shutil
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
    assert [process.wait(600) for process in started] == [0] * 4
    assert len(cache.kept()) == 1
    assert [path.name for path in folder.rglob(".*") if path.is_file()] == []


PACKAGE = Path(lw.__file__).parent
PARTS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the package, with their times."""
    place = tmp_path_factory.mktemp("copy") / "lanewise"
    return Path(shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__")))


def deepest(folder: Path) -> Path:
    """A module of a package, of its innermost folder."""
    return max(sorted(folder.rglob("*.py")), key=lambda path: len(path.parts))


def test_the_parts_that_make_kernels():
    assert {"core", "graph", "llvm", "pica200", "shadercore", "direct3d9"} <= {*PARTS}


@pytest.mark.parametrize("part", ["", *PARTS])
def test_another_module_is_another_generation(part: str, copy: Path):
    """Of the same size, with another time, or of another size with the same time; or one more, or one less."""
    module = deepest(copy / part) if part else copy / "__init__.py"
    before, status = cache.generation(copy), module.stat()
    assert cache.generation(copy) == before

    os.utime(module, ns=(status.st_atime_ns, status.st_mtime_ns + 1000))
    assert cache.generation(copy) != before
    text = module.read_bytes()
    module.write_bytes(text + b"\n")
    os.utime(module, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert cache.generation(copy) != before
    module.write_bytes(text)
    os.utime(module, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert cache.generation(copy) == before

    added = module.with_name("added.py")
    shutil.copy2(module, added)
    assert cache.generation(copy) != before
    added.unlink()
    module.rename(added)
    assert cache.generation(copy) != before
    added.rename(module)
    assert cache.generation(copy) == before


def test_a_cache_of_bytecode_is_the_same_generation(copy: Path):
    before = cache.generation(copy)
    (copy / "core" / "__pycache__").mkdir()
    (copy / "core" / "__pycache__" / "record.cpython-311.pyc").write_bytes(b"")
    (copy / "core" / "__pycache__" / "record.py").write_bytes(b"")
    assert cache.generation(copy) == before


def test_kernels_of_another_generation_are_not_found(monkeypatch: pytest.MonkeyPatch, copy: Path):
    run()
    before = cache.folder()
    monkeypatch.setattr(cache, "_versions", lambda: cache.generation(copy))
    assert cache.folder() != before
    assert run() == [2.0] * 4
    assert len(cache.kept()) == 2


def test_the_folder_has_the_generation_of_the_package_that_runs(copy: Path):
    code = "from lanewise.llvm import cache; print(cache.__file__, cache.folder().name)"
    environment = os.environ | {"PYTHONPATH": str(copy.parent)}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    file, name = done.stdout.split()
    assert Path(file).is_relative_to(copy)
    assert name.endswith(f"-{cache.generation(copy)}")
