"""Work counted in calls of functions, those of C too: the same on every machine, however busy it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def calls(function: Callable[[], object], most: int = sys.maxsize) -> int:
    """The calls that a function makes. Raises AssertionError at once where they are more than `most`."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")
        if count > most:
            sys.setprofile(None)
            raise AssertionError(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(before)
    assert count <= most
    return count
