"""How much a run of the tests does: a part of each sweep by default, all of it in `nox -s exhaustive`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

T = TypeVar("T")

EXHAUSTIVE = bool(os.environ.get("LANEWISE_EXHAUSTIVE"))
EXAMPLES = 10  # times as many examples of a property in an exhaustive run


def sample(rows: Sequence[T], count: int) -> list[T]:
    """`count` of the rows, the first among them, evenly spaced; all of them in an exhaustive run."""
    if EXHAUSTIVE or count >= len(rows):
        return list(rows)
    return [rows[number * len(rows) // count] for number in range(count)]


def times(usual: int, exhaustive: int) -> int:
    """How often something is done: a usual number of times, or more in an exhaustive run."""
    return exhaustive if EXHAUSTIVE else usual


def examples(count: int, exhaustive: int = 0) -> settings:
    """Hypothesis tries so many examples; in an exhaustive run as many as are named, or ten times as many."""
    return settings(max_examples=times(count, exhaustive or count * EXAMPLES))


def evenly(metafunc: pytest.Metafunc) -> None:
    """Leave out what the mark `one_of` leaves out, before pytest makes a test of it: of 5,300 that took a second."""
    mark = metafunc.definition.get_closest_marker("one_of")
    if mark is not None and not EXHAUSTIVE:
        calls = metafunc._calls  # pyright: ignore[reportPrivateUsage] # there is no other list of them
        calls[:] = calls[:: mark.args[0]]
