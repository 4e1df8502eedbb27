"""Values of data files and options as runs take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.lists import asarray
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import ERROR, SAMPLER, About, Diagnostic, InputError
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def plain(value: Any) -> list[Any]:
    """A value of a data file as a list of numbers."""
    array = value.array if isinstance(value, Words) else asarray(value)
    return array.reshape(-1).tolist()


def samplers_of(given: Mapping[str, Any]) -> dict[int, Any]:
    """Samplers by number. Raises InputError for another name."""
    found: dict[int, Any] = {}
    for name, value in given.items():
        digits = str(name).lower().removeprefix("s")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 3):
            raise InputError(
                [
                    Diagnostic(
                        code="B001",
                        severity=ERROR,
                        message=f"unknown sampler '{name}'",
                        span=Span(file=""),
                        notes=(),
                        fix="use s0 to s15",
                        about=(About(SAMPLER, name),),
                    )
                ]
            )
        found[int(digits)] = value
    return found
