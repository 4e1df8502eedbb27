"""Resource usage of programs."""

from __future__ import annotations

from lanewise.core.record import Record


class Used(Record):
    """Usage of one resource, and how much of it the device has."""

    name: str
    used: int
    of: int
