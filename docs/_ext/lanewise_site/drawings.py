"""Drawings of pages: an SVG of docs/drawings becomes part of the page, so that it takes the colours of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lanewise_site.markup import raw

if TYPE_CHECKING:
    from pathlib import Path

_DRAWING = re.compile(r"^!\[([^\]]*)\]\(/?(drawings/[\w.-]+\.svg)\)$", re.MULTILINE)
_COLOURS = re.compile(r"<style>.*?</style>", re.DOTALL)


def named(text: str) -> list[str]:
    """The drawings of a page, by their paths in docs/."""
    return [match[2] for match in _DRAWING.finditer(text)]


def inlined(text: str, docs: Path) -> str:
    def drawing(match: re.Match[str]) -> str:
        svg = _COLOURS.sub("", (docs / match[2]).read_text(encoding="utf-8"))
        return raw(f'<figure class="lw-drawing">{svg}<figcaption>{match[1]}</figcaption></figure>')

    return _DRAWING.sub(drawing, text)
