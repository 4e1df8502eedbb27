"""The assembly languages that there are, and the suffixes by which their files are known."""

from __future__ import annotations

DIALECTS = {
    "picasso": (".v.pica", ".g.pica", ".pica"),
    "nihstro": (".vsh", ".gsh"),
}
SOURCE_SUFFIXES = tuple(suffix for suffixes in DIALECTS.values() for suffix in suffixes)


def dialect_of(name: str) -> str:
    """The language that a file's suffix names, or nothing."""
    lower = name.lower()
    return next((dialect for dialect, suffixes in DIALECTS.items() if lower.endswith(suffixes)), "")
