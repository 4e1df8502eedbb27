"""The middle of the house: what is the same for every instruction set names none of them."""

from __future__ import annotations

import re
from pathlib import Path

import lanewise
from together import together

MIDDLE = ("graph", "proving", "optimising", "translating", "ssa", "rules")
NAMES = re.compile(r"pica ?200|shader ?core|direct3d|d3d9|nihstro|picasso|\btoy\b", re.IGNORECASE)
SOURCES = sorted(path for package in MIDDLE for path in (Path(lanewise.__file__).parent / package).rglob("*.py"))


@together("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_of_the_middle_names_no_instruction_set(path: Path):
    assert not NAMES.findall(path.read_text(encoding="utf-8"))
