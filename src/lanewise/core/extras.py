"""How the optional parts of lanewise are installed: said in one place, as lanewise is not in a package index."""

from __future__ import annotations


def extra(name: str) -> str:
    """The fix for a missing optional part: `in a checkout of lanewise, run `pip install '.[editor]'``."""
    return f"in a checkout of lanewise, run `pip install '.[{name}]'`"


__all__ = ["extra"]
