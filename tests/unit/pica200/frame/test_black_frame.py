"""The recording and the pictures of docs/tutorials/black-screen.md are what is written and drawn today."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from black_frame import PATH, black_frame
from corpus import REPOSITORY
from lanewise.tools import cli

if TYPE_CHECKING:
    from pathlib import Path

PAGE = REPOSITORY / "docs" / "tutorials" / "black-screen.md"


def test_the_recording_of_the_tutorial(bless: bool):
    if bless:
        PATH.write_bytes(black_frame())
    assert PATH.read_bytes() == black_frame()


@pytest.mark.parametrize(
    "name, draw, options", [("pyramid", 1, ["--uniforms", "matrix.json"]), ("sign", 2, ["--cull", "none"])]
)
def test_the_pictures_of_the_tutorial(
    name: str, draw: int, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bless: bool
):
    monkeypatch.chdir(tmp_path)
    matrix = re.search(r"`matrix\.json`:\n\n```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert matrix is not None
    assert len(json.loads(matrix[1])) == 4
    (tmp_path / "matrix.json").write_text(matrix[1])
    assert cli.main(["run", f"{PATH}:{draw}", *options, "--draw", f"{name}.svg"]) == 0
    picture = REPOSITORY / "docs" / "pictures" / f"black-{name}.svg"
    if bless:
        picture.write_bytes((tmp_path / f"{name}.svg").read_bytes())
    assert picture.read_text() == (tmp_path / f"{name}.svg").read_text()
