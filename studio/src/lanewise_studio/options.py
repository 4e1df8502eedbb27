"""The options of commands that a state may have: those that decide how its files are read."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lanewise.packages import packages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.service import Option

_KEYS = (
    "define",
    "semantic",
    "constant",
    "entry-point",
    "output-locations",
    "strict",
    "preamble",
    "glsl-compiler",
    "picasso-compat",
    "direct3d8",
)


@lru_cache
def options() -> Mapping[str, Option]:
    """The rows of the options by key, as `lanewise check` has them."""
    rows = {option.key: option for package in packages() for option in package.manual("check").options}
    return {key: rows[key] for key in _KEYS}


def plain_options() -> list[dict[str, object]]:
    """The same for the page."""
    return [{"key": key, "names": [*row.names], "kind": row.kind, "help": row.help} for key, row in options().items()]


__all__ = ["options", "plain_options"]
