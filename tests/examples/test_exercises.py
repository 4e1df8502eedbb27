"""The exercises: each program has no findings and earns some points, its solution all; the playground opens it with data."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from corpus import REPOSITORY
from lanewise.tools import cli
from together import together

if TYPE_CHECKING:
    import pytest

FOLDER = REPOSITORY / "examples" / "exercises"
PROGRAMS = sorted(path for path in FOLDER.iterdir() if path.is_file() and not path.name.endswith(".toml"))


def points(test: str, program: str, capsys: pytest.CaptureFixture[str]) -> tuple[float, float]:
    """The points that a program earns, and all."""
    cli.main(["test", str(FOLDER / test), "--program", str(FOLDER / program), "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows
    return sum(float(row["points"]) for row in rows), sum(float(row["of"]) for row in rows)


@together("name", [path.name for path in PROGRAMS])
def test_a_solution_earns_all_points(name: str, capsys: pytest.CaptureFixture[str]):
    test = f"{name.partition('.')[0]}.shadertest.toml"
    start, every = points(test, name, capsys)
    assert 0 < start < every
    assert points(test, f"solutions/{name}", capsys) == (every, every)
    for path in (FOLDER / name, FOLDER / "solutions" / name):
        assert cli.main(["check", str(path)]) == 0
        assert cli.main(["fmt", "--check", str(path)]) == 0
        assert "warning" not in capsys.readouterr().err


def test_the_playground_has_each_with_data():
    rows = json.loads((REPOSITORY / "studio" / "playground" / "examples" / "index.json").read_text())
    sources = {row["source"] for row in rows}
    assert sources >= {f"exercises/{path.name}" for path in PROGRAMS}
    assert len(PROGRAMS) == 3
