"""The parts of the package's metadata that follow from where the project is published (`src/lanewise/core/where.py`):
addresses, and the README with links that work outside of the repository."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(((?!https?:|#)[^)\s]+)\)")


class CustomMetadataHook(MetadataHookInterface):
    """Sets `urls` and `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        where = run_path(str(root / "src" / "lanewise" / "core" / "where.py"))
        repository, documentation = where["REPOSITORY"], where["DOCUMENTATION"]
        text = (root / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, repository)}
        metadata["urls"] = urls(repository, documentation)


def urls(repository: str, documentation: str) -> dict[str, str]:
    """The addresses of the project, by what they are; those that are not known yet are left out."""
    found = {"Documentation": documentation}
    if repository:
        found |= {
            "Source": repository,
            "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
            "Issues": f"{repository}/issues",
        }
    return {name: address for name, address in found.items() if address}


def readme(text: str, repository: str) -> str:
    """The README for a package index, which has none of the files that it links to: with their addresses, or, where the
    repository has none yet, without the links and pictures."""

    def replaced(match: re.Match[str]) -> str:
        picture, title, target = match.groups()
        if not repository:
            return "" if picture else title
        return f"{picture}[{title}]({repository}/{'raw' if picture else 'blob'}/HEAD/{target})"

    return _LINK.sub(replaced, text)
