"""SECURITY.md: each promise names a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (?P<given>.+) \| (?P<cause>.+) \| `(?P<path>[\w/.]+)::(?P<name>[^`]+)` \|$")


def test_each_promise_names_a_test() -> None:
    rows = [line for line in (ROOT / "SECURITY.md").read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 18
    for line in rows:
        row = ROW.match(line)
        assert row is not None, f"expected what is given, what it causes, and a test: {line}"
        text = (ROOT / row["path"]).read_text("utf-8")
        form = f"\ndef {row['name']}(" if row["path"].endswith(".py") else f'test("{row["name"]}"'
        assert form in text, f"{row['path']} has no test {row['name']}"
