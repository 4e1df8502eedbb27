"""Whole numbers that callers give, such as a number of threads: their ranges, and the error for another value."""

from __future__ import annotations

from _operator import index

from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.service import Request

THREADS = (1, 1024)
STEPS = (1, 10**15)  # of a vertex: instructions, or iterations of loops
COUNT = (0, 1 << 27)  # of vertices or lanes
AT_LEAST_ONE = (1, COUNT[1])
_DIGITS = 16  # of a text that is taken for a number
_ALL = {"threads": ": `os.cpu_count()` are all cores", "--threads": ": write --threads $(nproc) for all cores"}


def whole(name: str, value: object, ends: tuple[int, int]) -> int:
    """A value as a whole number. Raises ValueError with the name and the range for any other value."""
    least, most = ends
    if type(value) is int and least <= value <= most:
        return value
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)  # pyright: ignore[reportArgumentType]: anything may be given
    except TypeError:
        digits = isinstance(value, str) and value.strip().isdecimal() and len(value) < _DIGITS
        whole_number = digits or (isinstance(value, float) and value.is_integer())
        number = int(cast("float | str", value)) if whole_number else -1
        meant = f": write {number}" if whole_number and least <= number <= most else ""
        fix = meant or _ALL.get(name, "")
        from lanewise.core.argument_kinds import shown

        raise ValueError(f"{name} is {shown(value)}, expected a whole number from {least:,} to {most:,}{fix}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {number}, expected {least:,} to {most:,}{_ALL.get(name, '')}")
    return number


def whole_or_none(name: str, value: object, ends: tuple[int, int]) -> int | None:
    """A whole number, or None for the default. Raises ValueError."""
    return None if value is None else whole(name, value, ends)


def count_or_none(value: object, name: str = "count") -> int | None:
    """A number of vertices or lanes, or None for as many as there are.

    Raises ValueError for what is not a whole number; whether there are so many is a question to the data.
    """
    if value is None:
        return None
    try:
        return index(value)  # pyright: ignore[reportArgumentType]: anything may be given
    except TypeError:
        return whole(name, value, COUNT)


def check_options(request: Request, ranges: Mapping[str, tuple[int, int]]) -> None:
    """Raise UsageError for an option of a request that is out of its range."""
    for option, ends in ranges.items():
        try:
            whole_or_none(f"--{option}", request.whole(option), ends)
        except ValueError as error:
            raise UsageError(str(error)) from None
