"""Pages of files at the top of the repository, and the links of pages as the site needs them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lanewise.api.findings import findings
from lanewise.packages import packages
from lanewise_site.examples import ROOT, page_of, sources
from lanewise_site.instructions import address, instructions

_FILES = {
    "README.md": "project/readme",
    "CONTRIBUTING.md": "project/contributing",
    "CHANGELOG.md": "project/changelog",
    "SECURITY.md": "project/security",
}
_LINK = re.compile(r"(?<!!)(\]\()(?!https?:|mailto:|/)([^)#\s]*)(#[^)\s]*)?(\))")
_PICTURE = re.compile(r"(!\[[^\]]*\]\()(?!https?:|/)([^)\s]+)(\))")
_ISAS = {f"{package.name}.md": package.name for package in packages()}
_ORPHAN = "---\norphan: true\n---\n\n"


def pages() -> dict[str, str]:
    return {
        f"{target}.md": _ORPHAN + rewritten(name, (ROOT / name).read_text(encoding="utf-8"))
        for name, target in _FILES.items()
        if (ROOT / name).exists()
    }


def rewritten(source: str, text: str) -> str:
    """A page of the repository with links that lead to pages of the site. `source` is its path in the repository."""
    folder = Path(source).parent

    def link(match: re.Match[str]) -> str:
        opening, target, anchor, closing = match[1], match[2], match[3] or "", match[4]
        return f"{opening}{_target(source, folder, target, anchor)}{closing}"

    def picture(match: re.Match[str]) -> str:
        return f"{match[1]}/{_within_docs(folder, match[2])}{match[3]}"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for n in range(0, len(parts), 2):
        parts[n] = _PICTURE.sub(picture, _LINK.sub(link, parts[n]))
    return "".join(parts)


def _within_docs(folder: Path, target: str) -> str:
    return _normal(folder / target).removeprefix("docs/")


def _normal(path: Path) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _target(source: str, folder: Path, target: str, anchor: str) -> str:
    if not target:
        return _anchored(_normal(Path(source)), anchor) or anchor
    path = _normal(folder / target)
    known = _anchored(path, anchor)
    if known:
        return known
    if path in _FILES:
        return f"/{_FILES[path]}.md{anchor}"
    if path in sources():
        return f"/{page_of(path)}.md"
    if path.split("/")[0] == "examples" and (ROOT / path).is_dir():
        return "/reference/examples/index.md"
    if path.startswith("docs/"):
        return f"/{path.removeprefix('docs/')}{anchor}"
    return f"path:{_up(source)}{path}" if (ROOT / path).is_file() else f"{target}{anchor}"


def _up(source: str) -> str:
    """From the folder of a page of the site to the top of the repository."""
    depth = len(Path(source).parts) - 1 if source.startswith("docs/") else 2  # files of the top are in docs/project
    return "../" * depth


def _anchored(path: str, anchor: str) -> str:
    """The page of a code or an instruction in the place of an anchor of a generated page."""
    name = path.removeprefix("docs/")
    if name == "diagnostics.md":
        code = anchor[1:].upper()
        return f"/reference/findings/{code}.md" if code in findings() else "/reference/findings/index.md"
    if name in _ISAS:
        isa = _ISAS[name]
        return f"/{address(isa, anchor[1:])}.md" if anchor[1:] in _instructions(isa) else f"/reference/{isa}/index.md"
    return ""


@cache
def _instructions(isa: str) -> frozenset[str]:
    package = next(package for package in packages() if package.name == isa)
    return frozenset([str(row["name"]) for row in instructions(package)])


# Pages of the repository for which the site has others: a page there says where they are.
REPLACED = {
    "diagnostics": _ORPHAN + "# Diagnostics\n\nThe site has a page for each code: [Findings](/reference/findings/index.md).\n",
    **{
        name.removesuffix(".md"): _ORPHAN
        + f"# {isa}\n\nThe site has a page for each instruction: [opcodes](/reference/{isa}/index.md).\n"
        for name, isa in _ISAS.items()
    },
}
