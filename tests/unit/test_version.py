"""The version is the same wherever it is written, and what a release needs is there."""

from __future__ import annotations

import re
import tomllib

from corpus import REPOSITORY
from lanewise import __version__


def test_every_file_has_the_same_version():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    citation = re.search(r"^version: (\S+)$", (REPOSITORY / "CITATION.cff").read_text(), re.MULTILINE)
    assert citation is not None
    assert {project["version"], citation[1]} == {__version__}


def test_the_sdist_has_every_file_at_the_top():
    """What the README links to is in the archive."""
    target = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["sdist"]
    links = re.findall(r"\]\(([A-Z]+\.\w+)\)", (REPOSITORY / "README.md").read_text())
    assert {"CHANGELOG.md", "SECURITY.md", "CITATION.cff"} <= set(links)
    assert set(links) <= set(target["include"])
