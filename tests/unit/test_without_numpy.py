"""A Python without NumPy: PICA200 vertex shaders run on lists, bit for bit as on arrays; everything else that needs NumPy says
so."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import lists_and_arrays

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answers with NumPy and without."""
    folder = tmp_path_factory.mktemp("answers")
    return lists_and_arrays.answers(folder), script(folder)


def script(folder: Path, *libraries: str) -> Any:
    """The answers of a Python without `libraries`, by default without any."""
    command = [sys.executable, lists_and_arrays.__file__, str(folder), *libraries]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("what", ["runs", "random", "mistakes", "commands"])
def test_same_answers_with_and_without(what: str, both: tuple[dict[str, Any], dict[str, Any]]):
    arrays, lists = both
    if isinstance(arrays[what], dict):
        for key in arrays[what]:
            assert lists[what][key] == arrays[what][key], key
    assert lists[what] == arrays[what]


def test_commands_without_an_engine_need_no_library(both: tuple[dict[str, Any], dict[str, Any]]):
    for code, output, error in both[1]["others"]:
        assert code in (0, 1)  # `check` finds something
        assert "NumPy" not in output + error


def test_what_needs_a_library_names_it_and_the_fix(both: tuple[dict[str, Any], dict[str, Any]]):
    for code, _, error in both[1]["refused"]:
        assert code == 1, error
        assert "needs NumPy, which is not installed" in error or "needs llvmlite" in error
        assert "run `pip install" in error
        assert "Traceback" not in error


def test_nothing_is_compiled_without_llvmlite(tmp_path: Path):
    engines, errors, batch, chosen, pipeline = script(tmp_path, "llvmlite")
    assert [*engines, pipeline] == ["reference"] * 4
    assert chosen == "reference: llvmlite is not installed"
    for error in errors:
        assert error.startswith("error[U006]: the engine llvm needs llvmlite, which is not installed")
    assert "Shader.batch needs llvmlite" in batch
