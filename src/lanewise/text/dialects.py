"""The assembly languages that there are, and the suffixes by which their files are known."""

from __future__ import annotations

DIALECTS = {"picasso": (".v.pica", ".g.pica", ".pica", ".vsh", ".gsh")}
SOURCE_SUFFIXES = tuple(suffix for suffixes in DIALECTS.values() for suffix in suffixes)
