"""Numbers of texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lanewise.core.text.numbers import register_number
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "number"), [("c12", 12), ("r0", 0), ("v", -1), ("c-1", -1), ("c\u00b2", -1), ("r" + "9" * 5000, -1), ("", -1)]
)
def test_the_number_of_a_register(name: str, number: int):
    assert register_number(name) == number


def test_a_register_of_5000_digits_is_unknown_to_the_debugger(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "p.v.pica").write_text(".out position position\n.in p\n.proc main\n    mov position, p\n    end\n.end\n")
    (tmp_path / "s.debug").write_text(f"print r{'9' * 5000}\n")
    assert main(["debug", str(tmp_path / "p.v.pica"), "-i", "p=1", "--headless", str(tmp_path / "s.debug")]) in (0, 1)
    shown = capsys.readouterr()
    assert "internal error" not in shown.out + shown.err


def test_a_field_of_more_than_a_byte_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"program": {"words": [], "geometry": {"array_start": 535, "vertex_count": 3}}}))
    assert main(["graph", "--data", str(path)]) == 1
    assert "array_start and vertex_count are bytes, found 535 and 3" in capsys.readouterr().err
