"""The one constant with the address of the documentation: empty, it is in no output; set, findings link to their pages."""

from __future__ import annotations

import re

import pytest

from corpus import REPOSITORY
from lanewise.core import where
from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.source import Span
from lanewise.lsp.client import address
from lanewise.tools.check_report import sarif


def test_there_is_no_address_yet():
    assert where.page_of_finding("V070") == "" == where.REPOSITORY
    assert not address("V070", "", commands=False).startswith("http")


def test_an_address_reaches_all_that_links(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(where, "DOCUMENTATION", "https://docs.example/")
    page = "https://docs.example/reference/findings/V070.html"
    assert address("V070", "", commands=False) == page
    assert address("V070", "https://other.example/page", commands=False) == "https://other.example/page#v070"
    log = sarif(
        [Diagnostic(code="V070", severity=WARNING, message="text", span=Span(file="a.v.pica", line=1, column=1, length=1))], []
    )
    assert page in str(log)


def test_no_address_of_the_project_is_written_elsewhere():
    found = [
        str(path)
        for folder in ("src", "docs", "editors/vscode/src")
        for path in (REPOSITORY / folder).rglob("*")
        if path.suffix in (".py", ".md", ".ts", ".json", ".toml")
        and "node_modules" not in path.parts
        and re.search(r"https?://[^\s)\"'`]*lanewise", path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert not found
