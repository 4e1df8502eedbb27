"""The assembly languages of the PICA200, each a folder here and a row of `DIALECTS`.

Ask through `dialects()`: tests replace the tuple. The first row is the language of a text that does not show one.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.nihstro.dialect import NIHSTRO
from lanewise.pica200.text.picasso.dialect import PICASSO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.pica200.text.dialect import Dialect

DIALECTS: tuple[Dialect, ...] = (PICASSO, NIHSTRO)


def dialects() -> tuple[Dialect, ...]:
    """All languages, in the order in which they are listed."""
    return DIALECTS


def source_suffixes() -> tuple[str, ...]:
    """The suffixes of sources, the longer of two that end alike first."""
    return tuple([suffix for dialect in dialects() for suffix in dialect.suffixes])


def dialect_of(name: str) -> Dialect | None:
    """The language that a file's suffix names."""
    lower = name.lower()
    return next((dialect for dialect in dialects() if lower.endswith(dialect.suffixes)), None)


def dialect_named(name: str) -> Dialect:
    """A language by its name. Raises ValueError with the names that there are."""
    for dialect in dialects():
        if dialect.name == name:
            return dialect
    raise ValueError(f"unknown dialect {name!r}: use {', '.join([dialect.name for dialect in dialects()])}")


def dialects_of(names: Iterable[str], dialect: str = "") -> tuple[Dialect, ...]:
    """The languages of sources: `dialect`, or those of their suffixes; the first row where no suffix is known. Raises
    ValueError."""
    if dialect:
        return (dialect_named(dialect),)
    found = {dialect.name: dialect for dialect in map(dialect_of, names) if dialect is not None}
    return tuple(found.values()) or dialects()[:1]
