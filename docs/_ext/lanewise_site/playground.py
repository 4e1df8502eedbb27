"""The playground beside the documentation: where it was built, programs of the pages have a link that opens them in it."""

from __future__ import annotations

import base64
import html
import json
import re
import shutil
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.api.loading import load
from lanewise.core.diagnostics import InputError
from lanewise_site.markup import raw

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[3]
SOURCE = ROOT / "studio" / "playground"
FOLDER = SOURCE / "built"
PLACE = "playground"  # in the site
_SUFFIXES = {"pica": ".v.pica", "picasso": ".v.pica", "nihstro": ".vsh", "shadercore": ".sc", "direct3d9": ".vsa"}
_FRONT = "examples/toon.v.pica"  # what the front page shows
_SHOWN = "The playground: a shader with its values beside it, its steps, and where one value comes from"
_PICTURES = {"only-light": "playground.png", "only-dark": "playground-dark.png"}
_PICTURE = re.compile(r"^!\[[^\]]*\]\(/?ring\.svg\)$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def is_built() -> bool:
    return (FOLDER / "manifest.json").is_file()


def copy(site: Path) -> None:
    """Put the playground into a built site, if there is one."""
    if is_built():
        shutil.copytree(FOLDER, site / PLACE, dirs_exist_ok=True)
        (site / "_static").mkdir(exist_ok=True)
        for name in _PICTURES.values():
            shutil.copy(ROOT / "docs" / "pictures" / name, site / "_static" / name)


def link(page: str, files: Mapping[str, str]) -> str:
    """The link of a page that opens files in the playground; empty where it was not built."""
    if not is_built():
        return ""
    address = f"{'../' * page.count('/')}{PLACE}/index.html#{fragment(files)}"
    return raw(f'<p class="lw-playground"><a href="{html.escape(address)}">Open in the playground</a></p>')


def front(text: str) -> str:
    """The front page with the playground below its picture, on an example; docs/_static/front.js starts it."""
    if not is_built():
        return text
    files = {Path(_FRONT).name: (ROOT / _FRONT).read_text(encoding="utf-8"), **_values(_FRONT)}
    address = html.escape(f"{PLACE}/index.html#{fragment(files)}")
    pictures = "".join([f'<img class="{kind}" src="_static/{name}" alt="{_SHOWN}">' for kind, name in _PICTURES.items()])
    shown = raw(f'<div class="lw-front" data-src="{address}"><a href="{address}">{pictures}</a></div>')
    picture = _PICTURE.search(text)
    if picture is None:
        raise ValueError("docs/index.md has no picture for the playground")
    heading, intro = text[: picture.start()].split("\n\n", 1)
    hero = f"::::{{container}} lw-hero\n\n:::{{container}}\n{intro.strip()}\n:::\n\n{picture[0]}\n\n::::"
    return f"{heading}\n\n{hero}\n\n{shown}{text[picture.end() :]}"


def fragment(files: Mapping[str, str]) -> str:
    """The state of files as the page's links carry it: JSON, deflated, in base64url."""
    state = {"files": [{"name": name, "text": text} for name, text in files.items()]}
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(json.dumps(state, separators=(",", ":")).encode()) + packed.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def example(page: str, path: str, text: str) -> str:
    """The link of an example of the repository, with its data where the playground has some."""
    return link(page, {Path(path).name: text, **_values(path)})


def _values(path: str) -> dict[str, str]:
    """The file of data of an example, where the playground has one."""
    data = _data().get(path)
    return {data.name: data.read_text(encoding="utf-8")} if data is not None else {}


@cache
def _data() -> dict[str, Path]:
    """The files of data of the playground's examples, by the path of the source."""
    rows = json.loads((SOURCE / "examples" / "index.json").read_text(encoding="utf-8"))
    return {f"examples/{row['source']}": SOURCE / "examples" / row["data"] for row in rows}


def linked(page: str, text: str) -> str:
    """A page with a link below each whole program in it."""

    def below(match: re.Match[str]) -> str:
        suffix = _SUFFIXES.get(match[1], "")
        found = link(page, {f"{page.rpartition('/')[2]}{suffix}": match[2]}) if suffix and _is_program(match[2], suffix) else ""
        return f"{match[0]}\n\n{found}\n" if found else match[0]

    return _FENCE.sub(below, text)


@cache
def _is_program(text: str, suffix: str) -> bool:
    """Whether a text is a program by itself, not a part of one."""
    try:
        load(text.encode(), name=f"page{suffix}", isa=None)
    except InputError:
        return False
    return True
