"""examples/notebook.ipynb runs, and what it shows is what a reader should see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTEBOOK = REPOSITORY / "examples" / "notebook.ipynb"
MOST = 100_000  # characters of one output


def test_it_runs_and_shows_tables_steps_and_drawings(monkeypatch: pytest.MonkeyPatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    book = nbformat.read(str(NOTEBOOK), as_version=4)
    assert not any(cell["outputs"] for cell in book["cells"] if cell["cell_type"] == "code"), "it is kept without outputs"
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    shown: list[Mapping[str, str]] = [
        output["data"]
        for cell in book["cells"]
        if cell["cell_type"] == "code"
        for output in cell["outputs"]
        if "data" in output
    ]
    assert len(shown) == sum(cell["cell_type"] == "code" for cell in book["cells"])
    assert all(len(text) < MOST for data in shown for text in data.values())
    pages = [data.get("text/html", "") for data in shown]
    assert "Uniforms" in pages[0] and "1000 lanes, the first 20" in pages[1]
    assert sum("<details>" in page for page in pages) == 1
    assert sum("image/svg+xml" in data for data in shown) == 2
