"""The conformance corpus beside the repository: programs with the bytes and messages of picasso 2.7.1 and nihstro."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = REPOSITORY.parent / "shared"
CONFORMANCE = SHARED / "conformance"
needs_shared = pytest.mark.skipif(
    not CONFORMANCE.is_dir(), reason="the conformance corpus (../shared) is not beside the repository"
)


class Row(NamedTuple):
    """One program: its folder, name, sources in order, and what the tool made of it (`data` is None if it refused)."""

    folder: Path
    name: str
    files: tuple[str, ...]
    arguments: tuple[str, ...]
    data: bytes | None
    header: str | None
    stderr: str

    def sources(self) -> list[tuple[str, str]]:
        """(name, text) of each source; line ends stay as they are."""
        return [(name, (self.folder / name).read_bytes().decode("latin-1")) for name in self.files]

    @property
    def padding(self) -> bool:
        return not {"-n", "--no-nop"} & set(self.arguments)


def rows(tool: str, part: str) -> list[Row]:
    """The rows of a manifest; none where the corpus is absent."""
    folder = CONFORMANCE / tool / part
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        return []
    entries: list[dict[str, Any]] = json.loads(manifest.read_text())
    return [
        Row(
            folder,
            entry["name"],
            tuple(entry["files"]),
            tuple(entry["args"]),
            (folder / entry["shbin"]).read_bytes() if "shbin" in entry else None,
            (folder / entry["header"]).read_text() if "header" in entry else None,
            entry["stderr"],
        )
        for entry in entries
    ]


def name_of(row: Row) -> str:
    return f"{row.folder.name}/{row.name}"
