"""How much of what a device offers a program uses."""

from __future__ import annotations

from typing import NamedTuple


class Used(NamedTuple):
    """How much of something a program uses, of how much there is."""

    name: str
    used: int
    of: int
