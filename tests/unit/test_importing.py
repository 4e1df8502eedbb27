"""Modules of commands are found and read as Python does, with fewer steps."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import BuiltinImporter, PathFinder
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from lanewise import importing
from lanewise.importing import Finder, Loader

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = REPOSITORY / "src" / "lanewise"
ONE = "value = 1\n"


def test_every_module_is_found_as_python_finds_it():
    found = 0
    for path in [*SOURCES.rglob("*.py")]:
        parts = path.relative_to(SOURCES.parent).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        name, folder = ".".join(parts), str(SOURCES.parent.joinpath(*parts[:-1]))
        if len(parts) == 1:
            continue
        ours, python = Finder.find_spec(name, [folder]), PathFinder.find_spec(name, [folder])
        assert ours is not None and python is not None
        assert (ours.name, ours.origin, ours.cached, ours.submodule_search_locations, ours.has_location, ours.parent) == (
            python.name,
            python.origin,
            python.cached,
            python.submodule_search_locations,
            python.has_location,
            python.parent,
        )
        found += 1
    assert found > 500


def test_only_modules_of_lanewise_that_are_files_are_found(tmp_path: Path):
    (tmp_path / "there.py").write_text(ONE)
    assert Finder.find_spec("lanewise.there", [str(tmp_path)]) is not None
    assert Finder.find_spec("lanewise") is None
    assert Finder.find_spec("other.there", [str(tmp_path)]) is None
    assert Finder.find_spec("lanewise.missing", [str(tmp_path)]) is None
    assert Finder.find_spec("lanewise.there", [str(tmp_path / "packed.zip" / "lanewise")]) is None


def value(path: Path) -> object:
    """What a module computes."""
    spec = Finder.find_spec(f"lanewise.{path.stem}", [str(path.parent)])
    assert spec is not None and isinstance(spec.loader, Loader)
    names: dict[str, object] = {}
    code = spec.loader.get_code(spec.name)
    assert code is not None and code.co_filename == str(path)
    exec(code, names)
    return names["value"]


def test_bytecode_is_used_if_it_is_of_this_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "some.py"
    path.write_text(ONE)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert value(path) == 1  # Python compiles it and writes the bytecode
    (bytecode,) = tmp_path.rglob("*.pyc")
    path.write_text("value = 2\n")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert value(path) == 1  # as Python decides by time and size
    os.utime(path, (1_000_000_001, 1_000_000_001))
    assert value(path) == 2
    again = tmp_path / "again.py"
    path.rename(again)  # with the time of the bytecode of another name
    bytecode.rename(bytecode.with_name(bytecode.name.replace("some", "again")))
    assert value(again) == 2
    for damaged in (b"", bytes(16), bytes(40)):
        next(tmp_path.rglob("*.pyc")).write_bytes(damaged)
        assert value(again) == 2


def test_python_finds_modules_where_bytecode_is_elsewhere(monkeypatch: pytest.MonkeyPatch):
    before = [each for each in sys.meta_path if each is not Finder]
    monkeypatch.setattr(sys, "meta_path", [*before])
    with monkeypatch.context() as moved:
        moved.setattr(sys, "pycache_prefix", "elsewhere")
        importing.install()
        assert sys.meta_path == before
    importing.install()
    importing.install()
    assert sys.meta_path.index(Finder) + 1 == sys.meta_path.index(BuiltinImporter)
    assert [each for each in sys.meta_path if each is not Finder] == before
    sys.meta_path[:] = []
    importing.install()
    assert sys.meta_path == []


def test_a_command_finds_its_modules_so():
    program = """
import sys
import lanewise.__main__ as started
started.finish = lambda code: print(code, type(sys.modules["lanewise.tools.cli"].__loader__))
sys.argv = ["lanewise", "--version"]
started.lanewise()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("0 <class 'lanewise.importing.Loader'>\n")
