"""Text in XML and HTML. The modules of the standard library that escape it import a web client, or regular expressions."""

from __future__ import annotations

from lanewise.core.diagnostics import visible


def escape(text: str, *, quotes: bool = False) -> str:
    """A text as it stands between tags; with `quotes`, also in the value of an attribute. XML has no control characters: they
    are visible."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;") if quotes else text
