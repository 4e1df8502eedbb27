"""Kernels on disk: found again, never wrong, never in the way."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.llvm import cache, loading
from lanewise.llvm.movers import movers
from lanewise.llvm.target import Target, compile_object, host, load_object

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
    monkeypatch.setattr(loading, "compile_object", never)
    assert run() == [2.0] * 4


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_file_is_as_good_as_none(damage: bytes | None):
    run()
    (path,) = cache.kept()
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if damage is None else damage)
    assert run() == [2.0] * 4
    assert path.read_bytes() == data


def test_movers_are_kept_and_replaced(folder: Path):
    movers.cache_clear()
    assert all(movers(host(), 16))
    (path,) = folder.rglob("*.movers")
    data = path.read_bytes()
    path.write_bytes(b"short")
    movers.cache_clear()
    assert all(movers(host(), 16))
    assert path.read_bytes() == data
    assert cache.clear() == 0
    assert not path.exists()


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
    for profile in lw.pica200.profiles:
        shader.run({"v0": np.ones((20, 4), np.float32)}, engine="llvm", profile=profile)
    assert len(cache.kept()) == len(lw.pica200.profiles)


def test_processes_at_once(folder: Path):
    code = f"""
import numpy as np, lanewise as lw
batch = lw.assemble({SOURCE!r}).vertex.batch({{"v0": np.ones((20, 4), np.float32)}}, engine="llvm")
assert batch.run()["position"][0, 0] == 2.0
"""
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait(600) for process in started] == [0] * 4
    assert len(cache.kept()) == 1
    assert [path.name for path in folder.rglob(".*") if path.is_file()] == []


posix = pytest.mark.skipif(os.name == "nt", reason="modes and owners of files are POSIX's")


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not warned yet."""
    monkeypatch.setattr(cache, "_said", [])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def place_of(path: Path | None = None) -> Path:
    place = cache.folder()
    assert place is not None
    return place if path is None else place / path


@posix
@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_only_the_user_may_use_the_folder(umask: int, monkeypatch: pytest.MonkeyPatch, folder: Path):
    monkeypatch.setenv(cache.VARIABLE, str(folder / "a" / "b"))
    before = os.umask(umask)
    try:
        run()
    finally:
        os.umask(before)
    place = place_of()
    assert mode(place) == mode(place.parent) == 0o700
    assert sorted([path.suffix for path in place.iterdir() if path.suffix != cache.HOST]) == ["", ".kernel", ".plan"]
    assert {mode(path) for path in place.iterdir()} == {0o600}


@posix
@pytest.mark.parametrize("unsafe", ["", "key", "kernel", "plan"])
@pytest.mark.parametrize("permissions", [0o777, 0o722, 0o770])
def test_what_others_may_write_is_not_loaded(unsafe: str, permissions: int, anew: None, monkeypatch: pytest.MonkeyPatch):
    run()
    (kernel,) = cache.kept()
    (plan,) = cache.plans()
    path = {"": kernel.parent, "key": kernel.with_name("key"), "kernel": kernel, "plan": plan}[unsafe]
    path.chmod(permissions)
    if unsafe in ("kernel", "plan"):  # the other one may be loaded
        (plan if unsafe == "kernel" else kernel).unlink()
    with monkeypatch.context() as patch, pytest.warns(RuntimeWarning, match="can be (written|read) by other users") as found:
        patch.setattr(cache, "compare_digest", never)
        assert run() == [2.0] * 4
    assert len(found) == 1
    assert str(path) in str(found[0].message)
    said, way_out = (
        ("a compiled kernel is ignored and replaced: ", "")
        if unsafe in ("kernel", "plan")
        else ("no compiled kernels are kept: ", cache.VARIABLE)
    )
    assert str(found[0].message).startswith(said)
    assert way_out in str(found[0].message)
    if unsafe in ("kernel", "plan"):
        assert mode(path) == 0o600
    assert run() == [2.0] * 4  # without another warning, which would be an error here


@posix
def test_what_belongs_to_another_user_is_not_loaded(anew: None, monkeypatch: pytest.MonkeyPatch):
    run()
    compiled: list[str] = []

    def compile_again(ir: str, to: Target) -> bytes:
        compiled.append(ir)
        return compile_object(ir, to)

    monkeypatch.setattr(loading, "compile_object", compile_again)
    assert run() == [2.0] * 4
    assert not compiled
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.warns(RuntimeWarning, match=f"belongs to another user .{me}."):
        assert run() == [2.0] * 4
    assert len(compiled) == 1


@posix
@pytest.mark.parametrize("kind", ["fifo", "endless", "folder", "link"])
@pytest.mark.parametrize("name", ["key", "kernel"])
def test_only_regular_files_are_read(name: str, kind: str, anew: None, folder: Path):
    run()
    (kernel,) = cache.kept()
    path = kernel if name == "kernel" else kernel.with_name("key")
    path.rename(folder / "moved")
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "endless" else folder / "moved")
    with pytest.warns(RuntimeWarning) as found:
        assert run() == [2.0] * 4
    said = "no compiled kernels are kept" if name == "key" else "a compiled kernel is ignored and replaced"
    if kind == "folder" and name == "kernel":
        said = "a compiled kernel cannot be kept"
    assert str(found[0].message).startswith(said)
    if "replaced" in said:
        assert stat.S_ISREG(path.lstat().st_mode)
        assert mode(path) == 0o600


@posix
def test_a_folder_that_is_a_link_is_not_used(anew: None, folder: Path):
    run()
    place = place_of()
    place.rename(folder / "elsewhere")
    place.symlink_to(folder / "elsewhere")
    with pytest.warns(RuntimeWarning, match="is a link"):
        assert run() == [2.0] * 4
    assert cache.clear() == 0
    assert len([path for path in (folder / "elsewhere").iterdir() if path.suffix != cache.HOST]) == 3


def test_code_of_another_key_or_name_is_not_loaded(monkeypatch: pytest.MonkeyPatch):
    run()
    (kernel,) = cache.kept()
    data = kernel.read_bytes()
    assert cache.get(kernel.stem) == data[32:]
    kernel.with_name("0123.kernel").write_bytes(data)
    assert cache.get("0123") is None
    kernel.write_bytes(blake2b(data[32:], digest_size=32).digest() + data[32:])
    assert cache.get(kernel.stem) is None
    kernel.write_bytes(data)
    key = kernel.with_name("key")
    key.write_bytes(bytes(32))
    assert cache.get(kernel.stem) is None
    key.write_bytes(b"short")
    assert cache.get(kernel.stem) is None
    assert run() == [2.0] * 4
    monkeypatch.setattr(loading, "compile_object", never)
    assert run() == [2.0] * 4


def test_an_object_without_the_function_is_compiled_again():
    native = host()
    code = compile_object("define i32 @other() {\n  ret i32 1\n}\n", native)
    with pytest.raises(RuntimeError, match="no function 'run'"):
        load_object(code, native)
    run()
    (kernel,) = cache.kept()
    cache.put(kernel.stem, code)
    assert run() == [2.0] * 4
    assert cache.get(kernel.stem) not in (None, code)


def test_files_of_processes_that_were_killed(folder: Path):
    run()
    place = place_of()
    for name in (".abc", ".tmp1"):
        (place / name).write_bytes(b"half")
    (folder / ".mine").write_bytes(b"")
    assert [path.name for path in cache.unfinished()] == [".abc", ".tmp1"]
    assert len(cache.kept()) == 1
    assert cache.clear() == 3
    assert not place.exists()
    assert (folder / ".mine").exists()


def test_without_a_home_directory(monkeypatch: pytest.MonkeyPatch):
    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", home)
    assert run() == [2.0] * 4
    assert cache.folder() is None and cache.kept() == [] and cache.clear() == 0
    assert "no home directory" in cache.missing()


PACKAGE = Path(lw.__file__).parent


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the package, with their times."""
    place = tmp_path_factory.mktemp("copy") / "lanewise"
    return Path(shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__")))


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


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/cpuinfo and object files of Linux")
def test_a_start_from_the_cache_does_without_llvm(folder: Path):
    """What LLVM knows of the processor is kept too; a damaged file is asked for again."""
    source = folder / "x.v.pica"
    source.write_text(SOURCE)
    script = (
        "import sys, lanewise as lw, numpy as np\n"
        f"shader = lw.load({str(source)!r}).vertex\n"
        "print(shader.run({'v0': np.ones((20, 4), np.float32)}, engine='llvm').engine, 'llvmlite.binding' in sys.modules)\n"
    )

    def started() -> str:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        return subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
        ).stdout

    assert started() == "llvm True\n"
    assert started() == "llvm False\n"
    (host,) = [path for path in place_of().iterdir() if path.suffix == cache.HOST]
    host.write_bytes(host.read_bytes()[:-1])
    assert started() == "llvm True\n"
    assert started() == "llvm False\n"
