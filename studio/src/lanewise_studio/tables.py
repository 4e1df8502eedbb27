"""What any page is told of lanewise first: its version, its languages with their colours, and the variants of each instruction
set."""

from __future__ import annotations

from functools import lru_cache

from lanewise import __version__
from lanewise.packages import languages, packages


@lru_cache
def tables() -> dict[str, object]:
    """The same for every page, as plain values."""
    return {
        "lanewise": __version__,
        "languages": [
            {"isa": package.name, "name": row.name, "title": row.title, "suffixes": [*row.suffixes]}
            for package, row in languages()
        ],
        "lexicons": _lexicons(),
        "variants": {
            package.name: [
                {
                    "option": row.option.lstrip("-"),
                    "name": row.name,
                    "summary": row.summary,
                    "evidence": row.evidence,
                    "title": title_of(package.name, row.name),
                }
                for row in package.variants()
            ]
            for package in packages()
        },
    }


# What newcomers call a profile, device or rule whose name says little.
_TITLES = {
    ("shadercore", "document"): "specification",
    ("shadercore", "rtl"): "public hardware",
    ("direct3d9", "ieee"): "IEEE 754",
    ("direct3d9", "d3d9"): "Direct3D 9",
    ("direct3d9", "document"): "ShaderCore specification",
    ("direct3d9", "rtl"): "ShaderCore hardware",
}


def title_of(isa: str, name: str) -> str:
    """The title of a profile, device or rule; empty where its name says it."""
    return _TITLES.get((isa, name), "")


def _lexicons() -> dict[str, object]:
    """How each language is coloured, from its tables."""
    found: dict[str, object] = {}
    for _, row in languages():
        if row.lexicon is not None:
            own = row.lexicon()
            found[row.name] = {
                "comment": own.comment,
                "rules": [{"pattern": rule.pattern, "kinds": [*rule.kinds], "end": rule.end} for rule in own.rules],
            }
    return found


__all__ = ["tables", "title_of"]
