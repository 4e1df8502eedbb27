"""A random Direct3D 9 case made small: instructions, lanes and data taken away for as long as what was found stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.direct3d9.isa.program import Item


def reduced(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """The smallest case found that is still `wrong`; a candidate that cannot be run at all is none."""
    case = _fewer_lanes(case, wrong)
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


def _fewer_lanes(case: Case, wrong: Callable[[Case], bool]) -> Case:
    """One wave, if that is enough: waves are cut from the start, so lanes of the first stay where they are."""
    if case.lanes <= 16:
        return case
    candidate = case._replace(lanes=16, inputs={name: grid[:16] for name, grid in case.inputs.items()})
    return candidate if wrong(candidate) else case
