"""Counts of loops by name: one number for the integer register and the boolean that compilers make of a count
(`isa.uniforms.GUARD`)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.lists import asarray
from lanewise.pica200.isa.program import Uniform
from lanewise.pica200.isa.table import BOOLEAN, INTEGER
from lanewise.pica200.isa.uniforms import GUARD, MOST_TURNS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lanewise.pica200.engine.names import Named
    from lanewise.pica200.isa.program import Constant


class Counted(NamedTuple):
    """The names of a count: its integer registers with their numbers, and its boolean."""

    integers: tuple[tuple[str, int], ...]
    guard: str


@lru_cache(256)
def counts(named: tuple[Named, ...]) -> dict[str, Counted]:
    """The counts that a program names, by name."""
    rows = {row.own_name: row for row in named if isinstance(row, Uniform)}
    found: dict[str, Counted] = {}
    for guard, row in rows.items():
        name = guard.removesuffix(GUARD)
        own = [name, *[other for other in rows if other.startswith(f"{name}.") and other[len(name) + 1 :].isdecimal()]]
        integers = tuple(
            [(rows[each].name, rows[each].first) for each in own if each in rows and INTEGER <= rows[each].first < BOOLEAN]
        )
        if row.first >= BOOLEAN and name != guard and integers and integers[0][0] == rows[name].name:
            found[name] = Counted(integers, row.name)
    return found


def with_counts(given: Mapping[str, Any], named: tuple[Named, ...], constants: Sequence[Constant]) -> Mapping[str, Any]:
    """The values with the registers of counts in place of the counts. Other values, and numbers that are not 0 to `MOST_TURNS`,
    are unchanged."""
    known = counts(named)
    if not known:
        return given
    presets = {constant.register: constant.values for constant in constants}
    found: dict[str, Any] = {}
    for key, value in given.items():
        count = known.get(key.replace("$", "."))
        turns = _whole(value) if count is not None else -1
        if count is None or not 0 <= turns <= MOST_TURNS:
            found[key] = value
            continue
        found[count.guard] = turns > 0
        for name, register in count.integers:
            _, start, step = (*presets.get(register, (0, 0, 1)), 0, 0, 0)[:3]
            found[name] = [max(turns - 1, 0), start, step]
    return found


def is_count(key: str, value: Any, named: tuple[Named, ...]) -> bool:
    """Whether a value is meant as a count: one number for a uniform that is one."""
    try:
        return key.replace("$", ".") in counts(named) and asarray(value).size == 1
    except (ValueError, TypeError, OverflowError, RuntimeError):
        return False


def _whole(value: Any) -> int:
    """The number of a value of one number; -1 for another value."""
    try:
        array = asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        return -1
    if array.size != 1 or array.dtype.kind not in "iuf":
        return -1
    number = float(array.reshape(-1)[0])
    return int(number) if number.is_integer() else -1
