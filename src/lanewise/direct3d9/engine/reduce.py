"""Reduce a random Direct3D 9 case.

Instructions, lanes and data are removed while the finding stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.direct3d9.isa.program import Item


def reduced(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """The smallest case found that is still `wrong`; a candidate that cannot run does not count."""
    return _less_data(_one_lane(_fewer_items(_fewer_lanes(case, wrong), wrong), wrong), wrong)


def _fewer_items(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """As few instructions as are found: halves, quarters and so on are left out, then each."""
    items: Sequence[Item] = case.shader.items
    size = max(1, len(items) // 2)
    while True:
        at, changed = 0, False
        while at < len(items):
            fewer = (*items[:at], *items[at + size :])
            candidate = case._replace(shader=case.shader._replace(items=tuple(fewer)))
            if wrong(candidate):
                items, changed = fewer, True
                case = candidate
            else:
                at += size
        if size == 1 and not changed:
            return case
        size = max(1, size // 2)


def _one_lane(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """A single lane, if one of them is enough by itself."""
    for lane in range(case.lanes if case.lanes > 1 else 0):
        candidate = case._replace(lanes=1, inputs={name: grid[lane : lane + 1] for name, grid in case.inputs.items()})
        if wrong(candidate):
            return candidate
    return case


def _less_data(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """No data that the finding does not need."""
    for field in ("inputs", "constants", "integers", "booleans"):
        for name in tuple(getattr(case, field)):
            rest = {key: value for key, value in getattr(case, field).items() if key != name}
            candidate = case._replace(**{field: rest})
            if wrong(candidate):
                case = candidate
    return case


def _fewer_lanes(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """One wave, if that is enough: waves are cut from the start, so lanes of the first stay where they are."""
    if case.lanes <= 16:
        return case
    candidate = case._replace(lanes=16, inputs={name: grid[:16] for name, grid in case.inputs.items()})
    return candidate if wrong(candidate) else case
