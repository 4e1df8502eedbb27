"""Sources of examples/ as pages, and where they use an instruction."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lanewise_site import playground
from lanewise_site.markup import fence, page

ROOT = Path(__file__).resolve().parents[3]
_LANGUAGES = {
    ".pica": "picasso",
    ".vsh": "nihstro",
    ".sc": "shadercore",
    ".vsa": "direct3d9",
    ".psa": "direct3d9",
    ".py": "python",
    ".toml": "toml",
    ".json": "json",
    ".vert": "glsl",
    ".mk": "make",
    ".cpp": "cpp",
    ".debug": "text",
    ".txt": "text",
    ".obj": "text",
}
_ISAS = {"picasso": "pica200", "nihstro": "pica200", "shadercore": "shadercore", "direct3d9": "direct3d9"}
_WORD = re.compile(r"^\s*(?:\w+:)?\s*(?:\+\s*)?([a-z]\w*)")
_MOST = 3


@cache
def sources() -> dict[str, str]:
    """The text files of examples/ by their path in the repository."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.suffix in _LANGUAGES and path.is_file() and "__pycache__" not in path.parts:
            found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return found


def page_of(path: str) -> str:
    """The page of an example, from the top of the documentation, without its suffix."""
    return f"reference/{path.replace('.', '-')}"


@cache
def _index() -> dict[tuple[str, str], list[tuple[str, int, str, str]]]:
    found: dict[tuple[str, str], list[tuple[str, int, str, str]]] = {}
    for path, text in sources().items():
        isa = _ISAS.get(_LANGUAGES[Path(path).suffix])
        if isa is None:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            code = re.split(r";|//", line)[0].rstrip()
            match = _WORD.match(code)
            if match:
                name = match[1].split("_")[0] if isa == "direct3d9" else match[1]
                link = f"/{page_of(path)}.md"
                found.setdefault((isa, name), []).append((path, number, " ".join(code.split()), link))
    return found


def uses(isa: str, name: str) -> list[tuple[str, int, str, str]]:
    """Lines of examples that use an instruction: file, line, text, link to its page. One of each file first."""
    every = _index().get((isa, name), [])
    first = [use for n, use in enumerate(every) if use[0] not in {other[0] for other in every[:n]}]
    return [*first, *[use for use in every if use not in first]][:_MOST]


def _page(path: str, text: str) -> str:
    language = _LANGUAGES[Path(path).suffix]
    opened = playground.example(page_of(path), path, text) if language in _ISAS else ""
    return page(f"`{path}`", opened, fence(text, language), above="[Examples](/reference/examples/index.md)")


def pages() -> dict[str, str]:
    found = {f"{page_of(path)}.md": _page(path, text) for path, text in sources().items()}
    rows = "\n".join([f"- [{path}](/{page_of(path)}.md)" for path in sources()])
    found["reference/examples/index.md"] = page(
        "Examples", "The files of `examples/` that are text. Tests run all of them.", rows, orphan=False
    )
    return found
