"""Resource usage of programs."""

from __future__ import annotations

from typing import NamedTuple


class Used(NamedTuple):
    """Usage of one resource, and how much of it the device has."""

    name: str
    used: int
    of: int
