"""The registry of diagnostics and the source say the same, and the page in docs/ is made from it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lanewise.api.findings import findings as codes
from lanewise.core.codes import SHARED
from lanewise.packages import PACKAGES
from lanewise.tools import pages
from together import together

CODES = codes()

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "lanewise"
_LITERAL = re.compile(r"[\"']([PVHCRBTLDUSF]\d{3})[\"']")
_SENTENCE = re.compile(r"\S.*[.)]\Z", re.DOTALL)


def used() -> dict[str, str]:
    """Every code that the source reports, with a file that does. Tables of codes do not count."""
    found: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name in ("codes.py", "about.py"):
            continue
        for code in _LITERAL.findall(path.read_text(encoding="utf-8")):
            found.setdefault(code, str(path.relative_to(SOURCE)))
    return found


def test_every_code_that_is_reported_has_a_row():
    missing = {code: path for code, path in used().items() if code not in CODES}
    assert not missing


def test_every_row_is_reported_somewhere():
    assert not set(CODES) - set(used())


def test_the_search_for_codes_finds_them():
    assert {"P001", "V003", "C001", "R002"} <= used().keys()
    assert len(used()) > 100


@together("row", CODES.values(), ids=lambda row: row.code)
def test_rows_say_everything(row: object):
    code, title, meaning, why, mend, evidence, _ = CODES[row.code]  # type: ignore[attr-defined]
    assert _LITERAL.fullmatch(f'"{code}"')
    assert title
    assert not title.endswith("."), "a title is no sentence"
    for text in (meaning, why, mend):
        assert _SENTENCE.match(text), text
        assert "  " not in text
    assert not evidence.endswith("."), "evidence names sources"


def test_codes_stand_in_order_and_once():
    for letter in "PVHCRBTLDUSF":
        for rows in (SHARED, *[package.codes() for package in PACKAGES]):
            group = [row.code for row in rows if row.code[0] == letter]
            assert group == sorted(group)


def test_every_table_is_joined():
    rows = 0
    for path in SOURCE.rglob("codes.py"):
        rows += len(re.findall(r"^[A-Z]\d{3} ", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == len(CODES)


@cache
def generated() -> dict[str, str]:
    return pages.pages()


def test_pages_are_up_to_date():
    for name, text in generated().items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, f"{name}: run python -m lanewise.tools.pages"


def test_the_page_has_every_code():
    text = generated()["diagnostics.md"]
    for code, row in CODES.items():
        assert f"### {code}\n" in text
        assert row.title in text.replace("\\", "")  # without what Markdown needs
