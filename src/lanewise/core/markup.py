"""Text in XML and HTML. The modules of the standard library that escape it import a web client, or regular expressions."""

from __future__ import annotations

from lanewise.core.diagnostics import visible
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FONT = "12px ui-monospace, monospace"
"""The font of text in SVG: generic families, which each system has."""


def escape(text: str, *, quotes: bool = False) -> str:
    """A text as it stands between tags; with `quotes`, also in the value of an attribute. XML has no control characters: they
    are visible."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;") if quotes else text


def svg_head(width: str, height: str, title: str, about: str, *, linked: bool = False) -> list[str]:
    """The first lines of an SVG: its size, its name and its description for readers of a screen.

    A picture with links is a document, whose parts are read; without, it is one image.
    """
    role = "graphics-document document" if linked else "img"
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="{role}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(about)}</desc>",
    ]


def both_schemes(style: str, dark: Mapping[str, str]) -> str:
    """The `<style>` of an SVG that follows the reader's colour scheme: `dark` has the dark colour of each light one.

    It changes the rules of `style`, and shapes with a colour as attribute. A viewer without media queries shows light colours.
    """
    rules: list[str] = []
    for line in style.splitlines():
        changed = line
        for light, colour in dark.items():
            changed = changed.replace(light, colour)
        if changed != line:
            rules.append(changed)
    for light, colour in dark.items():
        rules += [f'[{name}="{light}"] {{ {name}: {colour}; }}' for name in ("fill", "stroke")]
    body = "\n".join(rules)
    return (
        f"<style>\nsvg {{ color-scheme: light dark; }}\n{style}\n@media (prefers-color-scheme: dark) {{\n{body}\n}}\n</style>"
    )
