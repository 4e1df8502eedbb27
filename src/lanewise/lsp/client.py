"""The abilities of an editor, and the settings of its user."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from pygls.uris import from_fs_path

from lanewise.core import writing
from lanewise.core.where import page_of_finding
from lanewise.lsp.findings import Client

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lsprotocol import types as t

    from lanewise.lsp.commands import Shown

SECTION = "lanewise"
_VISUAL_STUDIO_CODE = ("Visual Studio Code", "VSCodium", "code-server", "Cursor", "Windsurf")
_PAGES = ("https://", "http://", "file:///")
_ENDINGS = {"markdown": ".md", "plaintext": ".txt", "svg": ".svg"}


_OPTIONS = (
    "profile",
    "device",
    "rule",
    "include",
    "define",
    "semantic",
    "constant",
    "entry-point",
    "output-locations",
    "strict",
    "picasso-compat",
    "direct3d8",
)


def setting(key: str, value: str) -> str:
    """An option of a command as the user of an editor has it; empty for those that editors do not have."""
    if key == "dialect":
        return f"the language mode {value}".strip()
    if key in ("input", "uniform", "default"):
        return f"{f'`{value}`' if value else 'it'} in a shader test, or in the configuration of a debug session"
    where = f"the setting `lanewise.{key}`"
    return "" if key not in _OPTIONS else f"`{value}` in {where}" if value else where


class Settings:
    """The settings of a user: those that the editor starts the server with, then those of its section `lanewise`.

    `inlayHints` is a table of kinds that are true or false, or false for none; `codeLens` is true or false; `docs` is the
    address of the page of diagnostics; the names of `_OPTIONS` are options of commands; `showsTexts` says that the editor shows
    the texts that commands return.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def update(self, values: object) -> bool:
        """Take new settings; whether something changed. What is not a table is left out."""
        found = plain(values)
        if not isinstance(found, dict):
            return False
        table = cast("dict[str, Any]", found)
        section = table.get(SECTION)
        before = dict(self._values)
        self._values.update(cast("dict[str, Any]", section) if isinstance(section, dict) else table)
        return self._values != before

    @property
    def inlay_hints(self) -> object:
        return self._values.get("inlayHints", True)

    @property
    def code_lens(self) -> bool:
        return self._values.get("codeLens", True) is not False

    @property
    def docs(self) -> str:
        """The address of the page of diagnostics. Editors run a `command:` address, so only pages count."""
        value = self._values.get("docs", "")
        return value if isinstance(value, str) and value.startswith(_PAGES) else ""

    @property
    def options(self) -> dict[str, object]:
        """Values for options of instruction sets and compilers; `include` are folders for included files."""
        return {key: self._values[key] for key in _OPTIONS if key in self._values}

    @property
    def shows_texts(self) -> bool:
        return self._values.get("showsTexts", False) is True


def plain(value: object) -> object:
    """A value of the protocol as dictionaries and lists: pygls makes objects of some."""
    fields = getattr(value, "_asdict", None)
    if fields is not None:
        return {str(key): plain(item) for key, item in fields().items()}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in cast("dict[object, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in cast("list[object]", value)]
    return value


def client_of(params: t.InitializeParams, settings: Settings) -> Client:
    """The abilities of an editor with findings and edits."""
    name = params.client_info.name if params.client_info is not None else ""
    document, workspace = params.capabilities.text_document, params.capabilities.workspace
    published = document.publish_diagnostics if document is not None else None
    edits = workspace.workspace_edit if workspace is not None else None
    actions = document.code_action if document is not None else None

    def link(code: str) -> str:
        return address(code, settings.docs, commands=name.startswith(_VISUAL_STUDIO_CODE))

    return Client(
        link=link,
        related=bool(published and published.related_information),
        tags=bool(published and published.tag_support),
        versions=bool(edits and edits.document_changes),
        preferred=bool(actions and actions.is_preferred_support),
        applies=bool(workspace and workspace.apply_edit),
    )


def address(code: str, docs: str, *, commands: bool) -> str:
    """The address of a code's page: below `docs`, or the command that shows it, or the page as a file."""
    if docs:
        return f"{docs}#{code.lower()}"
    if commands:  # editors that run commands from links
        arguments = quote(f'["{code}"]')
        return f"command:lanewise.explain?{arguments}"
    published = page_of_finding(code)
    if published:
        return published
    page = _page()
    return page and f"{page}#{code.lower()}"


@cache
def _page() -> str:
    """The address of the page of all findings: that of a checkout, or one written for as long as the server runs; empty where
    none can be."""
    page = Path(__file__).resolve().parents[3] / "docs" / "diagnostics.md"
    if not page.is_file():
        from lanewise.api.findings import page as made

        try:
            page = Path(_folder().name) / "diagnostics.md"
            writing.write(page, made().encode())
        except OSError:
            return ""
    return from_fs_path(str(page)) or ""


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="lanewise-", ignore_cleanup_errors=True)


class Texts:
    """Texts that commands made, as files that an editor opens; they go with the server."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, shown: Shown, suffixes: Mapping[str, str]) -> str:
        """The resource of a file with a text. Raises OSError."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="lanewise-", ignore_cleanup_errors=True)
        stem = "".join([character if character.isalnum() or character in "-_." else "_" for character in shown.title])
        ending = _ENDINGS.get(shown.language) or suffixes.get(shown.language, ".txt")
        path = os.path.join(self._folder.name, stem + ending)
        writing.write(path, shown.text.encode(errors="replace"))
        return from_fs_path(path) or path

    def remove(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


__all__ = ["SECTION", "Settings", "Texts", "address", "client_of", "plain", "setting"]
