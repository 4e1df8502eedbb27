"""The page of the specification's table: every row is there, no cell is empty, and what the cells say is so."""

from __future__ import annotations

import re

from corpus import SHARED, needs_shared
from lanewise.compile.table import ROWS

_ROW = re.compile(r"^\| \[([^\]]+)\]\(.*?\)\s*\|\s*(\S+)\s*\|\s*(\w)\s*\|\s*(\w)\s*\|\s*(\w+)\s*\|\s*(.*?)\s*\|$", re.M)


@needs_shared
def test_the_rows_are_those_of_the_specification():
    (path,) = (SHARED / "spec").glob("003*")
    theirs = [(name, release, yes == "Yes", becomes) for name, release, _, _, yes, becomes in _ROW.findall(path.read_text())]
    assert len(theirs) > 60
    assert [(row.name, row.release, row.supported, row.becomes) for row in ROWS] == theirs
