"""Which modules kernels depend on, and that a change of any of them is another generation, whatever its times."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from lanewise.llvm import cache, generation

if TYPE_CHECKING:
    from pathlib import Path

MODULES = ("__init__.py", "core/__init__.py", "core/bits.py", "core/numbers/floats.py", "new_isa/engine/run.py")
MOMENT = 10**9  # the time of all files, as in Nix's store


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, which remembers at once."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(generation, "SETTLED", 0)
    return tmp_path / "cache"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for path in (*MODULES, "tools/cli.py"):
        write(tmp_path / "package" / path, "VALUE = 1\n")
    return tmp_path / "package"


def write(path: Path, text: str) -> None:
    """A file with the time of all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(MOMENT, MOMENT))


@pytest.mark.parametrize("path", MODULES)
@pytest.mark.parametrize("replaced", [True, False])
def test_another_constant_is_another_generation(path: str, replaced: bool, package: Path):
    """Of the same size and with the same time, in another file of that name or in the same one."""
    if not replaced and os.name == "nt":
        pytest.skip("Windows does not say when a file was changed whose time was set back")
    module, before = package / path, cache.generation(package)
    status = module.stat()
    if replaced:
        write(module.with_name("other.txt"), "VALUE = 2\n")
        module.with_name("other.txt").replace(module)
    else:
        write(module, "VALUE = 2\n")
        while module.stat().st_ctime_ns == status.st_ctime_ns:  # the clock of the file system ticks slowly
            write(module, "VALUE = 2\n")
    assert (module.stat().st_size, module.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert cache.generation(package) != before
    write(module, "VALUE = 1\n\n")
    assert cache.generation(package) != before


def test_a_module_more_or_less(package: Path):
    before = cache.generation(package)
    write(package / "core" / "more.py", "")
    more = cache.generation(package)
    (package / "core" / "more.py").rename(package / "core" / "renamed.py")
    renamed = cache.generation(package)
    (package / "core" / "renamed.py").unlink()
    assert len({before, more, renamed}) == 3
    assert cache.generation(package) == before


def test_contents_are_hashed_once(package: Path, monkeypatch: pytest.MonkeyPatch):
    before = cache.generation(package)
    with monkeypatch.context() as patch:
        patch.setattr(cache, "made", None)
        assert cache.generation(package) == before
    os.utime(package / MODULES[0], ns=(MOMENT, MOMENT + 1))
    assert cache.generation(package) == before, "of other times and the same contents"


@pytest.mark.parametrize("as_windows", [False, True])
def test_files_are_looked_at_from_any_folder(as_windows: bool, package: Path, monkeypatch: pytest.MonkeyPatch):
    """The package may be named relative to the current folder, and looked at without an open folder where there are none."""
    known, _ = generation.made(package)
    if as_windows:
        monkeypatch.setattr(os, "supports_dir_fd", frozenset[object]())
    monkeypatch.chdir(package.parent)
    assert known.holds(package) and known.holds(package.relative_to(package.parent))
    write(package / "core" / "more.py", "")
    assert not known.holds(package)
    (package / MODULES[0]).unlink()
    assert not known.holds(package), "a file less is no error"


def test_what_has_changed_just_now_is_not_remembered(package: Path, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(generation, "SETTLED", 1e9)
    before = cache.generation(package)
    assert list(folder.rglob("*.sources")) == []
    write(package / MODULES[0], "VALUE = 2\n")
    assert cache.generation(package) != before


def test_what_others_have_written_is_not_believed(package: Path, folder: Path):
    before = cache.generation(package)
    (place,) = folder.rglob("*.sources")
    data = place.read_bytes()
    place.write_bytes(data.replace(before.encode(), b"0" * len(before)))
    assert cache.generation(package) == before
    assert place.read_bytes() == data, "written anew"
    cache.clear()
    assert list(folder.rglob("*.sources")) == []


def test_no_engine_imports_what_is_apart(package: Path):
    grimp = pytest.importorskip("grimp", reason="pip install import-linter")
    graph = grimp.build_graph("lanewise", exclude_type_checking_imports=True)
    names = tuple([f"lanewise.{path.removesuffix('.py').replace('/', '.')}" for path in sorted(generation.APART)])
    engines = [name for name in graph.modules if name.startswith("lanewise.llvm.") or ".engine." in name]
    assert {"lanewise.pica200.engine.llvm.kernel", "lanewise.direct3d9.engine.llvm.kernel"} <= {*engines}
    reached: set[str] = set()
    while engines:
        one = engines.pop()
        if one not in reached:
            reached.add(one)
            engines += graph.find_modules_directly_imported_by(one)
    assert [name for name in sorted(reached) if name in names or name.startswith(tuple([f"{apart}." for apart in names]))] == []
    assert [name for name in names if name not in graph.modules] == [], "a folder that is not there"
    before = cache.generation(package)
    write(package / "tools" / "cli.py", "VALUE = 2\n")
    assert cache.generation(package) == before
