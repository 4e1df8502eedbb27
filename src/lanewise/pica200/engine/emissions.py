"""Primitives from emitted vertices, for all runs of a geometry shader at once.

This is the buffer of `sem.emission` as arrays. A slot holds the last vertex that was put into it, in any run, and an EMIT uses
the operands of the last SETEMIT: both are the last item before a place in a list, so all runs are computed together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.pica200.ir.ssa import INHERITED
from lanewise.pica200.sem.emission import SENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.pica200.sem.profile import Profile

_SLOT, _PRIMITIVE, _INVERTED = 3, 4, 8  # of `ir.ssa.setting_of`


class Sending(NamedTuple):
    """The primitives: `corners` (primitives, 3) are numbers of vertices, counted from 1, 0 for a slot into which nothing has
    been put.

    `inverted` are their winding flags, `runs` the runs that have sent them; `held` is how many vertices came into a slot.
    """

    corners: NDArray[np.int64]
    inverted: NDArray[np.bool_]
    runs: NDArray[np.int64]
    held: int


def send(runs: NDArray[np.int64], settings: NDArray[np.uint8], after: NDArray[np.uint8] | None, profile: Profile) -> Sending:
    """The primitives of vertices with these settings and runs.

    `after` are the settings at the end of each run, `INHERITED` where the run sets none; it may be None if no vertex inherits
    its setting.
    """
    if after is not None:
        settings = _resolved(runs, settings, after)
    slots = settings & _SLOT
    held = slots < int(profile.emit_slots)
    numbers = np.arange(1, len(runs) + 1)
    filled = [np.maximum.accumulate(np.where(held & (slots == slot), numbers, 0)) for slot in range(SENT)]
    sends = held & (settings & _PRIMITIVE != 0)
    corners = np.stack([slot[sends] for slot in filled], axis=1).astype(np.int64)
    return Sending(corners, settings[sends] & _INVERTED != 0, runs[sends], int(held.sum()))


def _resolved(runs: NDArray[np.int64], settings: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Settings with what the runs before have left in place of `INHERITED`; before the first there is slot 0."""
    numbers = np.arange(1, len(after) + 1)
    last = np.maximum.accumulate(np.where(after != INHERITED, numbers, 0))
    before = np.concatenate([[0], last[:-1]])
    left = np.concatenate([[np.uint8(0)], after])[before]
    return np.where(settings == INHERITED, left[runs], settings)
