"""Programs as C on the compiler of this machine beside the reference engine; campaigns are in `tests/translations.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

import lanewise as lw
from effort import times
from installed import missing
from translated_files import compare_file
from translations import compare, compare_geometry, compiler

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.skipif(not compiler(), reason=missing("gcc", "clang"))


def test_random_programs():
    found = compare(1, [*range(1, 1 + times(8, 500)), 24], flags=("-O0",))  # 24 is numbered blocks
    assert not found.differences
    assert found.programs > 6
    assert found.lanes > 75
    assert found.structured > 3
    assert found.structured < found.programs


def test_random_geometry_shaders():
    found = compare_geometry(1, range(times(1, 300)), flags=("-O0",))
    assert not found.differences
    assert found.lanes


@pytest.mark.parametrize("numbers", ["float24", "float"])
def test_examples(numbers: str):
    name = "lighting.v.pica" if numbers == "float24" else "skinning.v.pica"
    compared, differences, structured = compare_file(lw.load(EXAMPLES / name).programs[0], numbers, 8, flags=("-O0",))
    assert compared == 8
    assert not differences
    assert structured
