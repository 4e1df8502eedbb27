"""`lanewise cache`: what is kept, and clearing it."""

from __future__ import annotations

import json
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
        "folder": str(files[0].parent),
        "kernels": 1,
        "of_this_version": 1,
        "bytes": files[0].stat().st_size,
        "cleared": 0,
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


def test_usage(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["cache", "--purge"]) == 2
    assert "see lanewise cache --help" in capsys.readouterr().err
