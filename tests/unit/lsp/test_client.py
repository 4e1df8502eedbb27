"""Settings of users, and the addresses of codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lanewise.lsp import client
from lanewise.lsp.client import Settings, Texts, address
from lanewise.lsp.commands import Shown
from lanewise.lsp.documents import path_of


class Table(NamedTuple):
    """What pygls makes of an object."""

    lanewise: Any


def test_settings_come_in_many_forms():
    settings = Settings()
    assert settings.inlay_hints is True
    assert settings.update({"lanewise": {"inlayHints": {"address": False}, "codeLens": False, "other": 1}})
    assert settings.inlay_hints == {"address": False}
    assert not settings.code_lens
    assert not settings.update({"inlayHints": {"address": False}})
    assert settings.update(Table({"docs": "https://example.org/d"}))
    assert settings.docs == "https://example.org/d"
    assert settings.update({"docs": 3, "device": "rtl", "showsTexts": True})
    assert settings.docs == ""
    assert settings.options == {"device": "rtl"}
    assert settings.shows_texts
    wrong: tuple[object, ...] = (None, 3, (), "x")
    assert not any(settings.update(value) for value in wrong)


@pytest.mark.parametrize(
    "docs", ["command:workbench.action.quit", "lanewise:/x?{}", "javascript:alert(1)", "vscode://x", " command:x"]
)
def test_the_page_of_codes_is_no_command(docs: str):
    settings = Settings()
    settings.update({"docs": docs})
    assert settings.docs == ""


@pytest.mark.parametrize(
    ("docs", "commands", "wanted"),
    [
        ("https://example.org/d", True, "https://example.org/d#v070"),
        ("", True, "command:lanewise.explain?%5B%22V070%22%5D"),
        ("", False, "/diagnostics.md#v070"),
    ],
)
def test_codes_have_addresses(docs: str, commands: bool, wanted: str):
    assert address("V070", docs, commands=commands).endswith(wanted)


def test_texts_are_files_until_the_server_ends():
    texts = Texts()
    path = Path(path_of(texts.write(Shown("a/b: c", "markdown", "# x \ud800"), {})))
    other = Path(path_of(texts.write(Shown("d", "picasso", "mov"), {"picasso": ".v.pica"})))
    assert (path.name, path.read_text()) == ("a_b__c.md", "# x ?")
    assert other.name == "d.v.pica"
    texts.remove()
    texts.remove()
    assert not path.exists()


def test_an_installed_package_writes_the_page_that_codes_lead_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(client, "__file__", str(tmp_path / "lanewise" / "lsp" / "client.py"))
    client._page.cache_clear()  # pyright: ignore[reportPrivateUsage]
    try:
        path, _, anchor = address("V070", "", commands=False).removeprefix("file://").partition("#")
        assert f"### {anchor.upper()}\n" in Path(path).read_text()
        assert not path.startswith(str(tmp_path))
    finally:
        client._page.cache_clear()  # pyright: ignore[reportPrivateUsage]
