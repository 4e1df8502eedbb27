"""`lanewise test`: shader tests without pytest."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from documents import checked
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

WRONG = """program = "toon.v.pica"
uniforms = {projection = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], sun = [0, 0, 1, 4], shade = [0, 0, 0], \
paint = [0, 0, 0], shine = [0, 0, 1, 0.75], glossy = false}
inputs = {position = [1, 2, 3], normal = [0, 0, 1]}

[[test]]
name = "wrong"
[test.outputs]
"position.x" = 2

[[test]]
name = "right"
[test.outputs]
"position.x" = 1
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("toon.v.pica", "toon.shadertest.toml"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "copy.shadertest.toml").write_text(WRONG)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_tests_of_a_folder(here: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test"]) == 0
    assert capsys.readouterr().out == (
        "toon.shadertest.toml\n  passed  four bands\n  passed  the highlight of a glossy surface\n"
        "  passed  three bands are not exact\n3 passed\n"
    )


def test_a_test_that_fails_names_the_instruction(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "wrong.shadertest.toml").write_text(WRONG)
    assert main(["test", "wrong.shadertest.toml"]) == 1
    out = capsys.readouterr().out
    assert "  failed  wrong\n" in out
    assert "position.x" in out
    assert "toon.v.pica:22" in out
    assert out.endswith("  passed  right\n1 passed, 1 failed\n")
    assert main(["test", "wrong.shadertest.toml", "--name", "right"]) == 0


def test_json(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "wrong.shadertest.toml").write_text(WRONG)
    (here / "inner" / "bad.shadertest.toml").write_text("[[test]\n")
    (here / "inner" / "gone.shadertest.toml").write_text('program = "gone.pica"\n[[test]]\nname = "gone"\noutputs = {o0 = 1}\n')
    assert main(["test", ".", "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    assert (document["passed"], document["failed"], document["error"]) == (4, 1, 2)
    rows = {(row["file"], row["name"]): row for row in document["tests"]}
    failed = rows["wrong.shadertest.toml", "wrong"]
    assert (failed["line"], failed["outcome"]) == (5, "failed")
    assert "position.x" in failed["message"]
    assert rows["inner/bad.shadertest.toml", ""]["outcome"] == "error"
    assert "gone" in rows["inner/gone.shadertest.toml", ""]["message"]
    assert all(row["seconds"] > 0 for row in rows.values() if row["outcome"] in ("passed", "failed"))


def test_list(here: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test", "--list", "toon.shadertest.toml"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["15", "four", "bands"]
    assert main(["test", "--list", "--format", "json"]) == 0
    assert [row["outcome"] for row in checked(capsys.readouterr().out)["tests"]] == ["listed"] * 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone.shadertest.toml"], "cannot read gone.shadertest.toml"),
        (["toon.v.pica"], "not a file of shader tests"),
        (["inner"], "no shader tests in inner"),
        (["--name", "none"], "unknown test 'none'"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test", *arguments]) in (1, 2)
    assert message in capsys.readouterr().err
