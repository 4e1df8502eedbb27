"""The page of the specification's table: every row is there, no cell is empty, and what the cells say is so."""

from __future__ import annotations

import re

import pytest

from corpus import SHARED, needs_shared
from lanewise.api.findings import findings as codes
from lanewise.compile.shadercore.table import FLOW, ROWS, TableRow
from lanewise.tools.direct3d9_table import cells

CODES = codes()

_ROW = re.compile(r"^\| \[([^\]]+)\]\(.*?\)\s*\|\s*(\S+)\s*\|\s*(\w)\s*\|\s*(\w)\s*\|\s*(\w+)\s*\|\s*(.*?)\s*\|$", re.M)


@needs_shared
def test_the_rows_are_those_of_the_specification():
    (path,) = (SHARED / "spec").glob("003*")
    theirs = [(name, release, yes == "Yes", becomes) for name, release, _, _, yes, becomes in _ROW.findall(path.read_text())]
    assert len(theirs) > 60
    assert [(row.name, row.release, row.supported, row.becomes) for row in ROWS] == theirs


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_cell_is_empty_and_each_says_what_is_so(row: TableRow):
    found = cells(row)
    assert all(found.texts)
    assert found.read == found.write == "yes"
    assert found.check == "legal"
    assert "reference" in found.run
    for cell in (found.document, found.rtl):
        assert cell.endswith(" slots") or cell in CODES
    if row.supported or row.becomes == FLOW or row.name == "sincos":
        assert found.document.endswith(" slots") and found.rtl.endswith(" slots")
        assert "llvm" in found.run
        assert int(found.rtl.split()[0]) <= int(found.table.split()[0])
    assert "other bits" not in found.result
    assert any(text.startswith(row.instruction.split()[0]) for text in row.source.splitlines()) or row.name in ("if", "ifp")
