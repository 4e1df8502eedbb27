"""The extension for VS Code has what the Visual Studio Marketplace and Open VSX ask of a package, without Node.js.

`nox -s editor` builds the package with vsce, which refuses what is missing, and refuses one of more than 2 MB."""

from __future__ import annotations

import json
import re
import struct
import tomllib
from typing import Any

import pytest

from corpus import REPOSITORY
from lanewise.compile.frontends import GLSL, HLSL, SLANG
from lanewise.core import where
from lanewise.tools import grammars

EXTENSION = REPOSITORY / "editors" / "vscode"
CATEGORIES = {"Programming Languages", "Debuggers", "Linters", "Formatters", "Testing", "Visualization", "Education", "Other"}
"Those of the Marketplace that an extension like this may have: https://code.visualstudio.com/api/references/extension-manifest"
TAGS = 30
"The most tags of an extension; vsce adds some for its languages and their suffixes."


def manifest() -> dict[str, Any]:
    return json.loads((EXTENSION / "package.json").read_text())


def tags(data: dict[str, Any]) -> set[str]:
    """The keywords with those that vsce adds."""
    contributes = data["contributes"]
    languages = contributes["languages"]
    added = {name.replace(" ", "") for row in languages for name in (row["id"], *row.get("aliases", ()))}
    added |= {f"__ext_{suffix.removeprefix('.')}" for row in languages for suffix in row["extensions"]}
    return {*data["keywords"], *added, *({"debuggers", "keybindings"} & set(contributes))}


def faults(data: dict[str, Any]) -> list[str]:
    """The rules that a manifest breaks."""
    banner = data.get("galleryBanner", {})
    rules = {
        "the name has small letters, digits and hyphens": re.fullmatch(r"[a-z0-9][a-z0-9-]*", data.get("name", "")),
        "a publisher is named": re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*", data.get("publisher", "")),
        "there is a title": data.get("displayName"),
        "the description is a sentence of at most 200 characters": 0 < len(data.get("description", "")) <= 200,
        "the licence is that of the project": data.get("license") == "MIT",
        "the banner has a colour": re.fullmatch(r"#[0-9A-Fa-f]{6}", banner.get("color", "")),
        "the banner has a theme": banner.get("theme") in ("dark", "light"),
        "every category is one of the Marketplace": data.get("categories") and set(data["categories"]) <= CATEGORIES,
        "there are keywords, each once": data.get("keywords") and len(set(data["keywords"])) == len(data["keywords"]),
        f"there are at most {TAGS} tags": len(tags({"keywords": [], **data})) <= TAGS,
        "the icon is a PNG": str(data.get("icon", "")).endswith(".png"),
        "the price is named": data.get("pricing") == "Free",
        "an engine is named, and not any": re.fullmatch(r"\^1\.\d+\.\d+", data.get("engines", {}).get("vscode", "")),
        "the proposed API is not used": "enabledApiProposals" not in data,
    }
    return [rule for rule, kept in rules.items() if not kept]


def test_the_manifest_keeps_the_rules():
    data = manifest()
    assert faults(data) == []
    for key in ("publisher", "description", "license", "galleryBanner", "categories", "keywords", "icon", "pricing", "engines"):
        assert faults({name: value for name, value in data.items() if name != key}), key
    assert faults({**data, "keywords": [f"word{number}" for number in range(TAGS)]}) == [f"there are at most {TAGS} tags"]


def test_the_icon_is_large_enough():
    header = (EXTENSION / manifest()["icon"]).read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", header[16:24])
    assert width == height >= 128


def test_the_package_has_the_pages_of_a_marketplace():
    kept = (EXTENSION / ".vscodeignore").read_text().split()
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "icon.png", "package.json"):
        assert f"!{name}" in kept and (EXTENSION / name).is_file(), name
    assert kept[0] == "**"  # nothing else is in it
    assert (EXTENSION / "LICENSE").read_text() == (REPOSITORY / "LICENSE").read_text()
    version = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version}\n" in (EXTENSION / "CHANGELOG.md").read_text()


def test_the_pages_link_only_to_addresses():
    for name in ("README.md", "CHANGELOG.md"):
        text = (EXTENSION / name).read_text()
        assert all(link.startswith("https://") for link in re.findall(r"\]\(([^)]+)\)", text)), name
        assert not re.search(r"!\[[^\]]*\]\([^)]*\.svg\)|<(?:script|iframe|img|svg)\b", text), name


def test_the_tasks_know_the_sources_that_are_compiled():
    named = re.search(r"export const COMPILED = (\[.*\]);", (EXTENSION / "src" / "texts.ts").read_text())
    assert named
    suffixes = [suffix for front in (GLSL, HLSL, SLANG) for suffix in (front.language.suffixes if front.language else ())]
    assert json.loads(named[1]) == suffixes


def test_the_repository_is_named_when_there_is_one(monkeypatch: pytest.MonkeyPatch):
    text = (EXTENSION / "package.json").read_text()
    assert not {"repository", "bugs", "homepage"} & set(manifest())
    monkeypatch.setattr(where, "REPOSITORY", "https://code.example/lanewise")
    monkeypatch.setattr(where, "DOCUMENTATION", "https://docs.example/")
    published = grammars.manifest(text)
    data = json.loads(published)
    assert data["repository"] == {"type": "git", "url": "https://code.example/lanewise", "directory": "editors/vscode"}
    assert (data["bugs"], data["homepage"]) == ({"url": "https://code.example/lanewise/issues"}, "https://docs.example/")
    monkeypatch.undo()
    assert grammars.manifest(published) == text
