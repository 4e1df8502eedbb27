"""`lanewise cache`: what is kept, and clearing it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.llvm import cache
from lanewise.tools import cli

SOURCE = ".in value v0\n.out pos position\n.proc main\n    add pos, value, value\n    end\n.end\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["cache", *arguments]) == 0
    return capsys.readouterr().out


def test_what_a_run_keeps_is_counted_and_cleared(place: Path, capsys: pytest.CaptureFixture[str]):
    assert said(capsys).startswith("0 kernels, 0 KiB\n")
    lw.assemble(SOURCE).vertex.run({"value": [[1.0, 2.0, 3.0, 4.0]] * 40}, engine="llvm")
    files = list(place.rglob("*.kernel"))
    assert len(files) == 1
    shown = said(capsys)
    assert shown.startswith("1 kernel, ")
    assert str(files[0].parent) in shown
    found = json.loads(said(capsys, "--format", "json"))
    assert found == {
        "schema": "lanewise/cache/1",
        "isa": None,
        "folder": str(files[0].parent),
        "kernels": 1,
        "of_this_version": 1,
        "bytes": sum(path.stat().st_size for path in (*files, *cache.plans())),
        "cleared": 0,
        "diagnostics": [],
    }
    assert said(capsys, "--clear").startswith("1 kernel deleted")
    assert not list(place.rglob("*.kernel"))
    assert json.loads(said(capsys, "--clear", "--format", "json"))["cleared"] == 0


def test_kernels_of_other_versions_are_told_apart(place: Path, capsys: pytest.CaptureFixture[str]):
    old = place / "kernels-llvmlite-0"
    old.mkdir(parents=True)
    (old / "0123.kernel").write_bytes(b"old")
    assert "1 kernel, 0 KiB, 1 of them of other versions" in said(capsys)
    found = json.loads(said(capsys, "--format", "json", "--clear"))
    assert (found["cleared"], found["kernels"], found["of_this_version"]) == (1, 0, 0)
    assert not old.exists()


def test_it_can_be_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert said(capsys) == "LANEWISE_CACHE is off: no kernels are kept\n"
    assert json.loads(said(capsys, "--format", "json"))["folder"] is None


def test_without_a_home_directory(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setattr(cache, "_base", lambda: "this user has no home directory")
    assert said(capsys) == "this user has no home directory: no kernels are kept\n"
    assert said(capsys, "--clear") == "this user has no home directory: no kernels are kept\n"


def test_unfinished_files_are_counted_and_cleared(place: Path, capsys: pytest.CaptureFixture[str]):
    lw.assemble(SOURCE).vertex.run({"value": [[1.0, 2.0, 3.0, 4.0]] * 40}, engine="llvm")
    (file,) = place.rglob("*.kernel")
    (file.parent / ".half").write_bytes(bytes(2048))
    assert said(capsys).startswith("1 kernel and 1 unfinished file, ")
    assert (
        json.loads(said(capsys, "--format", "json"))["bytes"]
        == sum(path.stat().st_size for path in (file, *cache.plans())) + 2048
    )
    assert said(capsys, "--clear").startswith("1 kernel and 1 unfinished file deleted, ")
    assert not file.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX's")
def test_a_folder_that_is_not_used_is_reported(place: Path, capsys: pytest.CaptureFixture[str]):
    own = cache.folder()
    assert own is not None
    own.mkdir(parents=True)
    own.chmod(0o777)
    assert cli.main(["cache"]) == 0
    assert f"the folder is not used: {own} can be written by other users (mode 777)" in capsys.readouterr().err


def test_usage(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["cache", "--purge"]) == 2
    assert "see lanewise cache --help" in capsys.readouterr().err
